"""The release that programs are told, and its level."""

import os
import sys

from mujoco import _core

NEWEST = "4.0.0"
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
    global _level
    major, minor = release.split(".")[:2]
    _level = 100 * int(major) + int(minor)
    _core.set_level(_level)


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
