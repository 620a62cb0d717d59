"""Sleeping trees: every field of mjData, step by step, against the release whose interface this is.

Both libraries step the same state of the release's compiled models, so that what one leaves alone while a tree sleeps
the other leaves alone too. Needs what libraries.py says, and the package mujoco.
"""

import ctypes
import unittest

from libraries import AVAILABLE, NEEDS, OWN

if AVAILABLE:
    import mujoco
    import numpy as np

# Boxes, arms, a ball on a static body, a slide without weight, and a box that falls onto another.
SCENE = """<mujoco><option jacobian="{jacobian}" integrator="{integrator}"><flag sleep="enable"/></option>
  <worldbody><geom type="plane" size="9 9 .1"/><light pos="0 0 3"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="s"/><light mode="trackcom"/></body>
    <body pos=".5 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos=".5 .02 1.2"><freejoint/><geom type="box" size=".08 .08 .08"/></body>
    <body pos="0 2 1"><joint name="upper" axis="0 1 0" damping="5" stiffness="3"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <body pos=".3 0 0"><joint name="lower" axis="0 1 0" damping="5" armature=".01"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="tip" pos=".3 0 0"/></body></body>
    <body pos="0 3 1" gravcomp="1"><joint name="slide" type="slide" axis="1 0 0" frictionloss=".1" damping="1"/>
      <geom size=".1"/><camera name="c" pos="0 0 .1"/></body>
    <body pos="3 3 1"><geom size=".1"/>
      <body pos="0 0 .5"><joint type="ball" damping=".1"/><geom type="capsule" size=".05 .1" pos="0 0 -.1"/></body></body>
  </worldbody>
  <tendon><fixed name="both"><joint joint="upper" coef="1"/><joint joint="lower" coef="2"/></fixed></tendon>
  <sensor><framepos objtype="site" objname="tip"/><framelinvel objtype="site" objname="tip"/><touch site="s"/>
    <accelerometer site="tip"/><tendonpos tendon="both"/><subtreecom body="world"/></sensor>
</mujoco>"""

# When users disturb what sleeps: a dof gets a velocity, another is moved, a body is pushed and let go.
VELOCITY, MOVE, PUSH, RELEASE, END = 700, 900, 1000, 1010, 1300

# The library's own: use of memory and time, and where it puts what varies in size. Beyond the lengths in use, arrays of
# the arena hold whatever was there before.
OWN_FIELDS = ("solver", "timer", "warning", "maxuse_", "threadpool", "signature", "parena", "efc_", "iefc_", "iM", "iLD",
              "solver_", "tree_island", "map_", "island_", "dof_island", "contact")
COUNTS = {"body_awake_ind": "nbody_awake", "parent_awake_ind": "nparent_awake", "dof_awake_ind": "nv_awake"}

# Rounding of forces of contacts, relative to the largest number of a field.
TOLERANCE = 1e-8


def fields(data) -> dict:
    """Returns the numbers of mjData that are compared, by name."""
    result = {}
    for name in dir(data):
        if name.startswith(("_",) + OWN_FIELDS):
            continue
        value = getattr(data, name)
        if isinstance(value, (int, float, np.ndarray)):
            array = np.array(value, dtype=float)
            result[name] = array[:getattr(data, COUNTS[name])] if name in COUNTS else array
    return result


def disturb(model, data, step: int) -> None:
    """Does to a world what its user does before this step."""
    if step == VELOCITY:
        data.qvel[0] = 0.5
    elif step == MOVE:
        data.joint("upper").qpos[0] += 0.1
    elif step in (PUSH, RELEASE):
        data.xfrc_applied[3, 0] = 1 if step == PUSH else 0


@unittest.skipUnless(AVAILABLE, NEEDS)
class SleepTest(unittest.TestCase):
    def compare(self, model):
        step = ctypes.CDLL(str(OWN)).mj_step
        step.argtypes, step.restype = [ctypes.c_void_p, ctypes.c_void_p], None
        expected, actual = mujoco.MjData(model), mujoco.MjData(model)
        awake = set()
        for i in range(END):
            disturb(model, expected, i)
            mujoco.mj_copyData(actual, model, expected)
            mujoco.mj_step(model, expected)
            step(model._address, actual._address)
            awake.add(expected.ntree_awake)
            own = fields(actual)
            for name, value in fields(expected).items():
                self.assertEqual(own[name].shape, value.shape, name)
                scale = max(1, np.abs(value).max(initial=0))
                self.assertLessEqual(np.abs(own[name] - value).max(initial=0), TOLERANCE * scale, f"{name}, step {i}")
        self.assertGreater(len(awake), 3)  # trees fell asleep and woke

    def test_trajectories(self):
        for integrator in ("Euler", "implicit", "implicitfast"):
            for jacobian in ("dense", "sparse"):
                with self.subTest(integrator=integrator, jacobian=jacobian):
                    self.compare(mujoco.MjModel.from_xml_string(SCENE.format(integrator=integrator, jacobian=jacobian)))


if __name__ == "__main__":
    unittest.main()
