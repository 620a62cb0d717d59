"""Inverse kinematics: coordinates from measured markers, all frames at once.

A frame minimizes  Σ wᵢ |xᵢ(q) - yᵢ|² + Σ wₖ (qₖ - cₖ)²  by Levenberg's method. Its matrix Σ wᵢ Jᵢᵀ Jᵢ is the inertia matrix of
a model whose bodies have the weights of their markers as point masses, and is computed as such, for all frames in a batch.
"""

import dataclasses as _dataclasses
from typing import Any as _Any
from typing import Mapping as _Mapping
from typing import Optional as _Optional

import numpy as _np

from sinew.biomech.couplings import couplings_of
from sinew.biomech.descent import Problem, minimize
from sinew.biomech.markers import Markers
from sinew.biomech.subject import Subject
from sinew.biomech.tables import Array, Table
from sinew.biomech.weighted import weighted

_TOGETHER = 1024  # frames: enough for all threads, and what they take is some megabytes


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
    places = markers.data[:, [markers.labels.index(name) for name in names]]
    seen = _np.asarray(~_np.isnan(places).any(axis=2))
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
        those, chosen = _np.flatnonzero((seen == pattern).all(axis=1)), _np.flatnonzero(pattern)
        frames = weighted(subject, [names[i] for i in chosen], _np.array([used[names[i]] for i in chosen]))
        for rows in _np.array_split(those, -(-len(those) // _TOGETHER)):
            problem = Problem(frames, couplings, measured[_np.ix_(rows, chosen)], wanted[rows], wanted_weights, low, high)
            found = minimize(problem, start, accuracy, max_steps)
            poses[rows], errors[_np.ix_(rows, chosen)], converged[rows] = found[:3]
            steps, start = steps + found[3], poses[rows[-1]]
    return Kinematics(subject.table(markers.time, poses), poses, errors, names, steps, converged)


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
        wanted[:, place] = values[:, place] if values is not None and seen is not None and name in seen.labels else value
    if not (weights >= 0).all():
        raise ValueError("a weight of a coordinate is negative, or no number")
    return wanted, weights
