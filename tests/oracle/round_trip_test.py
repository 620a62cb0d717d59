"""The project's own models stay the same through XML, in our library and in the release whose interface it is.

Needs what round_trip.py needs, and skips itself without.
"""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import round_trip  # noqa: E402
from libraries import AVAILABLE, NEEDS, OWN, REFERENCE  # noqa: E402

# The comparison goes through the release's MJB, which holds no extensions: models with muscles that have tendons, with
# compliant contacts, or with surfaces that move or hold their point, make the round trip in unit tests
# (unit/model/storage/extension_test.cc, unit/mjcf/surface_test.cc, unit/constraint/stick_test.cc).
BEYOND = {"muscle", "compliant", "hands"}
MODELS = sorted(path for path in (HERE.parents[1] / "models").rglob("*.xml") if path.parent.name not in BEYOND)

# Written with attributes that the release does not know.
EXTENDED = {"cells.xml", "soft_gripper.xml"}


@unittest.skipUnless(AVAILABLE, NEEDS)
class RoundTripTest(unittest.TestCase):
    def test_models(self):
        for path in MODELS:
            with self.subTest(path.name):
                result = round_trip.isolated(path, OWN, REFERENCE, 17)
                self.assertNotIn("error", result)
                self.assertEqual(result["own"], [])
                if path.name not in EXTENDED:
                    self.assertEqual(result["reference"], [])


if __name__ == "__main__":
    unittest.main()
