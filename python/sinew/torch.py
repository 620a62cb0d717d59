"""Steps and rollouts of a batch in programs of torch, with gradients.

    step = sinew.torch.make_step(batch)
    qpos, qvel, act = step(qpos, qvel, act, ctrl)      # worlds x size each, on the processor

    rollout = sinew.torch.make_rollout(batch, ["dof_damping"])
    qpos, qvel, act = rollout(qpos, qvel, act, control, damping)   # control: worlds x steps x nu; worlds x steps x size

Arrays of a batch are tensors without copies by `torch.from_dlpack(batch.state("qpos"))`.
"""

import torch

from sinew._transition import Rollout, Transition


def _numbers(tensors):
    return [tensor.detach().cpu().numpy() for tensor in tensors]


def make_rollout(batch, parameters=(), smoothing=0.0):
    """A function of the first qpos, qvel, act of all worlds, of control and of the parameters that are named, that gives
    qpos, qvel, act after each step. Parameters stay in the batch. Gradients have constraints smoothed over that width of
    velocities."""
    rollout = Rollout(batch, parameters, smoothing)

    class Steps(torch.autograd.Function):
        @staticmethod
        def forward(context, *inputs):
            start, (control, *values) = _numbers(inputs[:3]), _numbers(inputs[3:])
            context.save_for_backward(*inputs)
            return tuple(torch.as_tensor(out, dtype=inputs[0].dtype) for out in rollout.run(start, control, values))

        @staticmethod
        def backward(context, *cotangents):
            inputs = context.saved_tensors
            start, (control, *values) = _numbers(inputs[:3]), _numbers(inputs[3:])
            result = rollout.gradient(start, control, values, _numbers(cotangents))
            return tuple(torch.as_tensor(out, dtype=kept.dtype) for out, kept in zip(result, inputs))

    return Steps.apply


def make_step(batch, eps=None, centered=True):
    """A function of qpos, qvel, act, ctrl that gives the next qpos, qvel, act of all worlds. Gradients are in closed form,
    or differences of size eps, where that is given."""
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
