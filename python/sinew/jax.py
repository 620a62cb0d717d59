"""Steps and rollouts of a batch in programs of JAX: callbacks on the host, with gradients.

    step = sinew.jax.make_step(batch)
    qpos, qvel, act = step(qpos, qvel, act, ctrl)      # worlds x size each; in jit, grad, scan

    rollout = sinew.jax.make_rollout(batch, ["dof_damping"])
    qpos, qvel, act = rollout(qpos, qvel, act, control, damping)   # control: worlds x steps x nu; worlds x steps x size

Arrays of a batch are JAX's without copies by `jax.dlpack.from_dlpack(batch.state("qpos"))`, where JAX has 64-bit numbers
(`jax.config.update("jax_enable_x64", True)`).
"""

import jax
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
        return tuple(jax.pure_callback(run_on_host, shapes, *inputs))

    def forward(*inputs):
        return steps(*inputs), inputs

    def backward(inputs, cotangents):
        shapes = [jax.ShapeDtypeStruct(part.shape, part.dtype) for part in inputs]
        return tuple(jax.pure_callback(gradient_on_host, shapes, inputs, cotangents))

    steps.defvjp(forward, backward)
    return steps


def make_step(batch, eps=None, centered=True):
    """A function of qpos, qvel, act, ctrl that gives the next qpos, qvel, act of all worlds. Gradients are in closed form,
    or differences of size eps, where that is given."""
    transition = Transition(batch, eps, centered)

    def shapes(parts, sizes):
        return [jax.ShapeDtypeStruct((batch.count, size), part.dtype) for part, size in zip(parts, sizes)]

    def on_host(*parts):
        return [out.astype(part.dtype) for out, part in zip(transition.step(*map(np.asarray, parts)), parts)]

    def gradient_on_host(parts, after, cotangents):
        result = transition.gradient(
            [np.asarray(part) for part in parts], np.asarray(after), [np.asarray(part) for part in cotangents]
        )
        return [out.astype(part.dtype) for out, part in zip(result, parts)]

    @jax.custom_vjp
    def step(qpos, qvel, act, ctrl):
        return tuple(jax.pure_callback(on_host, shapes((qpos, qvel, act), transition.sizes), qpos, qvel, act, ctrl))

    def forward(*parts):
        after = step(*parts)
        return after, (parts, after[0])

    def backward(kept, cotangents):
        parts, after = kept
        return tuple(jax.pure_callback(gradient_on_host, shapes(parts, transition.sizes), parts, after, cotangents))

    step.defvjp(forward, backward)
    return step
