"""Inverse tools of biomechanics: files, filters, kinematics from markers, moments, muscle forces, joint reactions, scaling."""

import dataclasses
import pathlib

import numpy as np
import pytest

import sinew
from sinew import biomech
from sinew.biomech import couplings, descent, muscles, signals, weighted

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


# ---- files


def test_tables_come_back_with_all_bits(tmp_path):
    rng = np.random.default_rng(1)
    table = biomech.Table(np.cumsum(rng.random(7)), ["hip", "knee"], rng.normal(size=(7, 2)) * 1e-7, "gait", True)
    biomech.write_table(table, tmp_path / "a.mot")
    again = biomech.read_table(tmp_path / "a.mot")
    assert again.labels == table.labels and again.in_degrees and again.name == "gait"
    assert (again.data == table.data).all() and (again.time == table.time).all()
    assert (again["knee"] == table.data[:, 1]).all()
    with pytest.raises(KeyError, match="hip, knee"):
        again["ankle"]


TABLE = "gait\nversion=1\nnRows=2\nnColumns=2\ninDegrees=no\nendheader\ntime\thip\n0.0\t1.0\n0.1\t2.0\n"


@pytest.mark.parametrize(
    "old, new, line, words",
    [
        ("endheader", "end", 9, "endheader"),
        ("time\thip", "t\thip", 7, "must be 'time'"),
        ("time\thip", "time\thip\thip", 7, "twice"),
        ("0.1\t2.0", "0.1\t2.0\t3", 9, "3 numbers"),
        ("0.1\t2.0", "0.1\tx", 9, "'x' in column 2"),
        ("0.1\t2.0", "0.0\t2.0", 9, "does not come after"),
        ("0.1\t2.0", "nan\t2.0", 9, "time is nan"),
        ("nRows=2", "nRows=3", 3, "2 rows"),
        ("nColumns=2", "nColumns=x", 4, "2 columns"),
        ("0.0\t1.0\n", "0.0\t1.0\n\n", 9, "empty line"),
    ],
)
def test_damaged_tables_are_errors_with_a_line(tmp_path, old, new, line, words):
    path = tmp_path / "bad.sto"
    path.write_text(TABLE.replace(old, new))
    with pytest.raises(biomech.FileError, match=words) as error:
        biomech.read_table(path)
    assert error.value.line == line and f"bad.sto:{line}: " in str(error.value)


def test_files_that_are_no_text(tmp_path):
    (tmp_path / "a.mot").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(biomech.FileError, match="no text"):
        biomech.read_table(tmp_path / "a.mot")
    with pytest.raises(FileNotFoundError):
        biomech.read_trc(tmp_path / "none.trc")


def test_markers_come_back_with_gaps(tmp_path):
    data = np.random.default_rng(2).normal(size=(5, 3, 3))
    data[1, 2] = np.nan
    data[4, 0] = np.nan
    markers = biomech.Markers(np.arange(5) / 60, ["a", "b", "c"], data)
    biomech.write_trc(markers, tmp_path / "a.trc")
    again = biomech.read_trc(tmp_path / "a.trc")
    assert again.labels == markers.labels
    assert np.array_equal(again.data, data, equal_nan=True) and (again.time == markers.time).all()


TRC = (
    "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n60\t2\t1\tmm\nFrame#\tTime\tA\t\t\n\t\tX1\tY1\tZ1\n\n"
    "1\t0.0\t1000\t2000\t3000\t\n2\t0.1\t1\t2\t3\n"
)


def test_millimetres_become_metres(tmp_path):
    (tmp_path / "a.trc").write_text(TRC)
    assert (biomech.read_trc(tmp_path / "a.trc")["A"][0] == (1, 2, 3)).all()


@pytest.mark.parametrize(
    "old, new, line, words",
    [
        ("PathFileType", "Path", 1, "PathFileType"),
        ("\tmm", "\tinch", 3, "Units are 'inch'"),
        ("Units", "Unit", 2, "no Units"),
        ("60\t2\t1", "60\t3\t1", 3, "2 frames"),
        ("60\t2\t1", "60\t2\t2", 4, "1 markers"),
        ("60\t2\t1", "60\t2\tx", 3, "no count"),
        ("2\t0.1\t1\t2\t3", "2\t0.1\t1\t2\t3\t4", 8, "6 cells"),
        ("2\t0.1\t1", "2\t0.1\tq", 8, "'q' in column 3"),
        ("2\t0.1\t1", "2\t\t1", 8, "time is nan"),
    ],
)
def test_damaged_markers_are_errors_with_a_line(tmp_path, old, new, line, words):
    path = tmp_path / "bad.trc"
    path.write_text(TRC.replace(old, new))
    with pytest.raises(biomech.FileError, match=words) as error:
        biomech.read_trc(path)
    assert error.value.line == line


def test_c3d_says_what_it_needs(tmp_path):
    try:
        import ezc3d
    except ImportError:
        with pytest.raises(ImportError, match="pip install ezc3d"):
            biomech.read_c3d(tmp_path / "a.c3d")
        return
    with pytest.raises(FileNotFoundError):
        biomech.read_c3d(tmp_path / "a.c3d")
    file = ezc3d.c3d()
    file["parameters"]["POINT"]["RATE"]["value"] = [50]
    file["parameters"]["POINT"]["LABELS"]["value"] = ["a", "b"]
    file["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
    data = np.ones((4, 2, 3))
    data[:3] = 100.0 * np.arange(18).reshape(3, 2, 3)
    data[:3, 1, 2] = np.nan
    file["data"]["points"] = data
    file.write(str(tmp_path / "a.c3d"))
    markers = biomech.read_c3d(tmp_path / "a.c3d", axes=("x", "z", "-y"))
    assert markers.labels == ["a", "b"] and np.allclose(np.diff(markers.time), 0.02)
    assert np.allclose(markers["a"], 0.1 * np.stack([data[0, 0], data[2, 0], -data[1, 0]], axis=1) / 100)
    assert np.isnan(markers["b"][2]).all()


SETUP = """<OpenSimDocument><InverseKinematicsTool><IKTaskSet><objects>
  <IKMarkerTask name="front"><apply>true</apply><weight>3</weight></IKMarkerTask>
  <IKMarkerTask name="back"><apply>false</apply><weight>3</weight></IKMarkerTask>
  <IKCoordinateTask name="knee"><apply>true</apply><weight>0.5</weight><value>0.1</value></IKCoordinateTask>
</objects></IKTaskSet></InverseKinematicsTool></OpenSimDocument>"""


def test_weights_of_tasks(tmp_path):
    (tmp_path / "a.xml").write_text(SETUP)
    assert biomech.read_weights(tmp_path / "a.xml") == ({"front": 3.0}, {"knee": (0.1, 0.5)})
    (tmp_path / "b.xml").write_text(SETUP.replace("</objects>", ""))
    with pytest.raises(biomech.FileError, match="b.xml:5: .*no XML"):
        biomech.read_weights(tmp_path / "b.xml")


LOADS = """<OpenSimDocument><ExternalLoads><objects><ExternalForce name="right">
  <applied_to_body>/bodyset/tibia</applied_to_body> <force_identifier>f_v</force_identifier> <point_identifier>f_p</point_identifier>
  <torque_identifier>f_t</torque_identifier> </ExternalForce></objects> <datafile>grf.mot</datafile></ExternalLoads></OpenSimDocument>"""


def test_external_loads_from_files(tmp_path):
    labels = [f"f_{part}{axis}" for part in "vpt" for axis in "xyz"]
    table = biomech.Table(np.array([0.0, 1.0]), labels, np.arange(18.0).reshape(2, 9))
    biomech.write_table(table, tmp_path / "grf.mot")
    (tmp_path / "loads.xml").write_text(LOADS)
    (load,) = biomech.read_external_loads(tmp_path / "loads.xml")
    assert load.body == "tibia" and load.name == "right" and (load.point[1] == (12, 13, 14)).all()
    assert np.allclose(load.at("force", np.array([0.5, 1.5])), [[4.5, 5.5, 6.5], [0, 0, 0]])
    (tmp_path / "bad.xml").write_text(LOADS.replace("f_v<", "g_v<"))
    with pytest.raises(biomech.FileError, match="no columns g_vx"):
        biomech.read_external_loads(tmp_path / "bad.xml")


# ---- signals


@pytest.mark.parametrize("n", range(1, 10))
def test_block_tridiagonal_systems(n):
    rng = np.random.default_rng(n)
    low, mid, up = rng.normal(size=(3, n, 2, 2))
    mid = mid + 5 * np.eye(2)
    right = rng.normal(size=(n, 2, 3))
    dense = np.zeros((n, 2, n, 2))
    for i in range(n):
        dense[i, :, i] = mid[i]
        if i > 0:
            dense[i, :, i - 1] = low[i]
        if i + 1 < n:
            dense[i, :, i + 1] = up[i]
    expected = np.linalg.solve(dense.reshape(2 * n, 2 * n), right.reshape(2 * n, 3))
    x = signals.solve_block_tridiagonal(low, mid, up, right)
    assert np.allclose(x.reshape(2 * n, 3), expected, rtol=0, atol=1e-12)


def test_a_natural_spline():
    times = np.sort(np.random.default_rng(3).random(40))
    parabola = np.stack([1 + 2 * times - 3 * times**2, times], axis=1)
    spline = biomech.Spline(times, parabola)  # no third derivative, so the spline is the parabola
    between = np.linspace(times[0], times[-1], 101)
    assert np.allclose(spline(between)[:, 0], 1 + 2 * between - 3 * between**2, rtol=0, atol=1e-9)
    assert np.allclose(spline(between, 1)[:, 0], 2 - 6 * between, rtol=0, atol=1e-7)
    assert np.allclose(spline(between, 2)[:, 0], -6, rtol=0, atol=1e-4)


def test_derivatives_of_a_spline():
    times = np.linspace(0, 1, 101)
    spline = biomech.Spline(times, np.sin(6 * times))
    inside = slice(20, -20)  # away from the ends, where sixth order is left: (6 h)^4 6^2 = 5e-4 of h^4 terms, and less
    assert np.abs(spline.slopes - 6 * np.cos(6 * times))[inside].max() < 1e-7
    assert np.abs(spline.curvatures + 36 * np.sin(6 * times))[inside].max() < 1e-5
    assert np.allclose(spline(times), np.sin(6 * times), rtol=0, atol=1e-14)
    third = np.polyfit(times[0] + np.linspace(0, 1e-3, 7), spline(np.linspace(0, 1e-3, 7), 2), 1)[0]
    assert abs(third) < 2  # zero at the end, where sin(6 t) has -216; a tenth of a step further, a hundredth of that


def test_the_filter_halves_its_cutoff_and_keeps_lines():
    times = np.arange(600) / 100
    assert np.allclose(biomech.low_pass(times, 2 - 3 * times, 6), 2 - 3 * times, rtol=0, atol=1e-9)
    for frequency, gain, tolerance in ((6, 0.5, 0.005), (1, 1.0, 1e-3), (25, 0.0, 1e-3)):
        wave = np.sin(2 * np.pi * frequency * times)
        middle = slice(200, 400)
        filtered = biomech.low_pass(times, wave, 6)[middle]
        assert abs(filtered @ wave[middle] / (wave[middle] @ wave[middle]) - gain) < tolerance
    with pytest.raises(ValueError, match="half of the rate"):
        biomech.low_pass(times, times, 50)
    with pytest.raises(ValueError, match="equally spaced"):
        biomech.low_pass(times**2, times, 6)
    with pytest.raises(ValueError, match="too few"):
        biomech.low_pass(times[:5], times[:5], 6)


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


# ---- scaling

OSIM = """<?xml version="1.0" encoding="UTF-8"?>
<OpenSimDocument Version="40000"><Model name="arm"><gravity>0 -9.81 0</gravity>
  <BodySet><objects>
    <Body name="humerus"><mass>2</mass><mass_center>0 -0.15 0</mass_center><inertia>0.02 0.003 0.02 0 0 0</inertia></Body>
    <Body name="ulna"><mass>1</mass><mass_center>0 -0.12 0</mass_center><inertia>0.01 0.001 0.01 0 0 0</inertia></Body>
  </objects></BodySet>
  <JointSet><objects>
    <PinJoint name="shoulder"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/humerus</socket_child_frame>
      <coordinates><Coordinate name="shoulder"><range>-2 2</range></Coordinate></coordinates></PinJoint>
    <CustomJoint name="elbow"><socket_parent_frame>end</socket_parent_frame><socket_child_frame>/bodyset/ulna</socket_child_frame>
      <coordinates><Coordinate name="elbow"><default_value>0.4</default_value><range>0 2.5</range></Coordinate></coordinates>
      <frames><PhysicalOffsetFrame name="end"><socket_parent>/bodyset/humerus</socket_parent><translation>0 -0.3 0</translation>
        <orientation>0 0 0</orientation></PhysicalOffsetFrame></frames>
      <SpatialTransform>
        <TransformAxis name="rotation1"><coordinates>elbow</coordinates><axis>0 0 1</axis>
          <LinearFunction><coefficients>1 0</coefficients></LinearFunction></TransformAxis>
        <TransformAxis name="translation1"><coordinates>elbow</coordinates><axis>1 0 0</axis>
          <SimmSpline><x>-1 0 1 2 3</x><y>0 0.01 0.015 0.01 0</y></SimmSpline></TransformAxis>
      </SpatialTransform></CustomJoint>
  </objects></JointSet>
  <ForceSet><objects>
    <Millard2012EquilibriumMuscle name="brachialis"><max_isometric_force>900</max_isometric_force>
      <optimal_fiber_length>0.09</optimal_fiber_length><tendon_slack_length>0.05</tendon_slack_length>
      <GeometryPath><PathPointSet><objects>
        <PathPoint name="a"><socket_parent_frame>/bodyset/humerus</socket_parent_frame><location>0.01 -0.15 0</location></PathPoint>
        <PathPoint name="b"><socket_parent_frame>/bodyset/ulna</socket_parent_frame><location>0.02 -0.04 0</location></PathPoint>
      </objects></PathPointSet></GeometryPath></Millard2012EquilibriumMuscle>
  </objects></ForceSet>
  <MarkerSet><objects>
    <Marker name="upper"><socket_parent_frame>/bodyset/humerus</socket_parent_frame><location>0 0 0.02</location></Marker>
    <Marker name="lower"><socket_parent_frame>/bodyset/humerus</socket_parent_frame><location>0 -0.3 0.02</location></Marker>
    <Marker name="wrist"><socket_parent_frame>/bodyset/ulna</socket_parent_frame><location>0 -0.25 0</location></Marker>
  </objects></MarkerSet>
</Model></OpenSimDocument>
"""


@pytest.fixture
def arm(tmp_path):
    (tmp_path / "arm.osim").write_text(OSIM)
    return tmp_path / "arm.osim"


def moved_places(subject, pose):
    data = sinew.Data(subject.model)
    data.qpos[:] = pose
    data.forward()
    return np.array(data.site_xpos), data


def test_a_person_of_twice_the_size(arm, tmp_path):
    small = biomech.Subject(arm)
    large = biomech.scale_model(arm, {"humerus": 2, "ulna": 2}, tmp_path / "large.osim", mass=30)
    for pose in ([0, 0], [0.3, 1.2], [-1, 0.7]):
        before, data = moved_places(small, pose)
        after, larger = moved_places(large, pose)
        assert np.allclose(after, 2 * before, rtol=0, atol=1e-12)
        assert np.allclose(larger.actuator_length, 2 * data.actuator_length, rtol=0, atol=1e-12)
        # the mass is ten times as large, and lengths are twice
        assert np.allclose(larger.mass_matrix(), 40 * data.mass_matrix(), rtol=1e-12)
    text = (tmp_path / "large.osim").read_text()
    assert "<optimal_fiber_length>0.18</optimal_fiber_length>" in text and "<tendon_slack_length>0.1</tendon_slack_length>" in text


def test_one_body_longer(arm, tmp_path):
    longer = biomech.scale_model(arm, {"humerus": (1, 1.5, 1)}, tmp_path / "longer.osim")
    model = longer.model
    assert np.allclose(model.body("ulna").pos, [0, -0.45, 0]) and np.allclose(model.body("humerus").ipos, [0, -0.225, 0])
    assert np.isclose(model.body_mass.sum(), 3)  # the whole stays
    assert np.allclose(model.body_mass[1:], [3 / 1.3333333333333333, 0.75])
    shares = biomech.scale_model(arm, {"humerus": (1, 1.5, 1)}, tmp_path / "shares.osim", mass=6, keep_shares=True).model
    assert np.allclose(shares.body_mass[1:], [4, 2])
    # C_yy = (Ixx + Izz - Iyy) / 2 of the mass that is along y grows by 1.5^2, C_xx and C_zz stay; mass by 2.25 / 2
    along, across = (0.02 + 0.02 - 0.003) / 2 * 2.25, 0.0015
    assert np.allclose(sorted(model.body("humerus").inertia), sorted(1.125 * np.array([along + across, 2 * across, along + across])))


def test_factors_from_markers(arm):
    subject = biomech.Subject(arm)
    places_, _ = moved_places(subject, [0.2, 0.4])
    labels = [subject.model.site(i).name for i in range(subject.model.nsite)]
    data = np.tile(subject.to_ground(places_), (4, 1, 1)) * 1.1
    data[2, labels.index("upper")] = np.nan
    markers = biomech.Markers(np.arange(4.0), labels, data)
    rule = biomech.Measurement([("upper", "lower")], {"humerus": "xyz", "ulna": "Y"}, "upper arm")
    factors = biomech.scale_factors(subject, markers, [rule])
    assert np.allclose(factors["humerus"], 1.1) and np.allclose(factors["ulna"], [1, 1.1, 1])
    with pytest.raises(ValueError, match="the model has no marker 'nose'"):
        biomech.scale_factors(subject, markers, [biomech.Measurement([("upper", "nose")], {})])
    with pytest.raises(ValueError, match="some of x, y, z"):
        biomech.scale_factors(subject, markers, [biomech.Measurement([("upper", "lower")], {"ulna": "w"})])


def test_what_scaling_refuses(arm, tmp_path):
    with pytest.raises(ValueError, match="no body 'hand'; it has: humerus, ulna"):
        biomech.scale_model(arm, {"hand": 2}, tmp_path / "a.osim")
    with pytest.raises(ValueError, match="must be positive"):
        biomech.scale_model(arm, {"ulna": 0}, tmp_path / "a.osim")
    (tmp_path / "b.osim").write_text("<mujoco/>")
    with pytest.raises(biomech.FileError, match="no model of OpenSim"):
        biomech.scale_model(tmp_path / "b.osim", {}, tmp_path / "a.osim")


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
