"""`python -m sinew run PROGRAM ARGUMENTS` runs a Python program with `import mujoco` on Sinew; `-m MODULE` likewise.

All other commands are those of the program `sinew`.
"""

import runpy
import sys

from sinew import _program, install

_USAGE = """usage: python -m sinew run [OPTION...] PROGRAM.py [ARGUMENT...]
       python -m sinew run [OPTION...] -m MODULE [ARGUMENT...]
       python -m sinew activate | deactivate | status
       python -m sinew COMMAND ...       the program `sinew`: see python -m sinew --help

run: a Python program that was written for `import mujoco` runs on Sinew, child processes included.
  -q             without the line that says so
  --level 3.11   the release of MuJoCo whose names and meanings it gets; without it that of what is installed
  --official     on the modules of the installed package mujoco, which has to be 3.8.0
activate: `import mujoco` is Sinew in all programs of this environment, until deactivate; status tells what they get."""


def run(arguments: list[str]) -> int:
    """The command `run`; returns the exit code when it does not run anything."""
    arguments = list(arguments)
    quiet, level, official = False, None, False
    while arguments[:1] and arguments[0] in ("-q", "--level", "--official"):
        option = arguments.pop(0)
        quiet, official = quiet or option == "-q", official or option == "--official"
        if option == "--level":
            level = arguments.pop(0) if arguments else ""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE)
        return 0 if arguments else 2
    try:
        folder = install.install_as_mujoco(level, official)
    except (ImportError, ValueError) as error:
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


def environment(command: str) -> int:
    """The commands `activate`, `deactivate` and `status`."""
    from sinew import activation

    if command == "status":
        for name, value in activation.status().items():
            print(f"{name:<15} {value}")
        return 0
    try:
        print(activation.activate() if command == "activate" else activation.deactivate())
    except OSError as error:
        print(f"sinew: {error}", file=sys.stderr)
        return 1
    return 0


def main() -> int:
    if sys.argv[1:2] == ["run"]:
        return run(sys.argv[2:])
    if sys.argv[1:2] and sys.argv[1] in ("activate", "deactivate", "status"):
        return environment(sys.argv[1])
    if sys.argv[1:2] == ["doctor"]:
        environment("status")
    return _program.main()


if __name__ == "__main__":
    sys.exit(main())
