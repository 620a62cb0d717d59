"""Models, worlds and specifications that the packages sinew and mujoco share: one memory under two classes."""

import copy
import gc
import os
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pytest

import sinew
import sinew.install

_HERE = os.environ.get("SINEW_MODULE") or str(sinew.install.module_folder())
if not os.path.isdir(os.path.join(_HERE, "mujoco")):
    pytest.skip("the module is not built", allow_module_level=True)
sys.path.insert(0, _HERE)

import mujoco  # noqa: E402

from module_test import ARM, COUNTS_PAGES, CYCLES  # noqa: E402


@pytest.fixture
def ours():
    """A world of the package sinew."""
    return sinew.Data(sinew.Model.from_xml_string(ARM))


@pytest.fixture
def theirs():
    """A world of the package mujoco."""
    return mujoco.MjData(mujoco.MjModel.from_xml_string(ARM))


def test_functions_of_mujoco_take_what_sinew_has_made(ours):
    expected = ours.copy()
    ours.ctrl[:] = expected.ctrl[:] = 0.5
    mujoco.mj_step(ours.model, ours, 10)
    expected.step(10)
    assert ours.time == expected.time and np.array_equal(ours.qpos, expected.qpos) and ours.qpos.any()
    inertia = np.zeros((ours.model.nv, ours.model.nv))
    mujoco.mj_fullM(ours.model, ours, inertia)
    assert np.array_equal(inertia, ours.mass_matrix())
    state = np.zeros(mujoco.mj_stateSize(ours.model, mujoco.mjtState.mjSTATE_INTEGRATION))
    mujoco.mj_getState(ours.model, ours, state, mujoco.mjtState.mjSTATE_INTEGRATION)
    assert np.array_equal(state, ours.state())


def test_objects_of_mujoco_have_the_same_memory(ours):
    model, data = mujoco.MjModel(ours.model), mujoco.MjData(ours)
    assert isinstance(model, mujoco.MjModel) and isinstance(data, mujoco.MjData) and isinstance(ours.model, mujoco.MjModel)
    assert type(model) is mujoco.MjModel and type(mujoco.MjData(ours.model).model) is mujoco.MjModel
    assert data.qpos.ctypes.data == ours.qpos.ctypes.data
    data.joint("hinge").qpos[:] = 0.25
    model.geom("cube").size[:] = 0.3
    assert ours.joint("hinge").qpos == 0.25 and list(ours.model.geom("cube").size) == [0.3] * 3
    mujoco.mj_step(data.model, data)
    assert ours.time == data.time == data.model.opt.timestep
    assert len(data.contact) == len(ours.contact) == ours.ncon > 0


def test_objects_of_sinew_have_the_same_memory(theirs):
    model, data = sinew.Model(theirs.model), sinew.Data(theirs)
    assert data.qpos.ctypes.data == theirs.qpos.ctypes.data
    data.joint("hinge").qpos[:] = 0.25
    data.step()
    assert theirs.time == theirs.model.opt.timestep and theirs.joint("hinge").qpos != 0
    A, B = data.linearize()
    assert A.shape == (2 * model.nv, 2 * model.nv) and B.any()
    batch = sinew.Batch(theirs.model, 2, threads=1)
    batch.step()
    assert batch.state("qpos").shape == (2, model.nq) and isinstance(sinew.Data(theirs.model).model, sinew.Model)
    assert sinew.Renderer(theirs.model, 32, 24).render(data).any()


def test_what_mujoco_makes_of_worlds_of_sinew(ours):
    from mujoco import rollout
    from mujoco.batch import Batch

    with mujoco.Renderer(ours.model, 24, 32) as renderer:
        renderer.update_scene(ours)
        assert renderer.render().shape == (24, 32, 3)
    start = np.zeros(mujoco.mj_stateSize(ours.model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    mujoco.mj_getState(ours.model, ours, start, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    states, _ = rollout.rollout(ours.model, ours, start, nstep=3)
    assert states.shape == (1, 3, len(start))
    assert Batch(ours.model, 2, 1).bind("qpos").shape == (2, ours.model.nq)
    assert mujoco.MjvScene(ours.model, 10).maxgeom == 10


def test_there_is_one_object_over_a_world(ours, theirs):
    """Whichever way a model or a world comes to the other package, it is the object that is there already."""
    model, data = mujoco.MjModel(ours.model), mujoco.MjData(ours)
    assert mujoco.MjModel(ours.model) is model and mujoco.MjData(ours) is data and data.model is model
    assert mujoco.MjModel(sinew.Model(model)) is model and mujoco.MjData(sinew.Data(data)) is data
    assert mujoco.MjModel(sinew.Model(theirs.model)) is theirs.model and mujoco.MjData(sinew.Data(theirs)) is theirs
    assert sinew.Model(model) == ours.model and sinew.Data(data) == ours and len({ours.model, sinew.Model(model), sinew.Data(data).model}) == 1
    assert ours.copy() != ours and sinew.Data(ours.model) != ours and ours.model != model and sinew.Spec() != sinew.Spec()
    spec = mujoco.MjSpec()
    assert sinew.Spec(spec) == sinew.Spec(spec) and mujoco.MjSpec(sinew.Spec(spec)) is spec
    seen = []
    mujoco.set_mjcb_control(lambda m, d: seen.append(m is model and d is data))
    try:
        mujoco.mj_step(ours.model, ours)
    finally:
        mujoco.set_mjcb_control(None)
    assert seen == [True]
    gone = weakref.ref(data)
    del data
    assert gone() is None and mujoco.MjData(ours).qpos.shape == (ours.model.nq,)


def test_worlds_of_classes_of_programs_are_objects_of_their_own(ours):
    class Arm(mujoco.MjData):
        pass

    plain, arm = mujoco.MjData(ours), Arm(ours)
    assert arm is not plain and type(arm) is Arm and arm.qpos.ctypes.data == plain.qpos.ctypes.data
    arm.__init__(ours)
    del plain
    assert arm.qpos.shape == (ours.model.nq,) and mujoco.MjData(ours).model is arm.model


def test_specifications_have_the_same_elements():
    spec = sinew.Spec.from_xml_string(ARM, {"a.txt": b"a"})
    other = mujoco.MjSpec(spec)
    other.geom("cube").size = [0.2, 0.2, 0.2]
    spec.find("body", "arm").add("site", name="end")
    assert list(spec.find("geom", "cube").size) == [0.2] * 3 and other.site("end").parent.name == "arm"
    assert other.assets is spec.files and other.assets == {"a.txt": b"a"}
    back = sinew.Spec(other)
    assert back.find("geom", "cube") == spec.find("geom", "cube")
    assert back.compile().nsite == other.compile().nsite == 2


def test_deleted_elements_are_gone_on_both_sides():
    spec = sinew.Spec.from_xml_string(ARM)
    other = mujoco.MjSpec(spec)
    geom, tip = other.geom("cube"), spec.find("site", "tip")
    spec.find("body", "box").delete()
    with pytest.raises(ReferenceError):
        geom.size
    with pytest.raises(ReferenceError):
        tip.pos
    rod, arm = spec.find("geom", "rod"), other.body("arm")
    other.delete(arm)
    with pytest.raises(ReferenceError):
        rod.size
    assert spec.compile().nbody == other.compile().nbody == 1


def test_what_is_attached_to_a_shared_specification_is_a_copy():
    parent, child = mujoco.MjSpec.from_string(ARM), sinew.Spec.from_xml_string(ARM)
    frame = sinew.Spec(parent).world.add("frame", name="f")
    frame.attach(child, prefix="child-")
    del child
    gc.collect()
    assert parent.body("child-arm").name == "child-arm" and parent.compile().nbody == 5


def test_memory_lives_as_long_as_either_needs_it():
    ours = sinew.Data(sinew.Model.from_xml_string(ARM))
    theirs = mujoco.MjData(mujoco.MjModel.from_xml_string(ARM))
    views = mujoco.MjData(ours).qpos, sinew.Data(theirs).qpos, mujoco.MjModel(ours.model).geom_size, sinew.Model(theirs.model).geom_size
    copies = [view.copy() for view in views]
    gone = weakref.ref(ours), weakref.ref(theirs)
    del ours, theirs
    gc.collect()
    assert all(np.array_equal(view, copied) for view, copied in zip(views, copies))
    assert [one() for one in gone] == [None, None]
    for view in views:
        view[...] = 1


def test_a_world_that_is_made_anew_leaves_its_memory_to_the_other(theirs):
    other = sinew.Data(theirs)
    other.qpos[:] = 2
    theirs.__init__(theirs.model)
    assert (other.qpos == 2).all() and not (theirs.qpos == 2).all()
    other.step()


@COUNTS_PAGES
def test_sharing_needs_no_memory(ours, theirs):
    def pages():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1])

    def run(count):
        for _ in range(count):
            mujoco.mj_forward(ours.model, ours)
            mujoco.MjData(ours).contact, sinew.Data(theirs).contact, mujoco.MjSpec(sinew.Spec())

    run(CYCLES)
    before = pages()
    run(3 * CYCLES)
    assert pages() - before < 500  # 2 MB, as the allocator goes up and down


@pytest.mark.parametrize("wrong", [None, 1, "model", object(), np.zeros(3), sinew.Spec(), mujoco.MjOption()])
def test_other_things_are_type_errors(ours, theirs, wrong):
    for call in (
        lambda: mujoco.mj_step(wrong, ours), lambda: mujoco.mj_step(ours.model, wrong), lambda: mujoco.MjModel(wrong),
        lambda: mujoco.MjData(wrong), lambda: sinew.Model(wrong), lambda: sinew.Data(wrong), lambda: sinew.Batch(wrong, 1),
        lambda: mujoco.mj_step(ours, ours.model),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            call()
    if wrong is not None and not isinstance(wrong, sinew.Spec):
        for call in (lambda: sinew.Spec(wrong), lambda: mujoco.MjSpec(wrong)):
            with pytest.raises(TypeError):
                call()


def test_worlds_of_other_models_are_refused(ours):
    with pytest.raises(mujoco.FatalError, match="another model"):
        mujoco.mj_step(sinew.Model.from_xml_string("<mujoco/>"), ours)


def test_objects_without_a_world_are_refused():
    empty = mujoco.MjData.__new__(mujoco.MjData)
    with pytest.raises(TypeError):
        sinew.Data(empty)


def test_steps_are_timed_for_the_package_mujoco_alone():
    program = "import sinew; d = sinew.Data(sinew.Model.from_xml_string('<mujoco/>')); d.step(9); print(d.timer.duration.any()); import mujoco; d.step(9); print(d.timer.duration.any())"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([_HERE, os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "True"], done.stderr


def test_worlds_of_sinew_are_what_they_were(ours):
    """They have the fields of MjData, and the names, types and errors of sinew, at all levels of the package mujoco."""
    assert isinstance(ours, mujoco.MjData) and type(ours.copy()) is sinew.Data and type(pickle.loads(pickle.dumps(ours))) is sinew.Data
    ours.forward()
    assert ours.eq_active.dtype == np.uint8 and ours.contact.dtype.names and type(ours.flg_rnepost) is int and ours.model is not mujoco.MjModel(ours.model)
    with pytest.raises(AttributeError, match="nefc is computed"):
        ours.nefc = 3
    with pytest.raises(ValueError, match="qpos: the value does not fit"):
        ours.qpos = [1, 2, 3]
    with pytest.raises(KeyError, match="no body 'leg'; there are: 'world', 'box', 'arm'"):
        ours.body("leg")
    assert mujoco.MjData(ours).model is mujoco.MjModel(ours.model) and sinew.Renderer(ours.model, 8, 8).render(mujoco.MjData(ours)).any()


def test_models_of_sinew_are_what_they_were(ours):
    """They have the fields of MjModel, and the names, types and errors of sinew, at all levels of the package mujoco."""
    model = ours.model
    assert isinstance(model, sinew.Model) and type(model.copy()) is sinew.Model and "sinew.Model" in repr(model)
    assert model.jnt_limited.dtype == np.uint8 and model.names.dtype == np.int8 and type(model.opt.timestep) is float
    model.names[:] = model.names
    model.jnt_limited = [0, 1]
    assert mujoco.MjModel(model).jnt_limited.tolist() == [0, 1] and type(mujoco.MjModel(model).names) is bytes
    with pytest.raises(ValueError, match="jnt_limited: the value does not fit"):
        model.jnt_limited = [1, 2, 3]
    with pytest.raises(AttributeError):
        model.nq = 3
    with pytest.raises(AttributeError):
        model.no_such_field = 3
    with pytest.raises(KeyError, match="no body 'leg'; there are: 'world', 'box', 'arm'"):
        model.body("leg")
    assert mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, 2) == "arm"
    assert type(pickle.loads(pickle.dumps(model))) is sinew.Model and type(copy.copy(model)) is type(copy.deepcopy(model)) is sinew.Model


@pytest.mark.parametrize("first, second", [("sinew", "mujoco"), ("mujoco", "sinew")])
def test_either_package_may_be_imported_first(first, second):
    program = f"import {first}, {second}, sinew; m = sinew.Model.from_xml_string('<mujoco/>'); assert isinstance(m, mujoco.MjModel); print(mujoco.MjModel(m).nbody)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([_HERE, os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.stdout == "1\n", done.stderr
