"""The project's own models stay the same through XML, in our library and in the release whose interface it is.

Needs what round_trip.py needs, and skips itself without.
"""

import importlib.util
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import round_trip  # noqa: E402

MODELS = sorted((HERE.parents[1] / "models").rglob("*.xml"))

# Written with attributes that the release does not know.
EXTENDED = {"cells.xml"}
AVAILABLE = importlib.util.find_spec("mujoco") and importlib.util.find_spec("numpy") and round_trip.OWN.is_file()


@unittest.skipUnless(AVAILABLE, "no library, or no release to compare with")
class RoundTripTest(unittest.TestCase):
    def test_models(self):
        for path in MODELS:
            with self.subTest(path.name):
                result = round_trip.isolated(path, round_trip.OWN, round_trip.reference_library(), 17)
                self.assertNotIn("error", result)
                self.assertEqual(result["own"], [])
                if path.name not in EXTENDED:
                    self.assertEqual(result["reference"], [])


if __name__ == "__main__":
    unittest.main()
