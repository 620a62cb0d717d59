"""Inverse dynamics: generalized forces that a motion needs, with external loads such as those of force plates."""

import dataclasses as _dataclasses
from typing import Iterable as _Iterable
from typing import Optional as _Optional

import numpy as _np

import sinew as _sinew
from sinew.biomech.bare import cross, mass_matrices
from sinew.biomech.signals import Spline, padded_low_pass
from sinew.biomech.subject import Subject
from sinew.biomech.tables import Array, Table


@_dataclasses.dataclass
class ExternalLoad:
    """A force and a torque that act on a body over time.

    `time`: n, in s. `force`: n x 3, in N. `point`: n x 3, where it acts, in m; None: at the body's origin. `torque`: n x 3, free, in N m.
    `force_in` and `point_in`: the body in whose frame force and torque, and the point, are expressed, or "ground". Between
    times, loads are on straight lines; before and behind them there are none.
    """

    body: str
    time: Array
    force: Array
    point: _Optional[Array] = None
    torque: _Optional[Array] = None
    force_in: str = "ground"
    point_in: str = "ground"
    name: str = "load"

    def __post_init__(self) -> None:
        self.time = _np.asarray(self.time, float)
        for part in ("force", "point", "torque"):
            values = getattr(self, part)
            if values is None:
                continue
            values = _np.asarray(values, float)
            if values.shape != (len(self.time), 3):
                raise ValueError(f"{part} of '{self.name}' has the shape {values.shape}; it takes {(len(self.time), 3)}")
            setattr(self, part, values)

    def at(self, part: str, times: Array) -> Array:
        """Force, point or torque at times; zero where there is none."""
        values = getattr(self, part)
        if values is None:
            return _np.zeros((len(times), 3))
        outside = None if part == "point" else 0.0
        return _np.stack([_np.interp(times, self.time, v, left=outside, right=outside) for v in values.T], axis=1)


@_dataclasses.dataclass
class Motion:
    """A motion with two derivatives: `time` (frames, in s), and `coordinates`, `velocities`, `accelerations`, frames x
    coordinates in rad, m and their rates."""

    time: Array
    coordinates: Array
    velocities: Array
    accelerations: Array


def motion(subject: Subject, table: Table, cutoff: _Optional[float] = None) -> Motion:
    """Coordinates of a table and their derivatives, by a spline of fifth degree through its frames. `cutoff` (Hz): coordinates go
    through `low_pass` before; frames that are not equally spaced are then replaced by as many that are."""
    time, poses = table.time, subject.poses(table)
    if not _np.isfinite(poses).all():
        frame, column = _np.argwhere(~_np.isfinite(poses))[0]
        raise ValueError(f"'{subject.coordinates[column]}' is no number at t = {time[frame]:g} s")
    inside = slice(None)
    if cutoff is not None:
        even = _np.linspace(time[0], time[-1], len(time))
        if _np.abs(even - time).max() > 0.02 * (even[1] - even[0]):
            time, poses = even, Spline(time, poses)(even)
        time, poses, inside = padded_low_pass(time, poses, cutoff)
    spline = Spline(time, poses)
    return Motion(time[inside], poses[inside], spline.slopes[inside], spline.curvatures[inside])


@_dataclasses.dataclass
class Wrenches:
    """External loads on bodies in axes of the model's world: `bodies` (numbers), and `force`, `point`, `torque`,
    loads x frames x 3."""

    bodies: _np.typing.NDArray[_np.int64]
    force: Array
    point: Array
    torque: Array


def wrenches(subject: Subject, time: Array, coordinates: Array, loads: _Iterable[ExternalLoad]) -> Wrenches:
    """External loads at the frames of a motion."""
    loads, model = list(loads), subject.bare.model
    places = subject.bare.at(("xpos", "xmat"), qpos=coordinates) if loads else {}

    def body(load: ExternalLoad, name: str) -> int:
        number = model.find(int(_sinew.mjtObj.mjOBJ_BODY), name)
        if number < 0:
            raise ValueError(f"external load '{load.name}': the model has no body '{name}'")
        return int(number)

    def turned(load: ExternalLoad, vectors: Array, name: str) -> Array:
        if name == "ground":
            return subject.to_world(vectors)
        axes = places["xmat"][:, body(load, name)].reshape(-1, 3, 3)
        return _np.asarray((axes @ vectors[..., None])[..., 0])

    bodies, parts = [], []
    for load in loads:
        bodies.append(body(load, load.body))
        force, torque = (turned(load, load.at(part, time), load.force_in) for part in ("force", "torque"))
        if load.point is None:
            point = places["xpos"][:, bodies[-1]].copy()
        else:
            point = turned(load, load.at("point", time), load.point_in)
            if load.point_in != "ground":
                point += places["xpos"][:, body(load, load.point_in)]
        parts.append((force, point, torque))
    stacked = _np.array(parts).reshape(len(parts), 3, len(time), 3)
    return Wrenches(_np.array(bodies, _np.int64), stacked[:, 0], stacked[:, 1], stacked[:, 2])


def generalized_forces(subject: Subject, moved: Motion, loads: Wrenches) -> Array:
    """The forces along coordinates, frames x coordinates in N m and N, that make the motion under gravity, springs and dampers of joints,
    and the loads."""
    fields = ("M", "qfrc_bias", "qfrc_passive", "cdof", "subtree_com")
    outputs = subject.bare.at(fields, qpos=moved.coordinates, qvel=moved.velocities)
    model = subject.bare.model
    inertia = mass_matrices(model, outputs["M"])
    forces = (inertia @ moved.accelerations[..., None])[..., 0] + outputs["qfrc_bias"] - outputs["qfrc_passive"]
    for body, force, point, torque in zip(loads.bodies, loads.force, loads.point, loads.torque):
        moment = torque + cross(point - outputs["subtree_com"][:, model.body_rootid[body]], force)
        along = _np.einsum("fvk,fk->fv", outputs["cdof"], _np.concatenate([moment, force], axis=1))
        forces -= _np.where(subject.bare.moved_by[body], along, 0)
    return _np.asarray(forces)


def inverse_dynamics(
    subject: Subject, table: Table, loads: _Iterable[ExternalLoad] = (), cutoff: _Optional[float] = None
) -> Table:
    """Generalized forces of a motion: a table with a column for each coordinate, in N m (`hip_moment`) and N (`pelvis_tx_force`).

    `table`: coordinates over time, as inverse kinematics gives them. `loads`: forces from outside, such as those of force
    plates (`read_external_loads`). `cutoff`: the low-pass filter of coordinates, in Hz (`motion`, `low_pass`). Muscles, limits of
    joints and couplings of coordinates do not act: what they would have to do is part of the result.

    Raises ValueError: a body that does not exist, coordinates that are no numbers, too few frames to filter.

    Featherstone, Rigid Body Dynamics Algorithms, 2008.
    """
    moved = motion(subject, table, cutoff)
    forces = generalized_forces(subject, moved, wrenches(subject, moved.time, moved.coordinates, loads))
    labels = [name + ("_moment" if turns else "_force") for name, turns in zip(subject.coordinates, subject.rotational)]
    return Table(moved.time, labels, forces, "Inverse Dynamics Generalized Forces")
