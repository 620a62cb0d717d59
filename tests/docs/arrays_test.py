"""The table of what arrays of batches cost (docs/how/batch.md) names the parameters and outputs that the engine's tables have.

    python tests/docs/arrays_test.py
"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def named_in_docs(row: str) -> set[str]:
    """The arrays of a row of the table."""
    text = (ROOT / "docs/how/batch.md").read_text()
    cell = re.search(rf"^\| {re.escape(row)} \|(.*?)\|", text, re.M)[1]
    return set(re.findall(r"`([\w.*]+)`", cell))


class ArraysTest(unittest.TestCase):
    def test_parameters_of_lanes(self) -> None:
        source = (ROOT / "src/batch/plan/lane_parameters.cc").read_text()
        table = source[source.index("kLaneArrays[]") : source.index("kSeenArrays[]")]
        known = set(re.findall(r"SINEW_FIELD\((\w+),", table))
        for name, field in re.findall(r'\{"(\w+)", ModelField::(\w+),', table):
            known.add("stat.*" if field.startswith("stat_") else f"opt.{name}")
        self.assertEqual(named_in_docs("parameters that lanes read for themselves"), known)

    def test_outputs_of_worlds_alone(self) -> None:
        source = (ROOT / "src/batch/front/worlds_arrays.cc").read_text()
        names = re.search(r"bool IsOfWorldsAlone.*?\{(.*?)\};", source, re.S)[1]
        self.assertEqual(named_in_docs("outputs for which worlds run alone"), set(re.findall(r'"(\w+)"', names)))


if __name__ == "__main__":
    unittest.main()
