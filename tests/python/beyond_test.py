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
