"""Tasks of the DeepMind Control Suite with a robot on four legs: to walk, to run, to fetch a ball, and to escape from a
bowl whose ground is drawn anew in each episode."""

import copy
import xml.etree.ElementTree as ElementTree
from functools import partial

import numpy as np

from sinew import enums
from sinew._sinew import Data
from sinew.gym.dm_control_more import _dof, _without
from sinew.gym.dm_control_tasks import _INFINITY, _ZZ, SuiteTask, _body, _in_frame, _joint, tolerance
from sinew.gym.task import norm

_WALLS = ("wall_px", "wall_py", "wall_nx", "wall_ny")


class Quadruped(SuiteTask):
    """Walks and runs on a floor; `speed` None: brings a ball to a target in a room."""

    file, fields = "quadruped.xml", ("xmat", "xpos", "site_xpos", "sensordata")
    control_timestep, time_limit = 0.02, 20

    def __init__(self, speed=None):
        self.speed = speed

    def edit(self, text):
        text = _without(text, ("geom", "terrain"), ("rangefinder", None))
        return text if self.speed is None else self._on_plane(text, self.time_limit * self.speed)

    def _on_plane(self, text, size):
        """The text of a model with a floor of that half size, without walls, ball and target."""
        text = _without(text, *(("geom", wall) for wall in _WALLS), ("body", "ball"), ("site", "target"))
        tree = ElementTree.fromstring(text)
        tree.find(".//geom[@name='floor']").set("size", f"{size} {size} .5")
        return ElementTree.tostring(tree, "unicode")

    def begin(self, env):
        super().begin(env)
        model, sensor = env.model, enums.mjtSensor
        hinges = model.jnt_type == enums.mjtJoint.mjJNT_HINGE
        env.hinges, env.hinge_speeds = model.jnt_qposadr[hinges], model.jnt_dofadr[hinges]
        env.act = env.batch.state("act")

        def numbers(*types):
            return np.concatenate(
                [np.arange(model.sensor_dim[i]) + model.sensor_adr[i] for i in np.flatnonzero(np.isin(model.sensor_type, types))]
            )

        env.pushes = numbers(sensor.mjSENS_FORCE, sensor.mjSENS_TORQUE)
        env.imu = numbers(sensor.mjSENS_GYRO, sensor.mjSENS_ACCELEROMETER)

    def draw(self, env, world, rng):
        if self.speed is not None:
            orientation = rng.randn(4)
            self._stand(env, world, orientation / np.linalg.norm(orientation))
            return
        azimuth, reach = rng.uniform(0, 2 * np.pi), 0.9 * env.model.geom("floor").size[0]
        x, y = rng.uniform(-reach, reach, size=(2,))
        self._stand(env, world, np.array((np.cos(azimuth / 2), 0, 0, np.sin(azimuth / 2))), x, y)
        ball, speed = _joint(env, "ball_root"), _dof(env, "ball_root")
        env.qpos[world, ball : ball + 2] = rng.uniform(-reach, reach, size=(2,))
        env.qpos[world, ball + 2] = 2
        env.qvel[world, speed : speed + 2] = 5 * rng.randn(2)

    def _stand(self, env, world, orientation, x=0.0, y=0.0):
        """In steps of a centimetre upwards until nothing touches."""
        alone, root, height = env.alone, _joint(env, "root"), 0.0
        while True:
            alone.reset()
            alone.qpos[root : root + 7] = x, y, height, *orientation
            alone.forward()
            if alone.ncon == 0:
                break
            height += 0.01
        env.qpos[world] = alone.qpos

    def measure_robot(self, env):
        sensors = env.field("sensordata")
        return {
            "egocentric_state": np.concatenate((env.qpos[:, env.hinges], env.qvel[:, env.hinge_speeds], env.act), axis=1),
            "torso_velocity": env.sensor("velocimeter"),
            "torso_upright": _body(env, "xmat", "torso")[:, _ZZ],
            "imu": sensors[:, env.imu],
            "force_torque": np.arcsinh(sensors[:, env.pushes]),
        }

    def measure(self, env):
        parts = self.measure_robot(env)
        if self.speed is None:
            parts["ball_state"] = self._ball(env)
            parts["target_position"] = _in_frame(self._target(env) - env.position("torso"), _body(env, "xmat", "torso"))
        return parts

    def _target(self, env):
        return env.field("site_xpos")[:, env.number("site", "target")]

    def _ball(self, env):
        ball, root = (_dof(env, name) for name in ("ball_root", "root"))
        place = env.position("ball") - env.position("torso")
        speed = env.qvel[:, ball : ball + 3] - env.qvel[:, root : root + 3]
        states = np.stack((place, speed, env.qvel[:, ball + 3 : ball + 6]), axis=1)
        return np.array([state.dot(frame.reshape(3, 3)).ravel() for state, frame in zip(states, _body(env, "xmat", "torso"))])

    def _upright(self, env, degrees):
        """1 where the torso is within that angle of upright; 0 upside down."""
        least = np.cos(np.deg2rad(degrees))
        return tolerance(_body(env, "xmat", "torso")[:, _ZZ], (least, _INFINITY), 1 + least, "linear", 0)

    def score(self, env):
        upright = self._upright(env, 0)
        if self.speed is not None:
            return upright * tolerance(env.sensor("velocimeter")[:, 0], (self.speed, _INFINITY), self.speed, "linear", 0.5)
        model, ball = env.model, env.position("ball")
        room = model.geom("floor").size[0] * np.sqrt(2)
        hand = env.field("site_xpos")[:, env.number("site", "workspace")]
        near = model.site("workspace").size[0] + model.geom("ball").size[0]
        reach = tolerance(norm(np.ascontiguousarray((hand - ball)[:, :2])), (0, near), room, "linear", 0)
        target = norm(np.ascontiguousarray((self._target(env) - ball)[:, :2]))
        fetch = tolerance(target, (0, model.site("target").size[0]), room, "linear", 0)
        return upright * (reach * (0.5 + 0.5 * fetch))


_BUMP = 2  # m: the distance of random heights, which splines join
_FLATTEST, _MIDDLE = 0.15, 0.04  # least part of the height that a bump leaves; radius of the flat middle, of the field's


class Escape(Quadruped):
    """Out of a bowl. Each world has a model of its own, as its ground is drawn with each episode."""

    def edit(self, text):
        return self._on_plane(text, 40)

    def begin(self, env):
        super().begin(env)
        env.ranges = np.flatnonzero(env.model.sensor_type == enums.mjtSensor.mjSENS_RANGEFINDER)
        env.ranges = env.model.sensor_adr[env.ranges]
        env.models = [copy.copy(env.model) for _ in range(env.num_envs)]
        env.batch.set_models(env.models)

    def draw(self, env, world, rng):
        model = env.models[world]
        model.hfield_data[: model.hfield_nrow[0] ** 2] = self._terrain(model, rng).ravel()
        env.alone = Data(model)
        orientation = rng.randn(4)
        self._stand(env, world, orientation / np.linalg.norm(orientation))

    def _terrain(self, model, rng):
        """Heights of a bowl times those of random bumps."""
        from scipy import ndimage

        points = int(model.hfield_nrow[0])
        rows, columns = np.ogrid[-1 : 1 : points * 1j, -1 : 1 : points * 1j]
        radius = np.clip(np.sqrt(columns**2 + rows**2), _MIDDLE, 1)
        bumps = int(2 * model.hfield_size[0, 0] / _BUMP)
        heights = rng.uniform(_FLATTEST, 1, (bumps, bumps))
        return (0.5 - np.cos(2 * np.pi * radius) / 2) * ndimage.zoom(heights, points / float(bumps))

    def measure(self, env):
        parts = self.measure_robot(env)
        frames, ranges = _body(env, "xmat", "torso"), env.field("sensordata")[:, env.ranges]
        parts["origin"] = _in_frame(-env.position("torso"), frames)
        parts["rangefinder"] = np.where(ranges == -1, 1.0, np.tanh(ranges))
        return parts

    def score(self, env):
        size = env.model.hfield_size[0, 0]
        away = norm(env.field("site_xpos")[:, env.number("site", "workspace")])
        return self._upright(env, 20) * tolerance(away, (size, _INFINITY), size, "linear", 0)


TASKS = {
    "dm_control/quadruped-walk-v0": partial(Quadruped, 0.5),
    "dm_control/quadruped-run-v0": partial(Quadruped, 5),
    "dm_control/quadruped-escape-v0": Escape,
    "dm_control/quadruped-fetch-v0": Quadruped,
}
