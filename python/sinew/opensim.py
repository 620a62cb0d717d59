"""Models of OpenSim: how near a converted model is to what OpenSim makes of the same file.

    python -m sinew.opensim gait2392.osim --report gait2392.json --output gait2392.xml

compares lengths of muscles, their moment arms, tendon forces at rest, the mass and the inertia matrix over a grid of
poses. It needs OpenSim's own package (`pip install opensim`); `sinew convert` and `Model.from_osim` do not.
"""

import argparse as _argparse
import dataclasses as _dataclasses
import importlib as _importlib
import json as _json
import pathlib as _pathlib
from typing import Any as _Any
from typing import Optional as _Optional
from typing import Union as _Union

import numpy as _np

import sinew as _sinew

# Moment arms [m] that differ by more are looked at twice: where points move with a coordinate and others are coupled,
# OpenSim's own differ from the derivatives of its lengths.
_CLOSE = 1e-6

_PathLike = _Union[str, _pathlib.Path]


@_dataclasses.dataclass
class Difference:
    """The largest difference of a quantity, and where it is: the element, and the coordinates of the pose."""

    quantity: str
    unit: str
    worst: float = 0.0
    element: str = ""
    pose: dict[str, float] = _dataclasses.field(default_factory=dict)
    by_element: dict[str, float] = _dataclasses.field(default_factory=dict)

    def add(self, element: str, difference: float, pose: dict[str, float]) -> None:
        """Keeps a difference if it is the largest of its element, or of all."""
        size = abs(float(difference)) if _np.isfinite(difference) else float("inf")
        self.by_element[element] = max(size, self.by_element.get(element, 0.0))
        if size > self.worst:
            self.worst, self.element, self.pose = size, element, dict(pose)


@_dataclasses.dataclass
class Report:
    """Differences between a model and OpenSim's, over so many poses."""

    model: str
    poses: int
    length: Difference
    moment_arm: Difference
    tendon_force: Difference
    mass: Difference
    inertia: Difference

    def differences(self) -> list[Difference]:
        return [self.length, self.moment_arm, self.tendon_force, self.mass, self.inertia]

    def __str__(self) -> str:
        lines = [f"{self.model}: {self.poses} poses"]
        for d in self.differences():
            lines.append(f"  {d.quantity:<24} {d.worst:10.2e} {d.unit:<12} {d.element}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, _Any]:
        return _dataclasses.asdict(self)


def _opensim() -> _Any:
    try:
        opensim = _importlib.import_module("opensim")
    except ImportError as error:
        raise ImportError("OpenSim is not installed: pip install opensim") from error
    opensim.Logger.setLevelString("Error")
    return opensim


class _Reference:
    """A model in OpenSim."""

    def __init__(self, path: _PathLike) -> None:
        self.opensim = _opensim()
        self.model = self.opensim.Model(str(path))
        self.state = self.model.initSystem()
        coordinates = self.model.getCoordinateSet()
        self.coordinates = {coordinates.get(i).getName(): coordinates.get(i) for i in range(coordinates.getSize())}
        self.dofs = {name: self._dof(coordinate) for name, coordinate in self.coordinates.items()}
        self.couplings = dict(self._couplings())
        muscles = self.model.getMuscles()
        self.muscles = [muscles.get(i) for i in range(muscles.getSize())]

    def _dof(self, coordinate: _Any) -> int:
        """The place of a coordinate's speed among those of the state."""
        state = self.opensim.State(self.state)
        state.updU().setToZero()
        coordinate.setSpeedValue(state, 1.0)
        speeds = state.getU()
        return int(_np.argmax([abs(speeds.get(i)) for i in range(speeds.size())]))

    def _couplings(self) -> _Any:
        """Of each coordinate that follows another: the name of that, and the function."""
        constraints = self.model.getConstraintSet()
        for i in range(constraints.getSize()):
            coupler = self.opensim.CoordinateCouplerConstraint.safeDownCast(constraints.get(i))
            if coupler:
                function = coupler.getFunction()
                factor = float(coupler.getPropertyByName("scale_factor").toString())
                other = coupler.getIndependentCoordinateNames().get(0)
                yield coupler.getDependentCoordinateName(), (other, self._multiple(function, factor))

    def _multiple(self, function: _Any, factor: float) -> _Any:
        return lambda q: factor * function.calcValue(self.opensim.Vector(1, q))

    def set_pose(self, pose: dict[str, float]) -> dict[str, float]:
        """Sets coordinates, and returns all of them as they are then: coupled ones follow."""
        for name, value in pose.items():
            coordinate = self.coordinates[name]
            if not coordinate.getLocked(self.state) and not coordinate.isDependent(self.state):
                coordinate.setValue(self.state, value, False)
        self.model.assemble(self.state)
        for name in self.coordinates:
            self.coordinates[name].setSpeedValue(self.state, 0.0)
        self.model.realizePosition(self.state)
        return {name: c.getValue(self.state) for name, c in self.coordinates.items()}

    def tendon_forces(self, activation: float) -> list[float]:
        """Forces of muscles whose fibres rest, at an activation; NaN where OpenSim finds no rest."""
        for muscle in self.muscles:
            muscle.setActivation(self.state, activation)
        forces = []
        self.model.realizeVelocity(self.state)
        for muscle in self.muscles:
            try:
                muscle.computeEquilibrium(self.state)
                self.model.realizeDynamics(self.state)
                forces.append(muscle.getTendonForce(self.state))
            except RuntimeError:
                forces.append(float("nan"))
        return forces

    def arm_by_lengths(self, muscle: _Any, name: str, pose: dict[str, float]) -> float:
        """The moment arm as the derivative of the length, by central differences; the pose is as before afterwards."""
        step = 5e-5  # constraints are closed to some 1e-11: that of lengths, over the step, is 1e-6 of an arm
        lengths = []
        for value in (pose[name] + step, pose[name] - step):
            self.set_pose({**pose, name: value})
            lengths.append(muscle.getLength(self.state))
        self.set_pose(pose)
        return (lengths[1] - lengths[0]) / (2 * step)

    def inertia_matrix(self) -> _Any:
        matrix = self.opensim.Matrix()
        self.model.getMatterSubsystem().calcM(self.state, matrix)
        n = matrix.nrow()
        return _np.array([[matrix.get(i, j) for j in range(n)] for i in range(n)])


class _Ours:
    """The same model here."""

    def __init__(self, path: _PathLike) -> None:
        self.model = _sinew.Model.from_osim(path)
        self.data = _sinew.Data(self.model)

    def joints(self) -> list[str]:
        """Names of hinges and slides, whose coordinates are those of the file."""
        return [self.model.joint(i).name for i in range(self.model.njnt) if self.model.joint(i).type >= 2]

    def qpos(self, name: str) -> int:
        return int(self.model.joint(name).qposadr)

    def dof(self, name: str) -> int:
        return int(self.model.joint(name).dofadr)

    def set_pose(self, pose: dict[str, float]) -> None:
        self.data.qpos[:] = self.model.key_qpos[0] if self.model.nkey else self.model.qpos0
        self.data.qvel[:] = 0
        for name in self.joints():
            self.data.qpos[self.qpos(name)] = pose[name]

    def forward(self, activation: float) -> None:
        """All that follows from the pose; a fibre length of zero stands for rest."""
        for i in range(self.model.nu):
            count, first = int(self.model.actuator_actnum[i]), int(self.model.actuator_actadr[i])
            if count > 0:
                self.data.act[first : first + count] = 0
                self.data.act[first + count - 1] = activation
        self.data.forward()

    def moments(self, actuator: int) -> _Any:
        """Derivatives of an actuator's length by the velocities."""
        row = _np.zeros(self.model.nv)
        first, count = int(self.data.moment_rowadr[actuator]), int(self.data.moment_rownnz[actuator])
        places = slice(first, first + count)
        row[self.data.moment_colind[places]] = self.data.actuator_moment[places]
        return row


def _grid(
    reference: _Reference, joints: list[str], points: int, random: int, seed: int
) -> list[tuple[dict[str, float], list[str]]]:
    """Poses: each coordinate through its range with the others at their default values, then random ones. Ranges that
    are wider than a turn or a metre are cut around the default value; ends are left out by a ten thousandth, since moment
    arms jump there: OpenSim's moving points stop where the range of their coordinate ends. With each pose the coordinates
    about which moment arms are looked at in it."""
    rng = _np.random.default_rng(seed)
    default, bounds = {}, {}
    for name in joints:
        coordinate = reference.coordinates[name]
        default[name] = coordinate.getDefaultValue()
        low, high = coordinate.getRangeMin(), coordinate.getRangeMax()
        if not low < high or high - low > 2 * _np.pi:
            low, high = default[name] - 0.5, default[name] + 0.5
        inset = 1e-4 * (high - low)  # more than the step of difference quotients
        bounds[name] = (low + inset, high - inset)
    poses = [(dict(default), joints)]
    for name, (low, high) in bounds.items():
        poses += [({**default, name: value}, [name]) for value in _np.linspace(low, high, points)]
    poses += [({name: rng.uniform(*bounds[name]) for name in joints}, joints) for _ in range(random)]
    return poses


def compare(
    path: _PathLike, points: int = 5, random: int = 20, activation: float = 0.5, seed: int = 0,
    muscles: _Optional[list[str]] = None,
) -> Report:
    """Compares a model with OpenSim's over a grid of poses: `points` values of each coordinate, and `random` poses."""
    reference, ours = _Reference(path), _Ours(path)
    joints = [name for name in ours.joints() if name in reference.coordinates]
    report = Report(
        str(path), 0, Difference("length", "m"), Difference("moment arm", "m"),
        Difference("tendon force", "of peak"), Difference("mass", "kg"), Difference("inertia matrix", "of largest"),
    )  # fmt: skip
    total = float(_np.sum(ours.model.body_mass))
    report.mass.add("model", total - reference.model.getTotalMass(reference.state), {})
    actuators = {ours.model.actuator(i).name: i for i in range(ours.model.nu)}
    for wanted, about in _grid(reference, joints, points, random, seed):
        pose = reference.set_pose(wanted)
        ours.set_pose(pose)
        ours.forward(activation)
        report.poses += 1
        _compare_inertia(report, reference, ours, joints, pose)
        _compare_muscles(report, reference, ours, joints, about, actuators, pose, activation, muscles)
    return report


def _compare_inertia(
    report: Report, reference: _Reference, ours: _Ours, joints: list[str], pose: dict[str, float]
) -> None:
    if not joints:
        return
    rows = [reference.dofs[name] for name in joints]
    dofs = [ours.dof(name) for name in joints]
    theirs = reference.inertia_matrix()[_np.ix_(rows, rows)]
    difference = ours.data.mass_matrix()[_np.ix_(dofs, dofs)] - theirs
    worst = _np.unravel_index(_np.argmax(_np.abs(difference)), difference.shape)
    element = joints[worst[0]] + ", " + joints[worst[1]]
    report.inertia.add(element, difference[worst] / _np.abs(theirs).max(), pose)


def _compare_muscles(
    report: Report, reference: _Reference, ours: _Ours, joints: list[str], about: list[str],
    actuators: dict[str, int], pose: dict[str, float], activation: float, only: _Optional[list[str]],
) -> None:
    forces = reference.tendon_forces(activation)
    for muscle, force in zip(reference.muscles, forces):
        name = muscle.getName()
        if name not in actuators or (only is not None and name not in only):
            continue
        i = actuators[name]
        report.length.add(name, ours.data.actuator_length[i] - muscle.getLength(reference.state), pose)
        moments = ours.moments(i)
        for joint in about:
            coordinate = reference.coordinates[joint]
            if coordinate.isDependent(reference.state):
                continue
            mine = -(moments @ _coupled(reference, ours, joint, joints))
            difference = mine - muscle.computeMomentArm(reference.state, coordinate)
            if abs(difference) > _CLOSE:
                arm = reference.arm_by_lengths(muscle, joint, pose)
                difference = min(difference, mine - arm, key=abs)
            if mine != 0 or difference != 0:
                report.moment_arm.add(f"{name} about {joint}", difference, pose)
        if _np.isfinite(force):
            difference = (-ours.data.actuator_force[i] - force) / muscle.getMaxIsometricForce()
            report.tendon_force.add(name, difference, pose)


def _coupled(reference: _Reference, ours: _Ours, joint: str, joints: list[str]) -> _Any:
    """Velocities of all coordinates for a unit rate of one: coupled ones follow by central differences."""
    rates = _np.zeros(ours.model.nv)
    rates[ours.dof(joint)] = 1
    step = 1e-5
    for name in joints:
        coupling = reference.couplings.get(name)
        if coupling and coupling[0] == joint:
            value = reference.coordinates[joint].getValue(reference.state)
            rates[ours.dof(name)] = (coupling[1](value + step) - coupling[1](value - step)) / (2 * step)
    return rates


def main() -> None:
    parser = _argparse.ArgumentParser(prog="python -m sinew.opensim", description=__doc__.splitlines()[0])
    parser.add_argument("model", help="a model of OpenSim (.osim)")
    parser.add_argument("--output", help="also write the converted model, as .xml or .mjb")
    parser.add_argument("--report", help="also write the differences, as .json")
    parser.add_argument("--points", type=int, default=5, help="values of each coordinate")
    parser.add_argument("--random", type=int, default=20, help="random poses")
    options = parser.parse_args()
    report = compare(options.model, options.points, options.random)
    print(report)
    if options.report:
        _pathlib.Path(options.report).write_text(_json.dumps(report.as_dict(), indent=1))
    if options.output:
        _pathlib.Path(options.output).write_text(_sinew.Spec.from_xml_path(options.model).to_xml())


if __name__ == "__main__":
    main()
