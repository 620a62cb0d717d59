"""Puts links to the files of the package into the folder of the build: python assemble.py SOURCE LIBRARY PACKAGE."""

import pathlib
import sys


def link(path: pathlib.Path, target: pathlib.Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink() or path.exists():
        path.unlink()
    path.symlink_to(target)


def main() -> None:
    source, library, package = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    package.mkdir(parents=True, exist_ok=True)
    for path in package.rglob("*"):
        if path.is_symlink():
            path.unlink()
    files = source / "python" / "mujoco"
    for path in files.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            link(package / path.relative_to(files), path)
    link(package / library.name, library)
    for header in (source / "include" / "mujoco").glob("*.h"):
        link(package / "include" / "mujoco" / header.name, header)


if __name__ == "__main__":
    main()
