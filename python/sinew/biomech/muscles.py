"""Static optimization: the muscle forces that make given moments with the least sum of squared activations."""

import dataclasses as _dataclasses
import xml.etree.ElementTree as _tree
from typing import Any as _Any
from typing import Iterable as _Iterable
from typing import Mapping as _Mapping
from typing import Optional as _Optional
from typing import Union as _Union

import numpy as _np

import sinew as _sinew
from sinew.biomech.bare import Bare
from sinew.biomech.dynamics import ExternalLoad, Motion, generalized_forces, motion, wrenches
from sinew.biomech.subject import Subject
from sinew.biomech.tables import Array, Table

_STEPS = 200


@_dataclasses.dataclass
class Capacity:
    """What the actuators of a model can do in each frame, with tendons that do not stretch.

    `names`: of actuators. `active`: frames x actuators, the pull at full activation beyond `passive`, the one at none, in N
    (of motors: N or N m). `arms`: frames x actuators x coordinates, the moment of a unit of pull, in m (or 1). `low`, `high`:
    bounds of activations, those of controls in the model; of muscles without, 0 and 1. `muscles`: which of the actuators are muscles.
    """

    names: list[str]
    active: Array
    passive: Array
    arms: Array
    low: Array
    high: Array
    muscles: _Any


@_dataclasses.dataclass
class StaticOptimization:
    """Activations and forces of all frames.

    `activations`: frames x actuators. `forces`: the same, in N, pulls of tendons with their passive part; `reserves`: frames x
    coordinates, moments of reserve actuators in N m and N. `moments`: those wanted, frames x coordinates; `coordinates`: names of those
    that were balanced. `residual`: frames, the largest moment that is not balanced. `multipliers`: frames x coordinates,
    prices of moments: an activation between its bounds is their product with what it does. `converged`: frames.
    """

    activations: Table
    forces: Table
    reserves: Table
    moments: Table
    coordinates: list[str]
    capacity: Capacity
    multipliers: Array
    residual: Array
    converged: _Any


def rigid_tree(subject: Subject) -> _tree.Element:
    """The model with its muscles as MJCF: their tendons do not stretch, and there are no shapes that nothing wraps around."""
    root = _tree.fromstring(subject.spec.to_xml())
    for muscle in root.findall("actuator/musculotendon"):
        muscle.set("compliance", "rigid")
    wrapped = {geom.get("geom") for geom in root.iterfind("tendon/spatial/geom")}
    for parent in list(root.iter()):
        for child in list(parent):
            seen_only = child.tag == "geom" and parent.tag in ("body", "worldbody") and child.get("name") not in wrapped
            if seen_only or (parent is root and child.tag in ("asset", "keyframe", "sensor", "equality", "contact")):
                parent.remove(child)
    return root


def capacity(subject: Subject, moved: Motion) -> Capacity:
    """What actuators can do during a motion; `moved.accelerations` do not matter."""
    if subject.rigid is None:
        subject.rigid = Bare(_sinew.Spec.from_xml_string(_tree.tostring(rigid_tree(subject), encoding="unicode")))
    bare, model = subject.rigid, subject.rigid.model
    if model.nu == 0:
        raise ValueError("the model has no actuators")
    pulls = []
    for level in (0.5, 1.0):  # not at none, where a damped fibre would push, which a tendon does not
        act, ctrl = _np.zeros((len(moved.time), model.na)), _np.zeros((len(moved.time), model.nu))
        has_state = model.actuator_actnum > 0
        act[:, (model.actuator_actadr + model.actuator_actnum - 1)[has_state]] = level
        ctrl[:, ~has_state] = level
        fields = ("actuator_force", "actuator_moment", "moment_rownnz", "moment_rowadr", "moment_colind")
        outputs = bare.at(fields, qpos=moved.coordinates, qvel=moved.velocities, act=act, ctrl=ctrl)
        pulls.append(-outputs["actuator_force"])
    limited = model.actuator_ctrllimited.astype(bool)
    low = _np.where(limited, model.actuator_ctrlrange[:, 0], _np.where(has_state, 0.0, -_np.inf))
    high = _np.where(limited, model.actuator_ctrlrange[:, 1], _np.where(has_state, 1.0, _np.inf))
    names = [model.actuator(i).name for i in range(model.nu)]
    return Capacity(names, 2 * (pulls[1] - pulls[0]), 2 * pulls[0] - pulls[1], -dense_moments(model, outputs), low, high, has_state)


def dense_moments(model: "_sinew.Model", outputs: dict[str, Array]) -> Array:
    """Derivatives of the lengths of actuators by coordinates, frames x actuators x coordinates."""
    frames = len(outputs["moment_rownnz"])
    moments = _np.zeros((frames, model.nu, model.nv))
    for actuator in range(model.nu):
        for count in _np.unique(outputs["moment_rownnz"][:, actuator]):
            rows = _np.flatnonzero(outputs["moment_rownnz"][:, actuator] == count)
            entries = outputs["moment_rowadr"][rows, actuator, None] + _np.arange(count)
            columns = outputs["moment_colind"][rows[:, None], entries]
            moments[rows[:, None], actuator, columns] = outputs["actuator_moment"].reshape(frames, -1)[rows[:, None], entries]
    return moments


def least_squares_within(matrix: Array, right: Array, low: Array, high: Array, tolerance: float) -> tuple[Array, Array, Array]:
    """Of each frame: x with the least |x|^2 for which A x = b and low <= x <= high, multipliers y, and the largest |A x - b|.

    `matrix`: frames x m x n, `right`: frames x m, bounds: frames x n. The dual function is concave and has pieces of second degree: x(y) =
    A^T y, cut to the bounds, is best for its multipliers, and Newton's method on A x(y) = b with a line search ends after
    finitely many steps (Li and Swetits, SIAM J. Optim. 7, 1997). Where there is no such x, the residual stays.
    """
    transposed = matrix.transpose(0, 2, 1)
    prices = _np.zeros_like(right)
    scale = _np.einsum("fmn,fmn->f", matrix, matrix)[:, None, None] + 1e-300
    small = 1e-13 * scale * _np.eye(matrix.shape[1])

    def at(y: Array, rows: _Any) -> tuple[Array, Array, Array, Array]:
        wanted = (transposed[rows] @ y[..., None])[..., 0]
        x = _np.clip(wanted, low[rows], high[rows])
        dual = _np.einsum("fm,fm->f", right[rows], y) - _np.einsum("fn,fn->f", x, wanted - 0.5 * x)
        return x, right[rows] - (matrix[rows] @ x[..., None])[..., 0], dual, (wanted > low[rows]) & (wanted < high[rows])

    everything = _np.arange(len(right))
    x, missing, dual, free = at(prices, everything)
    for _ in range(_STEPS):
        rows = _np.flatnonzero(_np.abs(missing).max(axis=1, initial=0) > tolerance)
        if len(rows) == 0:
            break
        held = matrix[rows] * free[rows][:, None, :]
        step = _np.linalg.solve(held @ transposed[rows] + small[rows], missing[rows][..., None])[..., 0]
        slope = _np.einsum("fm,fm->f", step, missing[rows])
        size = _np.ones(len(rows))
        for _ in range(40):
            trial = prices[rows] + size[:, None] * step
            results = at(trial, rows)
            rose = results[2] >= dual[rows] + 1e-4 * size * slope - 1e-14 * _np.abs(dual[rows])
            if rose.all():
                break
            size = _np.where(rose, size, 0.5 * size)
        prices[rows], x[rows], missing[rows], dual[rows], free[rows] = trial, *results
    return x, prices, _np.abs(missing).max(axis=1, initial=0)


def _balanced(subject: Subject, chosen: _Optional[_Iterable[str]], can: Capacity) -> list[int]:
    """Numbers of the coordinates whose moments are balanced."""
    if chosen is not None:
        return [subject.number(name) for name in chosen]
    moved = [int(i) for i in _np.flatnonzero((can.arms != 0).any(axis=(0, 1)))]
    if not moved:
        raise ValueError("no actuator moves a coordinate")
    return moved


def _activation_bounds(can: Capacity, pull: Array) -> tuple[Array, Array]:
    """Bounds of activations, frames x actuators. Muscles whose damped fibres would push at their lowest activation are active until
    they do not."""
    low, high = (_np.tile(bound, (len(pull), 1)) for bound in (can.low, can.high))
    pushes = can.muscles & (can.active > 0) & (low * can.active + pull < 0)
    low[pushes] = _np.minimum(-pull[pushes] / can.active[pushes], high[pushes])
    return low, high


def static_optimization(
    subject: Subject,
    table: Table,
    loads: _Iterable[ExternalLoad] = (),
    cutoff: _Optional[float] = None,
    coordinates: _Optional[_Iterable[str]] = None,
    reserves: _Union[float, _Mapping[str, float]] = 0.0,
    passive: bool = True,
    tolerance: float = 1e-6,
) -> StaticOptimization:
    """Activations with the least sum of squares that make the moments of a motion, in all frames at once.

    In each frame:  minimize  sum a_i^2 + sum (r_k / s_k)^2  where  moments = R (a * active + passive) + r,  low <= a <= high,  with
    moments of `inverse_dynamics` (`table`, `loads`, `cutoff` as there), pulls at the frame's lengths and velocities with
    tendons that do not stretch (`Capacity`), and reserve moments r.

    `coordinates`: those whose moments are balanced; without it those that an actuator moves. `reserves`: the sizes s of reserve
    actuators in N m and N, one for all balanced coordinates or by name; 0: none. Small ones are expensive. `passive`: whether
    passive fibres pull; OpenSim's tool leaves them out. `tolerance`: of moments, in N m and N.

    Frames without a solution (moments beyond what muscles can do) have `converged` False, and their `residual` is what is missing.

    Crowninshield and Brand, J. Biomech. 14, 1981; Anderson and Pandy, J. Biomech. 34, 2001.
    """
    moved = motion(subject, table, cutoff)
    wanted = generalized_forces(subject, moved, wrenches(subject, moved.time, moved.coordinates, loads))
    can = capacity(subject, moved)
    rows = _balanced(subject, coordinates, can)
    names = [subject.coordinates[row] for row in rows]
    sizes = _reserve_sizes(subject, names, reserves)
    arms = can.arms[:, :, rows]
    pull = can.passive if passive else _np.zeros_like(can.passive)
    missing = wanted[:, rows] - _np.einsum("fa,fac->fc", pull, arms)
    used = _np.flatnonzero(sizes > 0)
    added = _np.tile(_np.diag(sizes)[:, used], (len(wanted), 1, 1))
    matrix = _np.concatenate([(can.active[..., None] * arms).transpose(0, 2, 1), added], axis=2)
    unbounded = _np.full((len(wanted), len(used)), _np.inf)
    low, high = _activation_bounds(can, pull)
    low, high = _np.concatenate([low, -unbounded], axis=1), _np.concatenate([high, unbounded], axis=1)
    x, prices, residual = least_squares_within(matrix, missing, low, high, tolerance)
    count = len(can.names)
    given = _np.zeros((len(wanted), len(names)))
    given[:, used] = sizes[used] * x[:, count:]
    time, activations = moved.time, x[:, :count]
    return StaticOptimization(
        Table(time, can.names, activations, "Static Optimization: activations"),
        Table(time, can.names, activations * can.active + pull, "Static Optimization: forces"),
        Table(time, names, given, "Static Optimization: reserves"),
        Table(time, list(subject.coordinates), wanted, "Inverse Dynamics Generalized Forces"),
        names, can, prices, residual, residual <= tolerance,
    )  # fmt: skip


def _reserve_sizes(subject: Subject, names: list[str], reserves: _Union[float, _Mapping[str, float]]) -> Array:
    if isinstance(reserves, (int, float)):
        reserves = {name: float(reserves) for name in names}
    for name, size in reserves.items():
        subject.number(name)
        if name not in names:
            raise ValueError(f"a reserve is given for '{name}', which is not balanced: name it in `coordinates`")
        if not size >= 0 or not _np.isfinite(size):
            raise ValueError(f"the reserve of '{name}' is {size}; it must be a number that is not negative")
    return _np.array([reserves.get(name, 0.0) for name in names])
