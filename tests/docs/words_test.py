"""Texts of the reference are long enough to say what one needs.

Attributes of MJCF: the median has 20 words or more, and none has fewer than 8 but names. Elements, members of the Python package and
functions of C are not blank. `--list N` prints N attributes drawn at random, to be read by somebody.
"""

import ast
import json
import pathlib
import random
import statistics
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tables"))

from generator.mjcf import Schema, meaning  # noqa: E402
from generator.tables import Tables  # noqa: E402

TABLES = Tables(ROOT / "tables")


def attributes() -> dict[str, str]:
    """Returns what attributes mean, by path and name."""
    schema = Schema(TABLES)
    return {
        f"{path} {row['name']}": meaning(row)
        for path, element in schema.elements.items()
        if "defaults_of" not in element
        for row in schema.attributes(element)
    }


class WordsTest(unittest.TestCase):
    def test_attributes(self) -> None:
        counts = {key: len(text.split()) for key, text in attributes().items()}
        median = statistics.median(counts.values())
        print(f"{len(counts)} attributes, median {median:g} words, least {min(counts.values())}")
        self.assertGreaterEqual(median, 20)
        self.assertEqual([key for key, count in counts.items() if count < 8 and not key.endswith(" name")], [])

    def test_elements(self) -> None:
        schema = Schema(TABLES)
        short = [path for path, element in schema.elements.items() if "defaults_of" not in element and len(element["doc"].split()) < 4]
        self.assertEqual(short, [])

    def test_functions(self) -> None:
        self.assertEqual([entry["name"] for entry in TABLES.functions if len(entry["doc"].split()) < 3], [])

    def test_members_of_python(self) -> None:
        """No public member of a class of the package is without a word; overloads share one."""
        blank = []
        for file in ("_sinew.pyi", "gym/__init__.py", "gym/vector.py", "gym/task.py", "jax.py", "pictures.py", "viewing.py"):
            path = ROOT / "python/sinew" / file
            for node in ast.walk(ast.parse(path.read_text())):
                if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
                    continue
                documented = {item.name for item in node.body if isinstance(item, ast.FunctionDef) and ast.get_docstring(item)}
                for item in node.body:
                    if isinstance(item, ast.FunctionDef) and not item.name.startswith("_") and item.name not in documented:
                        blank.append(f"{file}: {node.name}.{item.name}")
        self.assertEqual(blank, [])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--list"]:
        texts = attributes()
        for key in random.sample(sorted(texts), int(sys.argv[2])):
            print(json.dumps(key), texts[key], sep="\n  ")
    else:
        unittest.main()
