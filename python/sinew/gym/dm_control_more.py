"""Further tasks of the DeepMind Control Suite: springs (LQR), arms that stack, bring and insert, and a humanoid with 56 joints. What is moved at a reset and may touch something is a parameter of each world."""

import xml.etree.ElementTree as ElementTree
from functools import partial

import numpy as np

from sinew import enums
from sinew._sinew import Data
from sinew.gym.dm_control_tasks import (
    _INFINITY,
    _ZX,
    _ZY,
    _ZZ,
    SuiteTask,
    _body,
    _draw_joints,
    _in_frame,
    _joint,
    _small_control,
    _without_contacts,
    tolerance,
)
from sinew.gym.task import dot, norm

_ARM = ("arm_root", "arm_shoulder", "arm_elbow", "arm_wrist", "finger", "fingertip", "thumb", "thumbtip")


def _dof(env, name):
    """The number of the first degree of freedom of a joint."""
    return int(env.model.jnt_dofadr[env.number("joint", name)])


def _without(text, *unwanted):
    """The text of a model without the elements of these tags and names (None: of any name)."""
    tree = ElementTree.fromstring(text)
    for parent in list(tree.iter()):
        for child in list(parent):
            if any(child.tag == tag and name in (None, child.get("name")) for tag, name in unwanted):
                parent.remove(child)
    return ElementTree.tostring(tree, "unicode")


class Springs(SuiteTask):
    """Bodies in a row on springs, of which the first ones have motors. Stiffnesses belong to the seed."""

    file, time_limit = "lqr.xml", _INFINITY

    def __init__(self, bodies, motors):
        self.bodies, self.motors = bodies, motors

    def edit(self, text):
        tree = ElementTree.fromstring(text)
        parent = tree.find("./worldbody")
        actuators, tendons = (ElementTree.SubElement(tree, name) for name in ("actuator", "tendon"))
        for i in range(self.bodies):
            parent = ElementTree.SubElement(parent, "body", name=f"body_{i}", pos=".25 0 0" if i else ".25 0 .1")
            ElementTree.SubElement(parent, "joint", name=f"joint_{i}", stiffness="20", damping="0")
            ElementTree.SubElement(parent, "geom", name=f"geom_{i}")
            ElementTree.SubElement(parent, "site", name=f"site_{i}")
            if i < self.motors:
                ElementTree.SubElement(actuators, "motor", name=f"motor_{i}", joint=f"joint_{i}")
            if i:
                tendon = ElementTree.SubElement(tendons, "spatial", name=f"tendon_{i - 1}")
                for site in (i - 1, i):
                    ElementTree.SubElement(tendon, "site", site=f"site_{site}")
        return ElementTree.tostring(tree, "unicode")

    def begin(self, env):
        super().begin(env)
        env.stiffness, env.drawn_by = env.batch.parameter("jnt_stiffness"), [None] * env.num_envs

    def draw(self, env, world, rng):
        if env.drawn_by[world] is not rng:
            for joint in range(self.bodies):
                env.stiffness[world, joint] = rng.uniform(15, 25)
                rng.uniform(0, 0)  # for damping, of which there is none
            env.drawn_by[world] = rng
        unit = rng.randn(self.bodies)
        env.qpos[world] = np.sqrt(2) * unit / np.linalg.norm(unit)

    def measure(self, env):
        return {"position": env.qpos, "velocity": env.qvel}

    def score(self, env):
        return 1 - (0.5 * dot(env.qpos, env.qpos) + 0.5 * dot(env.ctrl, env.ctrl) * 0.1)

    def terminate(self, env):
        return norm(np.concatenate((env.qpos, env.qvel), axis=1)) < 1e-6


class ArmTask(SuiteTask):
    """A planar arm with a hand. Bodies that are moved at a reset have poses of their own in each world."""

    fields = ("xpos", "xquat", "site_xpos", "sensordata")
    control_timestep = 0.01

    def begin(self, env):
        super().begin(env)
        env.alone = Data(env.model.copy())
        env.places, env.turns = env.batch.parameter("body_pos"), env.batch.parameter("body_quat")
        env.arm = [_joint(env, name) for name in _ARM]
        env.arm_speeds = [_dof(env, name) for name in _ARM]

    def move(self, env, world, body, x, z, angle=None):
        """Puts a body somewhere in the plane."""
        number = env.number("body", body)
        env.places[world, number, [0, 2]] = x, z
        if angle is not None:
            env.turns[world, number, [0, 2]] = np.cos(angle / 2), np.sin(angle / 2)

    def draw_arm(self, env, world, rng):
        joints = [env.number("joint", name) for name in _ARM]
        limited = env.model.jnt_limited[joints].astype(bool)
        ranges = env.model.jnt_range[joints]
        lowest, highest = np.where(limited, ranges[:, 0], -np.pi), np.where(limited, ranges[:, 1], np.pi)
        env.qpos[world, env.arm] = rng.uniform(lowest, highest)
        env.qpos[world, _joint(env, "finger")] = env.qpos[world, _joint(env, "thumb")]

    def forward(self, env, world):
        """The world alone at its positions; returns whether something touches."""
        alone = env.alone
        alone.model.body_pos[:], alone.model.body_quat[:] = env.places[world], env.turns[world]
        alone.qpos[:] = env.qpos[world]
        alone.forward()
        return alone.ncon > 0

    def speeds(self, env, names):
        return env.qvel[:, [_dof(env, name) for name in names]]

    def poses(self, env, *bodies):
        """Places and orientations in the plane."""
        numbers = [env.number("body", body) for body in bodies]
        place, turn = env.field("xpos")[:, numbers], env.field("xquat")[:, numbers]
        return np.concatenate((place[:, :, [0, 2]], turn[:, :, [0, 2]]), axis=2)

    def distance(self, env, site, other):
        places = env.field("site_xpos")
        return norm(places[:, env.number("site", site)] - places[:, env.number("site", other)])

    def arm(self, env):
        """What all these tasks observe of the arm."""
        angles = env.qpos[:, env.arm]
        return {
            "arm_pos": np.stack((np.sin(angles), np.cos(angles)), axis=2),
            "arm_vel": env.qvel[:, env.arm_speeds],
            "touch": np.log1p(env.field("sensordata")),
            "hand_pos": self.poses(env, "hand"),
        }


class Stacker(ArmTask):
    file = "stacker.xml"

    def __init__(self, boxes):
        self.boxes = [f"box{i}" for i in range(boxes)]
        self.joints = [f"{box}_{axis}" for box in self.boxes for axis in "xyz"]

    def edit(self, text):
        return _without(text, *(("body", f"box{i}") for i in range(len(self.boxes), 4)))

    def draw(self, env, world, rng):
        qpos, size = env.qpos[world], env.model.geom("target").size[0]
        touches = True
        while touches:
            self.draw_arm(env, world, rng)
            height = 2 * rng.randint(len(self.boxes)) + 1
            self.move(env, world, "target", rng.uniform(-0.37, 0.37), size * height)
            for box in self.boxes:
                qpos[_joint(env, box + "_x")] = rng.uniform(0.1, 0.3)
                qpos[_joint(env, box + "_z")] = rng.uniform(0, 0.7)
                qpos[_joint(env, box + "_y")] = rng.uniform(0, 2 * np.pi)
            touches = self.forward(env, world)

    def measure(self, env):
        return {
            **self.arm(env),
            "box_pos": self.poses(env, *self.boxes),
            "box_vel": self.speeds(env, self.joints),
            "target_pos": self.poses(env, "target")[:, :, :2],
        }

    def score(self, env):
        nearest = np.min([self.distance(env, box, "target") for box in self.boxes], axis=0)
        is_close = tolerance(nearest, margin=2 * env.model.geom("target").size[0])
        return is_close * tolerance(self.distance(env, "grasp", "target"), (0.1, _INFINITY), 0.01)


class Manipulator(ArmTask):
    file = "manipulator.xml"

    def __init__(self, prop, inserts):
        self.prop, self.goal, self.inserts = prop, "target_" + prop, inserts
        self.receptacle = "slot" if prop == "peg" else "cup"
        self.joints = [f"{prop}_{axis}" for axis in "xzy"]

    def edit(self, text):
        wanted = {self.prop, self.goal, *([self.receptacle] if self.inserts else ())}
        props = {"ball", "target_ball", "cup", "peg", "target_peg", "slot"}
        return _without(text, *(("body", name) for name in props - wanted))

    def draw(self, env, world, rng):
        touches = True
        while touches:
            self.draw_arm(env, world, rng)
            x, z = rng.uniform(-0.4, 0.4), rng.uniform(0.1, 0.4)
            bound = np.pi / 3 if self.inserts else np.pi
            angle = rng.uniform(-bound, bound)
            for body in (self.receptacle, self.goal) if self.inserts else (self.goal,):
                self.move(env, world, body, x, z, angle)
            self._place_prop(env, world, rng, (x, z, angle))
            touches = self.forward(env, world)

    def _place_prop(self, env, world, rng, at_target):
        start = rng.choice(["in_hand", "in_target", "uniform"], p=[0.1, 0.1, 1 - 0.1 - 0.1])
        place = at_target
        if start == "in_hand":
            self.forward(env, world)
            grasp = env.alone.site("grasp")
            ahead = grasp.xmat.reshape(3, 3)[[0, 2], 0]
            place = grasp.xpos[0], grasp.xpos[2], np.pi - np.arctan2(ahead[1], ahead[0])
        elif start == "uniform":
            place = rng.uniform(-0.5, 0.5), rng.uniform(0, 0.7), rng.uniform(0, 2 * np.pi)
            env.qvel[world, _dof(env, self.prop + "_x")] = rng.uniform(-5, 5)
        env.qpos[world, [_joint(env, name) for name in self.joints]] = place

    def measure(self, env):
        return {
            **self.arm(env),
            "object_pos": self.poses(env, self.prop),
            "object_vel": self.speeds(env, self.joints),
            "target_pos": self.poses(env, self.goal),
        }

    def _is_close(self, env, site, other):
        return tolerance(self.distance(env, site, other), (0, 0.01), 0.02)

    def score(self, env):
        if self.prop == "ball":
            return self._is_close(env, "ball", "target_ball")
        grasping = (self._is_close(env, "peg_grasp", "grasp") + self._is_close(env, "peg_pinch", "pinch")) / 2
        bringing = (self._is_close(env, "peg", "target_peg") + self._is_close(env, "target_peg_tip", "peg_tip")) / 2
        return np.maximum(bringing, grasping / 3)


class HumanoidCMU(SuiteTask):
    file, fields = "humanoid_CMU.xml", ("xmat", "xpos", "sensordata")
    control_timestep, time_limit = 0.02, 20

    def __init__(self, speed):
        self.speed = speed

    def draw(self, env, world, rng):
        _without_contacts(env, env.qpos[world], lambda: _draw_joints(env, env.qpos[world], rng))

    def measure(self, env):
        frame, place = _body(env, "xmat", "thorax"), env.position("thorax")
        limbs = ("lhand", "lfoot", "rhand", "rfoot")
        return {
            "joint_angles": env.qpos[:, 7:],
            "head_height": env.position("head")[:, 2],
            "extremities": np.concatenate([_in_frame(env.position(limb) - place, frame) for limb in limbs], axis=1),
            "torso_vertical": frame[:, [_ZX, _ZY, _ZZ]],
            "com_velocity": env.sensor("thorax_subtreelinvel"),
            "velocity": env.qvel,
        }

    def score(self, env):
        standing = tolerance(env.position("head")[:, 2], (1.4, _INFINITY), 1.4 / 4)
        upright = tolerance(_body(env, "xmat", "thorax")[:, _ZY], (0.9, _INFINITY), 1.9, "linear", 0)
        control = (4 + _small_control(env).mean(axis=1)) / 5
        velocity = np.ascontiguousarray(env.sensor("thorax_subtreelinvel")[:, :2])
        if self.speed == 0:
            return control * (standing * upright) * tolerance(velocity, margin=2).mean(axis=1)
        move = (5 * tolerance(norm(velocity), (self.speed, _INFINITY), self.speed, "linear", 0) + 1) / 6
        return control * (standing * upright) * move


_MAKERS = {
    "lqr-lqr_2_1": partial(Springs, 2, 1),
    "lqr-lqr_6_2": partial(Springs, 6, 2),
    "stacker-stack_2": partial(Stacker, 2),
    "stacker-stack_4": partial(Stacker, 4),
    "manipulator-bring_ball": partial(Manipulator, "ball", False),
    "manipulator-bring_peg": partial(Manipulator, "peg", False),
    "manipulator-insert_ball": partial(Manipulator, "ball", True),
    "manipulator-insert_peg": partial(Manipulator, "peg", True),
    "humanoid_CMU-stand": partial(HumanoidCMU, 0),
    "humanoid_CMU-walk": partial(HumanoidCMU, 1),
    "humanoid_CMU-run": partial(HumanoidCMU, 10),
}
TASKS = {f"dm_control/{name}-v0": make for name, make in _MAKERS.items()}
