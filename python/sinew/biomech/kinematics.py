"""Inverse kinematics: coordinates from measured markers, all frames at once.

A frame minimizes  Σ wᵢ |xᵢ(q) - yᵢ|² + Σ wₖ (qₖ - cₖ)²  by Levenberg's method. Its matrix Σ wᵢ Jᵢᵀ Jᵢ is the inertia matrix of
a model whose bodies have the weights of their markers as point masses, and is computed as such, for all frames in a batch.
"""

import dataclasses as _dataclasses
import functools as _functools
from typing import Any as _Any
from typing import Mapping as _Mapping
from typing import Optional as _Optional
from typing import Union as _Union

import numpy as _np

import sinew as _sinew
from sinew.biomech.couplings import Couplings, couplings_of
from sinew.biomech.markers import Markers
from sinew.biomech.signals import Spline
from sinew.biomech.springs import Springs
from sinew.biomech.subject import Bare, Subject, cross, mass_matrices, stripped
from sinew.biomech.tables import Array, Table

_FAR = 0.3  # rad or m between neighbours, which a motion does not make from frame to frame, but another minimum does
_STRIDE = 8  # frames between those that begin far away; the motion between them is a spline
_NEAR_STEPS = 20  # by springs
_FAR_APART = 1.0  # the same between frames that are a stride apart
_LEAST_MASS = 1e-9  # of bodies without markers, which must have some; weights are of the order of one


@_dataclasses.dataclass
class Kinematics:
    """Coordinates of all frames.

    `table`: coordinates as a file `.mot` has them, angles in degrees. `coordinates`: frames x coordinates, in rad and m.
    `errors`: frames x markers, distances between markers and measured ones in m, NaN where there was none; `markers`:
    their names. `steps`: how often frames were improved. `converged`: whether the last step of a frame was below the accuracy.
    """

    table: Table
    coordinates: Array
    errors: Array
    markers: list[str]
    steps: int
    converged: _Any


class _Frames:
    """The model in frames in which the same markers are seen: bodies have the weights of the markers as masses."""

    def __init__(self, subject: Subject, names: list[str], weights: Array) -> None:
        spec = stripped(subject.spec, set(names))
        held: dict[str, list[int]] = {}
        for i, name in enumerate(names):
            held.setdefault(spec.find("site", name).parent.name, []).append(i)
        for body in spec.all("body"):
            if body.name != "world":
                of = held.get(body.name, [])
                places = _np.array([spec.find("site", names[i]).pos for i in of]).reshape(-1, 3)
                _give_masses(body, places, weights[of])
        for joint in spec.all("joint"):
            joint.armature = 0
        spec.option.gravity = (0, 0, 0)
        self.bare, self.names = Bare(spec), names
        model = self.bare.model
        sites = _np.array([model.find(int(_sinew.mjtObj.mjOBJ_SITE), name) for name in names], int)
        self.order = None if (sites == _np.arange(model.nsite)).all() else sites
        self.weights = weights
        self.moves = self.bare.moved_by[model.site_bodyid[sites]].astype(float)  # markers x coordinates
        self.roots = model.body_rootid[model.dof_bodyid]

    @_functools.cached_property
    def springs(self) -> Springs:
        """The same model with springs."""
        return Springs(self.bare.spec, self.names, self.weights)

    def places(self, outputs: dict[str, Array]) -> Array:
        """Places of the markers, 3 x frames x markers."""
        places = outputs["site_xpos"] if self.order is None else outputs["site_xpos"][:, self.order]
        return _np.ascontiguousarray(places.transpose(2, 0, 1))

    def pulls(self, poses: Array, measured: Array, with_matrix: bool = True) -> tuple[Array, Array, Array]:
        """Of each frame: the cost of markers, their pull on coordinates (minus half the slope of the cost), and the matrix where
        it is asked for. The pull is that of springs between markers and measured places (3 x frames x markers)."""
        fields = ["site_xpos", "cdof", "subtree_com"] + ["M"] * with_matrix
        outputs = self.bare.at(fields, qpos=poses)
        places = self.places(outputs)
        misses = measured - places
        wrenches = _np.empty((6, *places.shape[1:]))  # moments about the origin, forces
        forces = _np.multiply(misses, self.weights, out=wrenches[3:])
        for i, (j, k) in enumerate(((1, 2), (2, 0), (0, 1))):
            _np.subtract(places[j] * forces[k], places[k] * forces[j], out=wrenches[i])
        by_coordinate = wrenches @ self.moves
        turns = outputs["cdof"][..., :3]
        speeds = outputs["cdof"][..., 3:] - cross(turns, outputs["subtree_com"][:, self.roots])  # of the point at the origin
        along = _np.einsum("kfv,fvk->fv", by_coordinate[:3], turns) + _np.einsum("kfv,fvk->fv", by_coordinate[3:], speeds)
        matrix = mass_matrices(self.bare.model, outputs["M"]) if with_matrix else _np.empty(0)
        return _np.einsum("kfm,kfm->f", misses, forces), along, matrix

    def errors(self, poses: Array, measured: Array) -> Array:
        """Distances of markers from measured ones, frames x markers."""
        misses = self.places(self.bare.at(("site_xpos",), qpos=poses)) - measured
        return _np.asarray(_np.sqrt(_np.einsum("kfm,kfm->fm", misses, misses)))


def _give_masses(body: _Any, places: Array, weights: Array) -> None:
    """Makes a body one of point masses at places in its frame."""
    total = weights.sum()
    centre = weights @ places / total if total > 0 else _np.zeros(3)
    arms = places - centre
    moments = _np.einsum("m,mi,mj->ij", weights, arms, arms)
    inertia = (_np.trace(moments) + _LEAST_MASS) * _np.eye(3) - moments
    body.explicitinertial = 1
    body.inertia = (0, 0, 0)
    body.mass = max(total, _LEAST_MASS)
    body.ipos = centre
    body.iquat = (1, 0, 0, 0)
    body.fullinertia = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


@_dataclasses.dataclass
class _Problem:
    """What a set of frames minimizes."""

    frames: _Frames
    couplings: Couplings
    measured: Array  # 3 x frames x markers, in the model's world
    wanted: Array  # frames x coordinates
    wanted_weights: Array
    low: Array
    high: Array

    @property
    def markers_alone(self) -> bool:
        """Whether there are no bounds, no wanted coordinates, and none that follow others."""
        every = len(self.couplings.free) == len(self.low)
        return every and not self.wanted_weights.any() and bool(_np.isinf(self.low).all() and _np.isinf(self.high).all())

    def of(self, rows: _Any) -> "_Problem":
        """The problem of some of the frames."""
        return _dataclasses.replace(self, measured=self.measured[:, rows], wanted=self.wanted[rows])

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
        _np.clip(trial, self.low, self.high, out=trial)
        self.couplings.follow(trial)
        return trial


def _step(problem: _Problem, poses: Array, pull: Array, matrix: Array, damping: Array) -> Array:
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


def _descend(problem: _Problem, poses: Array, accuracy: float, limit: int) -> tuple[Array, Array, _Any, int]:
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


def _from(problem: _Problem, poses: Array, accuracy: float, limit: int) -> tuple[Array, _Optional[Array], Array, _Any, int]:
    """As `_descend`: by springs where nothing but markers counts, and where frames come to no end so, as there. The errors of markers are
    second, where they are known."""
    if not problem.markers_alone:
        found, cost, good, steps = _descend(problem, poses, accuracy, limit)
        return found, None, cost, good, steps
    springs = problem.frames.springs
    found, errors, good, steps = springs.settle(poses, problem.measured.transpose(1, 2, 0), accuracy, _NEAR_STEPS)
    cost = errors**2 @ springs.weights
    rows = _np.flatnonzero(~good)
    if len(rows) == 0:
        return found, errors, cost, good, steps
    found[rows], cost[rows], good[rows], more = _descend(problem.of(rows), poses[rows], accuracy, limit)
    return found, None, cost, good, steps + more


def _minimize(problem: _Problem, time: Array, start: Array, accuracy: float, limit: int) -> tuple[Array, Array, _Any, int]:
    """Poses of all frames, errors of markers, whether frames converged, and steps: some frames from a pose that is far, the others
    from a spline between them."""
    few = _np.unique(_np.r_[_np.arange(0, len(time), _STRIDE), len(time) - 1])
    coarse = problem.of(few)
    sparse, _, cost, _, steps = _from(coarse, _np.tile(start, (len(few), 1)), accuracy, limit)
    steps += _improve_by_neighbours(coarse, sparse, cost, accuracy, limit, _FAR_APART)
    between = problem.moved(Spline(time[few], sparse)(time), 0.0)
    poses, errors, cost, converged, more = _from(problem, between, accuracy, limit)
    improved = _improve_by_neighbours(problem, poses, cost, accuracy, limit, _FAR)
    if errors is None or improved:
        errors = problem.frames.errors(poses, problem.measured)
    return poses, errors, converged, steps + more + improved


def _improve_by_neighbours(problem: _Problem, poses: Array, cost: Array, accuracy: float, limit: int, far: float) -> int:
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


def _weights(subject: Subject, markers: Markers, weights: _Optional[_Mapping[str, float]]) -> dict[str, float]:
    """Weights of those markers that are measured and that the model has."""
    if weights is None:
        weights = {label: 1.0 for label in markers.labels if label in subject.sites}
    for label, weight in weights.items():
        if not weight >= 0 or not _np.isfinite(weight):
            raise ValueError(f"the weight of '{label}' is {weight}; it must be a number that is not negative")
    used = {label: w for label, w in weights.items() if w > 0 and label in subject.sites and label in markers.labels}
    if not used:
        raise ValueError("no marker with a weight is in the model and in the measurement: compare their names")
    return used


def _bounds(subject: Subject, limits: bool) -> tuple[Array, Array]:
    low, high = subject.bare.model.jnt_range.T.copy()
    unlimited = ~(low < high) if limits else _np.ones(len(low), bool)
    low[unlimited], high[unlimited] = -_np.inf, _np.inf
    return low, high


def inverse_kinematics(
    subject: Subject,
    markers: Markers,
    weights: _Optional[_Mapping[str, float]] = None,
    coordinates: _Optional[_Mapping[str, tuple[float, float]]] = None,
    observed: _Optional[Table] = None,
    limits: bool = False,
    accuracy: float = 1e-5,
    max_steps: int = 100,
) -> Kinematics:
    """Coordinates that bring a model's markers (its sites) nearest to measured ones, in all frames at once.

    `markers`: places in ground; a marker that is NaN in a frame does not count there. `weights`: of markers by name,
    without it 1 for all; those that the model or the measurement has not are left out. `coordinates`: wanted values by
    name, as (value in rad or m, weight in m^2 per rad^2 or per m^2); with `observed`, a table over time, its columns give
    values and the mapping only weights. `limits` keeps coordinates in the ranges of the model. A frame has converged when
    a step moves no coordinate by more than `accuracy`, in rad and m.

    Raises ValueError: no common markers, balls or free joints, a weight below zero, a frame without markers.

    Lu and O'Connor, J. Biomech. 32, 1999 (global optimization); Levenberg, Quart. Appl. Math. 2, 1944.
    """
    used = _weights(subject, markers, weights)
    names = list(used)
    places = _np.stack([markers[name] for name in names], axis=1)
    seen = ~_np.isnan(places).any(axis=2)
    if not seen.any(axis=1).all():
        raise ValueError(f"no marker is seen at t = {markers.time[_np.argmin(seen.any(axis=1))]:g} s")
    measured, couplings = subject.to_world(places), couplings_of(subject)
    low, high = _bounds(subject, limits)
    wanted, wanted_weights = _wanted(subject, markers, coordinates, observed)
    start = _np.clip(subject.default, low, high)[None]
    couplings.follow(start)
    start, poses = start[0], _np.empty((len(markers), len(low)))
    errors, converged = _np.full(seen.shape, _np.nan), _np.zeros(len(poses), bool)
    steps = 0
    patterns = seen[:1] if seen.all() else _np.unique(seen, axis=0)
    for pattern in sorted(patterns, key=lambda pattern: -int(pattern.sum())):  # the frames that see most first
        rows, chosen = _np.flatnonzero((seen == pattern).all(axis=1)), _np.flatnonzero(pattern)
        frames = _frames(subject, [names[i] for i in chosen], _np.array([used[names[i]] for i in chosen]))
        seen_there = _np.ascontiguousarray(measured[_np.ix_(rows, chosen)].transpose(2, 0, 1))
        problem = _Problem(frames, couplings, seen_there, wanted[rows], wanted_weights, low, high)
        poses[rows], errors[_np.ix_(rows, chosen)], converged[rows], more = _minimize(problem, markers.time[rows], start, accuracy, max_steps)
        steps += more
        start = poses[rows[0]]
    return Kinematics(subject.table(markers.time, poses), poses, errors, names, steps, converged)


def _frames(subject: Subject, names: list[str], weights: Array) -> _Frames:
    """The model with these weights, from the last call where it was the same."""
    key = tuple(zip(names, weights.tolist()))
    if key not in subject.weighted:
        if len(subject.weighted) > 64:
            subject.weighted.clear()
        subject.weighted[key] = _Frames(subject, names, weights)
    return subject.weighted[key]


def _wanted(
    subject: Subject, markers: Markers, coordinates: _Optional[_Mapping[str, tuple[float, float]]], observed: _Optional[Table]
) -> tuple[Array, Array]:
    """Wanted coordinates, frames x coordinates, and weights of coordinates."""
    wanted, weights = _np.zeros((len(markers), len(subject.coordinates))), _np.zeros(len(subject.coordinates))
    seen = _dataclasses.replace(observed, time=markers.time, data=observed.at(markers.time)) if observed else None
    values = subject.poses(seen) if seen else None
    for name, (value, weight) in (coordinates or {}).items():
        place = subject.number(name)
        weights[place] = weight
        wanted[:, place] = values[:, place] if values is not None and name in observed.labels else value
    if not (weights >= 0).all():
        raise ValueError("a weight of a coordinate is negative, or no number")
    return wanted, weights
