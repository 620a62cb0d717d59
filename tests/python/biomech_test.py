"""Inverse tools of biomechanics: kinematics from markers, moments, muscle forces, joint reactions."""

import dataclasses
import pathlib
import re

import numpy as np
import pytest
import sinew
from sinew import biomech
from sinew.biomech import couplings, descent, muscles, weighted

# A pelvis on slides and a hinge, a leg with two muscles at the knee, and markers on three bodies.
LEG = """
<mujoco>
  <compiler angle="radian"/>
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <body name="pelvis" pos="0 0 1">
      <inertial pos="0 0 0" mass="30" diaginertia="0.3 0.25 0.2"/>
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="z" type="slide" axis="0 0 1"/>
      <joint name="tilt" axis="0 1 0"/>
      <site name="front" pos="0.1 0.1 0.05"/> <site name="back" pos="-0.12 0 0.03"/> <site name="top" pos="0 0.1 0.2"/>
      <body name="femur" pos="0 0.1 -0.05">
        <inertial pos="0 0 -0.2" mass="8" diaginertia="0.12 0.13 0.03"/>
        <joint name="hip" axis="0 1 0" range="-2 2"/>
        <joint name="abduction" axis="1 0 0" range="-1 1"/>
        <site name="thigh" pos="0.05 0.05 -0.2"/> <site name="condyle" pos="0 0.06 -0.4"/>
        <site name="vasti_a" pos="0.04 0 -0.1"/> <site name="hams_a" pos="-0.04 0 -0.1"/>
        <body name="tibia" pos="0 0 -0.4">
          <inertial pos="0 0 -0.2" mass="4" diaginertia="0.05 0.05 0.006"/>
          <joint name="knee" axis="0 1 0" range="0 2"/>
          <site name="shank" pos="0.04 0.03 -0.1"/> <site name="ankle" pos="0 0.04 -0.4"/> <site name="toe" pos="0.15 0 -0.42"/>
          <site name="vasti_b" pos="0.05 0 -0.03"/> <site name="hams_b" pos="-0.04 0 -0.04"/>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="vasti"> <site site="vasti_a"/> <site site="vasti_b"/> </spatial>
    <spatial name="hams"> <site site="hams_a"/> <site site="hams_b"/> </spatial>
  </tendon>
  <actuator>
    <musculotendon name="vasti" tendon="vasti" force="3000" fiberlength="0.1" slacklength="0.22" pennation="0.1"/>
    <musculotendon name="hams" tendon="hams" force="1500" fiberlength="0.12" slacklength="0.2"/>
  </actuator>
</mujoco>
"""
MARKERS = ["front", "back", "top", "thigh", "condyle", "shank", "ankle", "toe"]


@pytest.fixture
def leg():
    return biomech.Subject(sinew.Spec.from_xml_string(LEG))


def walk(subject, frames=61):
    """Coordinates of a motion over a second, and a table of them in rad."""
    time = np.linspace(0, 1, frames)
    phases = np.arange(len(subject.coordinates))
    poses = 0.3 * np.sin(2 * np.pi * time[:, None] + phases) + 0.05 * np.cos(9 * time[:, None] * phases)
    poses[:, subject.number("knee")] = 0.8 + 0.5 * np.sin(7 * time)
    return subject.table(time, poses, degrees=False), poses


def places(subject, poses):
    """Markers in the world, frames x markers x 3."""
    data = sinew.Data(subject.model)
    result = []
    for pose in poses:
        data.qpos[:] = pose
        data.kinematics()
        result.append([np.array(data.site(name).xpos) for name in MARKERS])
    return np.array(result)


# ---- inverse kinematics


def test_coordinates_come_back_from_markers(leg):
    table, poses = walk(leg)
    markers = biomech.Markers(table.time, MARKERS, places(leg, poses))
    found = biomech.inverse_kinematics(leg, markers, accuracy=1e-9)
    assert found.converged.all() and np.abs(found.coordinates - poses).max() < 1e-9
    assert found.errors.max() < 1e-9 and found.table.in_degrees
    assert np.allclose(np.radians(found.table["knee"]), poses[:, leg.number("knee")], rtol=0, atol=1e-9)


def test_y_may_be_up(leg):
    _, poses = walk(leg, 5)
    subject = biomech.Subject(sinew.Spec.from_xml_string(LEG), up="y")
    world = places(leg, poses)
    turned = np.stack([world[..., 0], world[..., 2], -world[..., 1]], axis=2)  # x, up, to the right
    found = biomech.inverse_kinematics(subject, biomech.Markers(np.arange(5.0), MARKERS, turned), accuracy=1e-9)
    assert np.abs(found.coordinates - poses).max() < 1e-8


def cost(subject, poses, measured, weights):
    misses = places(subject, poses) - measured
    return np.einsum("m,fmk->f", weights, misses**2)


def test_the_weighted_error_is_least(leg):
    table, poses = walk(leg, 20)
    measured = places(leg, poses) + 0.02 * np.random.default_rng(4).normal(size=(20, len(MARKERS), 3))
    weights = np.arange(1.0, 1 + len(MARKERS))
    given = dict(zip(MARKERS, weights))
    found = biomech.inverse_kinematics(leg, biomech.Markers(table.time, MARKERS, measured), given, accuracy=1e-10)
    least = cost(leg, found.coordinates, measured, weights)
    for i in range(len(leg.coordinates)):
        step = np.zeros(len(leg.coordinates))
        step[i] = 1e-4
        ahead, behind = (cost(leg, found.coordinates + s * step, measured, weights) for s in (1, -1))
        assert (np.minimum(ahead, behind) > least).all()
        assert np.abs(ahead - behind).max() < 1e-4 * (ahead + behind - 2 * least).max()  # the vertex of a parabola
    assert np.allclose(found.errors, np.linalg.norm(places(leg, found.coordinates) - measured, axis=2), rtol=0, atol=1e-12)


def test_gaps_leave_the_other_markers(leg):
    table, poses = walk(leg, 30)
    measured = places(leg, poses)
    measured[::3, 1] = np.nan
    measured[5, 4:6] = np.nan
    found = biomech.inverse_kinematics(leg, biomech.Markers(table.time, MARKERS, measured), accuracy=1e-9)
    assert np.abs(found.coordinates - poses).max() < 1e-8
    assert np.isnan(found.errors[5, 4]) and np.isnan(found.errors[0, 1]) and np.isfinite(found.errors[1]).all()


def test_poses_far_from_the_default(leg):
    poses = np.zeros((3, len(leg.coordinates)))
    poses[:, leg.number("tilt")] = 2.5
    poses[:, leg.number("x")] = 7
    poses[:, leg.number("knee")] = 1.9
    found = biomech.inverse_kinematics(leg, biomech.Markers(np.arange(3.0), MARKERS, places(leg, poses)), accuracy=1e-9)
    assert found.converged.all() and found.errors.max() < 1e-8


def test_wanted_coordinates_and_limits(leg):
    table, poses = walk(leg, 10)
    markers = biomech.Markers(table.time, MARKERS, places(leg, poses))
    knee = leg.number("knee")
    held = biomech.inverse_kinematics(leg, markers, coordinates={"knee": (0.25, 1e6)})
    assert np.abs(held.coordinates[:, knee] - 0.25).max() < 1e-5
    followed = biomech.inverse_kinematics(leg, markers, coordinates={"knee": (0.0, 1e6)}, observed=table)
    assert np.abs(followed.coordinates[:, knee] - poses[:, knee]).max() < 1e-5
    poses[:, knee] = -0.4  # beyond the range
    markers = biomech.Markers(table.time, MARKERS, places(leg, poses))
    assert np.abs(biomech.inverse_kinematics(leg, markers).coordinates - poses).max() < 1e-4
    limited = biomech.inverse_kinematics(leg, markers, limits=True)
    assert limited.converged.all() and (limited.coordinates[:, knee] == 0).all()
    poses[:, knee] = 2.4
    markers = biomech.Markers(table.time, MARKERS, places(leg, poses))
    limited = biomech.inverse_kinematics(leg, markers, limits=True, max_steps=15)  # held coordinates do not slow the others
    assert limited.converged.all() and (limited.coordinates[:, knee] == 2).all()


def test_frames_begin_again_from_better_neighbours(leg):
    _, poses = walk(leg, 40)
    zeros = np.zeros(len(leg.coordinates))
    frames = weighted.weighted(leg, MARKERS, np.ones(len(MARKERS)))
    rules = couplings.couplings_of(leg)
    problem = descent.Problem(frames, rules, places(leg, poses), np.zeros_like(poses), zeros, zeros - np.inf, zeros + np.inf)
    found = poses.copy()
    found[17:20, leg.number("hip")] += 1.5  # as if the search had ended there
    cost = problem.at(found)[0]
    assert descent._improve_by_neighbours(problem, found, cost, 1e-9, 100, 0.5) > 0
    assert np.abs(found - poses).max() < 1e-7 and cost.max() < 1e-15


def test_coordinates_that_follow_others():
    coupled = LEG.replace("<tendon>", '<equality><joint joint1="abduction" joint2="hip" polycoef="0.1 0.5 0 0 0"/></equality><tendon>')
    subject = biomech.Subject(sinew.Spec.from_xml_string(coupled))
    table, poses = walk(subject)
    poses[:, subject.number("abduction")] = 0.1 + 0.5 * poses[:, subject.number("hip")]
    measured = places(subject, poses)
    found = biomech.inverse_kinematics(subject, biomech.Markers(table.time, MARKERS, measured), accuracy=1e-9)
    assert np.abs(found.coordinates - poses).max() < 1e-8
    noisy = measured + 0.01 * np.random.default_rng(5).normal(size=measured.shape)
    found = biomech.inverse_kinematics(subject, biomech.Markers(table.time, MARKERS, noisy))
    hip, abduction = (found.coordinates[:, subject.number(name)] for name in ("hip", "abduction"))
    assert np.abs(abduction - 0.1 - 0.5 * hip).max() < 1e-15


def test_what_inverse_kinematics_refuses(leg):
    markers = biomech.Markers(np.arange(2.0), MARKERS, np.zeros((2, len(MARKERS), 3)))
    with pytest.raises(ValueError, match="compare their names"):
        biomech.inverse_kinematics(leg, markers, {"nose": 1})
    with pytest.raises(ValueError, match="must be a number"):
        biomech.inverse_kinematics(leg, markers, {"front": -1})
    with pytest.raises(KeyError, match="there is no coordinate 'elbow'"):
        biomech.inverse_kinematics(leg, markers, coordinates={"elbow": (0, 1)})
    markers.data[1] = np.nan
    with pytest.raises(ValueError, match="no marker is seen at t = 1 s"):
        biomech.inverse_kinematics(leg, markers)
    free = LEG.replace('<joint name="x" type="slide" axis="1 0 0"/>', "").replace('<joint name="z" type="slide" axis="0 0 1"/>', "")
    free = free.replace('<joint name="tilt" axis="0 1 0"/>', "<freejoint/>")
    with pytest.raises(ValueError, match="ball or free"):
        biomech.Subject(sinew.Spec.from_xml_string(free))


# ---- inverse dynamics


def test_moments_are_those_of_the_engine():
    sprung = LEG.replace('name="knee"', 'name="knee" stiffness="30" springref="0.3" damping="2" armature="0.1"')
    leg = biomech.Subject(sinew.Spec.from_xml_string(sprung))
    table, _ = walk(leg)
    rng = np.random.default_rng(6)
    force, point, torque = rng.normal(size=(3, len(table), 3))
    load = biomech.ExternalLoad("tibia", table.time, 100 * force, point, torque)
    moments = biomech.inverse_dynamics(leg, table, [load])
    assert moments.labels[:4] == ["x_force", "z_force", "tilt_moment", "hip_moment"]
    moved = biomech.motion(leg, table)
    model = leg.bare.model
    data = sinew.Data(model)
    tibia = model.find(int(sinew.mjtObj.mjOBJ_BODY), "tibia")
    for i in range(0, len(table), 7):
        data.qpos[:], data.qvel[:], data.qacc[:] = moved.coordinates[i], moved.velocities[i], moved.accelerations[i]
        data.inverse()
        along, about = data.jac_body("tibia")
        moment = np.cross(point[i] - data.xpos[tibia], 100 * force[i]) + torque[i]
        expected = data.qfrc_inverse - along.T @ (100 * force[i]) - about.T @ moment
        assert np.allclose(expected, moments.data[i], rtol=0, atol=1e-9)


def test_masses_may_be_those_of_shapes():
    """Boxes beside their bodies' origins: the tools leave shapes out, and what they weigh stays."""
    boxes = re.sub(r'<inertial pos="([^"]*)" mass="([^"]*)"[^>]*/>', r'<geom type="box" size=".1 .05 .2" pos="\1" mass="\2" euler=".1 .2 .3"/>', LEG)
    assert boxes.count("<geom") == 3 and "<inertial" not in boxes
    subject = biomech.Subject(sinew.Spec.from_xml_string(boxes))
    table, _ = walk(subject, 20)
    moments, moved = biomech.inverse_dynamics(subject, table), biomech.motion(subject, table)
    data = sinew.Data(sinew.Model.from_xml_string(boxes))
    for i in range(len(table)):
        data.qpos[:], data.qvel[:], data.qacc[:] = moved.coordinates[i], moved.velocities[i], moved.accelerations[i]
        data.inverse()
        assert np.allclose(data.qfrc_inverse - data.qfrc_passive, moments.data[i], rtol=0, atol=1e-9)
    assert biomech.static_optimization(subject, table, coordinates=["knee"], reserves=1).residual.max() < 1e-5


def test_tables_may_be_in_degrees(leg):
    table, poses = walk(leg)
    in_degrees = leg.table(table.time, poses)
    assert in_degrees.in_degrees and np.abs(in_degrees["knee"]).max() > 30
    expected = biomech.inverse_dynamics(leg, table).data
    assert np.allclose(biomech.inverse_dynamics(leg, in_degrees).data, expected, rtol=0, atol=1e-7)


def test_who_stands_is_carried_by_the_ground(leg):
    poses = np.zeros((20, len(leg.coordinates)))
    table = leg.table(np.arange(20) / 60, poses, degrees=False)
    weight = 42 * 9.81
    centre = sinew.Data(leg.model)
    centre.forward()
    force = np.tile([0, 0, weight], (20, 1))
    point = np.tile([centre.subtree_com[1][0], centre.subtree_com[1][1], 0], (20, 1))
    moments = biomech.inverse_dynamics(leg, table, [biomech.ExternalLoad("tibia", table.time, force, point)], cutoff=6)
    for label in ("x_force", "z_force", "tilt_moment"):
        assert np.abs(moments[label]).max() < 1e-9
    # in the frame of the body that it acts on, the same load
    local = point - np.array(centre.xpos[3])
    same = biomech.ExternalLoad("tibia", table.time, force, local, force_in="tibia", point_in="tibia")
    assert np.allclose(biomech.inverse_dynamics(leg, table, [same], cutoff=6).data, moments.data, rtol=0, atol=1e-9)


def test_what_inverse_dynamics_refuses(leg):
    table, _ = walk(leg, 20)
    with pytest.raises(ValueError, match="no body 'hand'"):
        biomech.inverse_dynamics(leg, table, [biomech.ExternalLoad("hand", table.time, np.zeros((20, 3)))])
    with pytest.raises(ValueError, match="it takes"):
        biomech.ExternalLoad("tibia", table.time, np.zeros((19, 3)))
    table.data[3, 0] = np.nan
    with pytest.raises(ValueError, match="'x' is no number at t = "):
        biomech.inverse_dynamics(leg, table)


# ---- static optimization


def test_least_squares_within_bounds():
    rng = np.random.default_rng(7)
    matrix = rng.normal(size=(50, 3, 8))
    low, high = np.zeros((50, 8)), np.ones((50, 8))
    right = (matrix @ rng.random((50, 8, 1)))[..., 0]  # so that there is a solution
    x, prices, residual = muscles.least_squares_within(matrix, right, low, high, 1e-10)
    assert residual.max() < 1e-10 and x.min() >= 0 and x.max() <= 1
    slope = x - (matrix.transpose(0, 2, 1) @ prices[..., None])[..., 0]  # of half the sum of squares, less what moments are worth
    assert (np.where((x > 0) & (x < 1), np.abs(slope), 0) < 1e-12).all()
    assert (slope[x == 0] >= -1e-12).all() and (slope[x == 1] <= 1e-12).all()


def test_two_muscles_at_a_knee(leg):
    table, _ = walk(leg)
    result = biomech.static_optimization(leg, table, reserves=1e-3, coordinates=["knee"])
    can = result.capacity
    knee = leg.number("knee")
    assert result.converged.all() and result.coordinates == ["knee"]
    made = np.einsum("fa,fa->f", result.forces.data, can.arms[:, :, knee]) + result.reserves["knee"]
    assert np.abs(made - result.moments["knee"]).max() < 1e-6
    assert (result.forces.data > -1e-9).all()
    # an activation between its bounds is the price of the moment times what the muscle does
    does = can.active * can.arms[:, :, knee]
    inside = (result.activations.data > 1e-6) & (result.activations.data < 1 - 1e-6)
    pushes = can.passive < 0  # then the lower bound is another one
    wanted = does * result.multipliers
    assert inside.any() and np.abs(result.activations.data - wanted)[inside & ~pushes].max() < 1e-9


def test_arms_and_pulls_are_those_of_the_engine(leg):
    table, _ = walk(leg, 9)
    moved = biomech.motion(leg, table)
    can = biomech.capacity(leg, moved)
    spec = sinew.Spec.from_xml_string(LEG.replace("pennation", 'compliance="rigid" pennation').replace('slacklength="0.2"/>', 'slacklength="0.2" compliance="rigid"/>'))
    data = sinew.Data(spec.compile())
    for i in range(9):
        data.qpos[:], data.qvel[:], data.act[:] = moved.coordinates[i], moved.velocities[i], 0.7
        data.forward()
        assert np.allclose(can.passive[i] + 0.7 * can.active[i], -data.actuator_force, rtol=0, atol=1e-9)
        assert np.allclose(can.arms[i].T @ -data.actuator_force, data.qfrc_actuator, rtol=0, atol=1e-9)


def test_moments_that_muscles_cannot_make(leg):
    table, _ = walk(leg, 10)
    load = biomech.ExternalLoad("tibia", table.time, np.tile([1e5, 0, 0], (10, 1)), np.zeros((10, 3)), force_in="tibia")
    result = biomech.static_optimization(leg, table, [load])
    assert not result.converged.any() and (result.residual > 100).all()
    assert biomech.static_optimization(leg, table, [load], reserves=1).converged.all()
    with pytest.raises(ValueError, match="not balanced"):
        biomech.static_optimization(leg, table, reserves={"x": 1.0})
    with pytest.raises(ValueError, match="not negative"):
        biomech.static_optimization(leg, table, reserves=-1.0)


# ---- joint reactions


def test_what_a_knee_carries(leg):
    """Upright and still: the shank hangs at the knee, and its muscles press the bones together."""
    time = np.arange(10) / 60
    table = leg.table(time, np.zeros((10, len(leg.coordinates))), degrees=False)
    pulls = biomech.Table(time, ["vasti"], np.full((10, 1), 500.0))
    still = biomech.joint_reactions(leg, table, biomech.Table(time, [], np.zeros((10, 0))))
    knee = still.bodies.index("tibia")
    assert np.allclose(still.force[:, knee], [0, 0, 4 * 9.81], rtol=0, atol=1e-9)
    assert np.allclose(still.point[:, knee], [0, 0.1, 0.55], rtol=0, atol=1e-12)
    pressed = biomech.joint_reactions(leg, table, pulls)
    line = np.array([0.04, 0, -0.1]) - np.array([0.05, 0, -0.43])
    pull = 500 * line / np.linalg.norm(line)
    assert np.allclose(pressed.force[:, knee] - still.force[:, knee], -pull, rtol=0, atol=1e-9)
    assert np.allclose(pressed.moment[:, knee] - still.moment[:, knee], -np.cross([0.05, 0, -0.03], pull), rtol=0, atol=1e-9)
    assert np.allclose(pressed.force[:, 1], still.force[:, 1], rtol=0, atol=1e-9)  # the hip, which it does not cross
    opposite = biomech.joint_reactions(leg, table, pulls, on="parent")
    assert np.allclose(opposite.force, -pressed.force, rtol=0, atol=1e-12)


def test_moments_along_axes_are_what_muscles_leave(leg):
    table, _ = walk(leg)
    result = biomech.static_optimization(leg, table, reserves=0.5, coordinates=["knee"])
    reactions = biomech.joint_reactions(leg, table, result.forces, expressed_in="child")
    knee = reactions.bodies.index("tibia")
    assert np.abs(reactions.moment[:, knee, 1] - result.reserves["knee"]).max() < 1e-5  # the balance is to 1e-6, twice
    parent = biomech.joint_reactions(leg, table, result.forces, expressed_in="parent")
    assert np.allclose(parent.moment[:, knee, 1], reactions.moment[:, knee, 1], rtol=0, atol=1e-9)  # an axis of both
    assert reactions.table()["tibia_my"].shape == (len(table),)
    with pytest.raises(ValueError, match="no actuator 'deltoid'"):
        biomech.joint_reactions(leg, table, biomech.Table(table.time, ["deltoid"], np.zeros((len(table), 1))))
    with pytest.raises(ValueError, match="known are child"):
        biomech.joint_reactions(leg, table, result.forces, on="both")
    with pytest.raises(ValueError, match="not at the frames"):
        biomech.joint_reactions(leg, table, dataclasses.replace(result.forces, time=result.forces.time + 1))


# ---- a trial with results of OpenSim

GAIT = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data" / "gait"
WITH_GAIT = pytest.mark.skipif(not (GAIT / "subject01_walk.trc").is_file(), reason=f"there is no {GAIT}")


@WITH_GAIT
def test_a_trial_as_opensim_has_it():
    subject = biomech.Subject(GAIT / "subject01.osim")
    weights, tasks = biomech.read_weights(GAIT / "walk_Setup_IK.xml")
    markers = biomech.read_trc(GAIT / "subject01_walk.trc")
    found = biomech.inverse_kinematics(subject, markers, weights, tasks)
    theirs = biomech.read_table(GAIT / "subject01_walk_IK.mot")
    assert found.converged.all()
    for label, turns in zip(subject.coordinates, subject.rotational):
        assert np.abs(found.table[label] - theirs[label]).max() < (0.1 if turns else 1e-4), label  # degrees, m
    loads = biomech.read_external_loads(GAIT / "subject01_walk_grf.xml")
    moments = biomech.inverse_dynamics(subject, theirs, loads, cutoff=6)
    expected = biomech.read_table(GAIT / "subject01_walk_ID.sto")
    for label in expected.labels:
        assert np.abs(moments[label] - expected[label]).max() < 1e-3 * np.abs(expected[label]).max(), label
