"""A step of a batch as a function with derivatives, for libraries that differentiate.

The engine's derivatives are by displacements: three numbers for an orientation, which is four numbers of qpos. With
E = d qpos / d displacement, a gradient g by qpos' becomes E(q')^T g, goes through the derivatives of the step, and
comes back as E (E^T E)^-1 of it: the gradient along the unit quaternions.
"""

import numpy as np

from sinew import enums
from sinew.errors import Status

_PARTS = ("qpos", "qvel", "act", "ctrl")


class _Worlds:
    """States of all worlds as arguments of functions: the solver starts from nothing, and not from an earlier call."""

    def __init__(self, batch):
        self.batch, self.model = batch, batch.model
        self.sizes = (self.model.nq, self.model.nv, self.model.na, self.model.nu)
        self._views = [batch.state(name) for name in _PARTS]
        self._warm = batch.state("qacc_warmstart")

    def _load(self, parts):
        failed = self.batch.status == Status.FAILED
        if failed.any():  # in an earlier call
            self.batch.reset(mask=failed)
        for name, size, view, part in zip(_PARTS, self.sizes, self._views, parts):
            part = np.asarray(part, np.float64)
            if part.shape != (self.batch.count, size):
                raise ValueError(f"{name} has the shape {part.shape}; it takes {(self.batch.count, size)}")
            view[:] = part
        self._warm[:] = 0


class Rollout(_Worlds):
    """Steps of all worlds, as a function of the first qpos, qvel, act, of controls (worlds x steps x nu), and of
    parameters of the model, which are named: arrays as `batch.parameter(name)` has them. Its derivatives are those with
    constraints smoothed over that width of velocities."""

    def __init__(self, batch, parameters=(), smoothing=0.0):
        super().__init__(batch)
        self.smoothing = smoothing
        self.parameters = tuple(parameters)
        self._fields = [batch.parameter(name) for name in self.parameters]

    def _start(self, start, values):
        for name, field, value in zip(self.parameters, self._fields, values):
            value = np.asarray(value, np.float64)
            if value.shape != field.shape:
                raise ValueError(f"{name} has the shape {value.shape}; it takes {field.shape}")
            field[:] = value
        self._load(start)

    def run(self, start, control, values=()):
        """qpos, qvel, act after each step: worlds x steps x size."""
        self._start(start, values)
        control = np.asarray(control, np.float64)
        records = self.batch.rollout(control, _PARTS[:3])
        for world in np.flatnonzero(self.batch.status == Status.FAILED):
            raise ValueError(f"world {world}: {self.batch.cause(int(world))}")
        shape = control.shape[:2]
        return [np.asarray(records[name]).reshape(*shape, size) for name, size in zip(_PARTS, self.sizes[:3])]

    def gradient(self, start, control, values, cotangents):
        """Gradients by qpos, qvel, act, control, and by each parameter, of the sum of the states times cotangents."""
        self._start(start, values)
        by_states = np.concatenate([np.asarray(part, np.float64) for part in cotangents], axis=2)
        by_start, by_control, by = self.batch.rollout_gradient(
            np.asarray(control, np.float64), by_states, list(self.parameters), smoothing=self.smoothing
        )
        nq, nv = self.sizes[:2]
        states = [by_start[:, :nq], by_start[:, nq : nq + nv], by_start[:, nq + nv :]]
        return [*states, by_control, *(_widened(by[name], f) for name, f in zip(self.parameters, self._fields))]


def _widened(gradient, field):
    """The gradient of some columns of a field as one of the field: the others have none."""
    gradient = np.asarray(gradient)
    if gradient.shape == field.shape:
        return gradient
    result = np.zeros(field.shape)
    rows = gradient if gradient.ndim == field.ndim else gradient[..., None]
    result[..., : rows.shape[-1]] = rows
    return result


class Transition(_Worlds):
    """One step of all worlds, as a function of qpos, qvel, act and ctrl alone.

    Its derivatives are those of the engine in closed form; with `eps`, or where the model has none (docs/how/gradients.md
    of the engine), they are finite differences of that size."""

    def __init__(self, batch, eps=None, centered=True):
        super().__init__(batch)
        self.exact = eps is None and self._has_closed_form()
        self.eps, self.centered = 1e-6 if eps is None else eps, centered
        joint = enums.mjtJoint
        starts = zip(self.model.jnt_type, self.model.jnt_qposadr, self.model.jnt_dofadr)
        # where quaternions and their rotations begin
        self._turns = [
            (int(q) + 3 * (kind == joint.mjJNT_FREE), int(v) + 3 * (kind == joint.mjJNT_FREE))
            for kind, q, v in starts
            if kind in (joint.mjJNT_FREE, joint.mjJNT_BALL)
        ]
        turned = {q + i for q, _ in self._turns for i in range(4)}, {v + i for _, v in self._turns for i in range(3)}
        self._plain = [np.array([i for i in range(n) if i not in t], int) for n, t in zip(self.sizes[:2], turned)]

    def _has_closed_form(self):
        try:
            self.batch.linearize(mask=np.zeros(self.batch.count, bool))
        except ValueError:
            return False
        return True

    def step(self, *parts):
        """qpos, qvel, act of the next state."""
        self._load(parts)
        self.batch.step()
        return [view.copy() for view in self._views[:3]]

    def gradient(self, parts, after, cotangents):
        """Gradients by qpos, qvel, act, ctrl of the sum of the next state's parts times cotangents."""
        self._load(parts)
        A, B = self._matrices()
        by_q, by_v, by_act = (np.asarray(part, np.float64) for part in cotangents)
        out = np.concatenate((self._to_displacements(np.asarray(after), by_q), by_v, by_act), axis=1)
        into = np.einsum("nij,ni->nj", A, out)
        nv = self.sizes[1]
        by_qpos = self._to_coordinates(np.asarray(parts[0], np.float64), into[:, :nv])
        return by_qpos, into[:, nv : 2 * nv], into[:, 2 * nv :], np.einsum("nij,ni->nj", B, out)

    def jacobian(self, parts, after):
        """The derivative of the next qpos, qvel, act by qpos, qvel, act, ctrl: worlds x numbers x numbers."""
        self._load(parts)
        A, B = self._matrices()
        nq, nv, na, nu = self.sizes
        worlds = len(A)
        into = np.zeros((worlds, 2 * nv + na, nq + nv + na))
        into[:, :nv, :nq] = 4 * self._turnings(np.asarray(parts[0], np.float64)).transpose(0, 2, 1)
        into[:, self._plain[1], self._plain[0]] = 1
        into[:, nv:, nq:] = np.eye(nv + na)
        by = np.concatenate((A @ into, B), axis=2)
        result = np.empty((worlds, nq + nv + na, nq + nv + na + nu))
        result[:, nq:] = by[:, nv:]
        result[:, :nq] = self._turnings(np.asarray(after, np.float64)) @ by[:, :nv]
        return result

    def _turnings(self, qpos):
        """d qpos / d displacement of each world."""
        result = np.zeros((len(qpos), *self.sizes[:2]))
        result[:, self._plain[0], self._plain[1]] = 1
        for q, v in self._turns:
            result[:, q : q + 4, v : v + 3] = _turning(qpos[:, q : q + 4])
        return result

    def _matrices(self):
        if self.exact:
            return self.batch.linearize()
        return self.batch.transition_derivatives(self.eps, self.centered)[:2]

    def _to_displacements(self, qpos, gradient):
        result = np.zeros((len(qpos), self.sizes[1]))
        result[:, self._plain[1]] = gradient[:, self._plain[0]]
        for q, v in self._turns:
            result[:, v : v + 3] = np.einsum("nij,ni->nj", _turning(qpos[:, q : q + 4]), gradient[:, q : q + 4])
        return result

    def _to_coordinates(self, qpos, gradient):
        result = np.zeros((len(qpos), self.sizes[0]))
        result[:, self._plain[0]] = gradient[:, self._plain[1]]
        for q, v in self._turns:
            turning = _turning(qpos[:, q : q + 4])
            result[:, q : q + 4] = 4 * np.einsum("nij,nj->ni", turning, gradient[:, v : v + 3])
        return result


def _turning(quaternions):
    """d quaternion / d rotation, in the body's frame: half the product of the quaternion with each axis."""
    w, x, y, z = quaternions.T
    return 0.5 * np.stack([np.stack(row, 1) for row in ((-x, -y, -z), (w, -z, y), (z, w, -x), (-y, x, w))], 1)
