"""Steps of bounded error and muscles with tendons, from Python."""

import numpy as np
import pytest

import sinew

SWING = """<mujoco><option timestep="0.05" integrator="merson" accuracy="1e-8"/><worldbody>
  <body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".02"/></body></worldbody></mujoco>"""
MUSCLE = """<mujoco><option timestep="0.002" integrator="implicitfast" gravity="0 0 0"/><worldbody><site name="a"/>
  <body pos="0 0 .3"><joint type="slide" axis="0 0 1" armature="1e12"/><geom size=".02" mass="1"/><site name="b"/></body></worldbody>
  <tendon><spatial name="path"><site site="a"/><site site="b"/></spatial></tendon>
  <actuator><musculotendon name="soleus" tendon="path" force="5137" fiberlength="0.050288844245806"
    slacklength="0.25144422122903" pennation="25"/></actuator>
  <sensor><fiberlength name="length" actuator="soleus"/><tendonstrain name="strain" actuator="soleus"/></sensor></mujoco>"""


def test_states_within_a_step():
    model = sinew.Model.from_xml_string(SWING)
    dense, plain = sinew.Data(model), sinew.Data(model)
    for data in (dense, plain):
        data.qvel[0] = 3
    times = np.linspace(0, 0.05, 11)
    states = dense.step_dense(times)
    plain.step()
    assert states.shape == (11, 2)
    np.testing.assert_array_equal(dense.qpos, plain.qpos)  # the step is the same, bit for bit
    np.testing.assert_allclose(states[-1], [plain.qpos[0], plain.qvel[0]], rtol=1e-14)
    # velocities are the slopes of the angles: central differences over 10 ms, third derivatives of 100 rad/s3
    np.testing.assert_allclose(np.gradient(states[:, 0], times)[1:-1], states[1:-1, 1], atol=1e-3)
    with pytest.raises(Exception, match="time 0"):
        dense.step_dense(np.array([3.0]))


def test_counters_of_error_control():
    data = sinew.Data(sinew.Model.from_xml_string(SWING))
    data.qvel[0] = 3
    data.step(10)
    control = data.error_control
    assert control["accepted"] >= 10 and control["forced"] == 0 and 0 < control["step"] <= 0.05
    data.reset()
    assert data.error_control["accepted"] == 0
    assert sinew.Data(sinew.Model.from_xml_string(MUSCLE)).error_control is None


def test_muscles_hold_their_fibre():
    data = sinew.Data(sinew.Model.from_xml_string(MUSCLE))
    data.forward()
    assert data.act[0] == pytest.approx(1.041582, abs=6e-7)  # at rest, docs/how/musculotendon.md
    data.ctrl[0] = 1
    data.step(500)
    data.forward()
    assert -data.actuator_force[0] == pytest.approx(4153.486, rel=1e-5)
    assert data.sensor("strain")[0] == pytest.approx(0.042177, abs=1e-6)


OSIM = """<OpenSimDocument Version="40000"><Model name="m"><BodySet><objects><Body name="arm"><mass>1</mass><mass_center>0 -0.1 0
  </mass_center><inertia>0.1 0.1 0.1 0 0 0</inertia></Body></objects></BodySet><JointSet><objects><PinJoint name="elbow">
  <socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/arm</socket_child_frame><coordinates>
  <Coordinate name="flexion"><default_value>0.4</default_value></Coordinate></coordinates></PinJoint></objects></JointSet>
  <ForceSet><objects><PrescribedForce name="b"/></objects></ForceSet></Model></OpenSimDocument>"""


def test_models_of_opensim(tmp_path):
    path = tmp_path / "arm.osim"
    path.write_text(OSIM)
    with pytest.warns(sinew.ModelWarning, match="arm.osim:5: .*PrescribedForce.* is not used"):
        model = sinew.Model.from_osim(path)
    data = sinew.Data(model)
    data.reset("default")
    assert data.joint("flexion").qpos[0] == 0.4
    with pytest.raises(sinew.ModelError, match="arm.osim:1: "):
        path.write_text(OSIM.replace("<mass>1</mass>", ""))
        sinew.Model.from_osim(path)


def test_muscles_in_a_specification():
    def muscle(**values):
        spec = sinew.Spec.from_xml_string(MUSCLE)
        return spec, spec.add_musculotendon("path", name="calf", force=800, fiberlength=0.06, slacklength=0.2, **values)

    spec, _ = muscle(pennation=20, vmax=12, curves="thelen", velcurve=[0.3, 1.8, 0.95], timeconst=[0.02, 0.06], fiberdamping=0)
    model = spec.compile()
    gain = model.actuator_gainprm[1]
    np.testing.assert_allclose(gain[[0, 1, 2, 4]], [800, 0.06, 0.2, 12])
    assert gain[3] == pytest.approx(np.sin(np.radians(20))) and model.actuator_dynprm[1][1] == 0.06
    with pytest.raises(ValueError, match="millard, hyfydy, degroote, thelen, geyer"):
        muscle(curves="hill")
    with pytest.raises(sinew.ModelError, match="velcurve"):
        muscle(velcurve=[1, 2])[0].compile()


PASSIVE = """<mujoco><option gravity="0 0 0"/><worldbody><site name="a"/><body name="b" pos="0 0 .3">
  <joint name="z" type="slide" axis="0 0 1"/><geom size=".02" mass="1"/><site name="b"/></body></worldbody>
  <tendon><spatial name="path"><site site="a"/><site site="b"/></spatial></tendon></mujoco>"""


def test_passive_elements_are_made_in_specifications():
    """The slide has moved by 0.2 m, so that the tendon is 0.5 m long."""

    def force(edit):
        spec = sinew.Spec.from_xml_string(PASSIVE)
        edit(spec.find("joint", "z"), spec.find("tendon", "path"), spec.find("site", "b"))
        data = sinew.Data(spec.compile())
        data.qpos[0] = 0.2
        data.forward()
        return data.qfrc_passive[0]

    # complete 0.05 m behind the end, so that the spring of 60 N/m is stretched by 0.1 m
    assert force(lambda j, t, s: j.add_limit_force([-1, 0.1], [30, 60], transition=0.05)) == pytest.approx(-6)
    assert force(lambda j, t, s: j.add_limit_force([0.4, 1], 30, 0.05)) == pytest.approx(30 * 0.2)
    assert force(lambda j, t, s: j.add_limit_force([-1, 0.1], 30, transition=0, forcedamping=9)) == pytest.approx(-30 * 0.1)
    # a strain of 0.25, of which the toe takes 0.03
    assert force(lambda j, t, s: t.add_ligament(0.4, 100)) == pytest.approx(-100 * (0.25 - 0.03))
    assert force(lambda j, t, s: t.add_ligament_curve(0.5, 100, "polynomial", [0, 2])) == pytest.approx(-200)
    assert force(lambda j, t, s: t.add_ligament_curve(0.5, 100, "polyline", [0, 1, 2, 0, 3, 6])) == pytest.approx(-300)
    # site a is 0.5 m below site b
    assert force(lambda j, t, s: s.add_bushing("a", [1, 1, 1, 10, 10, 10])) == pytest.approx(-5)
    assert force(lambda j, t, s: (s.add_bushing("a", np.diag([1, 1, 1, 9, 9, 9.0])), s.clear_bushings())) == 0
    assert force(lambda j, t, s: (t.add_ligament(0.4, 100), t.clear_ligaments())) == 0
    assert force(lambda j, t, s: (j.add_limit_force([-1, 0.1], 30, 0.05), j.clear_limit_forces())) == 0


REFLEX = """<mujoco><option timestep="0.005" gravity="0 0 0"/><worldbody><body>
  <joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body></worldbody>
  <actuator><motor name="m" joint="x"/></actuator>
  <sensor><jointpos name="place" joint="x" delay="0.02" nsample="5"/><jointvel name="speed" joint="x" delay="0.02" nsample="5"/></sensor></mujoco>"""


def reflexes():
    spec = sinew.Spec.from_xml_string(REFLEX)
    motor = spec.find("actuator", "m")
    motor.add_reflex("speed", gain=7)
    motor.clear_reflexes()
    motor.add_reflex("place", gain=-30, reference=0.1, rectify=False)
    motor.add_reflex("speed", gain=-4, phases=[("place", 0, np.inf)])
    return spec.compile()


def test_reflexes_act_after_their_delay():
    data = sinew.Data(reflexes())
    data.qpos[0] = 0.3
    forces = []
    for _ in range(6):
        data.step()
        forces.append(data.actuator_force[0])
    # for four steps the past is that of a reset; a spring of 30 N/m that pulls towards 0.1 m
    assert forces[:4] == pytest.approx([3] * 4)
    assert forces[4] == pytest.approx(-30 * (0.3 - 0.1))


def test_batches_and_snapshots_have_reflexes():
    model = reflexes()
    batch = sinew.Batch(model, 3, threads=2)
    batch.state("qpos")[:, 0] = [0.1, 0.2, 0.5]
    assert batch.step(80) == 0
    assert "delays" in batch.obstacle_to_packs
    for world, start in enumerate((0.1, 0.2, 0.5)):
        data = sinew.Data(model)
        data.qpos[0] = start
        data.step(30)
        other = sinew.Data(model)
        other.restore(data.snapshot())
        data.step(50)
        other.step(50)
        assert batch.state("qpos")[world, 0] == data.qpos[0] == other.qpos[0]


def test_wrong_reflexes_name_what_is_wrong():
    spec = sinew.Spec.from_xml_string(REFLEX)
    with pytest.raises(ValueError, match="a joint is no actuator"):
        spec.find("joint", "x").add_reflex("place")
    spec.find("actuator", "m").add_reflex("nothing")
    with pytest.raises(ValueError, match="nothing"):
        spec.compile()


@pytest.mark.parametrize(
    "edit, words",
    [
        (lambda j, t, s: t.add_limit_force([0, 1], 1, 1), "a tendon is no joint"),
        (lambda j, t, s: j.add_limit_force([0], 1, 1), "range takes two numbers"),
        (lambda j, t, s: j.add_limit_force([0, 1], [1, 2, 3], 1), "stiffness takes two numbers"),
        (lambda j, t, s: j.add_ligament(1, 1), "a joint is no tendon"),
        (lambda j, t, s: t.add_ligament_curve(1, 1, "line", [1]), "function is 'line'; it is one of polynomial"),
        (lambda j, t, s: t.add_bushing("a", np.ones(6)), "a tendon is no site"),
        (lambda j, t, s: s.add_bushing("a", np.ones(6), np.ones(5)), "damping takes six numbers"),
    ],
)
def test_wrong_passive_elements_name_what_is_wrong(edit, words):
    spec = sinew.Spec.from_xml_string(PASSIVE)
    elements = spec.find("joint", "z"), spec.find("tendon", "path"), spec.find("site", "b")
    with pytest.raises(ValueError, match=words):
        edit(*elements)


def test_what_is_wrong_with_passive_elements_is_said_when_they_are_compiled():
    spec = sinew.Spec.from_xml_string(PASSIVE)
    spec.find("site", "b").add_bushing("nowhere", np.ones(6))
    with pytest.raises(sinew.ModelError, match="nowhere"):
        spec.compile()
