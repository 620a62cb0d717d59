"""Texts of the reference are long enough to say what one needs.

Attributes of MJCF: the median has 20 words or more, and none has fewer than 8 but names. Elements, members of the Python package and
functions of C are not blank. It prints how many words there are.

    python tests/docs/words_test.py --draw SEED    # 30 attributes, 10 functions and 10 members of Python, to be judged by a reader
"""

import ast
import importlib.util
import pathlib
import random
import re
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

    def test_since(self) -> None:
        """Releases are those that were looked at; what came after the interface's release is an extension."""
        schema = Schema(TABLES)
        number = lambda release: tuple(int(part) for part in release.split("."))  # noqa: E731
        self.assertEqual(schema.since("body/flexcomp"), "3.0.0")
        self.assertEqual(schema.since("body/flexcomp", "pos"), "", "it came with its element")
        self.assertEqual(schema.since("body/geom", "size"), "", "it is older")
        self.assertEqual(schema.since("default/joint", "actuatorgravcomp"), "3.1.4", "of a class as of its element")
        option = {row["name"]: row for row in schema.attributes(schema.elements["option"])}
        self.assertEqual(schema.words_since("option", option["integrator"]), {"implicitfast": "2.3.3", "discrete": "3.13.0"})
        self.assertEqual(schema.words_since("option", option["solver"]), {}, "all are older")
        self.assertEqual(schema.words_since("option", option["timestep"]), {}, "it takes no words")
        for path, element in schema.elements.items():
            for row in schema.attributes(element):
                since = schema.since(path, row["name"])
                if since:
                    self.assertLess(number(schema.first_release), number(since))
                    self.assertTrue(number(since) <= (3, 8, 0) or row.get("extension"), f"{path} {row['name']}")

    def test_elements(self) -> None:
        schema = Schema(TABLES)
        short = [path for path, element in schema.elements.items() if "defaults_of" not in element and len(element["doc"].split()) < 4]
        self.assertEqual(short, [])

    def test_functions(self) -> None:
        self.assertEqual([entry["name"] for entry in TABLES.functions if len(entry["doc"].split()) < 3], [])

    def test_members_of_python(self) -> None:
        """No public member of a class of the package is without a word; overloads share one."""
        self.assertEqual([name for name, text in members().items() if not text], [])

    def test_rows_of_the_page_of_python(self) -> None:
        """Constructors among them, of which stubs say nothing."""
        spec = importlib.util.spec_from_file_location("site_pages", ROOT / "tools/site.py")
        pages = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(pages)
        self.assertEqual(re.findall(r"^\| `.*` \|\s*\|$", pages.python_page(), re.M), [])


def members() -> dict[str, str]:
    """Returns what the public members of the classes of the package mean; of overloads, the first that has a text."""
    found: dict[str, str] = {}
    for file in ("_sinew.pyi", "gym/__init__.py", "gym/vector.py", "gym/task.py", "jax.py", "pictures.py", "viewing.py"):
        for node in ast.walk(ast.parse((ROOT / "python/sinew" / file).read_text())):
            if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
                continue
            for item in node.body:
                if isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
                    name = f"{file}: {node.name}.{item.name}"
                    found[name] = found.get(name) or ast.get_docstring(item) or ""
    return found


def draw(seed: int) -> None:
    """Prints a panel for a reader: usable is what one can write a model or a program with after reading it."""
    functions = {entry["name"]: f"({', '.join(entry['params'])}): {entry['doc']}" for entry in TABLES.functions}
    for texts, count in ((attributes(), 30), (functions, 10), (members(), 10)):
        for key in random.Random(seed).sample(sorted(texts), count):
            print(key, texts[key], sep="\n  ")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--draw"]:
        draw(int(sys.argv[2]))
    else:
        unittest.main()
