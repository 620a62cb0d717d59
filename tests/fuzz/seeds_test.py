#!/usr/bin/env python3
"""The seeds of the fuzz targets hold every element and attribute of the MJCF schema, and the models with flexes."""

import json
import pathlib
import sys
import unittest
import xml.etree.ElementTree as ET

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import make_seeds  # noqa: E402


class Seeds(unittest.TestCase):
    def setUp(self):
        self.seeds = dict(make_seeds.seeds())
        self.schema = json.loads((make_seeds.ROOT / "tables/mjcf.json").read_text())

    def test_every_element_and_attribute_is_there(self):
        known = set()

        def visit(node, path):
            known.update((path, name) for name in node.attrib)
            known.add(path)
            for child in node:
                inner = (path + "/" + child.tag).replace("worldbody/", "body/") if path != "mujoco" else child.tag
                visit(child, "body" if inner in ("body/body", "worldbody/body") else inner)
        for content in self.seeds["mjcf"].values():
            visit(ET.fromstring(content), "mujoco")
        for entry in self.schema["elements"]:
            self.assertIn(entry["path"], known)
            for attribute in make_seeds.attributes_of(self.schema, entry.get("attributes", [])):
                if entry["path"] not in ("mujoco", "include"):
                    self.assertIn((entry["path"], attribute["name"]), known)

    def test_models_with_flexes_are_there(self):
        flexes = [path for path in (make_seeds.ROOT / "models/flex").glob("*.xml") if path.stat().st_size < make_seeds.LARGEST]
        self.assertGreater(len(flexes), 5)
        for path in flexes:
            self.assertIn(path.read_bytes(), self.seeds["mjcf"].values())

    def test_every_target_has_seeds(self):
        targets = {path.name.removesuffix("_fuzz.cc") for path in pathlib.Path(__file__).parent.glob("*_fuzz.cc")}
        self.assertEqual(targets, set(self.seeds))


if __name__ == "__main__":
    unittest.main()
