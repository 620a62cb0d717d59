"""Finite differences of inverse dynamics, against those of the release whose interface this is.

Both libraries differentiate the same state of the release's compiled models. Needs what libraries.py says, and the
package mujoco.
"""

import ctypes
import unittest

from libraries import AVAILABLE, NEEDS, OWN, ROOT

if AVAILABLE:
    import mujoco
    import numpy as np

EPS = 1e-6

# Trees that feel each other by a contact, a tendon, a weld, and some that feel nobody.
TREES = """<mujoco><option jacobian="{jacobian}" integrator="{integrator}"><flag invdiscrete="{discrete}"/></option>
  <worldbody><geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos=".03 .01 .298"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="1 0 .049"><freejoint/><geom type="capsule" size=".05 .1" euler="90 0 0"/></body>
    <body pos="2 0 1"><joint name="swing" axis="0 1 0" damping=".1" frictionloss=".01"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body>
    <body name="arm" pos="2 1 1"><joint type="ball" damping=".2"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <body pos=".3 0 0"><joint name="lift" type="slide" axis="0 0 1" range="-.01 .1" limited="true"/>
        <geom size=".05"/></body></body>
    <body name="box" pos="2 2 1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
  {equality}
  <tendon><fixed name="both" armature=".1" damping=".3"><joint joint="swing" coef="1"/><joint joint="lift" coef="2"/></fixed>
  </tendon>
  <actuator><motor tendon="both" ctrlrange="-1 1"/><position joint="lift" kp="20" kv="1"/></actuator>
  <sensor><framepos objtype="body" objname="box"/><jointactuatorfrc joint="lift"/><accelerometer site="s"/></sensor>
</mujoco>""".replace('<geom size=".05"/>', '<geom size=".05"/><site name="s"/>')


# Equalities are held in the matrix of implicit integrators, which discrete inverse dynamics undoes: there that release
# departs (docs/from-mujoco/departures.md).
WELD = '<equality><weld body1="box" body2="arm"/></equality>'


def settled(model, steps: int = 40):
    """Returns a world that has rested and moved for a while, with accelerations that are not those of its dynamics."""
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    data.ctrl[:] = 0.3
    for _ in range(steps):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    data.qacc[:] = np.sin(np.arange(model.nv))
    return data


@unittest.skipUnless(AVAILABLE, NEEDS)
class InverseDifferenceTest(unittest.TestCase):
    def compare(self, model, sensors: bool):
        own = ctypes.CDLL(str(OWN)).mjd_inverseFD
        own.restype = None
        own.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double, ctypes.c_ubyte] + 7 * [ctypes.c_void_p]
        nv, ns = model.nv, model.nsensordata if sensors else 0
        shapes = 3 * [(nv, nv)] + 3 * [(nv, ns) if ns else None] + [(nv, model.nM)]
        for actuation in (0, 1):
            expected, actual = ([shape and np.full(shape, np.nan) for shape in shapes] for _ in range(2))
            mujoco.mjd_inverseFD(model, settled(model), EPS, actuation, *expected)
            data = settled(model)
            own(model._address, data._address, EPS, actuation, *(x if x is None else x.ctypes.data for x in actual))
            for name, x, y in zip(("DfDq", "DfDv", "DfDa", "DsDq", "DsDv", "DsDa", "DmDq"), expected, actual):
                if x is None:
                    continue
                # values differ by rounding, relative 1e-14 of contact forces, over EPS
                with self.subTest(matrix=name, actuation=actuation, sensors=sensors):
                    self.assertLessEqual(np.abs(x - y).max(), 1e-8 * max(1, np.abs(expected[0]).max(), np.abs(x).max()))

    def test_humanoid(self):
        model = mujoco.MjModel.from_xml_path(str(ROOT / "models/humanoid.xml"))
        for sensors in (False, True):
            self.compare(model, sensors)

    def test_trees(self):
        for jacobian in ("dense", "sparse"):
            for integrator in ("Euler", "implicit", "implicitfast"):
                for discrete in ("disable", "enable"):
                    departs = discrete == "enable" and integrator != "Euler"
                    text = TREES.format(jacobian=jacobian, integrator=integrator, discrete=discrete,
                                        equality="" if departs else WELD)
                    model = mujoco.MjModel.from_xml_string(text)
                    for sensors in (False, True):
                        with self.subTest(jacobian=jacobian, integrator=integrator, discrete=discrete):
                            self.compare(model, sensors)


if __name__ == "__main__":
    unittest.main()
