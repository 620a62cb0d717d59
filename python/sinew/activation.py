"""`python -m sinew activate`: from then on `import mujoco` is Sinew in this environment, in every process of it.

A file with an import hook is put into site-packages, and a `.pth` that loads it when an interpreter starts. The hook looks
at nothing until a program imports mujoco. What is installed under that name stays as it is.
"""

import importlib.metadata
import os
import pathlib
import subprocess
import sys
import sysconfig

from sinew import install

_NAME = "_sinew_as_mujoco"
_HOOK = '''"""Made by `python -m sinew activate`: `import mujoco` is Sinew. `python -m sinew deactivate` removes it."""
import os
import sys

FOLDER = {folder!r}


class Finder:
    """Finds the package of Sinew before an installed one, unless SINEW_AS_MUJOCO is 0."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "mujoco" or os.environ.get("SINEW_AS_MUJOCO") == "0" or not os.path.isdir(FOLDER):
            return None
        from importlib.machinery import PathFinder

        return PathFinder.find_spec(name, [FOLDER])


if not any(getattr(finder, "__name__", "") == "Finder" and getattr(finder, "__module__", "") == __name__ for finder in sys.meta_path):
    sys.meta_path.insert(0, Finder)
'''


def _site_packages() -> pathlib.Path:
    return pathlib.Path(sysconfig.get_path("purelib"))


def _files() -> tuple[pathlib.Path, pathlib.Path]:
    folder = _site_packages()
    return folder / f"{_NAME}.py", folder / f"{_NAME}.pth"


def is_active() -> bool:
    """Whether this environment is activated."""
    return all(path.is_file() for path in _files())


def activate() -> str:
    """Puts the hook into site-packages; returns what was done."""
    hook, start = _files()
    folder = install.module_folder()
    hook.write_text(_HOOK.format(folder=str(folder)))
    start.write_text(f"import {_NAME}\n")
    return f"import mujoco is Sinew in {sys.prefix} ({folder})"


def deactivate() -> str:
    """Removes the hook; returns what was done."""
    if not is_active():
        return f"{sys.prefix} was not activated"
    for path in _files():
        path.unlink(missing_ok=True)
    return f"import mujoco is what is installed in {sys.prefix}"


def installed() -> str:
    """The distribution that provides mujoco in this environment, and its version; "none" without one."""
    for name in ("mujoco", "mujoco-core"):
        try:
            return f"{name} {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            continue
    return "none"


def status() -> dict[str, str]:
    """What a program of this environment gets by `import mujoco`."""
    code = "import mujoco; print(mujoco.__file__, mujoco.__version__, sep='\\n')"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    lines = result.stdout.splitlines()
    found = lines[0] if result.returncode == 0 else "nothing: " + (result.stderr.strip().splitlines() or ["?"])[-1]
    ours = result.returncode == 0 and str(install.module_folder()) in lines[0]
    return {
        "environment": sys.prefix,
        "activated": "yes" if is_active() else "no",
        "installed": installed(),
        "import mujoco": f"Sinew ({found})" if ours else found,
        "its version": lines[1] if result.returncode == 0 else "",
        "level": os.environ.get("SINEW_LEVEL", "") or "that of what is installed, or the newest",
    }
