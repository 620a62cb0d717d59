"""Specifications: what is edited, copied and pickled compiles to what XML would give, and mistakes name the element."""

import copy
import pickle

import numpy as np
import pytest

import sinew

from package_test import PENDULUM

CUBE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def test_settings():
    spec = sinew.Spec.from_xml_string("<mujoco model='a'/>")
    spec.option.timestep, spec.option.gravity[2] = 0.001, -3
    spec.visual.map.znear = 0.25
    spec.stat.extent = 7
    spec.compiler.degree = 0
    spec.nuserdata = 5
    spec.modelname += "b"
    spec.eulerseq = "XYZ"
    model = spec.compile()
    assert model.opt.timestep == 0.001 and model.opt.gravity[2] == -3 and model.vis.map.znear == 0.25
    assert model.stat.extent == 7 and model.nuserdata == 5 and 'model="ab"' in spec.to_xml()
    assert spec.eulerseq == "XYZ" and spec.compiler.degree == 0
    assert {"option", "visual", "compiler", "nkey", "default"} <= set(dir(spec)) and "boundmass" in dir(spec.compiler)
    with pytest.raises(ValueError, match="eulerseq is 'abc'"):
        spec.eulerseq = "abc"
    with pytest.raises(ValueError, match="timestep"):
        spec.option.timestep = "text"


@pytest.mark.parametrize(
    "clone",
    [sinew.Spec.copy, copy.copy, copy.deepcopy, lambda spec: pickle.loads(pickle.dumps(spec))],
    ids=["method", "copy", "deepcopy", "pickle"],
)
def test_copies(clone):
    files = {"tetrahedron.obj": CUBE}
    spec = sinew.Spec.from_xml_string(PENDULUM.replace("<worldbody>", '<asset><mesh file="tetrahedron.obj"/></asset><worldbody>'), files)
    spec.world.add("geom", type=sinew.mjtGeom.mjGEOM_MESH, meshname="tetrahedron", name="mesh")
    other = clone(spec)
    spec.find("geom", "rod").delete()
    del spec
    model = other.compile()
    assert model.mesh("tetrahedron").vertnum == 4 and model.geom("mesh").dataid == 0 and model.geom("rod").id == 2
    other.world.add("body", name="more")
    assert other.compile().nbody == model.nbody + 1


def test_files_that_are_missing_or_no_bytes():
    text = '<mujoco><asset><mesh file="a.obj"/></asset></mujoco>'
    with pytest.raises(sinew.ModelError, match="a.obj"):
        sinew.Spec.from_xml_string(text).compile()
    for kind in (sinew.Spec, sinew.Model):
        with pytest.raises(ValueError, match="files: 'a.obj' is not bytes"):
            kind.from_xml_string(text, {"a.obj": "text"})


def test_numbers_of_meshes_and_height_fields():
    spec = sinew.Spec()
    spec.add("mesh", name="m", uservert=np.vstack([np.zeros(3), np.eye(3)]).ravel())
    spec.add("hfield", name="h", nrow=2, ncol=3, size=[1, 1, 1, 0.1], userdata=[0, 1, 2, 3, 4, 5])
    spec.world.add("geom", type=sinew.mjtGeom.mjGEOM_MESH, meshname="m")
    model = spec.compile()
    assert model.mesh("m").vertnum == 4 and model.hfield_data == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])  # scaled to 1, floats
    with pytest.raises(TypeError, match="uservert"):
        spec.find("mesh", "m").uservert = "text"
    with pytest.raises(AttributeError, match="only be written"):
        spec.find("mesh", "m").uservert


def test_frames_and_attachment():
    arm = sinew.Spec.from_xml_string(PENDULUM)
    spec = sinew.Spec()
    frame = spec.world.add("frame", name="mount", pos=[0, 0, 2])
    inner = frame.add("body", name="b", pos=[1, 0, 0])
    inner.add("geom", size=[0.1])
    frame.attach(arm.find("body", "arm"), prefix="left_")
    spec.world.add("site", name="hook", pos=[0, 5, 0]).attach(arm, suffix="_right")
    del arm
    data = sinew.Data(spec.compile())
    data.kinematics()
    assert data.body("b").xpos.tolist() == [1, 0, 2] and data.body("left_arm").xpos.tolist() == [0, 0, 3]
    assert data.body("arm_right").xpos.tolist() == [0, 5, 1] and inner.frame == frame and frame.frame is None
    free = spec.world.add("geom", size=[0.1], pos=[0, 0, 1], name="free")
    free.frame = frame
    data = sinew.Data(spec.compile())
    data.kinematics()
    assert data.geom("free").xpos.tolist() == [0, 0, 3]
    with pytest.raises(ValueError, match="child"):
        frame.attach(3)
    with pytest.raises((ValueError, TypeError)):
        free.frame = "mount"
    with pytest.raises(sinew.ModelError):
        free.attach(inner)


def test_tendons_and_actuators():
    spec = sinew.Spec.from_xml_string(PENDULUM)
    tendon = spec.add("tendon", name="rope")
    tendon.wrap_joint("hinge", coef=2)
    path = spec.add("tendon", name="path")
    spec.world.add("site", name="root", pos=[0, 0, 2])
    path.wrap_site("root")
    path.wrap_geom("sphere")
    path.wrap_site("tip")
    servo = spec.add("actuator", name="servo", target="hinge", trntype=sinew.mjtTrn.mjTRN_JOINT)
    servo.set_to_position(kp=10, kv=1)
    model = spec.compile()
    assert model.tendon("path").num == 3 and model.wrap_prm[0] == 2
    assert model.actuator("servo").gainprm[0] == 10 and model.actuator("servo").biasprm[1:3].tolist() == [-10, -1]
    with pytest.raises(ValueError, match="an? tendon is no actuator"):
        tendon.set_to_motor()
    with pytest.raises(ValueError, match="is no tendon"):
        servo.wrap_site("tip")


def test_classes_of_defaults():
    spec = sinew.Spec()
    spec.default().geom.rgba = [1, 0, 0, 1]
    soft = spec.add_default("soft")
    soft.geom.solref = [0.1, 1]
    geom = spec.world.add("geom", default="soft", size=[1], name="g")
    assert geom.solref.tolist() == [0.1, 1] and geom.rgba.tolist() == [1, 0, 0, 1] and "geom" in dir(soft)
    assert spec.compile().geom("g").solref.tolist() == [0.1, 1]
    for call in (lambda: spec.default("hard"), lambda: spec.world.add("geom", default="hard")):
        with pytest.raises(KeyError, match="hard"):
            call()
    with pytest.raises(ValueError, match="soft"):
        spec.add_default("soft")
    with pytest.raises(AttributeError, match="sensor"):
        soft.sensor
    with pytest.raises(ValueError, match="keeps its elements"):
        soft.geom.delete()


def test_elements_are_themselves():
    spec = sinew.Spec.from_xml_string(PENDULUM)
    arm = spec.find("body", "arm")
    assert arm == spec.find("body", "arm") and arm != spec.find("body", "ball") and len({arm, spec.find("body", "arm")}) == 1
    assert repr(arm) == "<body 'arm'>" and arm.kind == "body" and arm.parent == spec.world
    assert "wrap_site" not in dir(arm) and "set_to_motor" in dir(spec.find("actuator", "motor"))


def test_an_element_that_cannot_be_does_not_stay():
    spec = sinew.Spec()
    for values in ({"size": "text"}, {"sizes": [1]}, {"name": 3}, {"material": 3}, {"size": [1, 2, 3, 4]}):
        with pytest.raises((ValueError, AttributeError, TypeError), match=next(iter(values))):
            spec.world.add("geom", **values)
    assert spec.all("geom") == []
    with pytest.raises(ValueError, match="kinds are: body, joint"):
        spec.world.add("gem")


def test_errors_of_compilation_have_their_parts():
    spec = sinew.Spec()
    spec.world.add("geom", name="g", size=[-1])
    with pytest.raises(sinew.ModelError) as caught:
        spec.compile()
    error = caught.value
    assert (error.element, error.remedy, error.problem) == ("geom 'g'", "set it", "size 0 must be positive in geom")
    again = pickle.loads(pickle.dumps(error))
    assert again.element == error.element and again.others == []
    with pytest.raises(sinew.ModelError) as caught:
        sinew.Spec.from_xml_string("<mujoco>\n<actuator><motor joint='b'/></actuator></mujoco>").compile()
    assert caught.value.line == 2 and caught.value.element == "actuator / motor" and "define it" in caught.value.remedy


class Deletes:
    """A value that deletes an element while it is read."""

    def __init__(self, element, value):
        self.element, self.value = element, value

    def delete(self):
        if self.element:
            self.element, element = None, self.element
            element.delete()

    def __array__(self, dtype=None, copy=None):
        self.delete()
        return np.asarray(self.value, dtype)

    def __iter__(self):
        for item in self.value:
            self.delete()
            yield item


@pytest.mark.parametrize(
    "kind, name, value",
    [
        ("geom", "size", [0.1, 0.2, 0.3]),
        ("geom", "mass", 2.0),
        ("geom", "userdata", [1.0] * 1000),
        ("mesh", "uservert", [0.0] * 3000),
        ("material", "textures", ["a" * 100] * 10),
    ],
)
def test_values_that_delete_their_element(kind, name, value):
    spec = sinew.Spec()
    where = spec.world if kind == "geom" else spec
    for _ in range(20):
        element = where.add(kind, name="x")
        with pytest.raises(ReferenceError, match="no longer in its specification"):
            setattr(element, name, Deletes(element, value))


def test_files_whose_names_change_the_files():
    class Name:
        def __str__(self):
            files.clear()
            return "part.xml"

    files = {Name(): b"<mujoco><worldbody><body/></worldbody></mujoco>", "other.xml": b"<mujoco/>" * 100}
    model = sinew.Model.from_xml_string('<mujoco><include file="part.xml"/><worldbody/></mujoco>', files)
    assert model.nbody == 2 and not files
