"""What tests ask OpenSim for beyond the error report: how its muscles run around cylinders, motions, accelerations, and
what its muscles cost.

A path of OpenSim says which obstacles it touches, and where. The shortest way around a cylinder on the side where it
runs is a helix between two straight pieces, tangent to both: seen along the axis, tangents and an arc of the angle
that is left of the turn from end to end; along the axis it rises evenly with that plane length.
"""

import dataclasses
import math

import numpy as np
import opensim
import sinew

WIDEST = 2 * math.pi  # ranges of coordinates that are wider are cut


def vector(v):
    return np.array([v.get(i) for i in range(3)])


def pose_of(transform):
    R = np.array([[transform.R().get(i, j) for j in range(3)] for i in range(3)])
    return R, vector(transform.p())


def helix(radius, start, end, arrival):
    """Length of the shortest path from start to end around a cylinder about z, on the side of a point of arrival."""
    to_arrival = arrival - start
    sense = math.copysign(1, start[0] * to_arrival[1] - start[1] * to_arrival[0])
    turn = math.atan2(start[0] * end[1] - start[1] * end[0], start[0] * end[0] + start[1] * end[1])
    d0, d1 = math.hypot(*start[:2]), math.hypot(*end[:2])
    arc = (sense * turn) % (2 * math.pi) - math.acos(radius / d0) - math.acos(radius / d1)
    plane = math.sqrt(d0**2 - radius**2) + math.sqrt(d1**2 - radius**2) + radius * arc
    return math.hypot(plane, end[2] - start[2])


class Path:
    """A path in a pose: its length, the shortest of its kind, and the kind; a shortest of None is not known: around
    several obstacles at once, and where an ellipsoid is among those that it may touch."""

    def __init__(self, state, path):
        points = path.getCurrentPath(state)
        self.points = [points.get(i) for i in range(points.getSize())]
        self.places = [vector(p.getLocationInGround(state)) for p in self.points]
        self.wraps = [opensim.PathWrapPoint.safeDownCast(p) for p in self.points]
        self.length = path.getLength(state)
        touched = [i for i, wrap in enumerate(self.wraps) if wrap]
        obstacles = [path.getWrapSet().get(i).getWrapObject() for i in range(path.getWrapSet().getSize())]
        self.kind, self.shortest = "straight", self.length
        if len(touched) > 2 or not all(opensim.WrapCylinder.safeDownCast(obstacle) for obstacle in obstacles):
            self.kind, self.shortest = "around obstacles", None
        elif touched:
            self.kind, self.shortest = "around a cylinder", self.around_cylinder(state, touched)

    def around_cylinder(self, state, touched):
        wrap = self.wraps[touched[0]].getWrapObject()
        radius = opensim.WrapCylinder.safeDownCast(wrap).get_radius()
        R, origin = pose_of(wrap.getFrame().getTransformInGround(state))
        R_wrap, center = pose_of(wrap.getTransform())
        before, arrival, _, behind = range(touched[0] - 1, touched[0] + 3)
        start, place, end = (
            (R @ R_wrap).T @ (self.places[i] - origin - R @ center) for i in (before, arrival, behind)
        )
        straight = range(len(self.places) - 1)
        others = sum(
            np.linalg.norm(self.places[i + 1] - self.places[i]) for i in straight if not before <= i < behind
        )
        return others + helix(radius, start, end, place)


def random_pose(rng, coordinates):
    pose = {}
    for c in coordinates:
        low, high = c.getRangeMin(), c.getRangeMax()
        if high - low > WIDEST:
            low, high = -0.5, 0.5
        pose[c.getName()] = rng.uniform(low, high)
    return pose


def lengths(path, poses, seed=0):
    """Lengths of all muscles in random poses: of ours by name, and OpenSim's paths by name, for each pose."""
    opensim.Logger.setLevelString("Error")
    reference = opensim.Model(str(path))
    state = reference.initSystem()
    coordinates = [reference.getCoordinateSet().get(i) for i in range(reference.getCoordinateSet().getSize())]
    muscles = [reference.getMuscles().get(i) for i in range(reference.getMuscles().getSize())]
    model = sinew.Model.from_osim(path)
    data = sinew.Data(model)
    joints = {model.joint(i).name: int(model.joint(i).qposadr) for i in range(model.njnt)}
    rng = np.random.default_rng(seed)
    ours, theirs = [], []
    for _ in range(poses):
        for name, value in random_pose(rng, coordinates).items():
            coordinate = reference.getCoordinateSet().get(name)
            if not coordinate.getLocked(state) and not coordinate.isDependent(state):
                coordinate.setValue(state, value, False)
        reference.assemble(state)
        reference.realizePosition(state)
        for coordinate in coordinates:
            if coordinate.getName() in joints:
                data.qpos[joints[coordinate.getName()]] = coordinate.getValue(state)
        data.forward()
        ours.append({model.actuator(i).name: float(data.actuator_length[i]) for i in range(model.nu)})
        theirs.append({m.getName(): Path(state, opensim.GeometryPath.safeDownCast(m.getPath())) for m in muscles})
    return ours, theirs


def differences(ours, theirs):
    """Of each muscle in each pose: its name, the kind of path, our length, the shortest of the kind, OpenSim's length."""
    for mine, paths in zip(ours, theirs):
        for muscle, path in paths.items():
            if path.shortest is not None and muscle in mine:
                yield muscle, path.kind, mine[muscle], path.shortest, path.length


def simulate(path, excitation, times, accuracy):
    """OpenSim's motion from the default pose, fibres at rest: coordinates at the times, their names, and of each muscle
    its activation and its fibre length in optimal ones at the start."""
    opensim.Logger.setLevelString("Error")
    model = opensim.Model(str(path))
    muscles = [model.getMuscles().get(i) for i in range(model.getMuscles().getSize())]
    controller = opensim.PrescribedController()
    controller.setName("steady")
    for muscle in muscles:
        controller.addActuator(muscle)
        controller.prescribeControlForActuator(muscle.getName(), opensim.Constant(excitation))
    model.addController(controller)
    state = model.initSystem()
    model.equilibrateMuscles(state)
    rest = {
        m.getName(): (m.getActivation(state), m.getFiberLength(state) / m.getOptimalFiberLength()) for m in muscles
    }
    coordinates = [model.getCoordinateSet().get(i) for i in range(model.getCoordinateSet().getSize())]
    manager = opensim.Manager(model)
    manager.setIntegratorAccuracy(accuracy)
    manager.initialize(state)
    motion = [[c.getValue(state) for c in coordinates]]
    for time in times[1:]:
        state = manager.integrate(float(time))
        motion.append([c.getValue(state) for c in coordinates])
    return np.array(motion), [c.getName() for c in coordinates], rest


def coordinates(path):
    """The names of the coordinates of a model."""
    opensim.Logger.setLevelString("Error")
    model = opensim.Model(str(path))
    model.initSystem()
    return [model.getCoordinateSet().get(i).getName() for i in range(model.getCoordinateSet().getSize())]


def accelerations(path, states):
    """Accelerations of coordinates, whose values and speeds are given by name; others are at their defaults."""
    opensim.Logger.setLevelString("Error")
    model = opensim.Model(str(path))
    state = model.initSystem()
    for name, (value, speed) in states.items():
        coordinate = model.getCoordinateSet().get(name)
        coordinate.setValue(state, float(value), False)
        coordinate.setSpeedValue(state, float(speed))
    model.realizeAcceleration(state)
    return {name: model.getCoordinateSet().get(name).getAccelerationValue(state) for name in states}


# What sensors of muscles show, and how OpenSim's muscles and probes say it.
READINGS = {
    "fiberforce": lambda m, s: m.getFiberForce(s),
    "fiberactiveforce": lambda m, s: m.getActiveFiberForce(s),
    "fiberpassiveforce": lambda m, s: m.getPassiveFiberForce(s),
    "fiberpower": lambda m, s: -m.getFiberForce(s) * m.getFiberVelocity(s),
    "tendonenergy": lambda m, s: m.getTendonPotentialEnergy(s),
    "umbergerpower": None,
    "bhargavapower": None,
}


@dataclasses.dataclass
class MuscleState:
    """A state of a model: coordinates with values and speeds, and by muscle what it was set to and what it shows."""

    coordinates: dict
    excitations: dict
    activations: dict
    fibers: dict
    readings: dict


class Muscles:
    """A model with both metabolic probes over all of its muscles."""

    SLOW = 0.5

    def __init__(self, path):
        opensim.Logger.setLevelString("Error")
        self.model = opensim.Model(str(path))
        self.muscles = [self.model.getMuscles().get(i) for i in range(self.model.getMuscles().getSize())]
        umberger, bhargava = opensim.Umberger2010MuscleMetabolicsProbe(), opensim.Bhargava2004MuscleMetabolicsProbe()
        self.probes = {"umbergerpower": umberger, "bhargavapower": bhargava}
        for name, probe in self.probes.items():
            probe.setName(name)
            probe.set_report_total_metabolics_only(False)
            probe.set_basal_rate_on(False)
            self.model.addProbe(probe)
            for muscle in self.muscles:
                constants = (40, 133, 74, 111) if probe is bhargava else ()
                probe.addMuscle(muscle.getName(), self.SLOW, *constants)
        self.state = self.model.initSystem()

    def random_state(self, random):
        """Coordinates near their defaults that no constraint moves; fibres at rest at one activation get another one, so
        that they move."""
        model, state = self.model, self.state
        moved = {}
        for i in range(model.getCoordinateSet().getSize()):
            coordinate = model.getCoordinateSet().get(i)
            if coordinate.isConstrained(state):
                continue
            value = coordinate.getDefaultValue() + random.uniform(-0.2, 0.2)
            speed = random.uniform(-0.5, 0.5)
            coordinate.setValue(state, value, False)
            coordinate.setSpeedValue(state, speed)
            moved[coordinate.getName()] = (value, speed)
        activations = {m.getName(): random.uniform(0.05, 1) for m in self.muscles}
        excitations = {m.getName(): random.uniform(0.05, 1) for m in self.muscles}
        for muscle in self.muscles:
            muscle.setActivation(state, random.uniform(0.05, 1))
        model.equilibrateMuscles(state)
        for muscle in self.muscles:
            muscle.setActivation(state, activations[muscle.getName()])
        model.realizeVelocity(state)
        controls = model.updControls(state)
        for muscle in self.muscles:
            muscle.setControls(opensim.Vector(1, excitations[muscle.getName()]), controls)
        model.setControls(state, controls)
        model.realizeReport(state)
        return MuscleState(moved, excitations, activations, {m.getName(): m.getNormalizedFiberLength(state) for m in self.muscles}, self.readings())

    def readings(self):
        readings = {k: {m.getName(): f(m, self.state) for m in self.muscles} for k, f in READINGS.items() if f}
        for name, probe in self.probes.items():
            labels, values = probe.getProbeOutputLabels(), probe.computeProbeInputs(self.state)
            of = {labels.get(i): values.get(i) for i in range(values.size())}
            readings[name] = {m.getName(): of[f"{name}_{m.getName()}"] for m in self.muscles}
        return readings
