"""Tasks of Sinew's own: the scenes of models/hands. A gripper lifts a rod, a hand turns a cube, a peg finds its hole, and
a gantry takes a thing out of a bin.

Actions lie between -1 and 1 and move what the drives hold by at most `rates` in a step; what they hold is observed.
Places are in the world frame, in m. `success` in the infos says where the task is done.
"""

import numpy as np

from sinew import enums, models
from sinew._sinew import Batch, Model, Spec
from sinew.gym.task import Task, norm

_LAST = int(enums.mjtStage.mjSTAGE_POS)  # results are those of the state that a step ends with


class HandTask(Task):
    """What the tasks share: drives, and resets that place things at random."""

    file = ""  # of the model, in models/hands
    rates: tuple = ()  # by which an action of 1 changes each control, in the control's unit
    bounds: dict = {}  # between which each setting lies

    def make_model(self, xml_file=None):
        return Model.from_xml_path(self._path(xml_file))

    def _path(self, xml_file):
        return xml_file or models / "hands" / self.file

    def begin(self, env):
        for name, (low, high) in self.bounds.items():
            if not np.all((low <= np.array(env.settings[name])) & (np.array(env.settings[name]) <= high)):
                raise ValueError(f"{name} is {env.settings[name]}; it lies between {low} and {high}")

    def action_bounds(self, env):
        limit = np.ones(len(self.rates), np.float32)
        return -limit, limit

    def control(self, env, actions):
        return np.clip(env.ctrl + self.rates * np.clip(actions, -1, 1), *env.model.actuator_ctrlrange.T)

    def reset(self, env, worlds):
        env.ctrl[worlds] = 0
        self.reset_each(env, worlds, lambda i, rng: self.place(env, i, rng))

    def place(self, env, i, rng):
        """Writes the state that an episode of environment i begins with."""
        raise NotImplementedError


def _near(distance, scale):
    """1 at no distance, 1/2 at a distance of `scale`."""
    return 1 / (1 + (distance / scale) ** 2)


def _about_z(angle):
    """Quaternion of a turn about z."""
    return np.array([np.cos(angle / 2), 0, 0, np.sin(angle / 2)])


def _upright(quat):
    """Height of the z axis of a frame: 1 where it is vertical."""
    return 1 - 2 * (quat[:, 1] ** 2 + quat[:, 2] ** 2)


class GripRod(HandTask):
    """A gripper lifts a rod that stands on the floor. Actions: height, and pinch of both fingers."""

    file, rates, frame_skip, steps = "gripper_rod.xml", (0.004, 1.0), 10, 250
    settings = {"lift": 0.15, "spread": (0.012, 0.006)}  # how high to lift; where the rod stands, at most, along x and y
    bounds = {"lift": (0.01, 0.2), "spread": (0, 0.02)}

    def control(self, env, actions):
        low, high = env.model.actuator_ctrlrange[:2].T
        return np.clip(env.ctrl[:, :2] + self.rates * np.clip(actions, -1, 1), low, high)[:, [0, 1, 1]]

    def place(self, env, i, rng):
        x, y = np.multiply(env.settings["spread"], rng.uniform(-1, 1, 2))
        env.qpos[i] = [0, 0, 0, x, y, 0.09, *_about_z(rng.uniform(-0.2, 0.2))]

    def _offset(self, env):
        """From the middle between the pads, when both are open or closed alike, to that of the rod."""
        middle = np.zeros((env.num_envs, 3))
        middle[:, 2] = env.qpos[:, 0] + 0.32
        return env.qpos[:, 3:6] - middle

    def observe(self, env):
        return np.concatenate((env.qpos[:, :3], self._offset(env), env.qpos[:, 5:], env.qvel, env.ctrl[:, :2]), axis=1)

    def reward(self, env, actions):
        lifted = np.clip((env.qpos[:, 5] - 0.09) / env.settings["lift"], 0, 1)
        success = lifted >= 0.95
        return 0.2 * _near(norm(self._offset(env)), 0.05) + lifted + success, {"lifted": lifted, "success": success}

    def terminate(self, env):
        return _upright(env.qpos[:, 6:10]) < 0.7  # the rod has fallen over


class CubeInHand(HandTask):
    """A hand of four fingers turns a cube on its palm by an angle that is drawn. Actions: the turn of the fingers, and the
    way of each to the middle."""

    file, rates, frame_skip, steps = "hand_cube.xml", (0.05, *[0.002] * 4), 10, 200
    settings = {"angles": (0.3, 0.7), "spread": 0.003}  # to either side, in radians; where the cube lies along x and y
    bounds = {"angles": (0, np.pi), "spread": (0, 0.02)}

    def begin(self, env):
        super().begin(env)
        env.goal = np.zeros(env.num_envs)  # yaw of the cube

    def place(self, env, i, rng):
        yaw, spread = rng.uniform(-0.1, 0.1), env.settings["spread"]
        env.goal[i] = yaw + rng.choice([-1, 1]) * rng.uniform(*env.settings["angles"])
        env.qpos[i] = [0] * 5 + [*rng.uniform(-spread, spread, 2), 0.025, *_about_z(yaw)]

    def _error(self, env):
        """By how much the cube is yet to turn, between -pi and pi."""
        w, x, y, z = env.qpos[:, 8:].T
        yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        return (env.goal - yaw + np.pi) % (2 * np.pi) - np.pi

    def observe(self, env):
        return np.concatenate((env.qpos, env.qvel, env.ctrl, self._error(env)[:, None]), axis=1)

    def reward(self, env, actions):
        error = self._error(env)
        success = abs(error) < 0.1
        return _near(error, 0.2) + success, {"angle_error": error, "success": success}

    def terminate(self, env):
        x, y, z = env.qpos[:, 5:8].T
        return (np.hypot(x, y) > 0.05) | (z < 0)  # the cube has left the hand


class PegInsert(HandTask):
    """A compliant arm pushes a peg into a hole with 0.2 mm of play, from a place beside it that is drawn. Actions: height,
    and where the springs of the wrist rest along x and y."""

    file, rates, frame_skip, steps = "peg.xml", (0.001, 0.0005, 0.0005), 20, 250
    stage, outputs = _LAST, ("xpos", "xquat")
    settings = {"spread": 0.004}  # where the arm stands beside the hole, at most, along x and y
    bounds = {"spread": (0, 0.01)}

    def make_model(self, xml_file=None):
        spec = Spec.from_xml_path(self._path(xml_file))
        for name in "xy":
            stiffness = spec.find("joint", name).stiffness[0]
            drive = spec.add("actuator", name=name, target=name, trntype=enums.mjtTrn.mjTRN_JOINT)
            drive.gear, drive.ctrlrange = [stiffness, 0, 0, 0, 0, 0], [-0.008, 0.008]
        return spec.compile()

    def begin(self, env):
        super().begin(env)
        env.arm = env.batch.parameter("body_pos")[:, env.number("body", "arm")]

    def place(self, env, i, rng):
        spread = env.settings["spread"]
        env.arm[i, :2] = rng.uniform(-spread, spread, 2)

    def _depth(self, env):
        """Part of the hole, 40 mm deep, that the peg is in; negative above it."""
        return (0.08 - env.position("wrist")[:, 2]) / 0.04

    def _is_in(self, env):
        return self._depth(env) > 0.95

    def observe(self, env):
        quat = env.field("xquat")[:, env.number("body", "wrist")]
        return np.concatenate((env.position("wrist"), quat, env.qpos, env.qvel, env.ctrl), axis=1)

    def reward(self, env, actions):
        depth, aside = self._depth(env), norm(env.position("wrist")[:, :2])
        success = self._is_in(env)
        # at most 0 before it is in, so that it pays to be there soon
        return np.minimum(depth, 1) - 1 + 0.2 * (_near(aside, 0.001) - 1) + success, {"depth": depth, "success": success}

    def terminate(self, env):
        return self._is_in(env)


class PickPlace(HandTask):
    """A gantry takes the uppermost thing out of a bin and lays it down on the floor beside. Actions: place of the pad, and
    how strongly it sucks."""

    file, rates, frame_skip, steps = "bin.xml", (0.01, 0.01, 0.01, 0.1), 10, 400
    settings = {"heaps": 4}  # different ones, each in four directions
    bounds = {"heaps": (1, 1000)}
    suction = 12.0  # largest force, in N

    def make_model(self, xml_file=None):
        spec = Spec.from_xml_path(self._path(xml_file))
        drive = spec.add("actuator", name="suction", target="pad", trntype=enums.mjtTrn.mjTRN_BODY)
        drive.set_to_adhesion(self.suction)
        drive.ctrlrange = [0, 1]
        model = spec.compile()
        surfaces = model.numeric("sinew/surfaces")
        model.numeric_data[int(surfaces.adr) :][: int(surfaces.size)] = 0  # the pad holds nothing by itself
        return model

    def begin(self, env):
        super().begin(env)
        env.heaps = _settled(env.model, env.settings["heaps"])
        env.thing, env.goal = np.zeros(env.num_envs, int), np.zeros((env.num_envs, 3))

    def place(self, env, i, rng):
        things = _turned(env.heaps[rng.integers(len(env.heaps))], rng.integers(4))
        env.qpos[i, 3:] = things.ravel()
        inside = abs(things[:, :2]).max(axis=1) < 0.2
        env.thing[i] = np.argmax(np.where(inside, things[:, 2], 0))
        env.goal[i] = rng.choice([-1, 1]) * 0.32, rng.uniform(-0.2, 0.2), 0.03

    def _thing(self, env, array, size):
        """The rows of the things to take, of an array that has `size` numbers for each thing after three of the gantry."""
        return array[:, 3:].reshape(env.num_envs, -1, size)[np.arange(env.num_envs), env.thing]

    def _ways(self, env):
        """From the pad to the thing, and from the thing to its goal."""
        thing = self._thing(env, env.qpos, 7)[:, :3]
        return thing - env.qpos[:, :3] - [0, 0, 0.7], env.goal - thing

    def observe(self, env):
        things = self._thing(env, env.qpos, 7), self._thing(env, env.qvel, 6)
        return np.concatenate((env.qpos[:, :3], env.qvel[:, :3], env.ctrl, *self._ways(env), *things), axis=1)

    def reward(self, env, actions):
        reach, carry = (norm(way) for way in self._ways(env))
        success = carry < 0.06
        return 0.2 * _near(reach, 0.1) + _near(carry, 0.1) + success, {"distance": carry, "success": success}

    def terminate(self, env):
        return abs(self._thing(env, env.qpos, 7)[:, :2]).max(axis=1) > 0.45  # out of reach


def _settled(model, count):
    """Things that have fallen into the bin in orientations of their own: heaps x things x 7."""
    batch = Batch(model, count)
    places = batch.state("qpos")
    for i in range(count):
        quats = np.random.default_rng(i).standard_normal((places.shape[1] // 7, 4))
        places[i, 3:].reshape(-1, 7)[:, 3:] = quats / norm(quats)[:, None]
    batch.step(round(3 / model.opt.timestep))
    return places[:, 3:].reshape(count, -1, 7).copy()


def _turned(things, quarters):
    """Things of a heap after quarters of a turn about the middle of the bin."""
    x, y, z, w, i, j, k = things.T
    for _ in range(quarters):
        x, y = -y, x
        w, i, j, k = np.sqrt(0.5) * np.array([w - k, i - j, j + i, k + w])
    return np.stack([x, y, z, w, i, j, k], axis=1)


TASKS = {"PickPlace-v0": PickPlace, "PegInsert-v0": PegInsert, "CubeInHand-v0": CubeInHand, "GripRod-v0": GripRod}
