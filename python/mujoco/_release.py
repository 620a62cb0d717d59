"""The release that programs are told, and its level."""

import itertools
import os
import sys

from mujoco import _core

NEWEST = "4.0.0"
_release = "3.8.0"
_level = 308


def version() -> str:
    """The release that programs are told: SINEW_LEVEL, the installed distribution's, or the newest that is known."""
    level = os.environ.get("SINEW_LEVEL", "")
    if not level:
        return _installed() or NEWEST
    numbers = level.split(".")
    if len(numbers) not in (2, 3) or not all(number.isdecimal() for number in numbers):
        raise ImportError(f"SINEW_LEVEL is {level!r}: give a release of MuJoCo, such as 3.9")
    return level if len(numbers) == 3 else level + ".0"


def set_level(release: str) -> None:
    """From now on, models that are made have the meaning of a release (docs/how/module.md)."""
    global _level, _release
    major, minor = release.split(".")[:2]
    _release = release
    _level = 100 * int(major) + int(minor)
    _core.set_level(_level)


def release() -> str:
    """The release of this process, which mujoco.__version__ and mj_versionString() say: programs compare the two."""
    return _release


def number() -> int:
    """The number of that release: 3008000 is 3.8.0, and before 3.5 one digit a part, so that 340 is 3.4.0."""
    parts = [int("".join(itertools.takewhile(str.isdecimal, part)) or 0) for part in _release.split(".")[:3]]
    major, minor, patch = parts + [0] * (3 - len(parts))
    return 1000000 * major + 1000 * minor + patch if (major, minor) >= (3, 5) else 100 * major + 10 * minor + patch


def level() -> int:
    """The level of this process: 100 times the major number and the minor one."""
    return _level


def _installed() -> str:
    """The version of the installed distribution: importlib.metadata knows it as well, and takes longer than all the rest."""
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            if name.startswith(("mujoco-", "mujoco_core-")) and name.endswith(".dist-info"):
                return name[: -len(".dist-info")].rpartition("-")[2]
    return ""
