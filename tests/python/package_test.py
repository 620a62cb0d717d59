"""The package sinew: views and their lifetimes, names, errors, copies, specifications, derivatives, pictures."""

import copy
import gc
import pickle
import threading
import warnings

import numpy as np
import pytest

import sinew

PENDULUM = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <body name="arm" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping=".1"/>
      <geom name="rod" type="capsule" fromto="0 0 0 .4 0 0" size=".05"/>
      <site name="tip" pos=".4 0 0"/>
    </body>
    <body name="ball" pos="1 0 .09"><freejoint name="free"/><geom name="sphere" size=".1"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
  <keyframe><key name="up" qpos="-1 1 0 .5 1 0 0 0"/></keyframe>
</mujoco>"""


@pytest.fixture
def model():
    return sinew.Model.from_xml_string(PENDULUM)


@pytest.fixture
def data(model):
    data = sinew.Data(model)
    data.forward()
    return data


def test_fields_are_views_of_the_engines_memory(model, data):
    view = data.qpos
    view[0] = 0.25
    assert data.qpos[0] == 0.25 and data.joint("hinge").qpos[0] == 0.25
    assert data.xpos.shape == (model.nbody, 3) and data.qpos.dtype == np.float64
    assert model.geom_type.dtype == np.int32 and model.geom_rgba.dtype == np.float32
    data.ctrl = [0.5]
    assert data.actuator("motor").ctrl[()] == 0.5
    with pytest.raises(ValueError, match="ctrl"):
        data.ctrl = [1, 2, 3]
    with pytest.raises(AttributeError):
        data.nefc = 3


def test_views_keep_what_they_belong_to_alive():
    data = sinew.Data(sinew.Model.from_xml_string(PENDULUM))
    data.qpos[0] = 0.5
    position, mass = data.qpos, data.model.body_mass
    arm = data.body("arm")
    del data
    gc.collect()
    garbage = [np.ones(100_000) for _ in range(20)]
    assert position[0] == 0.5 and mass[1] > 0 and arm.xpos.shape == (3,) and len(garbage) == 20


def test_names(model, data):
    assert data.body("arm").xpos == pytest.approx([0, 0, 1])
    assert model.body("arm").mass > 0 and model.body(1).name == "arm"
    assert data.joint("free").qpos.shape == (7,) and data.joint("free").qvel.shape == (6,)
    assert data.sensor("angle") == pytest.approx(data.qpos[:1])
    model.geom("sphere").rgba = [1, 0, 0, 1]
    assert model.geom_rgba[2].tolist() == [1, 0, 0, 1]
    with pytest.raises(KeyError, match="'arm'"):
        data.body("leg")
    with pytest.raises(IndexError, match="there are 3"):
        data.body(7)
    with pytest.raises(AttributeError, match="xpos"):
        data.body("arm").nothing
    assert {"xpos", "xquat", "cvel", "id", "name"} <= set(dir(data.body("arm")))
    assert {"qpos", "step", "body", "contact", "efc_force"} <= set(dir(data))
    assert {"timestep", "gravity"} <= set(dir(model.opt))


def test_every_kind_has_names(model, data):
    """Also by the short names of programs for the package mujoco."""
    assert model.jnt("hinge").id == 0 and data.jnt("hinge").qpos == data.qpos[0] and model.key("up").qpos.size == 8
    for kind in ("material", "mat", "texture", "mesh", "hfield", "skin", "pair", "exclude", "numeric", "text", "tuple"):
        with pytest.raises(KeyError, match="none has a name"):
            getattr(model, kind)("nothing")
        assert not hasattr(data, kind)
    assert model.cam("side").fovy == 45 and data.cam("side").xpos.shape == (3,) and model.eq and data.ten
    with pytest.raises(TypeError, match="body takes a name or a number, not 1.5"):
        model.body(1.5)
    assert model.body(np.int64(1)).name == "arm"


def test_names_in_place_of_numbers(data):
    assert np.array_equal(data.jac_site("tip")[0], data.jac_site(0)[0]) and data.jac_body("arm")[1].shape == (3, 7)
    data.reset("up")
    assert data.qpos[0] == -1
    with pytest.raises(KeyError, match="'down'; there are: 'up'"):
        data.reset("down")
    with pytest.raises(KeyError, match="no geom 'tip'"):
        data.jac_geom("tip")


def test_options(model):
    model.opt.timestep = 0.005
    model.opt.gravity[2] = -1
    assert model.opt.timestep == 0.005 and model.opt.gravity.tolist() == [0, 0, -1]
    with pytest.raises(AttributeError):
        model.opt.nothing = 1


def test_contacts_are_a_structured_array(data):
    assert data.ncon == 1 and data.contact["geom"].tolist() == [[0, 2]]
    assert data.contact["dist"][0] == pytest.approx(-0.01)
    # the ball's weight, once it rests on the floor
    data.step(2000)
    assert data.contact_force(0)[0] == pytest.approx(9.81 * data.model.body("ball").mass, rel=1e-3)
    with pytest.raises(IndexError):
        data.contact_force(5)


def test_errors_have_their_parts(tmp_path):
    file = tmp_path / "model.xml"
    file.write_text("<mujoco>\n<worldbody>\n<body>\n<geom type='sfere' size='1'/>\n</body>\n</worldbody>\n</mujoco>")
    with pytest.raises(sinew.ModelError) as caught:
        sinew.Model.from_xml_path(file)
    error = caught.value
    assert error.file == str(file) and error.line == 4 and "sphere" in error.remedy, (error.remedy, str(error))
    assert isinstance(error, ValueError) and pickle.loads(pickle.dumps(error)).line == 4
    with pytest.raises(sinew.ModelError):
        sinew.Model.from_xml_path(tmp_path / "none.xml")
    with pytest.raises(sinew.EngineError, match="keyframe 4"):
        sinew.Data(sinew.Model.from_xml_string(PENDULUM)).reset(4)
    with pytest.raises(TypeError):
        sinew.Data("no model")
    with pytest.raises(ValueError, match="state has 3 numbers"):
        sinew.Data(sinew.Model.from_xml_string(PENDULUM)).set_state(np.zeros(3))


def test_copies_and_pickles_continue_bit_for_bit(data):
    data.ctrl[0] = 0.3
    data.step(50)
    others = [data.copy(), copy.copy(data), copy.deepcopy(data), pickle.loads(pickle.dumps(data))]
    data.step(50)
    for other in others:
        other.step(50)
        assert np.array_equal(other.qpos, data.qpos) and other.time == data.time
    assert others[0].model is data.model and others[2].model is not data.model
    model = pickle.loads(pickle.dumps(data.model))
    assert np.array_equal(model.body_mass, data.model.body_mass)


def test_threads_step_at_once(model):
    worlds = [sinew.Data(model) for _ in range(4)]
    threads = [threading.Thread(target=world.step, args=(500,)) for world in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(world.qpos, worlds[0].qpos) for world in worlds)


def test_warnings_are_pythons(data):
    data.qvel[0] = np.nan
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data.step()
    assert "hinge" in str(caught[0].message)


def test_derivatives_agree(data):
    A, B, C, D = data.transition_derivatives()
    nv = data.model.nv
    assert A.shape == (2 * nv, 2 * nv) and B.shape == (2 * nv, 1) and C.shape[0] == 1
    # d velocity / d control = h / M for the hinge, which touches nothing; the difference's error
    h, inertia = data.model.opt.timestep, data.mass_matrix()[0, 0]
    assert B[nv, 0] == pytest.approx(h / (inertia + h * 0.1), rel=1e-6)
    A1, B1 = data.linearize()
    C1, D1 = data.linearize(sensors=True)[2:]
    assert np.allclose(C1, C, rtol=1e-5, atol=1e-6 * np.abs(C).max()) and np.allclose(D1, D, rtol=1e-5, atol=1e-9)
    assert np.allclose(A1, A, rtol=1e-5, atol=1e-6 * np.abs(A).max()) and np.allclose(B1, B, rtol=1e-5, atol=1e-9)
    position, rotation = data.jac_site(0)
    assert position.shape == (3, nv) and rotation[1, 0] == 1


def test_specifications():
    spec = sinew.Spec()
    body = spec.world.add("body", name="ball", pos=[0, 0, 1])
    body.add("joint", type=sinew.mjtJoint.mjJNT_FREE)
    geom = body.add("geom", size=[0.1], name="sphere")
    geom.rgba = [0, 1, 0, 1]
    model = spec.compile()
    assert model.nv == 6 and model.geom("sphere").size[0] == 0.1 and "sphere" in spec.to_xml()
    assert geom.parent.name == "ball" and [g.name for g in spec.all("geom")] == ["sphere"]
    assert {"rgba", "size", "add"} <= set(dir(geom))
    geom.size = [-1]
    with pytest.raises(sinew.ModelError, match="sphere"):
        spec.compile()
    body.delete()
    with pytest.raises(ReferenceError):
        geom.size
    with pytest.raises(KeyError, match="world"):
        spec.find("body", "ball")
    with pytest.raises(ValueError, match="belongs to a body"):
        spec.add("geom")
    again = sinew.Spec.from_xml_string(PENDULUM)
    again.find("geom", "sphere").size = [0.2]
    assert again.compile().geom("sphere").size[0] == 0.2
    with pytest.raises(sinew.ModelError):
        sinew.Spec.from_xml_string("<mujoco><nothing/></mujoco>")


def test_pictures(data):
    picture = sinew.render(data, 64, 48, camera="side")
    assert picture.shape == (48, 64, 3) and picture.std() > 0
    renderer = sinew.Renderer(data.model, 32, 24)
    depth = renderer.render(data, depth=True)
    assert depth.shape == (24, 32) and depth.dtype == np.float32
    assert renderer.render(data, segmentation=True).shape == (24, 32, 2)
    with pytest.raises(ValueError):
        sinew.Renderer(data.model, -1, 10)
