"""Arrays and steps in JAX and torch: no copies, and gradients against differences. Skipped where they are missing."""

import subprocess
import sys

import numpy as np
import pytest

import sinew

# A hinge with a motor, and a free body that turns: an orientation takes part.
MODEL = """
<mujoco>
  <option timestep="0.01" gravity="0 0 -3"/>
  <worldbody>
    <body pos="0 0 1"><joint axis="0 1 0" damping=".3"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/></body>
    <body pos="2 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
  </worldbody>
  <actuator><motor joint="" gear="2"/></actuator>
</mujoco>""".replace('<joint axis', '<joint name="hinge" axis').replace('joint=""', 'joint="hinge"')


@pytest.fixture
def batch():
    return sinew.Batch(sinew.Model.from_xml_string(MODEL), 3, threads=1)


def start(batch):
    rng = np.random.default_rng(0)
    qpos, qvel = batch.state("qpos").copy(), rng.normal(size=(3, 7))
    qpos[:, 0] = rng.normal(size=3)
    turn = rng.normal(size=(3, 4))
    qpos[:, 4:] = turn / np.linalg.norm(turn, axis=1)[:, None]
    return qpos, qvel, np.zeros((3, 0)), rng.normal(size=(3, 1))


def loss_of(parts, weights):
    return sum((part * weight).sum() for part, weight in zip(parts, weights))


def weights_of(batch):
    rng = np.random.default_rng(1)
    return [rng.normal(size=(3, size)) for size in (8, 7, 0)]


def check(batch, gradients):
    """Against differences along directions that keep quaternions at length one to first order."""
    from sinew._transition import Transition

    transition, parts, weights = Transition(batch), start(batch), weights_of(batch)
    rng, step = np.random.default_rng(2), 1e-6
    for _ in range(3):
        ways = [rng.normal(size=part.shape) for part in parts]
        quaternion = parts[0][:, 4:]
        ways[0][:, 4:] -= np.sum(ways[0][:, 4:] * quaternion, axis=1)[:, None] * quaternion
        ends = [
            loss_of(transition.step(*[part + sign * step * way for part, way in zip(parts, ways)]), weights)
            for sign in (1, -1)
        ]
        expected = (ends[0] - ends[1]) / (2 * step)
        found = sum(np.sum(np.asarray(gradient) * way) for gradient, way in zip(gradients, ways))
        # both are differences with steps of 1e-6: half of the digits
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-7)


def test_gradients_of_torch(batch):
    torch = pytest.importorskip("torch")
    import sinew.torch

    parts = [torch.tensor(part, requires_grad=True) for part in start(batch)]
    after = sinew.torch.make_step(batch)(*parts)
    loss_of(after, [torch.tensor(weight) for weight in weights_of(batch)]).backward()
    check(batch, [part.grad.numpy() for part in parts])


def test_gradients_of_jax(batch):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    import sinew.jax

    step, weights = sinew.jax.make_step(batch), weights_of(batch)
    gradients = jax.jit(jax.grad(lambda *parts: loss_of(step(*parts), weights), argnums=(0, 1, 2, 3)))(*start(batch))
    check(batch, gradients)
    with pytest.raises(Exception, match="ctrl has the shape"):
        step(*start(batch)[:3], np.zeros((3, 2)))


def ways_of(batch):
    """A direction for each part, along unit quaternions."""
    rng, parts = np.random.default_rng(3), start(batch)
    ways = [rng.normal(size=part.shape) for part in parts]
    quaternion = parts[0][:, 4:]
    ways[0][:, 4:] -= np.sum(ways[0][:, 4:] * quaternion, axis=1)[:, None] * quaternion
    return ways


def differences(batch, ways, h=1e-6):
    """How the next state changes along directions."""
    from sinew._transition import Transition

    transition, parts = Transition(batch), start(batch)
    ends = [transition.step(*[part + sign * h * way for part, way in zip(parts, ways)]) for sign in (1, -1)]
    return [(after - before) / (2 * h) for after, before in zip(*ends)]


def test_jax_differentiates_forwards_and_maps(batch):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    import sinew.jax

    step, parts, ways = sinew.jax.make_step(batch), start(batch), ways_of(batch)
    after, slopes = jax.jit(lambda p, t: jax.jvp(step, p, t))(parts, tuple(ways))
    for found, expected in zip(slopes, differences(batch, ways)):
        assert np.allclose(found, expected, rtol=1e-6, atol=1e-7)  # half of the digits: differences of 1e-6
    # both directions have one matrix, and scans of steps as well
    forward, backward = (of(lambda v: step(parts[0], v, *parts[2:])[1])(parts[1]) for of in (jax.jacfwd, jax.jacrev))
    assert np.allclose(forward, backward, rtol=1e-12, atol=1e-14)
    # sets of all worlds
    sets = np.stack([parts[1], 2 * parts[1]])
    mapped = jax.vmap(step, in_axes=(None, 0, None, None))(parts[0], sets, *parts[2:])
    for i in range(2):
        assert all(np.array_equal(m[i], one) for m, one in zip(mapped, step(parts[0], sets[i], *parts[2:])))
    loss = lambda v: loss_of(step(parts[0], v, *parts[2:]), weights_of(batch))  # noqa: E731
    assert np.allclose(jax.vmap(jax.grad(loss))(sets)[1], jax.grad(loss)(sets[1]), rtol=1e-12)
    rollout = sinew.jax.make_rollout(batch)
    controls = np.zeros((2, 3, 4, 1))
    controls[1] = 0.5
    many = jax.vmap(lambda c: rollout(*parts[:3], c)[0])(controls)
    assert np.array_equal(many[1], rollout(*parts[:3], controls[1])[0]) and not np.array_equal(many[0], many[1])


def test_torch_differentiates_forwards_and_maps(batch):
    torch = pytest.importorskip("torch")
    import sinew.torch

    step, ways = sinew.torch.make_step(batch), [torch.tensor(way) for way in ways_of(batch)]
    parts = [torch.tensor(part) for part in start(batch)]
    _, slopes = torch.func.jvp(step, tuple(parts), tuple(ways))
    for found, expected in zip(slopes, differences(batch, [way.numpy() for way in ways])):
        assert np.allclose(found, expected, rtol=1e-6, atol=1e-7)
    of_velocity = lambda v: step(parts[0], v, *parts[2:])[1]  # noqa: E731
    forward, backward = torch.func.jacfwd(of_velocity)(parts[1]), torch.func.jacrev(of_velocity)(parts[1])
    assert np.allclose(forward, backward, rtol=1e-12, atol=1e-14)
    sets = torch.stack([parts[1], 2 * parts[1]])
    mapped = torch.func.vmap(of_velocity)(sets)
    assert torch.equal(mapped[1], of_velocity(sets[1])) and not torch.equal(mapped[0], mapped[1])


def test_slopes_at_bounds_are_one_sided(batch):
    """No damping and no friction loss: numbers that only grow from there."""
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    import sinew.jax

    text = MODEL.replace('damping=".3"', "")
    batch = sinew.Batch(sinew.Model.from_xml_string(text), 3, threads=1)
    for name in ("dof_damping", "dof_frictionloss"):
        rollout = sinew.jax.make_rollout(batch, [name])
        begin, control, none = start(batch)[:3], np.zeros((3, 4, 1)), np.zeros((3, 7))
        speed = lambda values: rollout(*begin, control, values)[1][:, -1, 0].sum()  # noqa: E731
        gradient = np.asarray(jax.grad(speed)(none))
        h = 1e-6
        for world in range(3):
            more = none.copy()
            more[world, 0] = h
            slope = float(speed(more) - speed(none)) / h
            assert gradient[world, 0] == pytest.approx(slope, rel=1e-4, abs=1e-6), (name, world)
        batch.parameter(name)[:] = 0


PROGRAMS = {
    "jax": """
import jax, numpy as np, sinew
jax.config.update("jax_enable_x64", True)
import sinew.jax
batch = sinew.Batch(sinew.Model.from_xml_path(sinew.models / "humanoid.xml"), 2)
step, m = sinew.jax.make_step(batch), batch.model
array = jax.dlpack.from_dlpack(batch.state("qvel"), copy=None)
parts = [batch.state(name).copy() for name in ("qpos", "qvel", "act", "ctrl")]
print(jax.grad(lambda v: step(parts[0], v, *parts[2:])[1].sum())(parts[1]).shape)
""",
    "torch": """
import torch, sinew, sinew.torch
batch = sinew.Batch(sinew.Model.from_xml_path(sinew.models / "humanoid.xml"), 2)
step, q = sinew.torch.make_step(batch), torch.from_dlpack(batch.state("qpos"))
parts = [torch.tensor(batch.state(name), requires_grad=True) for name in ("qpos", "qvel", "act", "ctrl")]
step(*parts)[1].sum().backward()
print(parts[1].grad.shape)
""",
}


@pytest.mark.parametrize("library", PROGRAMS)
def test_programs_end_without_a_word(library):
    """Nothing is leaked at exit, neither arrays nor functions of the module."""
    pytest.importorskip(library)
    ended = subprocess.run([sys.executable, "-c", PROGRAMS[library]], capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0 and "leak" not in ended.stderr and "27" in ended.stdout, ended.stderr


def test_torch_shares_memory(batch):
    torch = pytest.importorskip("torch")
    tensor = torch.from_dlpack(batch.state("qpos"))
    tensor[1, 0] = 0.5
    assert batch.state("qpos")[1, 0] == 0.5
    batch.step()
    assert np.array_equal(tensor.numpy(), batch.state("qpos"))
    del batch
    assert tensor.sum().isfinite()


def test_jax_shares_memory(batch):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    qpos = batch.state("qpos")
    array = jax.dlpack.from_dlpack(qpos, copy=None)
    assert np.array_equal(np.asarray(array), qpos)
    pointer = array.unsafe_buffer_pointer()
    # JAX copies arrays that do not begin where it wants them to
    assert pointer == qpos.ctypes.data or qpos.ctypes.data % 64
