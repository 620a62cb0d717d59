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


def _each(function, info, dims, *inputs):
    """The rule of vmap: one set of inputs after the other."""
    moved = [part if dim is None else part.movedim(dim, 0) for part, dim in zip(inputs, dims)]
    sets = [
        function(*(part if dim is None else part[i] for part, dim in zip(moved, dims))) for i in range(info.batch_size)
    ]
    if isinstance(sets[0], tuple):
        return tuple(torch.stack(parts) for parts in zip(*sets)), (0,) * len(sets[0])
    return torch.stack(sets), 0


def make_step(batch, eps=None, centered=True):
    """A function of qpos, qvel, act, ctrl that gives the next qpos, qvel, act of all worlds. Gradients are in closed form,
    or differences of size eps, where that is given. It has derivatives in both directions, and those of `torch.func`;
    `vmap` goes over sets of all worlds, which are stepped one set after the other."""
    transition = Transition(batch, eps, centered)
    lengths = transition.sizes[:3]

    class Jacobian(torch.autograd.Function):
        """The derivative at a state and a control, where the next qpos is known; it has none itself."""

        @staticmethod
        def forward(*parts_and_after):
            *parts, after = _numbers(parts_and_after)
            return torch.as_tensor(transition.jacobian(parts, after), dtype=parts_and_after[0].dtype)

        @staticmethod
        def setup_context(context, inputs, output):
            context.mark_non_differentiable(output)

        @staticmethod
        def backward(context, *cotangents):
            return (None,) * 5

        @staticmethod
        def vmap(info, dims, *inputs):
            return _each(Jacobian.apply, info, dims, *inputs)

    class Step(torch.autograd.Function):
        @staticmethod
        def forward(*parts):
            after = transition.step(*_numbers(parts))
            return tuple(torch.as_tensor(out, dtype=part.dtype) for out, part in zip(after, parts))

        @staticmethod
        def setup_context(context, inputs, output):
            context.save_for_backward(*inputs, output[0])
            context.save_for_forward(*inputs, output[0])

        @staticmethod
        def backward(context, *cotangents):
            kept = context.saved_tensors
            into = torch.einsum("nij,ni->nj", Jacobian.apply(*kept), torch.cat(cotangents, 1))
            return tuple(part.to(of.dtype) for part, of in zip(into.split(transition.sizes, 1), kept))

        @staticmethod
        def jvp(context, *tangents):
            kept = context.saved_tensors
            zeros = [torch.zeros_like(part) if tangent is None else tangent for tangent, part in zip(tangents, kept)]
            moved = torch.einsum("nij,nj->ni", Jacobian.apply(*kept), torch.cat(zeros, 1))
            return tuple(moved.split(lengths, 1))

        @staticmethod
        def vmap(info, dims, *inputs):
            return _each(Step.apply, info, dims, *inputs)

    return Step.apply
