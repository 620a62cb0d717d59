"""Tasks of the DeepMind Control Suite (Tassa et al., "dm_control: Software and tasks for continuous control", Software
Impacts 6, 2020), from its installed models.

An observation is the concatenation of those of the suite, as its `flat_observation` gives them. A step ends with
positions and velocities of the new state, as the suite's do. Targets that touch nothing are numbers here and not
parameters of worlds, so that worlds run in packs; where pictures are wanted, they are both.
"""

import xml.etree.ElementTree as ElementTree
from functools import partial
from typing import Optional

import numpy as np

from sinew import enums
from sinew._sinew import Data, Model
from sinew.gym.task import Task, norm, package_folder, rows, square

_INFINITY = float("inf")
_XX, _XZ, _ZX, _ZY, _ZZ = 0, 2, 6, 7, 8  # entries of a rotation matrix: components of the x, y and z axes


# ---- rewards


def tolerance(x, bounds=(0.0, 0.0), margin=0.0, sigmoid="gaussian", at_margin=0.1):
    """1 inside of the bounds; outside it falls with the distance, to `at_margin` at a distance of `margin`."""
    lower, upper = bounds
    inside = (lower <= x) & (x <= upper)
    if margin == 0:
        return np.where(inside, 1.0, 0.0)
    distance = np.where(x < lower, lower - x, x - upper) / margin
    return np.where(inside, 1.0, _SIGMOIDS[sigmoid](distance, at_margin))


def _gaussian(x, at_one):
    return np.exp(-0.5 * square(x * np.sqrt(-2 * np.log(at_one))))


def _long_tail(x, at_one):
    return 1 / (square(x * np.sqrt(1 / at_one - 1)) + 1)


def _linear(x, at_one):
    scaled = x * (1 - at_one)
    return np.where(abs(scaled) < 1, 1 - scaled, 0.0)


def _reciprocal(x, at_one):
    return 1 / (abs(x) * (1 / at_one - 1) + 1)


def _quadratic(x, at_one):
    scaled = x * np.sqrt(1 - at_one)
    return np.where(abs(scaled) < 1, 1 - square(scaled), 0.0)


_SIGMOIDS = {
    "gaussian": _gaussian,
    "long_tail": _long_tail,
    "linear": _linear,
    "reciprocal": _reciprocal,
    "quadratic": _quadratic,
}


def _small_control(env):
    """Of each control: 1 for none, 0 for 1 and more."""
    return tolerance(env.ctrl, margin=1, at_margin=0, sigmoid="quadratic")


# ---- what is measured


def _body(env, field, name):
    return env.field(field)[:, env.number("body", name)]


def _geom(env, field, name):
    return env.field(field)[:, env.number("geom", name)]


def _in_frame(vectors, frames):
    """Vectors in the coordinates of frames, whose rotation matrices are rows of nine numbers."""
    return np.array([vector.dot(frame.reshape(3, 3)) for vector, frame in zip(vectors, frames)])


def _joint(env, name):
    return int(env.model.jnt_qposadr[env.number("joint", name)])


# ---- resets


def _draw_joints(env, qpos, rng):
    """Joints in their limits, hinges without limits at any angle, free bodies in any orientation."""
    model = env.model
    for joint in range(model.njnt):
        kind, address = model.jnt_type[joint], int(model.jnt_qposadr[joint])
        if model.jnt_limited[joint]:
            if kind in (enums.mjtJoint.mjJNT_HINGE, enums.mjtJoint.mjJNT_SLIDE):
                qpos[address] = rng.uniform(*model.jnt_range[joint])
        elif kind == enums.mjtJoint.mjJNT_HINGE:
            qpos[address] = rng.uniform(-np.pi, np.pi)
        elif kind == enums.mjtJoint.mjJNT_FREE:
            orientation = rng.rand(4)
            qpos[address + 3 : address + 7] = orientation / np.linalg.norm(orientation)


def _without_contacts(env, qpos, draw, attempts=10_000):
    """Draws until nothing touches."""
    alone = env.alone
    alone.reset()
    for _ in range(attempts):
        draw()
        alone.qpos[:] = qpos
        alone.forward()
        if alone.ncon == 0:
            return
    raise RuntimeError(f"no configuration without contacts was found in {attempts} attempts")


class SuiteTask(Task):
    """A task of the suite. Subclasses say what is drawn at a reset, what is observed, and the reward."""

    stage = int(enums.mjtStage.mjSTAGE_VEL)
    fields: tuple = ()  # what is observed and rewarded beside the state
    file = ""
    control_timestep = None
    time_limit = 10
    target: Optional[tuple] = None  # kind and name of the element that is moved at a reset

    @property
    def outputs(self):
        return self.fields

    def make_model(self, xml_file=None):
        suite = package_folder("dm_control") / "suite"
        files = {f"./common/{path.name}": path.read_bytes() for path in (suite / "common").glob("*.xml")}
        files.update(self.assets())
        text = self.edit((suite / self.file).read_text()) if xml_file is None else open(xml_file).read()
        model = Model.from_xml_string(text, files)
        self.adjust(model)
        timestep = model.opt.timestep
        self.frame_skip = int(round(self.control_timestep / timestep)) if self.control_timestep else 1
        limit = self.time_limit / (timestep * self.frame_skip)
        self.steps = int(np.ceil(limit)) if np.isfinite(limit) else None
        return model

    def edit(self, text):
        """The model's text, changed."""
        return text

    def assets(self):
        """Contents of further files that the model names."""
        return {}

    def adjust(self, model):
        """Changes the model."""

    def begin(self, env):
        env.alone = Data(env.model)
        env.targets = np.zeros((env.num_envs, 3))
        # where pictures show the targets
        kind, name = self.target if self.target else ("geom", None)
        env.shown = env.batch.parameter(kind + "_pos")[:, env.number(kind, name)] if name and env.render_mode else None
        if name:
            env.targets[:] = getattr(env.model, kind)(name).pos
            env.target_size = getattr(env.model, kind)(name).size.copy()

    def place(self, env, world, **coordinates):
        """Moves a world's target."""
        for axis, value in coordinates.items():
            env.targets[world, "xyz".index(axis)] = value
        if env.shown is not None:
            env.shown[world] = env.targets[world]

    def generator(self, seed):
        return np.random.RandomState(seed)

    def action_bounds(self, env):
        limited = env.model.actuator_ctrllimited.astype(bool)
        bounds = np.full((2, env.model.nu), [[-1e10], [1e10]])
        bounds[:, limited] = env.model.actuator_ctrlrange[limited].T
        return bounds

    def reset(self, env, worlds):
        self.reset_each(env, worlds, lambda world, rng: self.draw(env, world, rng))

    def draw(self, env, world, rng):
        raise NotImplementedError

    def measure(self, env):
        """Observations by name, in the suite's order."""
        raise NotImplementedError

    def observe(self, env):
        parts = self.measure(env).values()
        return np.concatenate([part[:, None] if part.ndim == 1 else rows(part) for part in parts], axis=1)

    def reward(self, env, actions):
        return self.score(env), {}

    def score(self, env):
        """Rewards."""
        raise NotImplementedError


# ---- tasks


class Acrobot(SuiteTask):
    file, fields = "acrobot.xml", ("xmat", "site_xpos")

    def __init__(self, sparse):
        self.sparse = sparse

    def draw(self, env, world, rng):
        env.qpos[world, [_joint(env, "shoulder"), _joint(env, "elbow")]] = rng.uniform(-np.pi, np.pi, 2)

    def measure(self, env):
        frames = env.field("xmat")[:, [env.number("body", name) for name in ("upper_arm", "lower_arm")]]
        return {"orientations": np.concatenate((frames[:, :, _XZ], frames[:, :, _ZZ]), axis=1), "velocity": env.qvel}

    def score(self, env):
        target, tip = (env.number("site", name) for name in ("target", "tip"))
        distance = norm(env.field("site_xpos")[:, target] - env.field("site_xpos")[:, tip])
        return tolerance(distance, (0, env.model.site_size[target, 0]), 0 if self.sparse else 1)


class BallInCup(SuiteTask):
    file, fields = "ball_in_cup.xml", ("site_xpos", "xpos")
    control_timestep, time_limit = 0.02, 20

    def draw(self, env, world, rng):
        qpos, x, z = env.qpos[world], _joint(env, "ball_x"), _joint(env, "ball_z")

        def ball():
            qpos[x] = rng.uniform(-0.2, 0.2)
            qpos[z] = rng.uniform(0.2, 0.5)

        _without_contacts(env, qpos, ball)

    def measure(self, env):
        return {"position": env.qpos, "velocity": env.qvel}

    def score(self, env):
        target = env.number("site", "target")
        away = abs(env.field("site_xpos")[:, target] - env.position("ball"))[:, [0, 2]]
        free = env.model.site_size[target, [0, 2]] - env.model.geom("ball").size[0]
        return np.all(away < free, axis=1).astype(np.float64)


class CartPole(SuiteTask):
    file, fields = "cartpole.xml", ("xmat",)

    def __init__(self, swing_up, sparse, poles=1):
        self.swing_up, self.sparse, self.poles = swing_up, sparse, poles

    def edit(self, text):
        if self.poles == 1:
            return text
        tree = ElementTree.fromstring(text)
        parent = tree.find("./worldbody/body/body")
        for pole in range(2, self.poles + 1):
            child = ElementTree.SubElement(parent, "body", name=f"pole_{pole}", pos="0 0 1", childclass="pole")
            ElementTree.SubElement(child, "joint", name=f"hinge_{pole}")
            ElementTree.SubElement(child, "geom", name=f"pole_{pole}")
            parent = child
        tree.find("./worldbody/geom").set("pos", f"0 0 {1 - self.poles - 0.05}")
        cameras = tree.findall("./worldbody/camera")
        cameras[0].set("pos", f"0 {-1 - 2 * self.poles} 1")
        cameras[1].set("pos", f"0 {-2 * self.poles} 2")
        return ElementTree.tostring(tree, "unicode")

    def draw(self, env, world, rng):
        qpos, nv = env.qpos[world], env.model.nv
        if self.swing_up:
            qpos[0] = 0.01 * rng.randn()
            qpos[1] = np.pi + 0.01 * rng.randn()
            qpos[2:] = 0.1 * rng.randn(nv - 2)
        else:
            qpos[0] = rng.uniform(-0.1, 0.1)
            qpos[1:] = rng.uniform(-0.034, 0.034, nv - 1)
        env.qvel[world] = 0.01 * rng.randn(nv)

    def measure(self, env):
        frames = env.field("xmat")[:, 2:][:, :, [_ZZ, _XZ]]
        return {"position": np.concatenate((env.qpos[:, :1], rows(frames)), axis=1), "velocity": env.qvel}

    def score(self, env):
        cart, cosine = env.qpos[:, 0], env.field("xmat")[:, 2:, _ZZ]
        if self.sparse:
            return tolerance(cart, (-0.25, 0.25)) * tolerance(cosine, (0.995, 1)).prod(axis=1)
        upright = np.ascontiguousarray((cosine + 1) / 2).mean(axis=1)
        centered = (1 + tolerance(cart, margin=2)) / 2
        control = (4 + _small_control(env)[:, 0]) / 5
        still = (1 + tolerance(env.qvel[:, 1:], margin=5).min(axis=1)) / 2
        return upright * control * still * centered


class Cheetah(SuiteTask):
    file, fields = "cheetah.xml", ("sensordata",)

    def draw(self, env, world, rng):
        # The suite sets positions after a forward pass and goes on with the second half of a step.
        alone, limited = env.alone, env.model.jnt_limited == 1
        alone.reset()
        alone.forward()
        alone.qpos[limited] = rng.uniform(*env.model.jnt_range[limited].T)
        alone.step2()
        alone.step(199)
        for name in ("qpos", "qvel", "qacc_warmstart"):
            env.batch.state(name)[world] = getattr(alone, name)

    def measure(self, env):
        return {"position": env.qpos[:, 1:], "velocity": env.qvel}

    def score(self, env):
        return tolerance(env.sensor("torso_subtreelinvel")[:, 0], (10, _INFINITY), 10, "linear", 0)


class Finger(SuiteTask):
    file, fields = "finger.xml", ("sensordata",)
    control_timestep, time_limit = 0.02, 20

    def __init__(self, radius=None):
        self.radius = radius  # of the target; None: the task is to spin
        self.target = ("site", "target") if radius else None

    def assets(self):
        """Contents of further files that the model names."""
        return {}

    def adjust(self, model):
        if self.radius:
            model.site("target").size[0] = self.radius
        else:
            model.joint("hinge").damping[:] = 0.03

    def draw(self, env, world, rng):
        if self.radius:
            angle = rng.uniform(-np.pi, np.pi)
            alone = env.alone
            alone.reset()
            alone.forward()
            x, _, z = alone.joint("hinge").xanchor
            reach = env.model.geom("cap1").size.sum()
            self.place(env, world, x=x + reach * np.sin(angle), z=z + reach * np.cos(angle))
        _without_contacts(env, env.qpos[world], lambda: _draw_joints(env, env.qpos[world], rng), 1000)

    def _tip(self, env):
        return (env.sensor("tip") - env.sensor("spinner"))[:, [0, 2]]

    def _target(self, env):
        return (env.targets - env.sensor("spinner"))[:, [0, 2]]

    def _distance(self, env):
        return norm(self._target(env) - self._tip(env)) - env.target_size[0]

    def measure(self, env):
        velocities = [env.sensor(name + "_velocity") for name in ("proximal", "distal", "hinge")]
        touch = np.concatenate((env.sensor("touchtop"), env.sensor("touchbottom")), axis=1)
        parts = {
            "position": np.concatenate((env.sensor("proximal"), env.sensor("distal"), self._tip(env)), axis=1),
            "velocity": np.concatenate(velocities, axis=1),
            "touch": np.log1p(touch),
        }
        if self.radius:
            parts["target_position"], parts["dist_to_target"] = self._target(env), self._distance(env)
        return parts

    def score(self, env):
        if self.radius:
            return (self._distance(env) <= 0).astype(np.float64)
        return (env.sensor("hinge_velocity")[:, 0] <= -15).astype(np.float64)


class Fish(SuiteTask):
    file, fields = "fish.xml", ("xmat", "geom_xpos", "geom_xmat")
    control_timestep, time_limit = 0.04, 40
    joints = ("tail1", "tail_twist", "tail2", "finright_roll", "finright_pitch", "finleft_roll", "finleft_pitch")

    def __init__(self, swim):
        self.target = ("geom", "target") if swim else None

    def draw(self, env, world, rng):
        orientation, root = rng.randn(4), _joint(env, "root")
        env.qpos[world, root + 3 : root + 7] = orientation / np.linalg.norm(orientation)
        for joint in self.joints:
            env.qpos[world, _joint(env, joint)] = rng.uniform(-0.2, 0.2)
        if self.target:
            x, y, z = (rng.uniform(*bounds) for bounds in ((-0.4, 0.4), (-0.4, 0.4), (0.1, 0.3)))
            self.place(env, world, x=x, y=y, z=z)

    def _to_target(self, env):
        return _in_frame(env.targets - _geom(env, "geom_xpos", "mouth"), _geom(env, "geom_xmat", "mouth"))

    def measure(self, env):
        parts = {
            "joint_angles": env.qpos[:, [_joint(env, joint) for joint in self.joints]],
            "upright": _body(env, "xmat", "torso")[:, _ZZ],
        }
        if self.target:
            parts["target"] = self._to_target(env)
        return {**parts, "velocity": env.qvel}

    def score(self, env):
        upright = _body(env, "xmat", "torso")[:, _ZZ]
        if not self.target:
            return tolerance(upright, (1, 1), 1)
        reach = env.model.geom_size[[env.number("geom", name) for name in ("mouth", "target")], 0].sum()
        near = tolerance(norm(self._to_target(env)), (0, reach), 2 * reach)
        return (7 * near + 0.5 * (upright + 1)) / 8


class Hopper(SuiteTask):
    file, fields = "hopper.xml", ("sensordata", "xipos")
    control_timestep, time_limit = 0.02, 20

    def __init__(self, hop):
        self.hop = hop

    def draw(self, env, world, rng):
        _draw_joints(env, env.qpos[world], rng)

    def measure(self, env):
        touch = np.concatenate((env.sensor("touch_toe"), env.sensor("touch_heel")), axis=1)
        return {"position": env.qpos[:, 1:], "velocity": env.qvel, "touch": np.log1p(touch)}

    def score(self, env):
        height = _body(env, "xipos", "torso")[:, 2] - _body(env, "xipos", "foot")[:, 2]
        standing = tolerance(height, (0.6, 2))
        if self.hop:
            return standing * tolerance(env.sensor("torso_subtreelinvel")[:, 0], (2, _INFINITY), 1, "linear", 0.5)
        return standing * ((_small_control(env).mean(axis=1) + 4) / 5)


class Humanoid(SuiteTask):
    file, fields = "humanoid.xml", ("xmat", "xpos", "sensordata")
    control_timestep, time_limit = 0.025, 25

    def __init__(self, speed, pure_state=False):
        self.speed, self.pure_state = speed, pure_state

    def draw(self, env, world, rng):
        _without_contacts(env, env.qpos[world], lambda: _draw_joints(env, env.qpos[world], rng))

    def measure(self, env):
        if self.pure_state:
            return {"position": env.qpos, "velocity": env.qvel}
        frame, place = _body(env, "xmat", "torso"), env.position("torso")
        limbs = ("left_hand", "left_foot", "right_hand", "right_foot")
        return {
            "joint_angles": env.qpos[:, 7:],
            "head_height": env.position("head")[:, 2],
            "extremities": np.concatenate([_in_frame(env.position(limb) - place, frame) for limb in limbs], axis=1),
            "torso_vertical": frame[:, [_ZX, _ZY, _ZZ]],
            "com_velocity": env.sensor("torso_subtreelinvel"),
            "velocity": env.qvel,
        }

    def score(self, env):
        standing = tolerance(env.position("head")[:, 2], (1.4, _INFINITY), 1.4 / 4)
        upright = tolerance(_body(env, "xmat", "torso")[:, _ZZ], (0.9, _INFINITY), 1.9, "linear", 0)
        control = (4 + _small_control(env).mean(axis=1)) / 5
        velocity = np.ascontiguousarray(env.sensor("torso_subtreelinvel")[:, :2])
        if self.speed == 0:
            return control * (standing * upright) * tolerance(velocity, margin=2).mean(axis=1)
        move = (5 * tolerance(norm(velocity), (self.speed, _INFINITY), self.speed, "linear", 0) + 1) / 6
        return control * (standing * upright) * move


class Pendulum(SuiteTask):
    file, fields = "pendulum.xml", ("xmat",)
    time_limit = 20

    def draw(self, env, world, rng):
        env.qpos[world, _joint(env, "hinge")] = rng.uniform(-np.pi, np.pi)

    def measure(self, env):
        return {"orientation": _body(env, "xmat", "pole")[:, [_ZZ, _XZ]], "velocity": env.qvel}

    def score(self, env):
        return tolerance(_body(env, "xmat", "pole")[:, _ZZ], (np.cos(np.deg2rad(8)), 1))


class PointMass(SuiteTask):
    file, fields = "point_mass.xml", ("geom_xpos",)
    time_limit = 20

    def __init__(self, mixed):
        self.mixed = mixed

    def begin(self, env):
        super().begin(env)
        env.gains = env.batch.parameter("wrap_prm") if self.mixed else None

    def draw(self, env, world, rng):
        _draw_joints(env, env.qpos[world], rng)
        if not self.mixed:
            return
        first = rng.randn(2)
        first /= np.linalg.norm(first)
        while True:
            second = rng.randn(2)
            second /= np.linalg.norm(second)
            if abs(np.dot(first, second)) <= 0.9:
                break
        env.gains[world] = [*first, *second]

    def measure(self, env):
        return {"position": env.qpos, "velocity": env.qvel}

    def score(self, env):
        distance = norm(_geom(env, "geom_xpos", "target") - _geom(env, "geom_xpos", "pointmass"))
        size = env.model.geom("target").size[0]
        return tolerance(distance, (0, size), size) * ((_small_control(env).mean(axis=1) + 4) / 5)


class Reacher(SuiteTask):
    file, fields = "reacher.xml", ("geom_xpos",)
    time_limit, target = 20, ("geom", "target")

    def __init__(self, radius):
        self.radius = radius

    def assets(self):
        """Contents of further files that the model names."""
        return {}

    def adjust(self, model):
        model.geom("target").size[0] = self.radius

    def draw(self, env, world, rng):
        _draw_joints(env, env.qpos[world], rng)
        angle, radius = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 0.20)
        self.place(env, world, x=radius * np.sin(angle), y=radius * np.cos(angle))

    def _to_target(self, env):
        return env.targets[:, :2] - _geom(env, "geom_xpos", "finger")[:, :2]

    def measure(self, env):
        return {"position": env.qpos, "to_target": self._to_target(env), "velocity": env.qvel}

    def score(self, env):
        radii = env.model.geom_size[[env.number("geom", name) for name in ("target", "finger")], 0].sum()
        return tolerance(norm(self._to_target(env)), (0, radii))


class Swimmer(SuiteTask):
    file, fields = "swimmer.xml", ("geom_xpos", "xmat", "sensordata")
    control_timestep, time_limit, target = 0.03, 30, ("geom", "target")

    def __init__(self, bodies):
        self.bodies = bodies

    def edit(self, text):
        tree = ElementTree.fromstring(text)
        parent = tree.find("./worldbody/body")
        actuators, sensors = (ElementTree.SubElement(tree, name) for name in ("actuator", "sensor"))
        limit = 360.0 / self.bodies
        for i in range(self.bodies - 1):
            child = ElementTree.SubElement(parent, "body", name=f"segment_{i}", pos="0 .1 0")
            for name in ("visual", "inertial"):
                ElementTree.SubElement(child, "geom", {"class": name, "name": f"{name}_{i}"})
            ElementTree.SubElement(child, "site", name=f"site_{i}")
            ElementTree.SubElement(child, "joint", name=f"joint_{i}", range=f"{-limit} {limit}")
            ElementTree.SubElement(actuators, "motor", name=f"motor_{i}", joint=f"joint_{i}")
            for name in ("velocimeter", "gyro"):
                ElementTree.SubElement(sensors, name, name=f"{name}_{i}", site=f"site_{i}")
            parent = child
        for camera in tree.findall("./worldbody/body/camera"):
            if camera.get("mode") == "trackcom":
                place = [str(float(number) * (self.bodies / 6.0)) for number in camera.get("pos").split()]
                camera.set("pos", " ".join(place))
        return ElementTree.tostring(tree, "unicode")

    def draw(self, env, world, rng):
        _draw_joints(env, env.qpos[world], rng)
        box = 0.3 if rng.rand() < 0.2 else 2
        x, y = rng.uniform(-box, box, size=2)
        self.place(env, world, x=x, y=y)

    def _to_target(self, env):
        vectors = env.targets - _geom(env, "geom_xpos", "nose")
        return np.ascontiguousarray(_in_frame(vectors, _body(env, "xmat", "head"))[:, :2])

    def measure(self, env):
        velocities = env.field("sensordata")[:, 12:].reshape(env.num_envs, -1, 6)[:, :, [0, 1, 5]]
        return {"joints": env.qpos[:, 3:], "to_target": self._to_target(env), "body_velocities": velocities}

    def score(self, env):
        size = env.target_size[0]
        return tolerance(norm(self._to_target(env)), (0, size), 5 * size, "long_tail")


class Walker(SuiteTask):
    file, fields = "walker.xml", ("xmat", "xpos", "sensordata")
    control_timestep, time_limit = 0.025, 25

    def __init__(self, speed):
        self.speed = speed

    def draw(self, env, world, rng):
        _draw_joints(env, env.qpos[world], rng)

    def measure(self, env):
        orientations = env.field("xmat")[:, 1:][:, :, [_XX, _XZ]]
        return {"orientations": orientations, "height": env.position("torso")[:, 2], "velocity": env.qvel}

    def score(self, env):
        standing = tolerance(env.position("torso")[:, 2], (1.2, _INFINITY), 1.2 / 2)
        stand = (3 * standing + (1 + _body(env, "xmat", "torso")[:, _ZZ]) / 2) / 4
        if self.speed == 0:
            return stand
        speed = env.sensor("torso_subtreelinvel")[:, 0]
        return stand * (5 * tolerance(speed, (self.speed, _INFINITY), self.speed / 2, "linear", 0.5) + 1) / 6


# What makes each task, so that each vector environment has one of its own.
_MAKERS = {
    "acrobot-swingup": partial(Acrobot, False),
    "acrobot-swingup_sparse": partial(Acrobot, True),
    "ball_in_cup-catch": partial(BallInCup),
    "cartpole-balance": partial(CartPole, False, False),
    "cartpole-balance_sparse": partial(CartPole, False, True),
    "cartpole-swingup": partial(CartPole, True, False),
    "cartpole-swingup_sparse": partial(CartPole, True, True),
    "cartpole-two_poles": partial(CartPole, True, False, 2),
    "cartpole-three_poles": partial(CartPole, True, False, 3),
    "cheetah-run": partial(Cheetah),
    "finger-spin": partial(Finger),
    "finger-turn_easy": partial(Finger, 0.07),
    "finger-turn_hard": partial(Finger, 0.03),
    "fish-upright": partial(Fish, False),
    "fish-swim": partial(Fish, True),
    "hopper-stand": partial(Hopper, False),
    "hopper-hop": partial(Hopper, True),
    "humanoid-stand": partial(Humanoid, 0),
    "humanoid-walk": partial(Humanoid, 1),
    "humanoid-run": partial(Humanoid, 10),
    "humanoid-run_pure_state": partial(Humanoid, 10, True),
    "pendulum-swingup": partial(Pendulum),
    "point_mass-easy": partial(PointMass, False),
    "point_mass-hard": partial(PointMass, True),
    "reacher-easy": partial(Reacher, 0.05),
    "reacher-hard": partial(Reacher, 0.015),
    "swimmer-swimmer6": partial(Swimmer, 6),
    "swimmer-swimmer15": partial(Swimmer, 15),
    "walker-stand": partial(Walker, 0),
    "walker-walk": partial(Walker, 1),
    "walker-run": partial(Walker, 8),
}
TASKS = {f"dm_control/{name}-v0": make for name, make in _MAKERS.items()}
