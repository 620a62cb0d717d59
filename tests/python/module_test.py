"""The package mujoco of our own: lifetimes, misuse, names of all releases, and no other library in the process."""

import copy
import gc
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

_HERE = os.environ.get("SINEW_MODULE")
if not _HERE:
    import sinew.install

    _HERE = str(sinew.install.module_folder())
if not (pathlib.Path(_HERE) / "mujoco").is_dir():
    pytest.skip("the module is not built", allow_module_level=True)
sys.path.insert(0, _HERE)

import mujoco  # noqa: E402

ARM = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="box" pos="0 0 .09"><freejoint name="free"/><geom name="cube" type="box" size=".1 .1 .1"/><site name="tip"/></body>
    <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0" damping=".1"/><geom name="rod" type="capsule" size=".05" fromto="0 0 0 0 0 .5"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
</mujoco>
"""
CYCLES = int(os.environ.get("SINEW_CYCLES", 300))
# The address sanitizer keeps 16 MB of what was freed.
COUNTS_PAGES = pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", "") and CYCLES < 2500, reason="needs more cycles under the sanitizer")


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string(ARM)


@pytest.fixture
def data(model):
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return data


def test_no_other_library_is_in_the_process():
    maps = pathlib.Path("/proc/self/maps").read_text()
    assert "site-packages/mujoco" not in maps
    assert pathlib.Path(mujoco.__file__).is_relative_to(_HERE)


# ---- lifetimes


def test_arrays_outlive_models_and_worlds(model, data):
    qpos, size, xpos = data.qpos, model.geom("cube").size, data.body("box").xpos
    expected = qpos.copy(), size.copy(), xpos.copy()
    del model, data
    gc.collect()
    assert all(np.array_equal(a, b) for a, b in zip((qpos, size, xpos), expected))
    qpos[:] = 3


def test_what_is_asked_for_twice_is_the_same(model, data):
    assert data.qpos is data.qpos and data.model is model and model.opt is model.opt
    assert model.geom("cube") is model.geom(1) and model.geom("cube").size is model.geom(1).size
    assert data.contact is data.contact


def test_nothing_waits_for_the_garbage_collector(model):
    gc.disable()
    try:
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data)
        data.qpos, data.contact, data.body("box").xpos, data.efc_J
        gone = weakref.ref(data)
        del data
        assert gone() is None
    finally:
        gc.enable()


@COUNTS_PAGES
def test_worlds_come_and_go_without_growth(model):
    def run(count):
        for _ in range(count):
            data = mujoco.MjData(model)
            mujoco.mj_step(model, data)
            data.qpos, data.contact.dist, model.geom("rod").pos

    def pages():
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1])

    run(CYCLES)
    before = pages()
    run(3 * CYCLES)
    assert pages() - before < 2000


def test_contacts_follow_the_world(model, data):
    contact = data.contact
    assert len(contact) == data.ncon == 4
    assert contact.dist.shape == (4,) and contact.geom.shape == (4, 2)
    data.qpos[2] = 1
    mujoco.mj_forward(model, data)
    assert len(contact) == 0 and contact.dist.shape == (0,)
    with pytest.raises(IndexError):
        contact[0]


def test_copies_and_pickles_are_of_their_own(model, data):
    for other in (copy.copy(data), copy.deepcopy(data), pickle.loads(pickle.dumps(data))):
        assert np.array_equal(other.qpos, data.qpos) and other.ncon == data.ncon and other.contact == data.contact
        other.qpos[0] = 7
        assert data.qpos[0] == 0
        mujoco.mj_step(other.model, other)
    assert copy.copy(data).model is model and copy.deepcopy(data).model is not model
    assert pickle.loads(pickle.dumps(model)).names == model.names


# ---- misuse


@pytest.mark.parametrize(
    "call",
    [
        lambda m, d: mujoco.mj_step(d, m),
        lambda m, d: mujoco.mj_step(m, None),
        lambda m, d: mujoco.mj_step(m, d, 1.5),
        lambda m, d: mujoco.mj_step(m, d, steps=2),
        lambda m, d: mujoco.mj_jac(m, d, np.zeros((2, m.nv)), None, np.zeros(3), 1),
        lambda m, d: mujoco.mj_jac(m, d, np.zeros((3, m.nv), np.float32), None, np.zeros(3), 1),
        lambda m, d: mujoco.mj_jac(m, d, None, None, np.zeros(2), 1),
        lambda m, d: mujoco.mju_add(np.zeros(3), np.zeros(3), np.zeros(4)),
        lambda m, d: mujoco.mju_zero([0.0, 1.0]),
        lambda m, d: mujoco.mj_getState(m, d, np.zeros(3), mujoco.mjtState.mjSTATE_PHYSICS),
        lambda m, d: mujoco.mju_copy(np.zeros(6)[::2], np.zeros(3)),
        lambda m, d: mujoco.mju_encodePyramid(np.zeros(2), np.zeros(3), np.zeros(2)),
        lambda m, d: mujoco.mju_decodePyramid(np.zeros(3), np.zeros(2), np.zeros(2)),
        lambda m, d: mujoco.mj_addM(m, d, np.zeros(3), np.zeros(3, np.int32), np.zeros(3, np.int32), np.zeros(3, np.int32)),
        lambda m, d: mujoco.mju_sparse2dense(np.zeros((2, 2)), np.ones(2), np.ones(2, np.int32), np.arange(2, dtype=np.int32), np.full(2, 7, np.int32)),
        lambda m, d: mujoco.MjModel(),
        lambda m, d: mujoco.MjData(d),
        lambda m, d: m.geom(1.5),
        lambda m, d: mujoco.set_mjcb_control(3),
    ],
)
def test_wrong_arguments_are_type_errors(model, data, call):
    with pytest.raises(TypeError):
        call(model, data)


def test_what_the_engine_reports_is_raised(model, data):
    with pytest.raises(mujoco.FatalError, match="signature"):
        mujoco.mj_stateSize(model, 1 << 30)
    with pytest.raises(ValueError, match="root element"):
        mujoco.MjModel.from_xml_string("<a/>")
    with pytest.raises(KeyError, match="Valid names: \\['cube', 'floor', 'rod'\\]"):
        model.geom("none")
    with pytest.raises(IndexError):
        data.body(77)
    with pytest.raises(ValueError):
        data.qpos = [1, 2]
    with pytest.raises(AttributeError):
        model.nq = 3
    with pytest.raises(AttributeError):
        data.nosuch = 1


def test_worlds_of_other_models_are_refused(model, data):
    other = mujoco.MjModel.from_xml_string("<mujoco/>")
    for use in (mujoco.mj_step, mujoco.mj_forward, mujoco.mj_resetData):
        with pytest.raises(mujoco.FatalError, match="another model"):
            use(other, data)


def test_empty_objects_are_no_crash():
    data = mujoco.MjData.__new__(mujoco.MjData)
    for use in (lambda: data.qpos, lambda: data.body("a"), lambda: setattr(data, "time", 1.0)):
        with pytest.raises(ReferenceError):
            use()
    with pytest.raises((TypeError, ReferenceError)):
        mujoco.mj_resetCtrl(None, data)


def test_errors_of_callbacks_reach_the_caller(model, data):
    def fails(m, d):
        raise LookupError("in the callback")

    mujoco.set_mjcb_control(fails)
    try:
        with pytest.raises(LookupError, match="in the callback"):
            mujoco.mj_step(model, data)
        seen = []
        mujoco.set_mjcb_control(lambda m, d: seen.append((m is model, d is data)))
        mujoco.mj_step(model, data)
        assert seen == [(True, True)]
    finally:
        mujoco.set_mjcb_control(None)
    mujoco.mj_step(model, data)


def test_worlds_in_threads(model):
    def run(results, i):
        data = mujoco.MjData(model)
        mujoco.mj_step(model, data, 200)
        results[i] = data.qpos.copy()

    results = [None] * 4
    threads = [threading.Thread(target=run, args=(results, i)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(result, results[0]) for result in results)


# ---- specifications


SCENERY = """<mujoco><compiler inertiafromgeom="{}"/>
  <asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/><material name="c" texture="t"/><mesh name="w" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <default><default class="seen"><geom contype="0" conaffinity="0" material="c"/></default></default>
  <worldbody><geom type="plane" size="1 1 1" material="c"/><body name="rock" pos="1 0 0" euler="0 0 30"><geom size=".1"/><geom type="mesh" mesh="w" class="seen"/></body>
    <body name="arm" euler="20 0 0"><inertial pos=".1 0 0" mass="3" diaginertia=".1 .2 .25" euler="10 20 30"/><joint name="j"/><geom size=".1"/><geom class="seen" size=".2"/>
      <body name="tool" pos="0 0 1" euler="0 40 0"><geom name="named" class="seen" size=".1"/><geom size=".1"/><body name="tip"><geom size=".05" pos=".2 0 0"/><site name="q"/></body></body></body>
    <body name="leg"><joint/><geom size=".1"/><body name="toe" pos="0 0 -1"><geom size=".1"/></body></body></worldbody>
  <sensor><framepos objtype="geom" objname="named"/></sensor></mujoco>"""


def _inertia(model):
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, full)
    return full, data.qfrc_bias, data.sensordata


@pytest.mark.parametrize("inertia", ["auto", "true", "false"])
def test_specifications_lose_what_is_seen_and_what_is_static(inertia):
    """Motion stays what it is; as many elements are left as where the compiler leaves them out."""
    if inertia == "false":
        text = SCENERY.format("auto").replace('<body name="tip">', '<body name="tip"><inertial pos=".3 .1 0" mass=".5" diaginertia=".01 .01 .01"/>')
    else:
        text = SCENERY.format(inertia)
    for reduce, setting, count in (("discard_visual", "discardvisual", 5), ("fuse_static", "fusestatic", 4)):
        spec = mujoco.MjSpec.from_string(text)
        before = _inertia(spec.compile())
        if (inertia, reduce) == ("true", "discard_visual"):
            with pytest.raises(ValueError, match="inertiafromgeom is true"):
                spec.discard_visual()
            assert spec.compile().ngeom == 10
            continue
        assert getattr(spec, reduce)() == count
        left = mujoco.MjModel.from_xml_string(text.replace("<compiler ", f"<compiler {setting}='true' "))
        model = spec.compile()
        for number in ("nbody", "ngeom", "nmesh", "nmat", "ntex", "nsite"):
            assert getattr(model, number) == getattr(left, number), number
        for now, then in zip(_inertia(model), before):
            # sums of inertias are turned to axes at which 1e-7 of their products is left
            np.testing.assert_allclose(now, then, rtol=1e-7, atol=1e-9)
        assert mujoco.MjModel.from_xml_string(spec.to_xml()).ngeom == model.ngeom and getattr(spec, reduce)() == 0


def test_files_of_specifications_find_their_assets(tmp_path):
    """A model with a mesh of its own and an attached one, saved beside its source and elsewhere, and as a text where no file of its own is."""
    for name, size in (("scene", 1), ("robot", 2)):
        (tmp_path / name / "files").mkdir(parents=True)
        (tmp_path / name / "files" / f"{name}.obj").write_text(f"v 0 0 0\nv {size} 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        (tmp_path / name / "model.xml").write_text(
            f"<mujoco><compiler meshdir='files'/><asset><mesh name='m' file='{name}.obj'/></asset><worldbody><body name='b'><joint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
        )
    scene, floor = mujoco.MjSpec.from_file(str(tmp_path / "scene" / "model.xml")), mujoco.MjSpec()
    for spec in (scene, floor):
        robot = mujoco.MjSpec.from_file(str(tmp_path / "robot" / "model.xml"))
        spec.copy_during_attach = True
        spec.worldbody.add_frame().attach_body(robot.body("b"), "r_", "")
    mass = scene.compile().body_mass.sum()
    for folder in ("scene", "robot", "other/place"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        scene.to_file(str(tmp_path / folder / "saved.xml"))
        assert mujoco.MjModel.from_xml_path(str(tmp_path / folder / "saved.xml")).body_mass.sum() == pytest.approx(mass, rel=1e-12)
    assert mujoco.MjSpec.from_string(floor.to_xml()).compile().body_mass.sum() == floor.compile().body_mass.sum() > 300
    with pytest.raises(FileNotFoundError):
        scene.to_file(str(tmp_path / "nowhere" / "saved.xml"))


def test_deleted_elements_know_it():
    spec = mujoco.MjSpec.from_string(ARM)
    geom, site, other = spec.geom("cube"), spec.site("tip"), spec.geom("rod")
    spec.delete(spec.body("box"))
    for element in (geom, site):
        with pytest.raises(ReferenceError):
            element.pos
        with pytest.raises(ReferenceError):
            element.name = "a"
    assert other.name == "rod" and spec.compile().nbody == 2


def test_members_of_classes_of_defaults_have_no_compiler():
    spec = mujoco.MjSpec()
    made = spec.add_default("made", spec.default)
    for member in (spec.default.geom, made.tendon, made.actuator):
        assert member.compiler is None
    assert spec.worldbody.add_geom(size=[1, 0, 0]).compiler.autolimits == 1


def test_elements_of_wrong_values():
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="b")
    for values in ({"nosuch": 1}, {"pos": "a"}, {"type": "box"}):
        with pytest.raises(TypeError):
            body.add_geom(**values)
    with pytest.raises(ValueError, match="pos should be a list/array of size 3"):
        body.add_geom(pos=[1, 2])
    assert body.geoms == []
    with pytest.raises(ValueError, match="size"):
        body.add_geom()
        spec.compile()


def test_specifications_live_as_long_as_their_elements():
    geom = mujoco.MjSpec.from_string(ARM).geom("cube")
    gc.collect()
    assert geom.name == "cube" and list(geom.size) == [0.1, 0.1, 0.1]


def test_attached_elements_are_the_same():
    parent, child = mujoco.MjSpec(), mujoco.MjSpec()
    body = child.worldbody.add_body(name="b")
    body.add_geom(size=[1])
    frame = parent.worldbody.add_frame()
    assert frame.attach_body(body, prefix="p-") is body and body.name == "p-b"
    del child
    gc.collect()
    body.pos = [1, 2, 3]
    assert list(parent.compile().body("p-b").pos) == [1, 2, 3]


# ---- names of all releases


def test_old_and_new_names_together(model, data):
    assert model.nactuator == model.nout == model.nu == 1
    assert list(model.actuator_ctrladr) == [0] and list(model.actuator_ctrlnum) == [1]
    assert data.efc_diagA is data.efc_diagApprox and data.qM.shape == (model.nM,)
    assert model.geom_surfacevel.shape == (model.ngeom, 6) and not model.geom_surfacevel.any()
    assert data.geom_xquat.shape == (model.ngeom, 4)
    assert mujoco.mjtIntegrator.mjINT_DISCRETE not in (int(v) for k, v in mujoco.mjtIntegrator.__members__.items() if k != "mjINT_DISCRETE")


def test_both_signatures_of_the_inertia_matrix(model, data):
    old, new = np.zeros((model.nv, model.nv)), np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, old, data.qM)
    mujoco.mj_fullM(model, data, new)
    assert np.array_equal(old, new) and old.any()
    with pytest.raises(TypeError):
        mujoco.mj_fullM(model, old)


def test_enumerations_equal_numbers():
    kind = mujoco.mjtGeom.mjGEOM_BOX
    assert kind == 6 == np.int32(6) and np.int64(6) == kind and kind in {6} and hash(kind) == hash(6)
    assert str(kind) == "mjtGeom.mjGEOM_BOX" and mujoco.mjtGeom(6) is kind and pickle.loads(pickle.dumps(kind)) is kind
    with pytest.raises(ValueError, match="Invalid int value for mjtGeom: 999"):
        mujoco.mjtGeom(999)


def test_surfaces_move_and_stick():
    spec = mujoco.MjSpec.from_string(ARM)
    cube = spec.geom("cube")
    assert cube.adhesion == 0 and not cube.surfacevel.any()
    cube.surfacevel = [0.5, 0, 0, 0, 0, 2]
    cube.adhesion = 3
    with pytest.raises(ValueError, match="read-only"):
        cube.surfacevel[0] = 1
    model = spec.compile()
    number = model.geom("cube").id
    assert list(model.geom_surfacevel[number]) == [0.5, 0, 0, 0, 0, 2] and model.geom_adhesion[number] == 3
    assert model.flg_surfacevel and model.flg_adhesion and model.pair_adhesion.shape == (model.npair,)
    model.geom_surfacevel[number, 0] = 0.7
    assert 0.7 in model.numeric("sinew/surfaces").data
    assert mujoco.MjSpec.from_string(spec.to_xml()).geom("cube").adhesion == 3


def test_inert_attributes_say_so():
    actuator = mujoco.MjSpec.from_string(ARM).actuators[0]
    actuator.ctrlspec = 0
    with pytest.raises(ValueError, match="ctrlspec"):
        actuator.ctrlspec = 1


def test_newer_grammar_is_read():
    xml = '<mujoco><default><default class="c"/></default><asset><texture class="c" name="t" type="2d" builtin="flat" width="2" height="2"/></asset></mujoco>'
    assert mujoco.MjModel.from_xml_string(xml).ntex == 1
    with pytest.raises(ValueError, match="unknown attribute"):
        mujoco.MjModel.from_xml_string(xml.replace("builtin", "nosuch"))


# ---- pictures and rollouts


def test_pictures_need_no_driver(model, data, monkeypatch):
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    with mujoco.Renderer(model, 60, 80) as renderer:
        renderer.update_scene(data)
        assert renderer.render().shape == (60, 80, 3) and renderer.render().any()
        renderer.enable_segmentation_rendering()
        assert set(np.unique(renderer.render()[..., 1])) <= {-1, int(mujoco.mjtObj.mjOBJ_GEOM)}
        renderer.enable_depth_rendering()
        assert (renderer.render() > 0).all()
    with pytest.raises(RuntimeError, match="after close"):
        renderer.render()


def test_rollouts_are_steps(model, data):
    from mujoco import rollout

    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    start = np.empty(mujoco.mj_stateSize(model, full))
    mujoco.mj_getState(model, data, start, full)
    controls = np.random.default_rng(0).normal(size=(3, 5, 1))
    states, sensors = rollout.rollout(model, [mujoco.MjData(model) for _ in range(2)], start, controls)
    world = mujoco.MjData(model)
    for i in range(3):
        mujoco.mj_resetData(model, world)
        mujoco.mj_setState(model, world, start, full)
        for k in range(5):
            world.ctrl[:] = controls[i, k]
            mujoco.mj_step(model, world)
            assert np.array_equal(states[i, k, 1 : 1 + model.nq], world.qpos)
            assert np.array_equal(sensors[i, k], world.sensordata)


def test_batches_are_worlds_of_their_own(model):
    from mujoco.batch import Batch

    batch = Batch(model, 3, 2)
    batch.bind("ctrl")[:, 0] = [0, 1, 2]
    angle = batch.bind("sensordata")
    batch.step(nstep=20)
    world = mujoco.MjData(model)
    for i in range(3):
        mujoco.mj_resetData(model, world)
        world.ctrl[:] = i
        mujoco.mj_step(model, world, 20)
        assert np.array_equal(batch.bind("qpos")[i], world.qpos) and np.array_equal(angle[i], world.sensordata)
    batch.body("arm").mass = np.array([[1.0], [2.0], [3.0]])
    assert batch.get_model(2).body("arm").mass == 3 and model.body("arm").mass != 3
    with pytest.raises(ValueError, match="did you mean 'qpos'"):
        batch.bind("qpso")
    with pytest.raises(ValueError, match="got 7"):
        batch.step(ids=[7])


def test_virtual_file_systems():
    xml = '<mujoco><asset><mesh name="m" file="a.obj"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    vertices = [(-1, -1, 1), (1, -1, 1), (-1, 1, 1), (1, 1, 1), (-1, 1, -1), (1, 1, -1), (-1, -1, -1), (1, -1, -1)]
    with mujoco.MjVfs() as files:
        files["a.obj"] = "\n".join("v {} {} {}".format(*vertex) for vertex in vertices).encode()
        assert mujoco.MjModel.from_xml_string(xml, vfs=files).nmesh == 1
        with pytest.raises(ValueError):
            mujoco.MjModel.from_xml_string(xml, {"b": b""}, files)
    with pytest.raises(RuntimeError, match="closed"):
        files["b"] = b""


# ---- names of other releases that are more than an array


def test_meshes_are_made_by_the_patterns_of_flexes():
    for name, count, spacing, dim, points, faces in (
        ("make_box", [2, 2, 2], [1, 2, 3], 3, 9, 12), ("make_grid", [2, 3, 1], [1, 1, 1], 2, 6, 4),
        ("make_grid", [2, 2, 2], [1, 1, 1], 3, 8, 12), ("make_ellipsoid", [3, 3, 3], [1, 1, 1], 3, 27, 48),
    ):  # fmt: skip
        mesh = mujoco.MjSpec().add_mesh(name="m")
        getattr(mesh, name)(count, spacing, dim)
        assert (len(mesh.uservert), len(mesh.userface)) == (3 * points, 3 * faces)
        assert len(mesh.usernode) == 3 * points and bool(mesh.usertet) == (dim == 3)
    with pytest.raises(ValueError, match="spacings"):
        mesh.make_box([2, 2, 2], [1, 1, -1])


def test_volumes_of_meshes_are_closed_and_face_outwards():
    spec = mujoco.MjSpec()
    mesh = spec.add_mesh(name="m", inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_EXACT)
    mesh.make_box([2, 2, 2], [1, 2, 3])
    body = spec.worldbody.add_body()
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="m", density=1)
    assert spec.compile().body_mass[1] == pytest.approx(1 * 2 * 3)


def test_flexes_are_made_in_bodies():
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="b")
    flex = body.make_flex("f", type="grid", dim=2, count=[3, 3, 1], spacing=[0.1, 0.1, 0.1], radius=0.01)
    assert list(flex.vertbody)[:2] == ["f_0", "f_1"] and spec.body("f_0").parent.name == "b"
    rigid = body.make_flex("r", type="grid", dim=2, count=[3, 3, 1], spacing=[0.1, 0.1, 0.1], radius=0.01, rigid=1)
    assert list(rigid.vertbody) == ["b"]
    assert spec.compile().nflex == 2
    with pytest.raises(ValueError, match="make_flex"):
        body.make_flex("f", type="no such", dim=2, count=[3, 3, 1], spacing=[0.1, 0.1, 0.1])


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_worlds_have_the_arrays_of_3_3(jacobian):
    model = mujoco.MjModel.from_xml_string(ARM.replace("<worldbody>", f'<option jacobian="{jacobian}"/><worldbody>'))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    transposed = np.zeros((model.nv, data.nefc))
    for i, (begin, count) in enumerate(zip(data.efc_JT_rowadr, data.efc_JT_rownnz)):
        transposed[i, data.efc_JT_colind[begin : begin + count]] = data.efc_JT[begin : begin + count]
    force, expected = np.arange(1.0, data.nefc + 1), np.zeros(model.nv)
    mujoco.mj_mulJacTVec(model, data, expected, force)
    assert data.nefc > 0 and np.allclose(transposed @ force, expected, rtol=1e-14, atol=1e-12)
    assert data.island_dofnum.sum() == (data.dof_islandind >= 0).sum() > 0


# ---- levels


GAP = """<mujoco><worldbody><geom name="f" type="plane" size="1 1 1" margin=".02" gap=".01"/>
  <body pos="0 0 .145"><freejoint/><geom name="s" size=".1" margin=".03" gap=".02"/></body></worldbody></mujoco>"""
AT_LEVEL = """
import sys, mujoco
model = mujoco.MjModel.from_xml_string(sys.stdin.read())
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
spec = mujoco.MjSpec()
print(mujoco.__version__, data.ncon, data.contact.exclude[0], spec.option.sleep_tolerance, model.nnumeric)
"""


def run_at(level):
    environment = {**os.environ, "SINEW_LEVEL": level, "PYTHONPATH": _HERE}
    return subprocess.run([sys.executable, "-c", AT_LEVEL], input=GAP, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("level, number", [("3.4", 340), ("3.8.1", 3008001), ("4.0", 4000000)])
def test_the_library_says_the_release_of_the_package(level, number):
    says = "import mujoco; print(mujoco.__version__ == mujoco.mj_versionString(), mujoco.mj_version(), mujoco.mjVERSION_HEADER)"
    environment = {**os.environ, "SINEW_LEVEL": level, "PYTHONPATH": _HERE}
    done = subprocess.run([sys.executable, "-c", says], env=environment, capture_output=True, text=True)
    assert done.stdout.split() == ["True", str(number), str(number)], done.stderr


def test_levels_choose_what_numbers_mean():
    # a distance of 0.045, margins of 0.05, gaps of 0.03: without force in 3.8, with force since 3.9
    assert run_at("3.8").stdout.split() == ["3.8.0", "1", "1", "0.0001", "0"]
    assert run_at("3.9.0").stdout.split() == ["3.9.0", "1", "0", "0.0001", "1"]
    assert run_at("4.0").stdout.split() == ["4.0.0", "1", "0", "0.001", "1"]
    wrong = run_at("new")
    assert wrong.returncode != 0 and "SINEW_LEVEL is 'new'" in wrong.stderr


FLAGS = """
import sys, mujoco
model = mujoco.MjModel.from_xml_string(sys.stdin.read())
data = mujoco.MjData(model)
hinge = model.joint("hinge")
hinge.limited[:] = 1
mujoco.mj_forward(model, data)
print(hinge.limited.dtype, model.jnt_limited.dtype, data.eq_active.dtype, model.jnt_limited.tolist(), type(data.flg_rnepost).__name__, model.geom_group.dtype)
model.geom("cube").castshadow[:] = False
print(model.geom_castshadow.tolist(), data.bvh_active.dtype)
"""


def test_flags_are_of_type_bool_from_their_release_on():
    def run(level):
        environment = {**os.environ, "SINEW_LEVEL": level, "PYTHONPATH": _HERE}
        return subprocess.run([sys.executable, "-c", FLAGS], input=ARM, env=environment, capture_output=True, text=True, check=True).stdout.split("\n")

    assert run("3.8") == ["uint8 uint8 uint8 [0, 1] int int32", "[True, False, True] uint8", ""]
    for level in ("3.9", "4.0.0"):
        assert run(level) == ["bool bool bool [False, True] bool int32", "[True, False, True] bool", ""]


# ---- batches


def test_batches_name_what_is_wrong(model):
    batch = mujoco.batch.Batch(model, 4, 1)
    for ids, text in (([4], "got 4"), ([-1], "got -1"), ([0.5], "integers"), ([2, 1], "sorted"), (np.uint8([2, 1]), "sorted"), ([[0]], "one-dim")):
        with pytest.raises(ValueError, match=text):
            batch.step(ids)
    with pytest.raises(ValueError, match="keyframe"):
        batch.reset(keyframe=3)
    with pytest.raises(IndexError):
        batch.get_data(4)
    with pytest.raises(ValueError, match="asset data"):
        batch.expand("mesh_vert")
    mujoco.set_mjcb_control(lambda model, data: None)
    try:
        with pytest.raises(ValueError, match="mjcb_control"):
            batch.step()
        with pytest.raises(ValueError, match="mjcb_control"):
            mujoco.batch.Batch(model, 1, 1, persistent=True)
    finally:
        mujoco.set_mjcb_control(None)
    for write in (lambda: setattr(batch, "xpos", 0), lambda: setattr(batch.body("arm"), "xpos", 0)):
        with pytest.raises(ValueError, match="xpos is computed by every call"):
            write()
    with pytest.raises(ValueError, match="read-only"):
        batch.status[0] = 1
    with pytest.raises(ValueError, match="scalars bind\\(\\) accepts: nA, "):
        batch.bind("pstack")
    with pytest.raises(ValueError, match="bodyexclude must be in \\[-1, 3\\), got 3"):
        batch.ray([0.0, 0, 3], [0, 0, -1.0], bodyexclude=3)
    with pytest.raises(ValueError, match="body must be integers"):
        batch.jac(0.5, np.zeros(3))


def test_batches_on_models_of_the_caller_are_not_expanded(model):
    batch = mujoco.batch.Batch(model, 2, 1)
    batch.set_models([copy.copy(model), copy.copy(model)])
    with pytest.raises(mujoco.FatalError, match="caller models"):
        batch.expand("body_mass")
    with pytest.raises(ValueError, match="set_models"):
        batch.body("arm").mass = 1
    batch.set_models(None)
    batch.expand("body_mass")
    with pytest.raises(mujoco.FatalError, match="per-simulation"):
        batch.set_models(model)


def test_batches_have_parts_that_are_empty_and_numbers_of_programs():
    numbers = ARM.replace("<worldbody>", '<custom><numeric name="gains" data="1 2 3"/></custom><worldbody>', 1)
    model = mujoco.MjModel.from_xml_string(numbers)
    batch = mujoco.batch.Batch(model, 2, 1)
    assert batch.body("arm").user.shape == (2, *model.body("arm").user.shape) and batch.numeric("gains").data.tolist() == [[1, 2, 3]] * 2
    batch.numeric("gains").data = [[4, 5, 6], [7, 8, 9]]
    assert batch.expanded("numeric_data").tolist() == [[4, 5, 6], [7, 8, 9]]


def test_batches_see_along_many_rays(model):
    batch = mujoco.batch.Batch(model, 2, 1)
    distances, geoms, normals = batch.ray([[1.0, 1, 3], [1, 1, 2]], [0, 0, -1.0], normal=True)
    assert distances.tolist() == [[3, 2], [3, 2]] and geoms.tolist() == [[0, 0], [0, 0]]
    assert np.allclose(normals, [0, 0, 1])


def test_batches_keep_what_each_simulation_was_warned_of(model):
    batch = mujoco.batch.Batch(model, 3, 1)
    batch.bind("qvel")[1] = np.nan
    record = batch.rollout(4)["qpos"]
    bad = int(mujoco.mjtWarning.mjWARN_BADQVEL)
    assert batch.warning[:, bad, 1].tolist() == [0, 1, 0] and not batch.status.any()
    assert np.array_equal(record[1], np.repeat(record[1, :1], 4, axis=0)) and not np.array_equal(record[0, 0], record[0, 3])


# ---- least squares in units


def test_least_squares_in_units_finds_the_same():
    from mujoco import minimize

    def residual(x):
        return np.stack([x[0] - 3e4, 1e-3 * (x[0] * 1e-4 - x[1]), x[1] ** 2 - 9])

    plain, _ = minimize.least_squares(np.array([1e4, 1.0]), residual, verbose=0)
    for scale in (np.array([1e4, 1.0]), "jac", 2.0):
        scaled, _ = minimize.least_squares(np.array([1e4, 1.0]), residual, verbose=0, x_scale=scale)
        assert np.allclose(scaled, plain, rtol=1e-6)
    for wrong in ("units", -1.0, np.array([1.0]), np.array([1.0, np.nan])):
        with pytest.raises(ValueError, match="x_scale"):
            minimize.least_squares(np.array([1e4, 1.0]), residual, verbose=0, x_scale=wrong)


@pytest.mark.parametrize("skip_checks", [False, True])
def test_rollouts_refuse_what_is_no_number_of_steps(model, data, skip_checks):
    from mujoco import rollout

    state = np.zeros((1, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    for nstep in (-1, True, 1.5, 2**31):
        with pytest.raises(ValueError, match="nstep"):
            rollout.rollout(model, data, state, nstep=nstep, skip_checks=skip_checks)
    for chunk_size in (0, -1, 0.5):
        with pytest.raises(ValueError, match="chunk_size"):
            rollout.rollout(model, data, state, nstep=1, chunk_size=chunk_size, skip_checks=skip_checks)


def test_overwritten_names_and_places_are_errors():
    """A program may write to all arrays of a model: what they no longer name is not found, and parts that lie nowhere are refused by name."""
    model = mujoco.MjModel.from_xml_string(ARM)
    model.name_bodyadr[:] = 10**9
    assert mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, 1) is None and model.body(1).name == ""
    with pytest.raises(KeyError, match="Valid names: \\[\\]"):
        model.body("arm")
    model.jnt_qposadr[:] = 10**9
    with pytest.raises(ValueError, match="qpos0 of Joint 0: its place in the model was overwritten"):
        model.joint(0).qpos0
    model.body_mocapid[:] = 5
    with pytest.raises(mujoco.FatalError, match="body_mocapid out of bounds"):
        mujoco.MjData(model)
    with pytest.warns(RuntimeWarning, match="body_mocapid out of bounds"):
        mujoco.mj_printModel(model, "never.txt")
    assert not os.path.exists("never.txt")


def test_whole_numbers_of_other_libraries(model):
    """What has a way to become one is taken, as by the official package; a float of Python is not."""

    class Whole:
        def __int__(self):
            return 5

    spec = mujoco.MjSpec()
    for value, expected in ((np.float32(1.7), 1), (np.array(3.0), 3), (Whole(), 5), (np.int8(2), 2), (True, 1)):
        assert spec.worldbody.add_geom(size=[1, 1, 1], contype=value).contype == expected
        model.opt.iterations = value
        assert model.opt.iterations == expected
    for wrong in (2.0, np.float64(2.0), "3", None):
        with pytest.raises(TypeError, match="an integer is needed"):
            model.opt.iterations = wrong


def test_elements_are_made_with_attributes_of_later_releases():
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="a", simple=0)
    assert body.simple == 0 and spec.worldbody.add_body().simple == 1
    with pytest.raises(ValueError, match="simple is 0 or 1"):
        body.simple = 2
    with pytest.raises(ValueError, match="scale can only be"):
        spec.worldbody.add_frame(scale=[2, 2, 2])
    with pytest.raises(TypeError, match="there is no 'no_such'"):
        spec.worldbody.add_body(no_such=1)
