#!/usr/bin/env python3
"""Generates the C headers, views, field tables and exported stubs from the tables in this folder.

    generate.py            writes every generated file that differs
    generate.py --check    writes nothing; lists the files that differ and fails if there are any
    generate.py --list     names the generated files
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from generator import (calls, capi, face, fields, gone, handles, headers, mjcf, module, module_introspect,  # noqa: E402
                       module_names, module_python, module_stubs, python, sensors, views)
from generator.tables import Tables, TableError  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent


def outputs(tables: Tables) -> dict[str, str]:
    """Returns the text of every generated file by its path in the tree."""
    files: dict[str, str] = {}
    for writer in (headers, fields, views, handles, mjcf, gone, sensors, capi, calls, face, python, module, module_python,
                   module_introspect, module_names, module_stubs):
        files.update(writer.generate(tables))
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the tree instead of writing")
    parser.add_argument("--list", action="store_true", help="print the paths of the generated files")
    arguments = parser.parse_args()
    try:
        files = outputs(Tables(ROOT / "tables"))
    except TableError as error:
        print(f"generate.py: {error}", file=sys.stderr)
        return 2
    if arguments.list:
        print("\n".join(sorted(files)))
        return 0
    stale = [path for path, text in files.items() if not _same(ROOT / path, text)]
    for path in stale:
        print(f"{'differs' if arguments.check else 'wrote'}: {path}")
        if not arguments.check:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(files[path])
    if arguments.check and stale:
        print("run tables/generate.py", file=sys.stderr)
    return 1 if arguments.check and stale else 0


def _same(path: pathlib.Path, text: str) -> bool:
    return path.is_file() and path.read_text() == text


if __name__ == "__main__":
    sys.exit(main())
