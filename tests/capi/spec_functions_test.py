"""Every function of specifications in the tables is called by spec_functions.c."""

import json
import pathlib
import re
import unittest

HERE = pathlib.Path(__file__).parent


class SpecFunctions(unittest.TestCase):
    def test_all_are_called(self):
        table = json.loads((HERE.parents[1] / "tables/functions.json").read_text())
        names = {function["name"] for function in table if function["name"].startswith("mjs_")}
        self.assertGreater(len(names), 100)
        called = set(re.findall(r"\b(mjs_\w+)\(", (HERE / "spec_functions.c").read_text()))
        self.assertEqual(names - called, set())


if __name__ == "__main__":
    unittest.main()
