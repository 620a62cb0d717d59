"""Specifications in archives: an MJCF file and what it names."""

import os


def read(file, from_string):
    """The specification of an archive: one MJCF file, and what it names."""
    import zipfile  # slow to import

    with zipfile.ZipFile(file) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    models = [name for name in files if name.endswith(".xml")]
    if not models:
        raise ValueError("there is no MJCF file in the archive")
    root = min(models, key=lambda name: name.count("/"))
    folder = root.rpartition("/")[0]
    assets = {name[len(folder) + 1 :] if folder else name: content for name, content in files.items() if name != root}
    return from_string(files[root].decode(), assets=assets)


def write(spec, file):
    """Writes an archive with the specification and its assets."""
    import zipfile

    name = os.path.splitext(os.path.basename(file))[0] if isinstance(file, (str, os.PathLike)) else spec.modelname
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(f"{name}.xml" if name else "model.xml", spec.to_xml())
        for asset, content in spec.assets.items():
            folder = spec.texturedir if asset.endswith(".png") else spec.meshdir
            archive.writestr(f"{folder}/{asset}" if folder and "/" not in asset else asset, content)
