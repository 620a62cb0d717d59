#!/usr/bin/env python3
"""Since which release of MuJoCo elements and attributes of MJCF are there: tables/mjcf_since.json.

    python tests/docs/since.py --print LIBRARY > FOLDER/RELEASE.txt    # once for each release, on libmujoco.so of its wheel
    python tests/docs/since.py --write FOLDER

Each release prints its own schema (mj_printSchema). What the first of the releases has is older than what we can say, and has no entry;
neither has an attribute that came with its element. Extensions of Sinew that a later release took up stand there with that release.
"""

import argparse
import ctypes
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "tables/mjcf_since.json"
sys.path.insert(0, str(ROOT / "tables"))

from generator.mjcf import Schema  # noqa: E402
from generator.tables import Tables  # noqa: E402


def printed(library: str) -> str:
    """Returns the schema that a library prints."""
    buffer = ctypes.create_string_buffer(1 << 20)
    ctypes.CDLL(library).mj_printSchema(None, buffer, len(buffer), 0, 0)
    return buffer.value.decode()


def attributes_of(schema: str) -> dict[str, set[str]]:
    """Returns the attributes of each element of a printed schema, by the paths of our table."""
    found: dict[str, set[str]] = {}
    stack: list[str] = []
    for line in schema.splitlines():
        row = re.match(r"( *)(\S+) \(.\)(.*)$", line)
        if row:  # elements are indented by their depth; lines without one go on with attributes
            stack = [*stack[: len(row[1]) // 3], row[2].replace("(world)", "")]
        path = "/".join(stack[1:]) or stack[0]
        found.setdefault(path, set()).update((row[3] if row else line).split())
    return found


def order_of(release: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", release)[:3])


def table_of(folder: pathlib.Path) -> dict:
    """Returns what the table has to hold, from a folder with a printed schema of each release."""
    releases = sorted((path.stem for path in folder.glob("*.txt")), key=order_of)
    schemas = {release: attributes_of((folder / f"{release}.txt").read_text()) for release in releases}
    schema = Schema(Tables(ROOT / "tables"))
    entries: dict[str, str] = {}

    def first(path: str, attribute: str | None) -> str | None:
        for release in releases:
            known = schemas[release].get(path)
            if known is not None and (attribute is None or attribute in known):
                return release
        return None

    for path, element in schema.elements.items():
        if "defaults_of" in element or path == "worldbody":
            continue  # classes have what elements have, and the world is a body
        since = first(path, None)
        if since not in (None, releases[0]):
            entries[path] = short(since)
        for row in schema.attributes(element):
            of_attribute = first(path, row["name"])
            if of_attribute not in (None, since, releases[0]):
                entries[f"{path} {row['name']}"] = short(of_attribute)
    return {"first": short(releases[0]), "last": short(releases[-1]), "since": entries}


def short(release: str) -> str:
    return ".".join(str(part) for part in order_of(release))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--print", metavar="LIBRARY")
    what.add_argument("--write", metavar="FOLDER", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.print:
        print(printed(arguments.print))
    else:
        TABLE.write_text(json.dumps(table_of(arguments.write), indent=1) + "\n")


if __name__ == "__main__":
    main()
