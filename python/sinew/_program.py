"""The command line program, which comes with the package."""

import os
import pathlib
import sys


def program() -> pathlib.Path:
    """The file of the program."""
    file = pathlib.Path(__file__).resolve().parent / "bin" / "sinew"
    try:
        file.chmod(file.stat().st_mode | 0o111)  # archives may have lost it
    except OSError:
        pass
    return file


def main() -> int:
    if sys.argv[1:2] and sys.argv[1] in ("run", "activate", "deactivate", "status"):
        from sinew import __main__

        return __main__.main()
    arguments = sys.argv[1:]
    if arguments[:1] == ["doctor"] and "--python" not in arguments and "--help" not in arguments:
        arguments += ["--python", sys.executable]
    file = program()
    os.execv(file, [str(file), *arguments])
