"""Steps and rollouts of a batch in programs of JAX: callbacks on the host, with gradients.

    step = sinew.jax.make_step(batch)
    qpos, qvel, act = step(qpos, qvel, act, ctrl)      # worlds x size each; in jit, grad, jvp, vmap, scan

    rollout = sinew.jax.make_rollout(batch, ["dof_damping"])
    qpos, qvel, act = rollout(qpos, qvel, act, control, damping)   # control: worlds x steps x nu; worlds x steps x size

Arrays of a batch are JAX's without copies by `jax.dlpack.from_dlpack(batch.state("qpos"))`, where JAX has 64-bit numbers
(`jax.config.update("jax_enable_x64", True)`).
"""

import jax
import jax.numpy
import numpy as np

from sinew._transition import Rollout, Transition


def make_rollout(batch, parameters=(), smoothing=0.0):
    """A function of the first qpos, qvel, act of all worlds, of control and of the parameters that are named, that gives
    qpos, qvel, act after each step. Parameters stay in the batch. Gradients have constraints smoothed over that width of
    velocities."""
    rollout = Rollout(batch, parameters, smoothing)

    def run_on_host(*inputs):
        start, (control, *values) = inputs[:3], inputs[3:]
        results = rollout.run(start, np.asarray(control), values)
        return [out.astype(part.dtype) for out, part in zip(results, start)]

    def gradient_on_host(inputs, cotangents):
        start, (control, *values) = inputs[:3], inputs[3:]
        result = rollout.gradient(start, np.asarray(control), values, [np.asarray(part) for part in cotangents])
        return [out.astype(part.dtype) for out, part in zip(result, inputs)]

    @jax.custom_vjp
    def steps(*inputs):
        length = inputs[3].shape[1]
        shapes = [
            jax.ShapeDtypeStruct((batch.count, length, size), part.dtype)
            for part, size in zip(inputs[:3], rollout.sizes)
        ]
        return tuple(jax.pure_callback(run_on_host, shapes, *inputs, vmap_method="sequential"))

    def forward(*inputs):
        return steps(*inputs), inputs

    def backward(inputs, cotangents):
        shapes = [jax.ShapeDtypeStruct(part.shape, part.dtype) for part in inputs]
        return tuple(jax.pure_callback(gradient_on_host, shapes, inputs, cotangents, vmap_method="sequential"))

    steps.defvjp(forward, backward)
    return steps


def make_step(batch, eps=None, centered=True):
    """A function of qpos, qvel, act, ctrl that gives the next qpos, qvel, act of all worlds. Gradients are in closed form,
    or differences of size eps, where that is given. It has derivatives in both directions (grad, jvp, jacfwd, jacrev), and
    `vmap` over sets of all worlds, which are stepped one set after the other. For a gradient, JAX keeps a matrix of each
    step and world; inside `jax.checkpoint` it keeps states alone."""
    transition = Transition(batch, eps, centered)
    lengths = transition.sizes[:3]

    def on_host(*parts):
        return [out.astype(part.dtype) for out, part in zip(transition.step(*map(np.asarray, parts)), parts)]

    def jacobian_on_host(*parts_and_after):
        *parts, after = map(np.asarray, parts_and_after)
        return transition.jacobian(parts, after).astype(after.dtype)

    @jax.custom_jvp
    def step(qpos, qvel, act, ctrl):
        parts = qpos, qvel, act
        shapes = [jax.ShapeDtypeStruct((batch.count, size), part.dtype) for part, size in zip(parts, lengths)]
        return tuple(jax.pure_callback(on_host, shapes, *parts, ctrl, vmap_method="sequential"))

    @step.defjvp
    def derivative(parts, tangents):
        after = step(*parts)
        numbers = sum(lengths)
        shape = jax.ShapeDtypeStruct((batch.count, numbers, numbers + transition.sizes[3]), after[0].dtype)
        jacobian = jax.pure_callback(jacobian_on_host, shape, *parts, after[0], vmap_method="sequential")
        moved = jax.numpy.einsum("nij,nj->ni", jacobian, jax.numpy.concatenate(tangents, axis=1))
        ends = np.cumsum(lengths)[:2]
        return after, tuple(part.astype(out.dtype) for part, out in zip(jax.numpy.split(moved, ends, axis=1), after))

    return step
