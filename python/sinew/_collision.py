"""Two libraries of one name cannot be in one process: what to do is said before the loader fails without a reason."""

import pathlib
import sys


def loaded_libraries() -> list[str]:
    """Paths of the engine libraries that this process has mapped."""
    try:
        lines = pathlib.Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return []
    return sorted({line.split(None, 5)[-1] for line in lines if "libmujoco.so" in line})


def is_ours(path: str) -> bool:
    """Whether a library is one of Sinew's: only those have this name inside."""
    try:
        return b"sinew_batch_make" in pathlib.Path(path).read_bytes()
    except OSError:
        return False


def check() -> None:
    """Raises ImportError when a library of the same name that is not ours is in the process already."""
    others = [path for path in loaded_libraries() if not is_ours(path)]
    if others:
        raise ImportError(
            f"{others[0]} is loaded already, and sinew brings a library of the same name: import sinew before mujoco "
            f"(mujoco then runs on Sinew), or start the program with `{sys.executable} -m sinew run`"
        )
