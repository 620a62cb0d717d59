"""A step of a batch as a function with derivatives, for libraries that differentiate.

The engine's derivatives are by displacements: three numbers for an orientation, which is four numbers of qpos. With
E = d qpos / d displacement, a gradient g by qpos' becomes E(q')^T g, goes through the derivatives of the step, and
comes back as E (E^T E)^-1 of it: the gradient along the unit quaternions.
"""

import numpy as np

from sinew import enums

_PARTS = ("qpos", "qvel", "act", "ctrl")


class Transition:
    """One step of all worlds, as a function of qpos, qvel, act and ctrl alone: the solver starts from nothing."""

    def __init__(self, batch, eps=1e-6, centered=True):
        self.batch, self.eps, self.centered = batch, eps, centered
        self.model = batch.model
        self.sizes = (self.model.nq, self.model.nv, self.model.na, self.model.nu)
        self._views = [batch.state(name) for name in _PARTS]
        self._warm = batch.state("qacc_warmstart")
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

    def _load(self, parts):
        for name, size, view, part in zip(_PARTS, self.sizes, self._views, parts):
            part = np.asarray(part, np.float64)
            if part.shape != (self.batch.count, size):
                raise ValueError(f"{name} has the shape {part.shape}; it takes {(self.batch.count, size)}")
            view[:] = part
        self._warm[:] = 0

    def step(self, *parts):
        """qpos, qvel, act of the next state."""
        self._load(parts)
        self.batch.step()
        return [view.copy() for view in self._views[:3]]

    def gradient(self, parts, after, cotangents):
        """Gradients by qpos, qvel, act, ctrl of the sum of the next state's parts times cotangents."""
        self._load(parts)
        A, B, *_ = self.batch.transition_derivatives(self.eps, self.centered)
        by_q, by_v, by_act = (np.asarray(part, np.float64) for part in cotangents)
        out = np.concatenate((self._to_displacements(np.asarray(after), by_q), by_v, by_act), axis=1)
        into = np.einsum("nij,ni->nj", A, out)
        nv = self.sizes[1]
        by_qpos = self._to_coordinates(np.asarray(parts[0], np.float64), into[:, :nv])
        return by_qpos, into[:, nv : 2 * nv], into[:, 2 * nv :], np.einsum("nij,ni->nj", B, out)

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
