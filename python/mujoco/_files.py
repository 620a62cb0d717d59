"""Files in memory that models may name."""


class MjVfs:
    """A virtual file system: names, and the bytes of their files."""

    def __init__(self):
        self._files = {}
        self._closed = False

    def _open(self):
        if self._closed:
            raise RuntimeError("VFS is closed")
        return self._files

    def __setitem__(self, name, content):
        if not isinstance(name, str):
            raise TypeError(f"files are known by texts, not {name!r}")
        if name in self._open():
            raise ValueError(f"there is a file '{name}' already")
        self._files[name] = bytes(content)

    def __contains__(self, name):
        return name in self._open()

    def __delitem__(self, name):
        if name not in self._open():
            raise KeyError(name)
        del self._files[name]

    def close(self):
        self._files, self._closed = {}, True

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self.close()


def merged(assets, vfs):
    """The files of a dict or of a virtual file system; only one may be given."""
    if vfs is None:
        return assets
    if assets:
        raise ValueError("vfs cannot be used with assets")
    if not isinstance(vfs, MjVfs):
        raise TypeError(f"vfs takes an MjVfs, not {vfs!r}")
    return dict(vfs._open())
