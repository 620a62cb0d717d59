"""Modes of strain of flexes' cells, as MuJoCo 3.8.0 finds them.

A row of a cell is sqrt(s) v of an eigenvalue s and its eigenvector v. A symmetric cell has several vectors to one value,
and rounding decides which basis of their space the rows are. What they span does not depend on it: sum s v v'.
Needs what libraries.py says, and the package mujoco.
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

MODEL = """<mujoco><worldbody><body name="b"><flexcomp name="f" type="grid" count="{count}" spacing=".1 .1 .1" dim="3"
  radius=".01" dof="{dof}" mass="1"><edge equality="strain"/><contact selfcollide="none"/></flexcomp></body></worldbody>
</mujoco>"""
NODES = {"trilinear": 8, "quadratic": 27}


@unittest.skipUnless(AVAILABLE, NEEDS)
class StrainTest(unittest.TestCase):
    def setUp(self):
        self.own = OwnLibrary()

    @staticmethod
    def rows(model, nodes: int):
        values = model.flex_stiffness.ravel()[model.flex_stiffnessadr[0]:]
        count = int(values[0])
        return values[1:1 + count * 3 * nodes].reshape(count, 3 * nodes)

    def test_rows_span_the_same(self):
        for dof, nodes in NODES.items():
            for count in ("3 3 3", "4 3 3", "5 4 3"):
                with self.subTest(dof=dof, count=count):
                    xml = MODEL.format(dof=dof, count=count)
                    theirs = self.rows(mujoco.MjModel.from_xml_string(xml), nodes)
                    ours = self.rows(self.own.compile(xml), nodes)
                    self.assertEqual(ours.shape, theirs.shape)
                    span, expected = ours.T @ ours, theirs.T @ theirs
                    # a hundred times what sums of 81 products of rounded rows are apart
                    np.testing.assert_allclose(span, expected, rtol=0, atol=1e-12 * abs(expected).max())


if __name__ == "__main__":
    unittest.main()
