"""Scaling of files of OpenSim by distances between markers."""

import numpy as np
import pytest
import sinew
from sinew import biomech

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
