"""Steps of a batch in programs of JAX: a callback on the host, with gradients.

    step = sinew.jax.make_step(batch)
    qpos, qvel, act = step(qpos, qvel, act, ctrl)      # worlds x size each; in jit, grad, scan

Arrays of a batch are JAX's without copies by `jax.dlpack.from_dlpack(batch.state("qpos"))`, where JAX has 64-bit numbers
(`jax.config.update("jax_enable_x64", True)`).
"""

import jax
import numpy as np

from sinew._transition import Transition


def make_step(batch, eps=1e-6, centered=True):
    """A function of qpos, qvel, act, ctrl that gives the next qpos, qvel, act of all worlds."""
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
