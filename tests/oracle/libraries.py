"""The two libraries that the comparisons of this folder run: ours, and that of the release whose interface it has.

SINEW_LIBRARY names ours, else it is that of the release build. MUJOCO_REFERENCE_LIBRARY names the other, else it is that of
the installed package mujoco. Comparisons skip themselves where one of them, or numpy, is not at hand.
"""

import importlib.util
import os
import pathlib

RELEASE = "3.8.0"
ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = pathlib.Path(os.environ.get("SINEW_LIBRARY", ROOT / f"build/release/lib/libmujoco.so.{RELEASE}")).resolve()


def _reference() -> pathlib.Path | None:
    if path := os.environ.get("MUJOCO_REFERENCE_LIBRARY"):
        return pathlib.Path(path)
    spec = importlib.util.find_spec("mujoco")
    path = pathlib.Path(spec.origin).parent / f"libmujoco.so.{RELEASE}" if spec and spec.origin else None
    return path if path and path.is_file() else None


REFERENCE = _reference()
AVAILABLE = bool(REFERENCE and OWN.is_file() and importlib.util.find_spec("numpy"))
NEEDS = "needs numpy, our library and that of MuJoCo 3.8.0"
