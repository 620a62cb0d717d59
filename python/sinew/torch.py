"""Steps of a batch in programs of torch, with gradients.

    step = sinew.torch.make_step(batch)
    qpos, qvel, act = step(qpos, qvel, act, ctrl)      # worlds x size each, on the processor

Arrays of a batch are tensors without copies by `torch.from_dlpack(batch.state("qpos"))`.
"""

import torch

from sinew._transition import Transition


def make_step(batch, eps=1e-6, centered=True):
    """A function of qpos, qvel, act, ctrl that gives the next qpos, qvel, act of all worlds."""
    transition = Transition(batch, eps, centered)

    class Step(torch.autograd.Function):
        @staticmethod
        def forward(context, *parts):
            after = transition.step(*(part.detach().cpu().numpy() for part in parts))
            results = tuple(torch.as_tensor(out, dtype=part.dtype) for out, part in zip(after, parts))
            context.save_for_backward(*parts, results[0])
            return results

        @staticmethod
        def backward(context, *cotangents):
            *parts, after = (kept.detach().cpu().numpy() for kept in context.saved_tensors)
            cotangents = [cotangent.detach().cpu().numpy() for cotangent in cotangents]
            result = transition.gradient(parts, after, cotangents)
            return tuple(torch.as_tensor(out, dtype=kept.dtype) for out, kept in zip(result, context.saved_tensors))

    return Step.apply
