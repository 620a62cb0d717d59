"""Sleeping trees: every field of mjData, step by step, against the release whose interface this is.

Both libraries step the same state of the release's compiled models, so that what one leaves alone while a tree sleeps
the other leaves alone too. Needs what libraries.py says, and the package mujoco.
"""

import ctypes
import unittest

from calls import fields
from libraries import AVAILABLE, NEEDS, OWN

if AVAILABLE:
    import mujoco
    import numpy as np

# These hold all forces that act on bodies here (docs/from-mujoco/departures.md); their values are tested in
# tests/unit/constraint/acting_forces_test.cc.
DEPARTING = ("cfrc_ext", "cfrc_int")

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

# Actuators, tendons and sensors of a tree that floats, of an arm and of a slide that stays awake, and between them.
ACTUATED = """<mujoco><option integrator="{integrator}"><flag sleep="enable" energy="enable"/></option>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody><site name="w" pos="0 0 1"/><body name="static" pos="0 5 0"><geom name="static" size=".1"/></body>
    <body name="A" gravcomp="1" sleep="allowed"><freejoint/><geom name="A" size=".1"/><site name="a" pos=".1 0 0"/>
      <camera name="a"/></body>
    <body name="B" pos="2 0 1" gravcomp="1" sleep="allowed"><joint name="upper" axis="0 1 0" damping=".1" stiffness="2"/>
      <geom name="B" size=".1"/><site name="b" pos=".1 0 0"/>
      <body pos=".4 0 0" gravcomp="1"><joint name="lower" axis="0 1 0" range="-1 1" limited="true"/><geom size=".1"/>
        <site name="tip" pos=".1 0 .1"/></body></body>
    <body name="C" pos="4 0 1" gravcomp="1" sleep="never"><joint name="slide" type="slide" damping="1"/>
      <geom name="C" size=".1"/><site name="c"/></body></worldbody>
  <tendon>
    <spatial name="asleep"><site site="b"/><site site="tip"/></spatial>
    <fixed name="arm" range="-2 2" limited="true"><joint joint="upper" coef="1"/><joint joint="lower" coef="2"/></fixed>
    <fixed name="half"><joint joint="slide" coef="1"/><joint joint="upper" coef="3"/></fixed>
    <spatial name="between"><site site="b"/><site site="c"/></spatial>
    <spatial name="anchored"><site site="w"/><site site="a"/></spatial></tendon>
  <actuator>
    <motor name="slide" joint="slide"/><motor name="upper" joint="upper" gear="2"/><position joint="lower" kp="3"/>
    <general name="filter" joint="lower" dyntype="filter" dynprm=".1"/><general joint="upper" dyntype="integrator"/>
    <motor tendon="arm"/><motor tendon="half"/><motor tendon="between"/><motor tendon="anchored"/>
    <motor site="a" gear="0 0 1 0 0 0"/><motor name="ac" site="a" refsite="c" gear="1 0 0 0 0 0"/>
    <motor name="ca" site="c" refsite="a" gear="1 0 0 0 0 0"/><motor site="w" refsite="a" gear="1 0 0 0 0 0"/>
    <general name="crank" cranksite="a" slidersite="c" cranklength="9"/>
    <general cranksite="a" slidersite="w" cranklength="9"/></actuator>
  <sensor>
    <jointpos joint="upper"/><jointpos joint="slide"/><tendonpos tendon="asleep"/><tendonpos tendon="half"/>
    <tendonvel tendon="between"/><actuatorpos actuator="upper"/><actuatorvel actuator="ca"/><actuatorfrc actuator="ac"/>
    <actuatorfrc actuator="crank"/><jointactuatorfrc joint="lower"/><tendonactuatorfrc tendon="half"/>
    <jointlimitpos joint="lower"/><tendonlimitpos tendon="arm"/><velocimeter site="a"/><touch site="a"/>
    <camprojection site="c" camera="a"/><rangefinder site="a"/><subtreecom body="world"/><subtreecom body="A"/>
    <framepos objtype="site" objname="w" reftype="site" refname="a"/>
    <framepos objtype="body" objname="A" reftype="body" refname="C"/>
    <framelinvel objtype="body" objname="C" reftype="body" refname="A"/>
    <insidesite objtype="body" objname="A" site="w"/><insidesite objtype="body" objname="C" site="a"/>
    <distance geom1="A" geom2="C" cutoff="9"/><distance geom1="A" geom2="B" cutoff="9"/>
    <normal geom1="A" geom2="static" cutoff="9"/><contact geom1="A" num="1"/><contact site="a" num="1"/>
    <contact geom1="A" geom2="C"/><e_potential/><e_kinetic/><clock/></sensor>
</mujoco>"""

# When users disturb what sleeps: a dof gets a velocity, another is moved, a body is pushed and let go.
VELOCITY, MOVE, PUSH, RELEASE, END = 700, 900, 1000, 1010, 1300

# Rounding of forces of contacts, relative to the largest number of a field.
TOLERANCE = 1e-8


def disturb(model, data, step: int) -> None:
    """Does to a world what its user does before this step."""
    if step == VELOCITY:
        data.qvel[0] = 0.5
    elif step == MOVE:
        data.joint("upper").qpos[0] += 0.1
    elif step in (PUSH, RELEASE):
        data.xfrc_applied[3, 0] = 1 if step == PUSH else 0


def control(model, data, step: int) -> None:
    """Moves the slide; later controls of what sleeps change too; then the arm is pushed, and the body that floats."""
    data.ctrl[0] = np.sin(0.1 * step)
    if step == 60:
        data.ctrl[1:5] = 0.1
    elif step == 100:
        data.ctrl[1:5] = 0
        data.ctrl[5:] = 0.2
    elif step == 140:
        data.ctrl[5:] = 0
        data.qvel[6] = 1e-3
    elif step == 200:
        data.xfrc_applied[2, 2] = 1
    elif step == 201:
        data.xfrc_applied[2, 2] = 0


@unittest.skipUnless(AVAILABLE, NEEDS)
class SleepTest(unittest.TestCase):
    def compare(self, model, end: int, least: int, disturb):
        """Compares `end` steps; disturb(model, data, step) does what a user does before one. More than `least` different
        numbers of trees are awake at some time."""
        step = ctypes.CDLL(str(OWN)).mj_step
        step.argtypes, step.restype = [ctypes.c_void_p, ctypes.c_void_p], None
        expected, actual = mujoco.MjData(model), mujoco.MjData(model)
        awake = set()
        for i in range(end):
            disturb(model, expected, i)
            mujoco.mj_copyData(actual, model, expected)
            mujoco.mj_step(model, expected)
            step(model._address, actual._address)
            awake.add(expected.ntree_awake)
            own = fields(actual)
            for name, value in fields(expected).items():
                if name in DEPARTING:
                    continue
                self.assertEqual(own[name].shape, value.shape, name)
                scale = max(1, np.abs(value).max(initial=0))
                self.assertLessEqual(np.abs(own[name] - value).max(initial=0), TOLERANCE * scale, f"{name}, step {i}")
        self.assertGreater(len(awake), least)  # trees fell asleep and woke

    def test_trajectories(self):
        for integrator in ("Euler", "implicit", "implicitfast"):
            for jacobian in ("dense", "sparse"):
                with self.subTest(integrator=integrator, jacobian=jacobian):
                    self.compare(mujoco.MjModel.from_xml_string(SCENE.format(integrator=integrator, jacobian=jacobian)), END, 3, disturb)

    def test_actuators_tendons_and_sensors(self):
        for integrator in ("Euler", "implicitfast"):
            with self.subTest(integrator=integrator):
                self.compare(mujoco.MjModel.from_xml_string(ACTUATED.format(integrator=integrator)), 300, 1, control)


if __name__ == "__main__":
    unittest.main()
