"""Tasks of the DeepMind Control Suite with a dog of 73 joints and 38 muscles: to stand, to walk, trot and run, and to fetch
a ball."""

import copy
import xml.etree.ElementTree as ElementTree
from functools import partial

import numpy as np

from sinew import enums
from sinew._sinew import Data
from sinew.gym.dm_control_more import _dof, _without
from sinew.gym.dm_control_tasks import _INFINITY, _ZX, SuiteTask, _body, _geom, _in_frame, _joint, tolerance
from sinew.gym.task import norm, package_folder

_UPRIGHT = np.cos(np.deg2rad(30))  # of the head, the torso and the pelvis; what is steeper gets all of the reward
_HEIGHT = 0.9  # of the height of the standing dog, for all of the reward
_TOUCHES = ("palm_L", "palm_R", "sole_L", "sole_R")
_FEET = ("foot_L", "foot_R", "hand_L", "hand_R")
_OF_BALL = (
    *(("geom", name) for name in ("target", "wall_px", "wall_nx", "wall_py", "wall_ny")),
    ("body", "ball"),
    ("camera", "ball"),
    ("camera", "head"),
)


def _sensors(env, *names):
    return np.concatenate([env.sensor(name) for name in names], axis=1)


class Dog(SuiteTask):
    """`speed` in m/s: 0 stands, None fetches a ball."""

    file, fields = "dog.xml", ("xmat", "xpos", "site_xmat", "site_xpos", "geom_xpos", "sensordata", "cvel", "subtree_com")
    control_timestep, time_limit = 0.015, 15

    def __init__(self, speed=None):
        self.speed = speed

    def assets(self):
        folder = package_folder("dm_control") / "suite" / "dog_assets"
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    def edit(self, text):
        if self.speed is not None:
            text = _without(text, *_OF_BALL)
        tree = ElementTree.fromstring(text)
        size = 10 if self.speed is None else max(self.speed, 1) * self.time_limit
        tree.find(".//geom[@name='floor']").set("size", f"{size} {size} .1")
        return ElementTree.tostring(tree, "unicode")

    def begin(self, env):
        super().begin(env)
        passive = copy.copy(env.model)
        passive.opt.disableflags |= int(enums.mjtDisableBit.mjDSBL_ACTUATION)
        env.alone = Data(passive)
        env.alone.forward()
        model, hinges = env.model, env.model.jnt_type == enums.mjtJoint.mjJNT_HINGE
        env.hinges, env.hinge_speeds = model.jnt_qposadr[hinges], model.jnt_dofadr[hinges]
        env.act = env.batch.state("act")
        env.stand_height = _HEIGHT * np.array([env.alone.body(name).xpos[2] for name in ("torso", "pelvis")])
        env.weight = -model.opt.gravity[2] * model.body("torso").subtreemass

    def reset(self, env, worlds):
        super().reset(env, worlds)
        for world in worlds:
            self._measure_without_actuators(env, world)

    def _measure_without_actuators(self, env, world):
        """As the suite does at the beginning of an episode."""
        alone = env.alone
        alone.reset()
        alone.qpos[:], alone.qvel[:], alone.act[:] = env.qpos[world], env.qvel[world], env.act[world]
        alone.forward()
        env.batch.state("qacc_warmstart")[world] = alone.qacc_warmstart
        for name in self.fields:
            env.field(name)[world] = getattr(alone, name)

    def draw(self, env, world, rng):
        qpos, qvel = env.qpos[world], env.qvel[world]
        azimuth, root = rng.uniform(0, 2 * np.pi), _joint(env, "root")
        qpos[root + 3 : root + 7] = np.cos(azimuth / 2), 0, 0, np.sin(azimuth / 2)
        for dof in (0, 1, 5):
            qvel[dof] = 2 * rng.randn()
        for i, bounds in enumerate(env.model.actuator_ctrlrange):
            env.act[world, i] = rng.uniform(*bounds)
        if self.speed is None:
            self._throw(env, world, rng)

    def _throw(self, env, world, rng):
        """The ball, from the ground towards the middle."""
        radius = 0.75 * env.model.geom("floor").size[0]
        azimuth, ball = rng.uniform(0, 2 * np.pi), _joint(env, "ball_root")
        env.qpos[world, ball : ball + 3] = radius * np.sin(azimuth), radius * np.cos(azimuth), 0.05
        upwards = np.sqrt(2 * -env.model.opt.gravity[2] * rng.uniform(0, 3))  # to a height of up to 3 m
        speed = rng.uniform(0, 5)
        ahead = np.array((-np.sin(azimuth) + 0.05 * rng.randn(), -np.cos(azimuth) + 0.05 * rng.randn()))
        dof = _dof(env, "ball_root")
        env.qvel[world, dof : dof + 3] = *(speed * ahead), upwards

    # ---- what is measured

    def _heights(self, env):
        return env.field("xpos")[:, [env.number("body", name) for name in ("torso", "pelvis")], 2]

    def _vertical(self, env):
        """Of the head, the torso and the pelvis: the vertical in their frames."""
        return np.stack([_body(env, "xmat", name)[:, _ZX:] for name in ("skull", "torso", "pelvis")], axis=1)

    def _velocity(self, env):
        return _in_frame(env.sensor("torso_linvel"), _body(env, "xmat", "torso"))

    def _site(self, env, field, name):
        return env.field(field)[:, env.number("site", name)]

    def _speed_at(self, env, body, place):
        """Velocities of points that move with a body, in the world frame."""
        body = env.number("body", body)
        root = int(env.model.body_rootid[body])
        motion = env.field("cvel")[:, body]
        return motion[:, 3:] - np.cross(place - env.field("subtree_com")[:, root], motion[:, :3])

    def _ball(self, env):
        head, ball = self._site(env, "site_xpos", "head"), _geom(env, "geom_xpos", "ball")
        frame, body = self._site(env, "site_xmat", "head"), int(env.model.site("head").bodyid)
        speed = self._speed_at(env, "ball", ball) - self._speed_at(env, env.model.body(body).name, head)
        return np.concatenate((_in_frame(ball - head, frame), _in_frame(speed, frame)), axis=1)

    def _to_target(self, env):
        return norm(_geom(env, "geom_xpos", "ball") - _geom(env, "geom_xpos", "target"))

    def measure(self, env):
        parts = {
            "joint_angles": env.qpos[:, env.hinges],
            "joint_velocites": env.qvel[:, env.hinge_speeds],
            "torso_pelvis_height": self._heights(env),
            "z_projection": self._vertical(env).reshape(env.num_envs, -1),
            "torso_com_velocity": self._velocity(env),
            "inertial_sensors": _sensors(env, "accelerometer", "velocimeter", "gyro"),
            "foot_forces": _sensors(env, *_FEET),
            "touch_sensors": _sensors(env, *_TOUCHES),
            "actuator_state": env.act,
        }
        if self.speed is None:
            head, frame = self._site(env, "site_xpos", "head"), self._site(env, "site_xmat", "head")
            parts["ball_state"] = self._ball(env)
            parts["target_position"] = _in_frame(_geom(env, "geom_xpos", "target") - head, frame)
        return parts

    # ---- rewards

    def _standing(self, env):
        heights, weight = self._heights(env), env.weight
        factors = [tolerance(heights[:, i], (high, _INFINITY), high) for i, high in enumerate(env.stand_height)]
        upright = self._vertical(env)[:, :, 2]
        factors += list(tolerance(upright, (_UPRIGHT, _INFINITY), _UPRIGHT + 1, "linear", 0).T)
        touch = _sensors(env, *_TOUCHES).sum(axis=1)
        return [*factors, tolerance(touch, (weight, _INFINITY), weight, "linear", 0.9)]

    def _fetching(self, env):
        ball, model = _geom(env, "geom_xpos", "ball"), env.model
        mouth = [norm(ball - self._site(env, "site_xpos", name)) for name in ("upper_bite", "lower_bite")]
        reach = tolerance(0.5 * (mouth[0] + mouth[1]), (0, model.site("upper_bite").size[0]), 2, "reciprocal")
        target, near = self._to_target(env), model.geom("target").size[0]
        bring = tolerance(target, (0, near), model.geom("floor").size[0], "reciprocal")
        return [np.where(target < 2 * near, 1, (6 * reach + 1) / 7), (bring + 1) / 2]

    def score(self, env):
        factors = self._standing(env)
        if self.speed is None:
            factors += self._fetching(env)
        elif self.speed > 0:
            bounds = (self.speed, 2 * self.speed)
            ahead = tolerance(self._velocity(env)[:, 0], bounds, max(1.0, self.speed), "linear", 0)
            factors.append((4 * ahead + 1) / 5)
        return np.prod(np.stack(factors), axis=0)


TASKS = {
    "dm_control/dog-stand-v0": partial(Dog, 0),
    "dm_control/dog-walk-v0": partial(Dog, 1),
    "dm_control/dog-trot-v0": partial(Dog, 3),
    "dm_control/dog-run-v0": partial(Dog, 9),
    "dm_control/dog-fetch-v0": Dog,
}
