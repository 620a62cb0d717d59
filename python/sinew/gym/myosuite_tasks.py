"""Tasks of MyoSuite (Caggiano, Wang, Durandau, Sartori, Kumar, "MyoSuite: A contact-rich simulation suite for
musculoskeletal motor control", L4DC 2022): reaching with finger, hand and arm, walking on flat and rough ground.

The package builds its models out of parts, so that a single environment of it is made once, on this engine; its model,
its ranges and its weights are those of the vector environment. Observations are of single precision, as MyoSuite's are.
"""

import math
import sys
from functools import partial

import numpy as np

from sinew import enums
from sinew._sinew import Model
from sinew.errors import Status
from sinew.gym.task import Task, rows
from sinew.install import install_as_mujoco


def _single(name):
    """The package's own environment."""
    if "mujoco" not in sys.modules:
        install_as_mujoco()
    try:
        import myosuite  # noqa: F401
    except ImportError:
        raise ImportError("these tasks take their models from the package myosuite: pip install myosuite") from None
    import gymnasium

    return gymnasium.make(name)


def _lengths(vectors):
    """Lengths along the last axis, by a sum of squares."""
    return np.sqrt(np.add.reduce(vectors * vectors, axis=-1))


class MyoTask(Task):
    """What reaching and walking share."""

    dtype = np.float32
    stage = int(enums.mjtStage.mjSTAGE_ACC)  # results are those of the state that a step ends with

    def __init__(self, name):
        self.name = name

    def make_model(self, xml_file=None):
        import mujoco

        wrapped = _single(self.name)
        self.steps = wrapped.spec.max_episode_steps
        self.single = wrapped.unwrapped
        self.frame_skip = self.single.frame_skip
        self.finish()
        buffer = np.zeros(mujoco.mj_sizeModel(self.single.model), np.uint8)
        mujoco.mj_saveModel(self.single.model, None, buffer)
        return Model.from_bytes(buffer.tobytes())

    def finish(self):
        """Changes the single environment's model before it is taken."""

    def begin(self, env):
        env.act, env.time = env.batch.state("act"), env.batch.state("time")
        env.control_step = float(env.model.opt.timestep * env.frame_skip)
        env.muscles = env.model.actuator_dyntype == enums.mjtDyn.mjDYN_MUSCLE

    def action_bounds(self, env):
        return self.single.action_space.low, self.single.action_space.high

    def observe(self, env):
        known = self.measure(env)
        parts = [known[key] for key in self.single.obs_keys]
        return np.concatenate([rows(part) for part in parts], axis=1).astype(np.float32)

    def measure(self, env):
        """What may be observed, by name."""
        raise NotImplementedError

    def weigh(self, parts):
        """The reward: parts times weights, added in the order of the weights."""
        weights = self.single.rwd_keys_wt
        return sum(weights[key] * parts[key] for key in weights)

    def fail(self, env):
        """Environments that have failed at their task."""
        raise NotImplementedError

    def terminate(self, env):
        return self.fail(env) | (env.batch.status == Status.DIVERGED)


class Reach(MyoTask):
    """Tips reach targets, which are sites of the world's own."""

    outputs = ("site_xpos",)

    def begin(self, env):
        super().begin(env)
        single = self.single
        if np.any(env.model.site_bodyid[single.target_sids] != 0):
            raise RuntimeError(f"{self.name}: targets that are fixed to a body")
        env.targets = np.repeat(env.model.site_pos[single.target_sids][None], env.num_envs, axis=0)
        env.shown = env.batch.parameter("site_pos") if env.render_mode else None

    def control(self, env, actions):
        actions = np.clip(actions, self.single.action_space.low, self.single.action_space.high)
        if not self.single.normalize_act:
            return actions
        if env.model.na:
            controls = actions.copy()
            controls[:, env.muscles] = 1.0 / (1.0 + np.exp(-5.0 * (actions[:, env.muscles] - 0.5)))
            return controls
        low, high = env.model.actuator_ctrlrange.T
        return np.mean(env.model.actuator_ctrlrange, axis=-1) + actions * (high - low) / 2.0

    def reset(self, env, worlds):
        single, mask = self.single, env.mask_of(worlds)
        env.batch.reset(mask, stage=0)
        env.qpos[worlds], env.qvel[worlds] = single._init_qpos, single._init_qvel
        for world in worlds:
            rng = env.rngs[world]
            if single._workspace_points is not None:
                env.targets[world] = single._workspace_points[rng.integers(len(single._workspace_points))]
            else:
                for i, (low, high) in enumerate(single.target_reach_range.values()):
                    env.targets[world, i] = rng.uniform(low=low, high=high)
        if env.shown is not None:
            env.shown[np.ix_(worlds, single.target_sids)] = env.targets[worlds]
        env.batch.forward(mask)

    def _tips(self, env):
        return rows(env.field("site_xpos")[:, self.single.tip_sids])

    def measure(self, env):
        tips, targets = self._tips(env), rows(env.targets)
        return {
            "time": env.time,
            "qpos": env.qpos,
            "qvel": env.qvel * env.control_step,
            "act": env.act,
            "tip_pos": tips,
            "target_pos": targets,
            "reach_err": targets - tips,
        }

    def _distance(self, env):
        return _lengths(rows(env.targets) - self._tips(env))

    def fail(self, env):
        # not before two control steps are over
        far = np.where(env.time > 2.0 * env.control_step, self.single.far_th * len(self.single.tip_sids), np.inf)
        return self._distance(env) > far

    def reward(self, env, actions):
        distance, near = self._distance(env), len(self.single.tip_sids) * 0.0125
        effort = _lengths(env.act) / env.model.na if env.model.na else 0.0 * distance
        parts = {
            "reach": -1.0 * distance,
            "bonus": 1.0 * (distance < 2 * near) + 1.0 * (distance < near),
            "act_reg": -1.0 * effort,
            "penalty": -1.0 * self.fail(env),
            "sparse": -1.0 * distance,
            "solved": distance < near,
        }
        return self.weigh(parts), parts


class Walk(MyoTask):
    """Legs walk with a wanted velocity."""

    outputs = ("xipos", "cvel", "xquat", "xpos", "actuator_length", "actuator_velocity", "actuator_force")

    def begin(self, env):
        super().begin(env)
        env.mass = np.expand_dims(env.model.body_mass, -1)
        env.total_mass = np.sum(env.mass)

    def control(self, env, actions):
        actions = np.clip(actions, self.single.action_space.low, self.single.action_space.high)
        return actions.astype(np.float64)

    def reset(self, env, worlds):
        single, mask = self.single, env.mask_of(worlds)
        if single.reset_type != "init":
            raise NotImplementedError(f"reset_type {single.reset_type!r}; 'init' is possible")
        env.batch.reset(mask, stage=0)
        self.form_ground(env, worlds)
        env.qpos[worlds], env.qvel[worlds] = env.model.key_qpos[2], env.model.key_qvel[2]
        env.batch.forward(mask)

    def form_ground(self, env, worlds):
        """Draws what the worlds walk on."""

    def _height(self, env):
        return np.sum(env.mass * env.field("xipos"), axis=1)[:, 2] / env.total_mass

    def _velocity(self, env):
        """Of the mass centre, in the plane."""
        return (np.sum(env.mass * -env.field("cvel"), axis=1) / env.total_mass)[:, 3:5]

    def _feet(self, env):
        return np.stack([env.position("talus_l"), env.position("talus_r")], axis=1)

    def _phase(self, env):
        return ((env.elapsed / self.single.hip_period) % 1).astype(np.float32)

    def measure(self, env):
        feet = self._feet(env)
        return {
            "t": env.time,
            "time": env.time,
            "qpos_without_xy": env.qpos[:, 2:],
            "qvel": env.qvel * env.control_step,
            "com_vel": self._velocity(env),
            "torso_angle": env.field("xquat")[:, env.number("body", "torso")],
            "feet_heights": feet[:, :, 2],
            "height": self._height(env),
            "feet_rel_positions": feet - env.position("pelvis")[:, None],
            "phase_var": self._phase(env),
            "muscle_length": env.field("actuator_length"),
            "muscle_velocity": np.clip(env.field("actuator_velocity"), -100, 100),
            "muscle_force": np.clip(env.field("actuator_force") / 1000, -100, 100),
            "act": env.act,
        }

    def fail(self, env):
        # how far the frame of the root has turned from its first heading: an entry of its rotation matrix
        quat = env.qpos[:, 3:7]
        scale = 2.0 / np.sum(quat * quat, axis=-1)
        y, z = quat[:, 2], quat[:, 3]
        turned = np.abs(1.0 - (y * (y * scale) + z * (z * scale))) > self.single.max_rot
        return (self._height(env) < self.single.min_height) | turned

    def reward(self, env, actions):
        single, velocity, phase = self.single, self._velocity(env), self._phase(env)
        failed = self.fail(env)
        speed = np.exp(-np.square(single.target_y_vel - velocity[:, 1])) + np.exp(
            -np.square(single.target_x_vel - velocity[:, 0])
        )
        left, right = single._hip_flex_indices
        wanted_left = 0.8 * np.cos(phase * 2.0 * math.pi + math.pi)
        wanted_right = 0.8 * np.cos(phase * 2.0 * math.pi)
        cyclic = np.sqrt(np.square(wanted_left - env.qpos[:, left]) + np.square(wanted_right - env.qpos[:, right]))
        reference = single.target_rot if single.target_rot is not None else single._init_qpos[3:7]
        turned = np.exp(-_lengths(5.0 * (env.qpos[:, 3:7] - reference)))
        spread = sum(np.abs(env.qpos[:, i]) for i in single._hip_angle_indices) / len(single._hip_angle_indices)
        error = np.hypot(single.target_x_vel - velocity[:, 0], single.target_y_vel - velocity[:, 1])
        parts = {
            "vel_reward": speed,
            "cyclic_hip": cyclic,
            "ref_rot": turned,
            "joint_angle_rew": np.exp(-5.0 * spread),
            "sparse": speed,
            "solved": (error < 0.5) & ~failed,
            "done": failed.astype(int),
        }
        reward = self.weigh(parts)
        del parts["done"]
        return reward, parts


class TerrainWalk(Walk):
    """Walking on a height field, which rough ground draws at each reset."""

    def finish(self):
        self.single.reset(seed=0)  # puts the height field into its place

    def begin(self, env):
        super().begin(env)
        env.ground = env.batch.parameter("hfield_data") if self.single.terrain == "rough" else None
        if env.ground is None and self.single.variant != "fixed":
            raise NotImplementedError(f"terrain {self.single.terrain!r} of random height")

    def form_ground(self, env, worlds):
        if env.ground is None:
            return
        for world in worlds:
            rough = env.rngs[world].uniform(low=-0.5, high=0.5, size=(10000,))
            low, high = np.min(rough), np.max(rough)
            env.ground[world] = (rough - low) / (high - low) * 0.08 - 0.02

    def fail(self, env):
        crouched = self._height(env) - np.mean(self._feet(env)[:, :, 2], axis=1) < 0.61
        return super().fail(env) | crouched


TASKS = {
    **{
        f"{name}Reach{kind}-v0": partial(Reach, f"{name}Reach{kind}-v0")
        for name in ("motorFinger", "myoFinger", "myoHand", "myoArm")
        for kind in ("Fixed", "Random")
    },
    "myoLegWalk-v0": partial(Walk, "myoLegWalk-v0"),
    **{
        f"myoLeg{kind}TerrainWalk-v0": partial(TerrainWalk, f"myoLeg{kind}TerrainWalk-v0")
        for kind in ("Rough", "Hilly", "Stair")
    },
}
