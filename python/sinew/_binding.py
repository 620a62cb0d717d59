"""The extension module whose classes those of this package derive from. It is that of the package `mujoco`, which comes with this one
(docs/how/module.md): whichever of the two packages is imported first loads it, and the other one finds it here."""

import importlib.machinery
import importlib.util
import sys

from sinew import install

_NAME = "sinew._core"


def _load():
    folder = install.module_folder() / "mujoco"
    paths = [folder / ("_core" + suffix) for suffix in importlib.machinery.EXTENSION_SUFFIXES]
    found = [path for path in paths if path.is_file()]
    if not found:
        raise ImportError(f"the extension module is missing whose classes those of sinew derive from: {folder / '_core'}")
    spec = importlib.util.spec_from_file_location("mujoco._core", found[0])
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


core = sys.modules.get(_NAME)
if core is None:
    core = sys.modules[_NAME] = _load()
