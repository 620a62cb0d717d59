"""`python -m sinew run PROGRAM ARGUMENTS` runs a Python program with `import mujoco` on Sinew; `-m MODULE` likewise.

All other commands are those of the program `sinew`.
"""

import runpy
import sys

from sinew import _program, install

_USAGE = """usage: python -m sinew run [-q] PROGRAM.py [ARGUMENT...]
       python -m sinew run [-q] -m MODULE [ARGUMENT...]
       python -m sinew COMMAND ...       the program `sinew`: see python -m sinew --help

Runs a Python program that was written for `import mujoco` on Sinew, child processes included. -q: without the line that
says so."""


def run(arguments: list[str]) -> int:
    """The command `run`; returns the exit code when it does not run anything."""
    quiet = arguments[:1] == ["-q"]
    arguments = arguments[quiet:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE)
        return 0 if arguments else 2
    try:
        folder = install.install_as_mujoco()
    except ImportError as error:
        print(f"sinew: {error}", file=sys.stderr)
        return 1
    if not quiet:
        print(f"sinew: import mujoco runs on {install.library()} ({folder})", file=sys.stderr)
    if arguments[0] == "-m":
        if len(arguments) < 2:
            print(_USAGE, file=sys.stderr)
            return 2
        sys.argv = arguments[1:]
        sys.path.insert(0, "")
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path.insert(0, str(install.pathlib.Path(arguments[0]).resolve().parent))
        runpy.run_path(arguments[0], run_name="__main__")
    return 0


def main() -> int:
    if sys.argv[1:2] == ["run"]:
        return run(sys.argv[2:])
    return _program.main()


if __name__ == "__main__":
    sys.exit(main())
