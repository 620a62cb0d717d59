"""Arrays and steps in JAX and torch: no copies, and gradients against differences. Skipped where they are missing."""

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
