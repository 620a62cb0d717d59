"""The search of inverse kinematics: sums of squares that become least, in all frames at once."""

import dataclasses as _dataclasses
import functools as _functools
from typing import Any as _Any
from typing import Optional as _Optional
from typing import Union as _Union

import numpy as _np
import numpy.typing as _typing

from sinew.biomech.couplings import Couplings
from sinew.biomech.signals import Spline
from sinew.biomech.tables import Array
from sinew.biomech.weighted import Weighted

_FAR = 0.3  # rad or m between neighbours, which a motion does not make from frame to frame, but another minimum does
_STRIDES = (8, 1)  # the first of these frames begin far away, the next on a spline between them
_NEAR_STEPS = 20  # by springs
_FAR_APART = 1.5  # the same between frames that are a stride apart
_Rows = _typing.NDArray[_np.int64]


@_dataclasses.dataclass
class Problem:
    """What a set of frames minimizes."""

    frames: Weighted
    couplings: Couplings
    measured: Array  # frames x markers x 3, in the model's world
    wanted: Array  # frames x coordinates
    wanted_weights: Array
    low: Array
    high: Array

    @property
    def markers_alone(self) -> bool:
        """Whether there are no bounds, no wanted coordinates, and none that follow others."""
        every = len(self.couplings.free) == len(self.low)
        return every and not self.wanted_weights.any() and not _np.isfinite([self.low, self.high]).any()

    def of(self, rows: _Any) -> "Problem":
        """The problem of some of the frames."""
        return _dataclasses.replace(self, measured=self.measured[rows], wanted=self.wanted[rows])

    def at(self, poses: Array, with_matrix: bool = True) -> tuple[Array, Array, Array]:
        """Of each frame: cost, pull on free coordinates, and matrix."""
        cost, pull, matrix = self.frames.pulls(poses, self.measured, with_matrix)
        if self.wanted_weights.any():
            misses = self.wanted - poses
            cost = cost + misses**2 @ self.wanted_weights
            pull = pull + self.wanted_weights * misses
            if with_matrix:
                matrix[:, range(pull.shape[1]), range(pull.shape[1])] += self.wanted_weights
        if len(self.couplings.free) < pull.shape[1]:
            rates = self.couplings.rates(poses)
            by_free = rates.transpose(0, 2, 1)
            pull = (by_free @ pull[..., None])[..., 0]
            matrix = by_free @ matrix @ rates if with_matrix else matrix
        return cost, pull, matrix

    def moved(self, poses: Array, step: _Union[Array, float]) -> Array:
        """Poses after a step of the free coordinates: within bounds, and with those that follow."""
        trial = poses.copy()
        trial[:, self.couplings.free] += step
        trial = _np.asarray(_np.clip(trial, self.low, self.high))
        self.couplings.follow(trial)
        return trial


def _step(problem: Problem, poses: Array, pull: Array, matrix: Array, damping: Array) -> Array:
    """Levenberg's step of the free coordinates. Those at a bound that the cost pulls them across stay there."""
    free = problem.couplings.free
    count = len(free)
    diagonal = _np.einsum("fii->fi", matrix)
    added = damping[:, None] * diagonal + 1e-12 * diagonal.max(axis=1, keepdims=True) + 1e-300
    held = ((poses[:, free] >= problem.high[free]) & (pull > 0)) | ((poses[:, free] <= problem.low[free]) & (pull < 0))
    matrix = matrix + _np.eye(count) * added[:, None, :]
    if held.any():
        matrix[held[:, :, None] | held[:, None, :]] = 0
        matrix[:, range(count), range(count)] += held
        pull = _np.where(held, 0, pull)
    return _np.asarray(_np.linalg.solve(matrix, pull[..., None])[..., 0])


def _descend(problem: Problem, poses: Array, accuracy: float, limit: int) -> tuple[Array, Array, _Any, int]:
    """Levenberg's method, from poses that may be far: poses, costs, whether they converged, steps."""
    poses = poses.copy()
    cost, pull, matrix = problem.at(poses)
    damping, moves = _np.zeros(len(poses)), _np.full(len(poses), _np.inf)
    for steps in range(limit):
        rows = _np.flatnonzero(moves > accuracy)
        if len(rows) == 0:
            return poses, cost, moves <= accuracy, steps
        trial = problem.moved(poses[rows], _step(problem, poses[rows], pull[rows], matrix[rows], damping[rows]))
        moves[rows] = _np.abs(trial - poses[rows]).max(axis=1, initial=0)
        new_cost, new_pull, new_matrix = problem.of(rows).at(trial)
        better = new_cost <= cost[rows] * (1 + 1e-12)
        kept = rows[better]
        poses[kept], cost[kept], pull[kept], matrix[kept] = trial[better], new_cost[better], new_pull[better], new_matrix[better]
        damping[rows] = _np.where(better, damping[rows] / 10 * (damping[rows] > 1e-9), _np.maximum(10 * damping[rows], 1e-3))
    return poses, cost, moves <= accuracy, limit


def _from(problem: Problem, poses: Array, accuracy: float, limit: int) -> tuple[Array, _Optional[Array], Array, _Any, int]:
    """As `_descend`: by springs where nothing but markers counts, and where frames come to no end so, as there. The errors of markers are
    second, where they are known."""
    if not problem.markers_alone:
        found, cost, good, steps = _descend(problem, poses, accuracy, limit)
        return found, None, cost, good, steps
    springs = problem.frames.springs
    found, errors, good, steps = springs.settle(poses, problem.measured, accuracy, _NEAR_STEPS)
    cost = errors**2 @ springs.weights
    rows = _np.flatnonzero(~good)
    if len(rows) == 0:
        return found, errors, cost, good, steps
    found[rows], cost[rows], good[rows], more = _descend(problem.of(rows), poses[rows], accuracy, limit)
    return found, None, cost, good, steps + more


def minimize(problem: Problem, start: Array, accuracy: float, limit: int) -> tuple[Array, Array, _Any, int]:
    """Poses of all frames, errors of markers, whether frames converged, and steps: a few frames from a pose that is far, then more
    of them, each time from a spline between those before."""
    count = len(problem.measured)
    poses, errors = _np.empty((count, len(start))), _np.empty(problem.measured.shape[:2])
    cost, converged, steps = _np.empty(count), _np.empty(count, bool), 0
    for level, _ in enumerate(_STRIDES):
        rows, known, weights = _stage(count, level)
        if len(rows) == 0:
            continue
        part = problem.of(rows)
        begin = part.moved(weights @ poses[known], 0.0) if len(known) else _np.tile(start, (len(rows), 1))
        found, missed, cost[rows], converged[rows], more = _from(part, begin, accuracy, limit)
        if level == 0:
            own = cost[rows]
            more += _improve_by_neighbours(part, found, own, accuracy, limit, _FAR_APART)
            cost[rows] = own
        poses[rows], steps = found, steps + more
        errors[rows] = part.frames.errors(found, part.measured) if missed is None else missed
    improved = _improve_by_neighbours(problem, poses, cost, accuracy, limit, _FAR)
    if improved:
        errors = problem.frames.errors(poses, problem.measured)
    return poses, errors, converged, steps + improved


@_functools.lru_cache(maxsize=32)
def _stage(count: int, level: int) -> tuple[_Rows, _Rows, Array]:
    """Of so many frames: the numbers of those that a level adds, of those that are known before, and the weights with which a
    spline between these begins the others."""
    taken = [_np.unique(_np.r_[_np.arange(0, count, stride), count - 1]) for stride in _STRIDES[: level + 1]]
    known = taken[level - 1] if level else _np.empty(0, _np.int64)
    rows = _np.setdiff1d(taken[level], known)
    weights = Spline(known, _np.eye(len(known)))(rows) if len(known) and len(rows) else _np.empty((0, 0))
    return rows, known, weights


def _improve_by_neighbours(problem: Problem, poses: Array, cost: Array, accuracy: float, limit: int, far: float) -> int:
    """Frames that are far from a neighbour whose pose would be a better begin than their own end are improved from there,
    in place. Returns the steps."""
    steps = 0
    for _ in range(len(poses)):
        begin, best = poses.copy(), cost.copy()
        for shift in (1, -1):
            there = _np.clip(_np.arange(len(poses)) - shift, 0, len(poses) - 1)
            rows = _np.flatnonzero(_np.abs(poses - poses[there]).max(axis=1, initial=0) > far)
            if len(rows):
                trial = problem.of(rows).at(poses[there[rows]], with_matrix=False)[0]
                closer = trial < best[rows] * (1 - 1e-6)
                begin[rows[closer]], best[rows[closer]] = poses[there[rows[closer]]], trial[closer]
        if not (best < cost).any():
            break
        poses[:], cost[:], _, more = _descend(problem, begin, accuracy, limit)
        steps += more
    return steps
