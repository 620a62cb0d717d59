"""Batches from Python: arrays of all worlds, masks, parameters, random ranges, statuses, pictures, other libraries."""

import copy
import inspect
import os
import pickle
import signal

import numpy as np
import pytest

import sinew

from package_test import PENDULUM


@pytest.fixture
def model():
    return sinew.Model.from_xml_string(PENDULUM)


def test_worlds_are_what_they_would_be_alone(model):
    batch = sinew.Batch(model, 6, threads=2)
    ctrl, qpos, xpos = batch.state("ctrl"), batch.state("qpos"), batch.output("xpos")
    assert qpos.shape == (6, model.nq) and xpos.shape == (6, model.nbody, 3) and batch.state("time").shape == (6,)
    ctrl[:, 0] = np.linspace(-1, 1, 6)
    assert batch.step(100) == 0
    data = sinew.Data(model)
    data.ctrl[0] = ctrl[4, 0]
    data.step(100)
    assert np.array_equal(qpos[4], data.qpos) and np.array_equal(xpos[4], data.xpos)
    world = batch.world(4)
    assert np.array_equal(world.qpos, data.qpos) and world.ncon == len(world.contact)


def test_masks_and_keyframes(model):
    batch = sinew.Batch(model, 4)
    batch.step(10)
    mask = np.array([True, False, False, True])
    batch.reset(mask, keyframes=np.array([0, 0, 0, -1], np.int32))
    assert batch.state("qpos")[:, 0].tolist()[0] == -1
    assert (batch.state("time") == 0).tolist() == mask.tolist()
    batch.step(1, mask)
    assert batch.state("time")[0] == model.opt.timestep
    for bad in (np.zeros(3, bool), np.zeros((2, 2), bool)):
        with pytest.raises((ValueError, TypeError)):
            batch.step(1, bad)
    with pytest.raises(ValueError, match="nstep"):
        batch.step(-1)
    with pytest.raises(ValueError, match="0 worlds"):
        sinew.Batch(model, 0)
    with pytest.raises(ValueError, match="precision"):
        sinew.Batch(model, 2, precision="half")
    with pytest.raises(ValueError, match="did you mean 'xpos'"):
        batch.output("xpso")


def everything(batch):
    """What a batch has of each world."""
    arrays = [batch.state(name) for name in ("time", "qpos", "qvel", "ctrl", "qacc_warmstart")]
    arrays += [batch.output("xpos"), batch.parameter("body_mass"), batch.status]
    return [array.copy() for array in arrays]


# The methods of a batch that take a mask: results for the worlds of it, None where there are none.
MASKED = {
    "step": lambda batch, mask: batch.step(3, mask),
    "step_async": lambda batch, mask: batch.step_async(3, mask) or batch.wait(),
    "forward": lambda batch, mask: batch.forward(mask),
    "reset": lambda batch, mask: batch.reset(mask),
    "load": lambda batch, mask: batch.load(sinew.Data(batch.model), mask),
    "set_const": lambda batch, mask: batch.set_const(mask),
    "rollout": lambda batch, mask: list(
        batch.rollout(np.full((count(batch, mask), 4, 1), 0.2), ["qpos", "sensordata", "ncon"], mask).values()
    ),
    "transition_derivatives": lambda batch, mask: batch.transition_derivatives(mask=mask),
    "linearize": lambda batch, mask: batch.linearize(mask=mask),
    "rollout_gradient": lambda batch, mask: by_rollouts(batch, mask),
    "contacts": lambda batch, mask: contacts_of(batch, mask),
    "rays": lambda batch, mask: batch.rays([0.1, 0, 2], [[0, 0, -1], [1, 0, -1]], mask=mask),
    "jac_body": lambda batch, mask: batch.jac_body(1, mask),
    "jac_geom": lambda batch, mask: batch.jac_geom(0, mask),
    "jac_site": lambda batch, mask: batch.jac_site(0, mask),
}


def count(batch, mask):
    return len(batch) if mask is None else np.count_nonzero(mask)


def contacts_of(batch, mask):
    batch.keep_contacts()
    batch.forward(mask)
    return batch.contacts(2, mask)


def by_rollouts(batch, mask):
    model, worlds = batch.model, count(batch, mask)
    slopes = np.ones((worlds, 4, model.nq + model.nv + model.na))
    names = ["body_mass", "dof_damping", "geom_size"]
    start, control, by = batch.rollout_gradient(np.zeros((worlds, 4, model.nu)), slopes, names, mask)
    return [start, control, *(by[name] for name in names)]


def test_no_method_with_a_mask_is_forgotten():
    with open(os.path.join(os.path.dirname(sinew.__file__), "_sinew.pyi")) as file:
        stubs = file.read()
    of_batch = stubs[stubs.index("class Batch") :]
    of_batch = of_batch[: of_batch.find("\nclass ", 1)]
    methods = [part.split("(")[0].strip() for part in of_batch.split("    def ")[1:] if "mask:" in part.split("->")[0]]
    assert sorted(methods) == sorted(MASKED)


@pytest.mark.parametrize("name", MASKED)
@pytest.mark.parametrize("chosen", [[], [0], [5], [1, 2, 4], [0, 1, 2, 3, 4, 5]])
def test_masks_select_their_worlds_alone(model, name, chosen):
    def make():
        batch = sinew.Batch(model, 6, threads=2)
        batch.state("qvel")[:] = np.linspace(-1, 1, 6 * model.nv).reshape(6, model.nv)
        batch.parameter("body_mass")[:] *= np.linspace(1, 2, 6)[:, None]
        everything(batch)  # outputs are filled from the first time on that somebody asks for them
        return batch

    mask = np.zeros(6, bool)
    mask[chosen] = True
    whole, part = make(), make()
    of_all, before = MASKED[name](whole, None), everything(part)
    of_part = MASKED[name](part, mask)
    for all_worlds, old, new in zip(everything(whole), before, everything(part)):
        assert np.array_equal(new[mask], all_worlds[mask]) and np.array_equal(new[~mask], old[~mask])
    for all_rows, rows in zip(of_all, of_part) if isinstance(of_all, (list, tuple)) else ():
        assert rows.shape == (len(chosen), *all_rows.shape[1:]) and np.array_equal(rows, all_rows[mask])


def test_names_that_come_twice(model):
    batch = sinew.Batch(model, 3)
    control = np.full((3, 50, 1), 0.1)
    once = sinew.Batch(model, 3).rollout(control, ["qpos"])
    for _ in range(20):
        batch.reset()
        twice = batch.rollout(control, ["qpos", "qpos", "ncon", "qpos"])
        assert list(twice) == ["qpos", "ncon"] and np.array_equal(twice["qpos"], once["qpos"])
    slopes = np.ones((3, 4, model.nq + model.nv + model.na))
    names = ["body_mass", "dof_damping", "body_mass"]
    *_, by = batch.rollout_gradient(control[:, :4], slopes, names)
    assert list(by) == names[:2] and by["body_mass"].any()
    with pytest.raises(ValueError, match="nothing"):
        batch.rollout(control, ["nothing", "nothing"])


def test_worlds_without_room_are_refused(model):
    with pytest.raises(ValueError, match="worlds take .* of memory, and .* are free; ask for fewer: [0-9]+ fit"):
        sinew.Batch(model, 10**9)


def in_child(work):
    """Runs work() in a forked process; whether it ended well, and soon."""
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            work()
            os._exit(0)
        except BaseException:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def test_batches_work_in_forked_processes(model):
    batch, same = sinew.Batch(model, 40, threads=3), sinew.Batch(model, 40, threads=3)
    batch.step(2)
    same.step(7)

    def goes_on():
        batch.step(5)
        assert np.array_equal(batch.state("qpos"), same.state("qpos"))

    assert in_child(goes_on)
    goes_on()


def test_single_precision_is_near_to_double(model):
    exact, single = sinew.Batch(model, 3), sinew.Batch(model, 3, precision="float")
    for batch in (exact, single):
        batch.state("qvel")[:] = np.arange(3)[:, None] * 0.1
        assert batch.step(20) == 0
    difference = np.abs(exact.state("qpos") - single.state("qpos")).max()
    assert 0 < difference < 1e-4
    assert np.array_equal(exact.state("time"), single.state("time"))


def test_parameters_and_random_ranges(model):
    batch = sinew.Batch(model, 64, first_world=10)
    batch.seed(5)
    batch.randomize("body_mass", np.array([0.5]), np.array([2.0]), combine="scale")
    batch.randomize("qvel", np.array([0.0]), np.array([0.1]), draw="normal", combine="add")
    batch.reset()
    mass = batch.parameter("body_mass")
    ratio = mass[:, 1] / model.body_mass[1]
    assert ratio.min() >= 0.5 and ratio.max() <= 2 and ratio.std() > 0.1
    other = sinew.Batch(model, 4, first_world=12)
    other.seed(5)
    other.randomize("body_mass", np.array([0.5]), np.array([2.0]), combine="scale")
    other.randomize("qvel", np.array([0.0]), np.array([0.1]), draw="normal", combine="add")
    other.reset()
    assert np.array_equal(other.parameter("body_mass"), mass[2:6])
    assert np.array_equal(other.state("qvel"), batch.state("qvel")[2:6])
    mass[3, 1] = -1
    assert batch.step() == 1 and "body_mass[1] is -1" in batch.cause(3) and batch.status[3] == 5
    with pytest.raises(ValueError, match="draw"):
        batch.randomize("qvel", np.array([0.0]), np.array([0.1]), draw="cauchy")


def test_statuses_name_the_cause(model):
    batch = sinew.Batch(model, 3)
    batch.state("ctrl")[1] = np.nan
    batch.step()
    assert batch.status.tolist() == [0, sinew.Status.BAD_CONTROL, 0] and "actuator 'motor'" in batch.cause(1) and batch.cause(0) == ""
    with pytest.raises(IndexError):
        batch.cause(3)


def test_rollouts(model):
    batch, stepped = sinew.Batch(model, 3), sinew.Batch(model, 3)
    control = np.random.default_rng(0).uniform(-1, 1, (3, 20, 1))
    result = batch.rollout(control, ["qpos", "sensordata", "ncon"])
    for step in range(20):
        stepped.state("ctrl")[:] = control[:, step]
        stepped.step()
        assert np.array_equal(result["qpos"][:, step], stepped.state("qpos"))
    assert result["sensordata"].shape == (3, 20, 1) and result["ncon"].dtype == np.int32
    with pytest.raises(ValueError, match="control must have the shape"):
        batch.rollout(control[:2])


def test_rollouts_with_inputs_and_arrays_of_the_program(model):
    """Records have the shape of outputs, one sequence of controls serves all worlds, and arrays are used again."""
    state = sinew.enums.mjtState
    control = np.random.default_rng(1).uniform(-1, 1, (20, 1))
    each, shared = sinew.Batch(model, 3), sinew.Batch(model, 3)
    expected = each.rollout(np.broadcast_to(control, (3, 20, 1)), ["qpos", "xpos", "time", "ncon"])
    out = {"qpos": np.empty_like(expected["qpos"])}
    result = shared.rollout(control, ["qpos", "xpos", "time", "ncon", "status", "rows"], out=out)
    assert result["qpos"] is out["qpos"] and all(np.array_equal(result[name], expected[name]) for name in expected)
    assert result["xpos"].shape == (3, 20, model.nbody, 3) and result["time"].shape == result["ncon"].shape == (3, 20)
    assert result["status"].tolist() == [0, 0, 0] and result["rows"].tolist() == [20, 20, 20]

    pushed = sinew.Batch(model, 2)
    spec = int(state.mjSTATE_CTRL | state.mjSTATE_QFRC_APPLIED)
    force = np.zeros((20, 1 + model.nv))
    force[:, :1] = control
    assert np.array_equal(pushed.rollout(force, control_spec=spec)["qpos"], expected["qpos"][:2])
    with pytest.raises(ValueError, match="mjSTATE_USER"):
        pushed.rollout(force, control_spec=int(state.mjSTATE_QPOS))
    with pytest.raises(ValueError, match=r"out\['qpos'\] must be a writable array in C order of float64"):
        shared.rollout(control, ["qpos"], out={"qpos": np.empty((3, 19, model.nq))})


def test_rollouts_tell_where_worlds_fail(model):
    batch = sinew.Batch(model, 3)
    control = np.zeros((3, 10, 1))
    control[1, 4] = np.nan
    result = batch.rollout(control, ["qpos", "status", "rows"])
    assert result["status"].tolist() == [0, sinew.Status.BAD_CONTROL, 0] and result["rows"].tolist() == [10, 5, 10]
    assert (result["qpos"][1, 5:] == result["qpos"][1, 4]).all()


def test_states_of_data_are_loaded(model):
    batch, data = sinew.Batch(model, 4), sinew.Data(model)
    data.ctrl[:] = 0.3
    for _ in range(7):
        data.step()
    batch.load(data, batch.mask_of([1, 2]))
    batch.step()
    data.step()
    assert np.array_equal(batch.state("qpos")[1], data.qpos) and np.array_equal(batch.state("qpos")[2], data.qpos)
    assert batch.state("time")[1] == data.time and batch.state("time")[0] == model.opt.timestep
    with pytest.raises(TypeError, match="mask must be an array of bool with one entry for each of 4 worlds"):
        batch.load(data, [1, 2])
    with pytest.raises(ValueError, match="2 data for 4 worlds"):
        batch.load([data, data])
    with pytest.raises(ValueError, match="another model: qpos"):
        batch.load(sinew.Data(sinew.Model.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>")))


def test_worlds_run_on_models_of_their_own(model):
    heavy = sinew.Model.from_xml_string(PENDULUM)
    heavy.body_mass[1:] *= 2
    models = [model, heavy]
    batch, data = sinew.Batch(model, 2), sinew.Data(heavy)
    batch.set_models(models)
    del models
    batch.state("ctrl")[:] = 0.2
    data.ctrl[:] = 0.2
    batch.step(5)
    for _ in range(5):
        data.step()
    assert np.array_equal(batch.state("qpos")[1], data.qpos)
    assert batch.obstacle_to_packs == "models of their own"
    with pytest.raises(ValueError, match="1 models, and 2 worlds"):
        batch.set_models([model])
    batch.set_models(None)
    assert batch.obstacle_to_packs is None


def test_steps_beside_the_caller(model):
    batch, plain = sinew.Batch(model, 8), sinew.Batch(model, 8)
    batch.step_async(20)
    assert batch.wait() == 0
    plain.step(20)
    assert np.array_equal(batch.state("qpos"), plain.state("qpos"))


def test_hands_hold_in_packs():
    """Worlds with contacts that hold their point go in packs, with frictions of their own, resets under masks, rollouts, and worlds that come from others."""
    model = sinew.Model.from_xml_path(f"{sinew.models}/hands/gripper_rod.xml")
    packs, alone = sinew.Batch(model, 11, packs="always"), sinew.Batch(model, 11, packs="never")
    assert packs.obstacle_to_packs is None
    held = np.arange(11) % 3 != 1
    for batch in (packs, alone):
        batch.reset(keyframes=np.zeros(11, np.int32))
        batch.parameter("geom_friction")[:, :, 0] *= np.linspace(0.9, 1.2, 11)[:, None]
        batch.state("ctrl")[:, 1:] = 5
        assert batch.step(200) == 0
        batch.reset(~held)
        batch.state("ctrl")[:, 1:] = np.linspace(4, 6, 11)[:, None]
        assert batch.step(100) == 0
    for name in ("qpos", "qvel", "history", "time"):
        assert np.array_equal(packs.state(name), alone.state(name)), name
    anchors = packs.state("history").reshape(11, -1, 18)
    assert (anchors[held, :, 0] > 0).any(axis=1).all()
    # worlds take the state of others, anchors among it
    for batch in (packs, alone):
        batch.state("qpos")[0], batch.state("qvel")[0], batch.state("history")[0] = (batch.state(name)[5] for name in ("qpos", "qvel", "history"))
    control = np.tile([0.0, 5.0, 5.0], (11, 40, 1))
    results = [batch.rollout(control, ["qpos"]) for batch in (packs, alone)]
    assert np.array_equal(results[0]["qpos"], results[1]["qpos"])
    assert np.array_equal(packs.state("history"), alone.state("history"))
    matrices = [batch.transition_derivatives()[0] for batch in (packs, alone)]
    assert np.array_equal(*matrices)


def test_derivatives(model):
    batch = sinew.Batch(model, 3)
    A, B, *_ = batch.transition_derivatives()
    data = sinew.Data(model)
    expected, *_ = data.transition_derivatives()
    assert A.shape == (3, 14, 14) and np.array_equal(A[2], expected)


def test_pictures_of_all_worlds(model):
    batch = sinew.Batch(model, 5)
    batch.state("qpos")[:, 0] = np.linspace(0, 2, 5)
    pictures = batch.render(sinew.Renderer(model, 32, 24))
    assert pictures.shape == (5, 24, 32, 3) and np.any(pictures[0] != pictures[4])


def test_pictures_come_in_the_order_that_is_asked_for(model):
    batch, renderer = sinew.Batch(model, 4), sinew.Renderer(model, 32, 24)
    batch.state("qpos")[:, 0] = np.linspace(0, 2, 4)
    every = batch.render(renderer)
    assert np.array_equal(batch.render(renderer, [3, 1, 3]), every[[3, 1, 3]])
    assert batch.render(renderer, np.array([2]), depth=True).shape == (1, 24, 32)
    assert batch.render(renderer, []).shape == (0, 24, 32, 3)
    with pytest.raises(TypeError):
        batch.render(renderer, [0.5])


def test_masks_and_keyframes_of_many_forms(model):
    batch = sinew.Batch(model, 4)
    for mask in ([True, False, False, True], np.array([1, 0, 0, 0, 0, 0, 1, 0], bool)[::2]):
        batch.state("time")[:] = 1
        batch.reset(mask, keyframes=[0, 0, 0, 0])
        assert (batch.state("time") == 0).tolist() == list(mask) and batch.state("qpos")[0, 0] == -1
    batch.reset(keyframes=np.full(4, 0, np.uint64))
    for wrong in ([0, 3], [1, 0, 0, 1], np.ones(4, np.uint8)):  # numbers of worlds are no mask
        with pytest.raises(TypeError, match="mask must be an array of bool"):
            batch.step(1, wrong)
    for beyond in (2**32, -(2**31) - 1, 2**63):
        with pytest.raises(ValueError, match="keyframes has a number that int32 does not hold"):
            batch.reset(keyframes=np.full(4, beyond, np.uint64 if beyond == 2**63 else np.int64))
    with pytest.raises(TypeError, match="keyframes"):
        batch.reset(keyframes=0)


def test_batches_are_not_copied(model):
    for call in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="make another of its model"):
            call(sinew.Batch(model, 2))


def test_arrays_outlive_the_batch(model):
    batch = sinew.Batch(model, 4)
    qpos = batch.state("qpos")
    del batch
    assert qpos.shape == (4, 8)


def test_arrays_pass_to_other_libraries_without_copies(model):
    batch = sinew.Batch(model, 4)
    view = np.from_dlpack(batch.state("qpos"))
    batch.state("qpos")[2, 0] = 7
    assert view[2, 0] == 7
    torch = pytest.importorskip("torch")
    tensor = torch.from_dlpack(batch.state("qpos"))
    tensor[1, 0] = 5
    assert batch.state("qpos")[1, 0] == 5


def test_elements_by_name(model):
    batch = sinew.Batch(model, 5)
    names = {kind: next(n for n in (model.name_of(int(getattr(sinew.mjtObj, f"mjOBJ_{kind}")), i) for i in range(9)) if n) for kind in ("BODY", "JOINT", "GEOM")}
    body, joint, geom = batch.body(names["BODY"]), batch.joint(names["JOINT"]), batch.geom(names["GEOM"])
    assert body.name == names["BODY"] and "mass" in dir(body) and "5 worlds" in repr(body)

    joint.qvel = 0.1 * np.arange(5)[:, None]
    batch.actuator(0).ctrl[:] = 0.2
    body.mass *= np.linspace(1, 2, 5)
    geom.friction = [0.5, 0.01, 0.001]
    assert np.array_equal(batch.state("ctrl")[:, 0], np.full(5, 0.2))
    assert np.allclose(batch.parameter("body_mass")[:, body.id], model.body_mass[body.id] * np.linspace(1, 2, 5))
    assert (batch.parameter("geom_friction")[:, geom.id] == [0.5, 0.01, 0.001]).all()
    xpos, measured = body.xpos, batch.sensor(0)
    batch.forward(batch.mask_of([1, 3]))
    for world in (1, 3):
        alone = batch.world(world)
        assert np.array_equal(joint.qvel[world], alone.joint(joint.id).qvel)
        assert np.array_equal(xpos[world], alone.body(body.id).xpos)
        assert np.array_equal(measured[world], alone.sensor(0))

    with pytest.raises(AttributeError, match="there is no 'weight'; there are: .*mass"):
        body.weight
    with pytest.raises(KeyError, match="no body 'foot of a dragon'"):
        batch.body("foot of a dragon")
    with pytest.raises(IndexError):
        batch.mask_of([5])


def test_randomize_elements_by_name():
    model = sinew.Model.from_xml_path(sinew.models / "humanoid.xml")
    batch = sinew.Batch(model, 6)
    batch.randomize("body_mass", 2.0, 3.0, combine="scale", body=["*thigh", "head"])
    batch.randomize("qpos", -0.1, 0.1, combine="add", joint="abdomen_?")
    batch.reset()
    factors = batch.parameter("body_mass")[:, 1:] / model.body_mass[1:]
    names = [model.body(i).name for i in range(1, model.nbody)]
    for index, name in enumerate(names):
        if name.endswith("thigh") or name == "head":
            assert (factors[:, index] >= 2).all() and len(set(factors[:, index])) == 6
        else:
            assert (factors[:, index] == 1).all()
    moved = {name for name in ("abdomen_y", "abdomen_z", "right_knee") if (batch.joint(name).qpos != model.joint(name).qpos0).any()}
    assert moved == {"abdomen_y", "abdomen_z"}
    with pytest.raises(KeyError, match="no body has a name like 'wing'"):
        batch.randomize("body_mass", 1, 2, combine="scale", body="wing")
    with pytest.raises(ValueError, match="no field of a joint"):
        batch.randomize("body_mass", 1, 2, combine="scale", joint="*")
    with pytest.raises(ValueError, match="can be scaled"):
        batch.randomize("body_mass", 1, 2, body="*")


def test_contacts_of_all_worlds():
    """Padded arrays of the state that was stepped, as `Data` has them after the same steps."""
    model = sinew.Model.from_xml_path(sinew.models / "humanoid.xml")
    batch, alone = sinew.Batch(model, 6), [sinew.Data(model) for _ in range(6)]
    with pytest.raises(ValueError, match="not kept"):
        batch.contacts()
    batch.keep_contacts()
    for i, data in enumerate(alone):
        batch.state("qvel")[i, 2] = data.qvel[2] = -0.3 * i
    batch.step(100)
    contacts = batch.contacts()
    assert contacts.count.max() == contacts.geom.shape[1] > 0
    for i, data in enumerate(alone):
        data.step(100)
        n = data.ncon
        assert contacts.count[i] == n and np.array_equal(contacts.geom[i, :n], data.contact["geom"])
        assert np.array_equal(contacts.pos[i, :n], data.contact["pos"]) and (contacts.geom[i, n:] == -1).all()
        # the floor carries what the bodies push: forces along normals are those of the rows that they are made of
        assert (contacts.force[i, :n, 0] >= 0).all() and np.array_equal(contacts.frame[i, :n].reshape(n, 9), data.contact["frame"])
    some = batch.contacts(3, mask=batch.mask_of([1, 4]))
    assert some.geom.shape == (2, 3, 2) and np.array_equal(some.count, contacts.count[[1, 4]])
    assert np.array_equal(some.force[0], contacts.force[1, :3])


def test_weight_is_carried_by_contacts():
    model = sinew.Model.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='2'/>"
        "</body></worldbody></mujoco>"
    )
    batch = sinew.Batch(model, 3)
    batch.keep_contacts()
    batch.step(1000)
    contacts = batch.contacts()
    # at rest: four corners and the weight in newtons; what is left of the motion is of the solver's tolerance
    assert (contacts.count == 4).all() and contacts.force[:, :, 0].sum(axis=1) == pytest.approx(2 * 9.81, rel=1e-6)


def test_rays_and_jacobians_of_all_worlds():
    model = sinew.Model.from_xml_path(sinew.models / "humanoid.xml")
    batch = sinew.Batch(model, 4)
    batch.state("qpos")[:, 2] += np.arange(4)  # each stands a metre higher than the one before
    body = model.body("torso")
    low, geoms = batch.rays([0, 0, 0], [0, 0, -1], body="torso", upright=True, groups=[True] + [False] * 5)
    floor = model.geom("floor").id
    free = batch.rays([[0, 0, 0], [5, 0, 0]], [0, 0, -1], body=body.id, exclude="torso")
    assert low.shape == (4, 1) and free[0].shape == (4, 2)
    assert np.allclose(np.diff(free[0][:, 1]), 1) and (free[1][:, 1] == floor).all()
    with pytest.raises(KeyError, match="torsoo"):
        batch.rays([0, 0, 0], [0, 0, 1], body="torsoo")
    with pytest.raises(ValueError, match="no length"):
        batch.rays([0, 0, 0], [0, 0, 0])
    with pytest.raises(ValueError, match="3, rays x 3"):
        batch.rays([0, 0], [0, 0, 1])
    position, rotation = batch.jac_body("torso")
    data = sinew.Data(model)
    data.forward()
    assert np.array_equal(position[0], data.jac_body("torso")[0]) and rotation.shape == (4, 3, model.nv)
    assert np.array_equal(batch.jac_body("torso", mask=batch.mask_of([2]))[1][0], rotation[2])
