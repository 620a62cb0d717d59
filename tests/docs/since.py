#!/usr/bin/env python3
"""Since which release of MuJoCo elements, attributes and words of MJCF are there: tables/mjcf_since.json.

    python tests/docs/since.py --print LIBRARY > FOLDER/RELEASE.txt    # once for each release, on libmujoco.so of its wheel
    python tests/docs/since.py --write FOLDER

Each release prints its own schema (mj_printSchema). It does not say which words an attribute takes: a small document is read with each
word, and with one that no release knows; a release knows a word where the two errors differ. What the first of the releases has is older
than what we can say, and has no entry; neither has an attribute that came with its element, or a word that came with its attribute.
Extensions of Sinew that a later release took up stand there with that release.
"""

import argparse
import ctypes
import json
import os
import pathlib
import re
import sys
import tempfile

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


# ---- words

# Stands between the schema and the words in what a release prints; and a word that none knows.
_WORDS = "==== words"
_UNKNOWN = "no_such_word"


def with_words(schema: Schema) -> list[tuple[str, dict, list[str]]]:
    """Returns path, row and words of the attributes that take words, of elements that MJCF has and not we alone."""
    return [
        (path, row, list(schema.keywords[row["keywords"]]))
        for path, element in schema.elements.items()
        if "defaults_of" not in element and not element.get("extension")
        for row in schema.attributes(element)
        if row["type"] in ("keyword", "keywords") and not row.get("extension")
    ]


def document(schema: Schema, path: str, attribute: str, word: str) -> str:
    """Returns a document with one such element; attributes that have to be given get some value."""
    tags = path.split("/")
    text = ""
    for depth in range(len(tags), 0, -1):
        rows = schema.attributes(schema.elements["/".join(tags[:depth])])
        values = {row["name"]: _some_value(row) for row in rows if row.get("required")}
        if depth == len(tags):
            values[attribute] = word
        given = "".join(f' {name}="{value}"' for name, value in values.items())
        text = f"<{tags[depth - 1]}{given}>{text}</{tags[depth - 1]}>"
    return f"<mujoco>{f'<worldbody>{text}</worldbody>' if tags[0] == 'body' else text}</mujoco>"


def _some_value(row: dict) -> str:
    least = re.match(r"\d+", row.get("count", "1"))
    return " ".join(["1"] * max(1, int(least[0]))) if row["type"] in ("real", "int") else "x"


def words_of(library: str) -> list[str]:
    """Returns lines "PATH ATTRIBUTE=WORD" of the words that a library reads."""
    known, schema, load = [], Schema(Tables(ROOT / "tables")), ctypes.CDLL(library).mj_loadXML
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "model.xml"

        def refused(path: str, attribute: str, word: str) -> bool:
            file.write_text(document(schema, path, attribute, word))
            return b"invalid keyword" in _error_of(load, file)

        for path, row, words in with_words(schema):
            if refused(path, row["name"], _UNKNOWN):
                known += [f"{path} {row['name']}={word}" for word in words if not refused(path, row["name"], word)]
    return known


def _error_of(load, file: pathlib.Path) -> bytes:
    """Returns why a file is refused. It is read in a process of its own, which some documents end."""
    to_read, to_write = os.pipe()
    child = os.fork()
    if not child:
        try:
            silent = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silent, 1)
            os.dup2(silent, 2)
            error = ctypes.create_string_buffer(1000)
            load(str(file).encode(), None, error, len(error))
            os.write(to_write, error.value)
        finally:
            os._exit(0)
    os.close(to_write)
    os.waitpid(child, 0)
    with os.fdopen(to_read, "rb") as answer:
        return answer.read()


# ---- elements and attributes


def attributes_of(schema: str) -> dict[str, set[str]]:
    """Returns the attributes of each element of a printed schema, by the paths of our table."""
    found: dict[str, set[str]] = {}
    stack: list[str] = []
    for line in schema.partition(_WORDS)[0].splitlines():
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
    texts = {release: (folder / f"{release}.txt").read_text() for release in releases}
    schemas = {release: attributes_of(text) for release, text in texts.items()}
    words = {release: set(text.partition(_WORDS)[2].splitlines()) for release, text in texts.items()}
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
    for path, row, words_of_row in with_words(schema):
        # the first release in which the attribute could be tried has its first words
        begins = [release for release in releases if any(line.startswith(f"{path} {row['name']}=") for line in words[release])]
        for word in words_of_row if begins else []:
            since = next((release for release in releases if f"{path} {row['name']}={word}" in words[release]), None)
            if since not in (None, begins[0]):
                entries[f"{path} {row['name']}={word}"] = short(since)
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
        print(printed(arguments.print), _WORDS, *words_of(arguments.print), sep="\n")
    else:
        TABLE.write_text(json.dumps(table_of(arguments.write), indent=1) + "\n")


if __name__ == "__main__":
    main()
