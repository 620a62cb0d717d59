"""Virtual file systems and the cache of assets against those of the release whose interface this is, call by call.

Needs what libraries.py says.
"""

import ctypes
import pathlib
import tempfile
import unittest

from libraries import AVAILABLE, NEEDS, OWN, REFERENCE

MODEL = b"""<mujoco><asset><mesh name="m" file="m.obj"/></asset>
  <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"""
MESH = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


class Files:
    """A virtual file system of one library."""

    def __init__(self, library):
        self._library, self._vfs = library, ctypes.create_string_buffer(64)
        library.mj_defaultVFS(self._vfs)

    def call(self, function: str, *args) -> int:
        return getattr(self._library, f"mj_{function}VFS")(self._vfs, *args)

    def load(self, name: bytes) -> bool:
        """Returns whether a model is loaded from these files."""
        self._library.mj_loadXML.restype = ctypes.c_void_p
        model = self._library.mj_loadXML(name, self._vfs, ctypes.create_string_buffer(1000), 1000)
        if model:
            self._library.mj_deleteModel(ctypes.c_void_p(model))
        return bool(model)


@unittest.skipUnless(AVAILABLE, NEEDS)
class FilesTest(unittest.TestCase):
    def setUp(self):
        self.libraries = [ctypes.CDLL(str(path)) for path in (OWN, REFERENCE)]
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name.encode()
        pathlib.Path(folder.name, "model.xml").write_bytes(MODEL)
        pathlib.Path(folder.name, "m.obj").write_bytes(MESH)

    def _answers(self, library) -> list:
        """Returns what a library says to all that can be asked of files."""
        files, folder = Files(library), self.folder
        answers = [files.call("addBuffer", b"a.xml", MODEL, len(MODEL)), files.call("addBuffer", b"a.xml", MODEL, 3)]
        answers += [files.call("addBuffer", b"dir/../b.xml", MODEL, len(MODEL))]
        answers += [files.call("addBuffer", b"empty", b"", 0)]
        answers += [files.call("containsBuffer", name) for name in (b"a.xml", b"A.XML", b"b.xml", b"c.xml")]
        answers += [files.load(b"a.xml")]  # without its mesh
        answers += [files.call("addFile", folder, b"model.xml"), files.call("addFile", folder, b"model.xml")]
        answers += [files.call("addFile", b"/nowhere", b"model.xml")]  # the name is repeated, wherever it is
        answers += [files.call("addFile", None, folder + b"/m.obj")]
        answers += [files.call("containsFile", place, b"model.xml") for place in (folder, None, b"/nowhere")]
        answers += [files.call("addBuffer", b"m.obj", MESH, len(MESH)), files.load(b"a.xml"), files.load(b"b.xml")]
        answers += [files.call("deleteFile", b"m.obj"), files.call("deleteFile", b"m.obj"), files.load(b"a.xml")]
        answers += [files.call("unmount", b"nothing"), files.call("mount", b"mount", None)]
        files.call("delete")
        return answers

    def test_files(self):
        ours, theirs = (self._answers(library) for library in self.libraries)
        self.assertEqual(ours, theirs)

    def test_a_missing_file_is_an_error(self):
        """That release mounts an empty file instead, and says that all went well."""
        files = Files(self.libraries[0])
        self.assertEqual(files.call("addFile", self.folder, b"nothing.xml"), -1)
        self.assertEqual(files.call("containsFile", self.folder, b"nothing.xml"), 0)

    def test_cache(self):
        for library in self.libraries:
            cache = library.mj_getCache
            cache.restype = ctypes.c_void_p
            names = ("getCacheSize", "getCacheCapacity", "setCacheCapacity")
            call = {name: getattr(library, f"mj_{name}") for name in names}
            for function in call.values():
                function.restype = ctypes.c_size_t
            handle = ctypes.c_void_p(cache())
            self.assertEqual(call["setCacheCapacity"](handle, ctypes.c_size_t(1 << 20)), 1 << 20)
            self.assertEqual(call["getCacheCapacity"](handle), 1 << 20)
            self.assertTrue(Files(library).load(self.folder + b"/model.xml"))
            self.assertGreater(call["getCacheSize"](handle), 0)
            library.mj_clearCache(handle)
            self.assertEqual(call["getCacheSize"](handle), 0)


if __name__ == "__main__":
    unittest.main()
