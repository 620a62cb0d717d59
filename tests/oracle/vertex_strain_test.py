"""Strains about the vertices of shells (`flexvert`), against MuJoCo 3.8.0, to the last bit.

The metric of a vertex is compiled; strains and their Jacobian are those of a state. A strain is held by forces that grow
with stiffness, and inverse dynamics subtracts them: what rounding leaves of it is compared with nothing.
Needs what libraries.py says, and the package mujoco, whose models and states our library reads as its own.
"""

import unittest

# The package comes before our library: one of the same name that is there already would be taken for its own.
try:
    import mujoco
    import numpy as np
except ImportError:
    mujoco = None

from libraries import AVAILABLE, NEEDS
from own_library import OwnLibrary

MODELS = 40
MODEL = """<mujoco><worldbody><body name="b"><flexcomp name="f" type="grid" count="{}" spacing="{:.4f} {:.4f} .1" dim="{}"
  radius=".01" mass="{:.4f}" dof="{}" pos=".013 0 .2"><contact selfcollide="none"/><edge equality="vert"/></flexcomp></body>
</worldbody></mujoco>"""


def random_model(rng, dof: str) -> str:
    """Returns a shell in the plane."""
    count = f"{rng.integers(2, 5)} {rng.integers(2, 5)} 1"
    return MODEL.format(count, *rng.uniform(0.03, 0.1, 2), 2, rng.uniform(0.2, 2), dof)


@unittest.skipUnless(AVAILABLE, NEEDS)
class VertexStrainTest(unittest.TestCase):
    def setUp(self):
        self.own = OwnLibrary()

    def strains(self, model, data):
        """Returns what our library finds at the positions of a state."""
        for stage in ("mj_kinematics", "mj_comPos", "mj_flex"):
            self.own.call(stage, model, data)
        return data.flexvert_length.copy(), data.flexvert_J.copy()

    def test_strains_have_the_same_bits(self):
        rng = np.random.default_rng(6)
        for i in range(MODELS):
            dof = ("full", "2d", "radial")[i % 3]
            xml = random_model(rng, dof)
            try:
                model = mujoco.MjModel.from_xml_string(xml)
            except ValueError:
                continue  # a vertex in the centre has no radial direction
            with self.subTest(model=i, dof=dof):
                np.testing.assert_array_equal(self.own.compile(xml).flex_vertmetric, model.flex_vertmetric)
                data = mujoco.MjData(model)
                data.qpos[:] = rng.normal(size=model.nq) * 0.003
                for stage in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_flex):
                    stage(model, data)
                expected = data.flexvert_length.copy(), data.flexvert_J.copy()
                ours = self.strains(model, data)
                np.testing.assert_array_equal(ours[0], expected[0])
                np.testing.assert_array_equal(ours[1], expected[1])

    def test_other_dimensions_are_held_by_nothing(self):
        for dim, count in ((1, "5 1 1"), (3, "3 3 3")):
            with self.subTest(dim=dim):
                xml = MODEL.format(count, 0.1, 0.1, dim, 1, "full")
                ours, theirs = self.own.compile(xml), mujoco.MjModel.from_xml_string(xml)
                self.assertEqual(ours.nJfv, theirs.nJfv)
                np.testing.assert_array_equal(ours.flex_vertedgenum, theirs.flex_vertedgenum)
                data = mujoco.MjData(ours)
                self.own.call("mj_forward", ours, data)
                self.assertEqual(data.nefc, 0)


if __name__ == "__main__":
    unittest.main()
