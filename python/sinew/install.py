"""Programs written for `import mujoco` on our library.

The package has a module `mujoco` of its own, in a folder that is put into the path: nothing else needs to be installed.

Programs with extensions that were compiled for the official package of 3.8.0 can run on its modules instead, which look
for their library beside themselves, by the path of a link. A shadow of that package, whose files are links but for the
library, which is ours, lies in the user's cache; the installed package is not touched. Child processes find either by
PYTHONPATH.
"""

import hashlib
import importlib.metadata
import importlib.util
import os
import pathlib
import re
import shutil
import sys
import tempfile
from typing import Optional

from sinew import _collision

_INTERFACE = "3.8.0"


def library() -> pathlib.Path:
    """The library that comes with this package."""
    return pathlib.Path(__file__).resolve().parent / "lib" / f"libmujoco.so.{_INTERFACE}"


def module_folder() -> pathlib.Path:
    """The folder that contains our package mujoco."""
    folder = pathlib.Path(__file__).resolve().parent / "as_mujoco"
    return pathlib.Path(os.environ.get("SINEW_MODULE") or folder)


def set_level(level: Optional[str]) -> None:
    """Chooses the release of MuJoCo whose names and meanings programs get, in this process and its children."""
    if level is None:
        return
    if not re.fullmatch(r"[34](\.\d+){1,2}", level):
        raise ValueError(f"a level is a release of MuJoCo, such as 3.8 or 4.0.0, not {level!r}")
    os.environ["SINEW_LEVEL"] = level


def _installed() -> pathlib.Path:
    """The folder of the installed package mujoco, not of a shadow."""
    try:
        distribution = importlib.metadata.distribution("mujoco")
    except importlib.metadata.PackageNotFoundError:
        raise ImportError(
            f"the package mujoco is not installed, whose interface programs import: pip install mujoco=={_INTERFACE}"
        ) from None
    if distribution.version != _INTERFACE:
        raise ImportError(
            f"mujoco {distribution.version} is installed, and Sinew has the interface of {_INTERFACE}: "
            f"pip install mujoco=={_INTERFACE}"
        )
    return pathlib.Path(distribution.locate_file("mujoco")).resolve()


def _cache() -> pathlib.Path:
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(os.environ.get("SINEW_CACHE") or base) / "sinew"


def _mirror(installed: pathlib.Path, package: pathlib.Path) -> None:
    for folder, folders, files in os.walk(installed):
        folders[:] = [name for name in folders if name != "__pycache__"]
        copy = package / pathlib.Path(folder).relative_to(installed)
        copy.mkdir(parents=True)
        for name in files:
            source = library() if name.startswith("libmujoco.so") else pathlib.Path(folder) / name
            (copy / name).symlink_to(source)
    # what our library needs is looked for beside the link, too
    for needed in library().parent.glob("lib*.so.*"):
        if needed != library():
            (package / needed.name).symlink_to(needed)


def make_shadow() -> pathlib.Path:
    """Returns the folder that goes into PYTHONPATH; makes it where it is missing."""
    installed = _installed()
    mark = f"{installed}\n{library()}\n{library().stat().st_mtime_ns}\n{(installed / '__init__.py').stat().st_mtime_ns}"
    folder = _cache() / ("shadow-" + hashlib.sha256(mark.encode()).hexdigest()[:16])
    if not folder.is_dir():
        # several processes may do this at once: the first to rename wins
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = pathlib.Path(tempfile.mkdtemp(prefix="draft-", dir=folder.parent))
        _mirror(installed, draft / "mujoco")
        try:
            draft.rename(folder)
        except OSError:
            shutil.rmtree(draft)
    return folder


def install_as_mujoco(level: Optional[str] = None, official: bool = False) -> pathlib.Path:
    """From now on, `import mujoco` runs on Sinew, in this process and in those that it starts.

    Call it before the first import of mujoco. level: the release that programs are to find, "3.8" or "4.0.0"; by default
    that of what is installed, or the newest. official: on the modules of the installed package, which has to be 3.8.0.
    Returns the folder that was put in front of Python's path.
    """
    others = [path for path in _collision.loaded_libraries() if not _collision.is_ours(path)]
    if others:
        raise ImportError(f"mujoco is imported already, on {others[0]}: call install_as_mujoco() before")
    set_level(level)
    if not official and not (module_folder() / "mujoco").is_dir():
        raise ImportError(f"the module is missing that stands for mujoco: {module_folder()}")
    folder = str(make_shadow() if official else module_folder())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != folder]
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, *paths])
    return pathlib.Path(folder)
