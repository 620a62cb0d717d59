"""Derivatives in closed form: of batches, and of rollouts in torch and JAX. Skipped where these are missing."""

import numpy as np
import pytest

import sinew

# A cart with a pole that is pushed, beside a body that turns freely.
MODEL = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body pos="0 0 1"><joint name="cart" type="slide" axis="1 0 0" damping=".4"/><geom size=".1"/>
      <body><joint name="pole" axis="0 1 0" stiffness="1" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 .1 0 .4" size=".03"/></body></body>
    <body pos="2 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
  </worldbody>
  <actuator><general joint="cart" dyntype="filter" dynprm=".1" gainprm="3"/><motor joint="pole" gear="2"/></actuator>
  <sensor><framepos objtype="body" objname="world"/><jointpos joint="pole"/></sensor>
</mujoco>"""
PARAMETERS = ("dof_damping", "jnt_stiffness", "actuator_gainprm", "body_mass")
WORLDS, STEPS = 2, 4


@pytest.fixture
def batch():
    return sinew.Batch(sinew.Model.from_xml_string(MODEL), WORLDS, threads=2)


def inputs_of(batch, parameters=PARAMETERS):
    rng = np.random.default_rng(0)
    qpos = batch.state("qpos").copy()
    qpos[:, :2] = 0.3 * rng.normal(size=(WORLDS, 2))
    turn = rng.normal(size=(WORLDS, 4))
    qpos[:, 5:] = turn / np.linalg.norm(turn, axis=1)[:, None]
    start = [qpos, rng.normal(size=(WORLDS, 8)), 0.1 * rng.normal(size=(WORLDS, 1))]
    control = rng.normal(size=(WORLDS, STEPS, 2))
    return [*start, control, *(batch.parameter(name).copy() for name in parameters)]


def test_matrices_of_a_batch_are_those_of_its_worlds(batch):
    inputs = inputs_of(batch, ())
    batch.state("qpos")[:], batch.state("qvel")[:], batch.state("ctrl")[:] = inputs[0], inputs[1], inputs[3][:, 0]
    together = batch.linearize(sensors=True)
    assert len(batch.linearize()) == 2
    for i in range(WORLDS):
        data = sinew.Data(batch.model)
        data.qpos[:], data.qvel[:], data.ctrl[:] = inputs[0][i], inputs[1][i], inputs[3][i, 0]
        for one, all_worlds in zip(data.linearize(sensors=True), together):
            assert np.array_equal(one, all_worlds[i])


def test_failures_are_named(batch):
    batch.state("qvel")[1, 3] = np.nan
    with pytest.raises(ValueError, match=r"world 1.*qvel\[3\]"):
        batch.linearize()
    with pytest.raises(ValueError, match="geom_rgba"):
        batch.rollout_gradient(np.zeros((WORLDS, 1, 2)), np.zeros((WORLDS, 1, 18)), ["geom_rgba"])
    with pytest.raises(ValueError, match="control must have the shape"):
        batch.rollout_gradient(np.zeros((WORLDS, 1, 3)), np.zeros((WORLDS, 1, 18)))
    model = sinew.Model.from_xml_string(MODEL)
    model.opt.noslip_iterations = 1
    with pytest.raises(ValueError, match="noslip"):
        sinew.Batch(model, 1).linearize()


def test_smoothed_constraints_have_a_part_before_they_act():
    """A ball that leaves the floor, within the margin: nothing acts, and the smoothed floor does."""
    model = sinew.Model.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .1199'><joint type='slide' axis='0 0 1'/>"
        "<geom size='.1' margin='.02'/></body></worldbody></mujoco>"
    )
    data, batch = sinew.Data(model), sinew.Batch(model, 2)
    data.qvel[0] = batch.state("qvel")[:] = 0.1
    assert data.linearize()[0][1, 1] == 1
    smooth = data.linearize(smoothing=0.01)[0]
    assert smooth[1, 1] < 0.99
    assert np.array_equal(batch.linearize(smoothing=0.01)[0][1], smooth)
    assert np.array_equal(data.linearize(smoothing=0)[0], data.linearize()[0])
    by_start, _, _ = batch.rollout_gradient(np.zeros((2, 1, 0)), np.ones((2, 1, 2)), smoothing=0.01)
    assert np.allclose(by_start, smooth.sum(0), rtol=1e-12)
    with pytest.raises(ValueError, match="width"):
        data.linearize(smoothing=-1)
    for world in (data, batch):
        with pytest.raises(ValueError, match="smoothed"):
            world.linearize(sensors=True, smoothing=0.1)


def value(outputs, weights):
    return sum((part * weight).sum() for part, weight in zip(outputs, weights))


def weights():
    rng = np.random.default_rng(1)
    return [rng.normal(size=(WORLDS, STEPS, size)) for size in (9, 8, 1)]


def expect(batch, inputs, gradients):
    """Against differences along directions that keep quaternions at length one to first order."""
    from sinew._transition import Rollout

    rollout, rng, step = Rollout(batch, PARAMETERS), np.random.default_rng(2), 1e-5
    for chosen in range(len(inputs)):
        way = rng.normal(size=inputs[chosen].shape)
        if chosen == 0:
            quaternion = inputs[0][:, 5:]
            way[:, 5:] -= np.sum(way[:, 5:] * quaternion, axis=1)[:, None] * quaternion
        if chosen in (4, 5):  # what there is of damping and stiffness
            way *= inputs[chosen] > 0
        if chosen == 7:  # of the free body, inertia is kept with its dofs
            way[:, [0, 3]] = 0
        if chosen == 6:  # of gains of motors, the first number acts
            way[..., 1:] = 0

        def at(length):
            moved = [part + length * way if i == chosen else part for i, part in enumerate(inputs)]
            return value(rollout.run(moved[:3], moved[3], moved[4:]), weights())

        expected = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step)
        found = np.sum(np.asarray(gradients[chosen]) * way)
        # differences of the fourth order: rounding / 1e-5
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-8), chosen


def test_rollouts(batch):
    from sinew._transition import Rollout

    inputs = inputs_of(batch)
    gradients = Rollout(batch, PARAMETERS).gradient(inputs[:3], inputs[3], inputs[4:], weights())
    expect(batch, inputs, gradients)


def test_bad_parameters_are_errors(batch):
    from sinew._transition import Rollout

    rollout, inputs = Rollout(batch, ["dof_damping"]), inputs_of(batch, ["dof_damping"])
    good = rollout.run(inputs[:3], inputs[3], inputs[4:])
    with pytest.raises(ValueError, match="world 0.*dof_damping"):
        rollout.run(inputs[:3], inputs[3], [-inputs[4]])
    for before, after in zip(good, rollout.run(inputs[:3], inputs[3], inputs[4:])):
        assert np.array_equal(before, after)
    with pytest.raises(ValueError, match="dof_damping has the shape"):
        rollout.run(inputs[:3], inputs[3], [inputs[4][:, 1:]])


def test_rollouts_in_torch(batch):
    torch = pytest.importorskip("torch")
    import sinew.torch

    inputs = inputs_of(batch)
    tensors = [torch.tensor(part, requires_grad=True) for part in inputs]
    outputs = sinew.torch.make_rollout(batch, PARAMETERS)(*tensors)
    value(outputs, [torch.tensor(weight) for weight in weights()]).backward()
    expect(batch, inputs, [tensor.grad.numpy() for tensor in tensors])


def test_gradcheck_of_torch():
    torch = pytest.importorskip("torch")
    import sinew.torch

    # without orientations, whose four numbers are not independent
    text = MODEL[: MODEL.index('<body pos="2')] + MODEL[MODEL.index("</worldbody>") :]
    batch = sinew.Batch(sinew.Model.from_xml_string(text), 1)
    rng = np.random.default_rng(5)
    numbers = [rng.normal(size=(1, 2)), rng.normal(size=(1, 2)), np.zeros((1, 1)), rng.normal(size=(1, 3, 2))]
    numbers += [batch.parameter(name).copy() for name in ("dof_damping", "jnt_stiffness")]
    tensors = [torch.tensor(part, requires_grad=True) for part in numbers]
    rollout = sinew.torch.make_rollout(batch, ["dof_damping", "jnt_stiffness"])
    assert torch.autograd.gradcheck(rollout, tensors, eps=1e-6, atol=1e-7)


def test_sizes_of_geoms_in_torch():
    """A ball falls on a plane and stays there: how high it lies in the end follows its radius."""
    torch = pytest.importorskip("torch")
    import sinew.torch

    text = """<mujoco><option timestep="0.005" tolerance="1e-14" iterations="100"/><worldbody>
      <geom type="plane" size="1 1 .1"/>
      <body pos="0 0 .12"><joint type="slide" axis="0 0 1"/><joint axis="1 0 0"/>
        <geom type="ellipsoid" size=".1 .15 .1" mass="1"/></body></worldbody></mujoco>"""
    batch = sinew.Batch(sinew.Model.from_xml_string(text), 1)
    rollout = sinew.torch.make_rollout(batch, ["geom_size"])
    states = [torch.tensor(part) for part in (np.array([[0.0, 0.1]]), np.zeros((1, 2)), np.zeros((1, 0)))]
    control, size = torch.zeros((1, 30, 0), dtype=torch.float64), torch.tensor(batch.parameter("geom_size").copy())

    def height(change):
        # the plane's sizes have no effect
        sizes = size + torch.cat((torch.zeros(3, dtype=torch.float64), change)).reshape(size.shape)
        return rollout(*states, control, sizes)[0][:, -1]

    change = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    # slopes by the radius beside the axis vanish by symmetry
    assert torch.autograd.gradcheck(height, [change], eps=1e-6, atol=1e-6, rtol=1e-5)
    gradient = torch.autograd.grad(height(change)[0, 0], change)[0]
    assert abs(gradient[2]) > 0.1


def test_rollouts_in_jax(batch):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    import sinew.jax

    inputs, rollout = inputs_of(batch), sinew.jax.make_rollout(batch, PARAMETERS)
    loss = lambda *parts: value(rollout(*parts), weights())  # noqa: E731
    expect(batch, inputs, jax.jit(jax.grad(loss, argnums=tuple(range(len(inputs)))))(*inputs))


def test_steps_take_differences_where_there_is_no_closed_form(batch):
    from sinew._transition import Transition

    assert Transition(batch).exact and not Transition(batch, eps=1e-6).exact
    model = sinew.Model.from_xml_string(MODEL)
    model.opt.noslip_iterations = 1
    assert not Transition(sinew.Batch(model, 1)).exact
