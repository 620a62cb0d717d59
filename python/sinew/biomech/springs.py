"""Inverse kinematics inside the engine: markers are pulled to measured places by springs, from rest."""

from typing import Any as _Any

import numpy as _np

import sinew as _sinew
from sinew.biomech.bare import threads_for
from sinew.biomech.tables import Array

_SLOW = 0.6  # the largest ratio of two steps that is taken for the rate of a series
_NEAR = 0.1  # rad and m: the size of steps from which on they make one


class Springs:
    """A model whose bodies have the weights of markers as point masses, with springs of that stiffness between markers and measured places.

    A step of one second from rest, by Euler's method, is then one of Gauss and Newton: the inertia matrix is sum w J^T J, the
    pull of the springs minus half the slope of sum w |x - y|^2. So all frames take steps in lanes.
    """

    def __init__(self, spec: "_sinew.Spec", names: list[str], weights: Array) -> None:
        spec = spec.copy()
        for i, (name, weight) in enumerate(zip(names, weights)):
            spec.world.add("site", name=f"measured {i}")
            spring = spec.add("tendon", name=f"spring {i}", stiffness=(float(weight), 0, 0), springlength=(0, 0))
            spring.wrap_site(name)
            spring.wrap_site(f"measured {i}")
        for joint in spec.all("joint"):
            joint.damping, joint.stiffness, joint.frictionloss = (0, 0, 0), (0, 0, 0), 0
            joint.limited = 0
        spec.compiler.fusestatic = 1  # bodies that are welded together are one
        spec.option.timestep = 1
        spec.option.integrator = int(_sinew.mjtIntegrator.mjINT_EULER)
        self.model = spec.compile()
        site = int(_sinew.mjtObj.mjOBJ_SITE)
        self.measured = _np.array([self.model.find(site, f"measured {i}") for i in range(len(names))], int)
        self.weights = weights
        self._batch: _Any = None

    def settle(self, poses: Array, measured: Array, accuracy: float, limit: int) -> tuple[Array, Array, _Any, int]:
        """Poses (frames x coordinates) whose next step is below the accuracy, errors of markers (frames x markers), whether a
        frame came there, and the number of steps. `measured`: frames x markers x 3. Steps are made longer by what a geometric
        series of them would still add (Aitken), since they shrink so where errors of markers do not vanish."""
        count = len(poses)
        if self._batch is None or len(self._batch) < count:
            self._batch = _sinew.Batch(self.model, count, threads_for(count), packs="always")
        batch = self._batch
        coordinates, velocities, lengths = batch.state("qpos"), batch.state("qvel"), batch.output("ten_length")
        batch.parameter("site_pos")[:count, self.measured] = measured
        coordinates[:count], velocities[:] = poses, 0
        poses, errors = poses.copy(), _np.empty((count, len(self.weights)))
        rows, last, mask, steps, start = _np.arange(count), None, _np.arange(len(batch)) < count, 0, _np.full(count, _np.inf)
        while steps < limit and len(rows):
            batch.step(mask=None if len(rows) == len(batch) else mask)
            step = velocities[rows]
            start = lengths[:count] ** 2 @ self.weights if steps == 0 else start
            on = ~(_np.abs(step).max(axis=1, initial=0) <= accuracy)
            errors[rows[~on]] = lengths[rows[~on]]
            step = step if last is None else step * _stretch(step, last)[:, None]
            rows, last, steps = rows[on], step[on], steps + 1
            poses[rows] += last
            coordinates[rows], velocities[:] = poses[rows], 0
            mask[:count] = False
            mask[rows] = True
        errors[rows] = lengths[rows]
        good = (errors**2 @ self.weights <= start * (1 + 1e-12)) & (batch.status[:count] == 0)
        good[rows] = False
        if (batch.status != 0).any():
            batch.reset(mask=batch.status != 0)
        return poses, errors, good, steps


def _stretch(step: Array, last: Array) -> Array:
    """How much longer the sum of a geometric series is than its first member, where steps are small enough to be one."""
    size = _np.einsum("fv,fv->f", last, last)
    rate = _np.einsum("fv,fv->f", step, last) / (size + 1e-300)
    return _np.where((_np.abs(rate) < _SLOW) & (size < _NEAR**2), 1 / (1 - rate), 1.0)
