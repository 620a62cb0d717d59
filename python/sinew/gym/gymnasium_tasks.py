"""Gymnasium's MuJoCo tasks (v5). Rewards and observations are computed for all environments by array operations, in the
order in which the single ones do."""

from typing import Callable, Optional, Sequence

import numpy as np

from sinew import enums
from sinew._sinew import Model
from sinew.gym.task import Task, norm, package_folder, rows, square

_INFINITY = float("inf")


class GymnasiumTask(Task):
    """A task by functions, which take the environments; arrays have a row for each of them. It keeps nothing, so that
    several vector environments share it."""

    def __init__(
        self,
        file: str,
        frame_skip: int,
        settings: dict,
        outputs: Sequence[str],
        observation: Callable,
        rewards: Callable,
        noise: Callable,
        healthy: Optional[Callable] = None,
        before: Optional[Callable] = None,
        ends: Optional[Callable] = None,
        places: Sequence[str] = (),
        steps: int = 1000,
    ):
        self.file, self.frame_skip, self.settings, self.outputs = file, frame_skip, settings, tuple(outputs)
        self.observation, self.rewards, self.noise = observation, rewards, noise
        self.healthy, self.before, self.ends, self.places, self.steps = healthy, before, ends, places, steps

    def make_model(self, xml_file=None):
        return Model.from_xml_path(xml_file or package_folder("gymnasium") / "envs" / "mujoco" / "assets" / self.file)

    def begin(self, env):
        env.mass = env.model.body_mass.copy()
        env.total_mass = env.mass.sum()
        body = env.settings.get("main_body", 1)
        env.main_body = body if isinstance(body, int) else env.model.body(body).id
        env.height = 1 if env.model.jnt_type[0] == enums.mjtJoint.mjJNT_SLIDE else 2  # coordinate of the height

    def prepare(self, env):
        return self.before(env) if self.before else None

    def observe(self, env):
        return self.observation(env)

    def reward(self, env, actions):
        return self.rewards(env, actions)

    def terminate(self, env):
        if self.ends:
            return np.asarray(self.ends(env))
        if self.healthy and env.settings["terminate_when_unhealthy"]:
            return ~self.healthy(env)
        return np.zeros(env.num_envs, bool)

    def reset(self, env, worlds):
        def draw(i, rng):
            env.qpos[i], env.qvel[i] = self.noise(env, rng)

        self.reset_each(env, worlds, draw)
        if "cfrc_ext" in self.outputs:
            env.field("cfrc_ext")[env.mask_of(worlds)] = 0  # which the forward pass does not compute

    def reset_info(self, env):
        return {name: _PLACES[name](env) for name in self.places}


def _square_sum(array):
    return np.sum(np.square(rows(array)), axis=1)


# ---- observations


def _positions_and_velocities(skip, clip=False):
    def observe(env):
        skipped = skip if env.settings["exclude_current_positions_from_observation"] else 0
        velocity = np.clip(env.qvel, -10, 10) if clip else env.qvel
        return np.concatenate((env.qpos[:, skipped:], velocity), axis=1)

    return observe


def _observe_ant(env):
    parts = [_positions_and_velocities(2)(env)]
    if env.settings["include_cfrc_ext_in_observation"]:
        low, high = env.settings["contact_force_range"]
        parts.append(rows(np.clip(env.field("cfrc_ext")[:, 1:], low, high)))
    return np.concatenate(parts, axis=1)


def _observe_humanoid(env):
    parts = [_positions_and_velocities(2)(env)]
    if env.settings["include_cinert_in_observation"]:
        parts.append(rows(env.field("cinert")[:, 1:]))
    if env.settings["include_cvel_in_observation"]:
        parts.append(rows(env.field("cvel")[:, 1:]))
    if env.settings["include_qfrc_actuator_in_observation"]:
        parts.append(env.field("qfrc_actuator")[:, 6:])
    if env.settings["include_cfrc_ext_in_observation"]:
        parts.append(rows(env.field("cfrc_ext")[:, 1:]))
    return np.concatenate(parts, axis=1)


def _observe_double_pendulum(env):
    force = np.clip(env.field("qfrc_constraint"), -10, 10)[:, :1]
    angles = env.qpos[:, 1:]
    return np.concatenate((env.qpos[:, :1], np.sin(angles), np.cos(angles), np.clip(env.qvel, -10, 10), force), axis=1)


def _observe_pendulum(env):
    return np.concatenate((env.qpos, env.qvel), axis=1)


def _observe_pusher(env):
    bodies = [env.position(name) for name in ("tips_arm", "object", "goal")]
    return np.concatenate((env.qpos[:, :7], env.qvel[:, :7], *bodies), axis=1)


def _observe_reacher(env):
    theta = env.qpos[:, :2]
    offset = (env.position("fingertip") - env.position("target"))[:, :2]
    return np.concatenate((np.cos(theta), np.sin(theta), env.qpos[:, 2:], env.qvel[:, :2], offset), axis=1)


# ---- rewards: the reward, and the info


def _control_cost(env, action):
    return env.settings["ctrl_cost_weight"] * _square_sum(action)


def _x_velocity(env):
    return (env.qpos[:, 0] - env.before) / env.dt


def _prepare_x(env):
    return env.qpos[:, 0].copy()


def _reward_runner(env, action):
    velocity = _x_velocity(env)
    forward = env.settings["forward_reward_weight"] * velocity
    cost = _control_cost(env, action)
    info = {"x_position": env.qpos[:, 0].copy(), "x_velocity": velocity, "reward_forward": forward, "reward_ctrl": -cost}
    return forward - cost, info


def _reward_walker(env, action):
    velocity = _x_velocity(env)
    forward = env.settings["forward_reward_weight"] * velocity
    healthy = env.task.healthy(env) * env.settings["healthy_reward"]
    cost = _control_cost(env, action)
    info = {
        "x_position": env.qpos[:, 0].copy(),
        "z_distance_from_origin": env.qpos[:, 1] - env.init_qpos[1],
        "x_velocity": velocity,
        "reward_forward": forward,
        "reward_ctrl": -cost,
        "reward_survive": healthy,
    }
    return (forward + healthy) - cost, info


def _reward_swimmer(env, action):
    velocity = (env.qpos[:, :2] - env.before) / env.dt
    forward = env.settings["forward_reward_weight"] * velocity[:, 0]
    cost = _control_cost(env, action)
    info = {
        **_place(env),
        "x_velocity": velocity[:, 0],
        "y_velocity": velocity[:, 1],
        "reward_forward": forward,
        "reward_ctrl": -cost,
    }
    return forward - cost, info


def _place(env):
    return {
        "x_position": env.qpos[:, 0].copy(),
        "y_position": env.qpos[:, 1].copy(),
        "distance_from_origin": norm(env.qpos[:, :2]),
    }


def _prepare_xy(env):
    return env.qpos[:, :2].copy()


def _prepare_ant(env):
    return env.field("xpos")[:, env.main_body, :2].copy()


def _reward_ant(env, action):
    velocity = (env.field("xpos")[:, env.main_body, :2] - env.before) / env.dt
    forward = velocity[:, 0] * env.settings["forward_reward_weight"]
    healthy = env.task.healthy(env) * env.settings["healthy_reward"]
    low, high = env.settings["contact_force_range"]
    contact = env.settings["contact_cost_weight"] * _square_sum(np.clip(env.field("cfrc_ext"), low, high))
    cost = _control_cost(env, action)
    info = {
        **_place(env),
        "x_velocity": velocity[:, 0],
        "y_velocity": velocity[:, 1],
        "reward_forward": forward,
        "reward_ctrl": -cost,
        "reward_contact": -contact,
        "reward_survive": healthy,
    }
    return (forward + healthy) - (cost + contact), info


def _mass_centre(env):
    return (np.einsum("b,nbj->nj", env.mass, env.field("xipos")) / env.total_mass)[:, :2].copy()


def _impact_cost(env, weight, bounds):
    return np.clip(weight * _square_sum(env.field("cfrc_ext")), *bounds)


def _reward_humanoid(env, action):
    velocity = (_mass_centre(env) - env.before) / env.dt
    forward = env.settings["forward_reward_weight"] * velocity[:, 0]
    healthy = env.task.healthy(env) * env.settings["healthy_reward"]
    cost = _control_cost(env, env.ctrl)
    contact = _impact_cost(env, env.settings["contact_cost_weight"], env.settings["contact_cost_range"])
    info = {
        **_place(env),
        "tendon_length": env.field("ten_length").copy(),
        "tendon_velocity": env.field("ten_velocity").copy(),
        "x_velocity": velocity[:, 0],
        "y_velocity": velocity[:, 1],
        "reward_survive": healthy,
        "reward_forward": forward,
        "reward_ctrl": -cost,
        "reward_contact": -contact,
    }
    return (forward + healthy) - (cost + contact), info


def _reward_standup(env, action):
    height = (env.qpos[:, 2] - 0) / env.model.opt.timestep
    cost = _control_cost(env, env.ctrl)
    impact = _impact_cost(env, env.settings["impact_cost_weight"], env.settings["impact_cost_range"])
    info = {
        "x_position": env.qpos[:, 0].copy(),
        "y_position": env.qpos[:, 1].copy(),
        "z_distance_from_origin": env.qpos[:, 2] - env.init_qpos[2],
        "tendon_length": env.field("ten_length").copy(),
        "tendon_velocity": env.field("ten_velocity").copy(),
        "reward_linup": height,
        "reward_quadctrl": -cost,
        "reward_impact": -impact,
    }
    return height - cost - impact + 1, info


def _reward_double_pendulum(env, action):
    x, y = env.field("site_xpos")[:, 0, 0], env.field("site_xpos")[:, 0, 2]
    v1, v2 = env.qvel[:, 1], env.qvel[:, 2]
    distance = 0.01 * square(x) + square(y - 2)
    speed = 1e-3 * square(v1) + 5e-3 * square(v2)
    alive = env.settings["healthy_reward"] * (~env.task.ends(env)).astype(int)
    info = {"reward_survive": alive, "distance_penalty": -distance, "velocity_penalty": -speed}
    return alive - distance - speed, info


def _terminate_pendulum(env):
    observation = _observe_pendulum(env)
    return ~np.isfinite(observation).all(axis=1) | (np.abs(observation[:, 1]) > 0.2)


def _reward_pendulum(env, action):
    reward = (~_terminate_pendulum(env)).astype(np.float64)
    return reward, {"reward_survive": reward.astype(int)}


def _reward_pusher(env, action):
    near = -norm(env.position("object") - env.position("tips_arm")) * env.settings["reward_near_weight"]
    distance = -norm(env.position("object") - env.position("goal")) * env.settings["reward_dist_weight"]
    control = -_square_sum(action) * env.settings["reward_control_weight"]
    return distance + control + near, {"reward_dist": distance, "reward_ctrl": control, "reward_near": near}


def _reward_reacher(env, action):
    distance = -norm(env.position("fingertip") - env.position("target")) * env.settings["reward_dist_weight"]
    control = -_square_sum(action) * env.settings["reward_control_weight"]
    return distance + control, {"reward_dist": distance, "reward_ctrl": control}


# ---- health


def _healthy_ant(env):
    low, high = env.settings["healthy_z_range"]
    finite = np.isfinite(env.qpos).all(axis=1) & np.isfinite(env.qvel).all(axis=1)
    return finite & (low <= env.qpos[:, 2]) & (env.qpos[:, 2] <= high)


def _healthy_hopper(env):
    low, high = env.settings["healthy_state_range"]
    state = np.concatenate((env.qpos, env.qvel), axis=1)[:, 2:]
    return ((low < state) & (state < high)).all(axis=1) & _healthy_walker(env)


def _healthy_walker(env):
    (low, high), (least, most) = env.settings["healthy_z_range"], env.settings["healthy_angle_range"]
    z, angle = env.qpos[:, 1], env.qpos[:, 2]
    return (low < z) & (z < high) & (least < angle) & (angle < most)


def _healthy_humanoid(env):
    low, high = env.settings["healthy_z_range"]
    return (low < env.qpos[:, 2]) & (env.qpos[:, 2] < high)


# ---- what a reset draws: configuration and velocity of one environment, in the single one's order of draws


def _noise(uniform_velocity):
    def draw(env, rng):
        scale = env.settings["reset_noise_scale"]
        qpos = env.init_qpos + rng.uniform(low=-scale, high=scale, size=env.model.nq)
        if uniform_velocity:
            return qpos, env.init_qvel + rng.uniform(low=-scale, high=scale, size=env.model.nv)
        return qpos, env.init_qvel + scale * rng.standard_normal(env.model.nv)

    return draw


def _noise_pusher(env, rng):
    qpos = env.init_qpos.copy()
    while True:
        cylinder = np.concatenate([rng.uniform(low=-0.3, high=0, size=1), rng.uniform(low=-0.2, high=0.2, size=1)])
        if np.linalg.norm(cylinder) > 0.17:
            break
    qpos[-4:-2] = cylinder
    qpos[-2:] = 0
    qvel = env.init_qvel + rng.uniform(low=-0.005, high=0.005, size=env.model.nv)
    qvel[-4:] = 0
    return qpos, qvel


def _noise_reacher(env, rng):
    qpos = rng.uniform(low=-0.1, high=0.1, size=env.model.nq) + env.init_qpos
    while True:
        goal = rng.uniform(low=-0.2, high=0.2, size=2)
        if np.linalg.norm(goal) < 0.2:
            break
    qpos[-2:] = goal
    qvel = env.init_qvel + rng.uniform(low=-0.005, high=0.005, size=env.model.nv)
    qvel[-2:] = 0
    return qpos, qvel


_HIDDEN = {"exclude_current_positions_from_observation": True}
_HUMANOID = {
    **_HIDDEN,
    "include_cinert_in_observation": True,
    "include_cvel_in_observation": True,
    "include_qfrc_actuator_in_observation": True,
    "include_cfrc_ext_in_observation": True,
    "reset_noise_scale": 1e-2,
    "ctrl_cost_weight": 0.1,
}
_HUMANOID_OUTPUTS = ("cinert", "cvel", "qfrc_actuator", "cfrc_ext", "xipos", "ten_length", "ten_velocity")

_PLANE = ("x_position", "y_position", "distance_from_origin")
_TENDONS = ("tendon_length", "tendon_velocity")

_TASKS = {
    "Ant-v5": GymnasiumTask(
        "ant.xml", 5,
        {**_HIDDEN, "forward_reward_weight": 1, "ctrl_cost_weight": 0.5, "contact_cost_weight": 5e-4,
         "healthy_reward": 1.0, "main_body": 1, "terminate_when_unhealthy": True, "healthy_z_range": (0.2, 1.0),
         "contact_force_range": (-1.0, 1.0), "reset_noise_scale": 0.1, "include_cfrc_ext_in_observation": True},
        ("cfrc_ext", "xpos"), _observe_ant, _reward_ant, _noise(False), _healthy_ant, _prepare_ant,
        places=_PLANE),
    "HalfCheetah-v5": GymnasiumTask(
        "half_cheetah.xml", 5,
        {**_HIDDEN, "forward_reward_weight": 1.0, "ctrl_cost_weight": 0.1, "reset_noise_scale": 0.1},
        (), _positions_and_velocities(1), _reward_runner, _noise(False), before=_prepare_x,
        places=("x_position",)),
    "Hopper-v5": GymnasiumTask(
        "hopper.xml", 4,
        {**_HIDDEN, "forward_reward_weight": 1.0, "ctrl_cost_weight": 1e-3, "healthy_reward": 1.0,
         "terminate_when_unhealthy": True, "healthy_state_range": (-100.0, 100.0),
         "healthy_z_range": (0.7, _INFINITY), "healthy_angle_range": (-0.2, 0.2), "reset_noise_scale": 5e-3},
        (), _positions_and_velocities(1, True), _reward_walker, _noise(True), _healthy_hopper, _prepare_x,
        places=("x_position", "z_distance_from_origin")),
    "Humanoid-v5": GymnasiumTask(
        "humanoid.xml", 5,
        {**_HUMANOID, "forward_reward_weight": 1.25, "contact_cost_weight": 5e-7,
         "contact_cost_range": (-_INFINITY, 10.0), "healthy_reward": 5.0, "terminate_when_unhealthy": True,
         "healthy_z_range": (1.0, 2.0)},
        _HUMANOID_OUTPUTS, _observe_humanoid, _reward_humanoid, _noise(True), _healthy_humanoid, _mass_centre,
        places=(*_PLANE, *_TENDONS)),
    "HumanoidStandup-v5": GymnasiumTask(
        "humanoidstandup.xml", 5,
        {**_HUMANOID, "impact_cost_weight": 0.5e-6, "impact_cost_range": (-_INFINITY, 10.0)},
        _HUMANOID_OUTPUTS, _observe_humanoid, _reward_standup, _noise(True),
        places=("x_position", "y_position", "z_distance_from_origin", *_TENDONS)),
    "InvertedDoublePendulum-v5": GymnasiumTask(
        "inverted_double_pendulum.xml", 5, {"healthy_reward": 10.0, "reset_noise_scale": 0.1},
        ("site_xpos", "qfrc_constraint"), _observe_double_pendulum, _reward_double_pendulum, _noise(False),
        ends=lambda env: env.field("site_xpos")[:, 0, 2] <= 1),
    "InvertedPendulum-v5": GymnasiumTask(
        "inverted_pendulum.xml", 2, {"reset_noise_scale": 0.01}, (), _observe_pendulum, _reward_pendulum, _noise(True),
        ends=_terminate_pendulum),
    "Pusher-v5": GymnasiumTask(
        "pusher_v5.xml", 5, {"reward_near_weight": 0.5, "reward_dist_weight": 1, "reward_control_weight": 0.1},
        ("xpos",), _observe_pusher, _reward_pusher, _noise_pusher, steps=100),
    "Reacher-v5": GymnasiumTask(
        "reacher.xml", 2, {"reward_dist_weight": 1, "reward_control_weight": 1},
        ("xpos",), _observe_reacher, _reward_reacher, _noise_reacher, steps=50),
    "Swimmer-v5": GymnasiumTask(
        "swimmer.xml", 4,
        {**_HIDDEN, "forward_reward_weight": 1.0, "ctrl_cost_weight": 1e-4, "reset_noise_scale": 0.1},
        (), _positions_and_velocities(2), _reward_swimmer, _noise(True), before=_prepare_xy, places=_PLANE),
    "Walker2d-v5": GymnasiumTask(
        "walker2d_v5.xml", 4,
        {**_HIDDEN, "forward_reward_weight": 1.0, "ctrl_cost_weight": 1e-3, "healthy_reward": 1.0,
         "terminate_when_unhealthy": True, "healthy_z_range": (0.8, 2.0), "healthy_angle_range": (-1.0, 1.0),
         "reset_noise_scale": 5e-3},
        (), _positions_and_velocities(1, True), _reward_walker, _noise(True), _healthy_walker, _prepare_x,
        places=("x_position", "z_distance_from_origin")),
}  # fmt: skip
# What a reset tells.
_PLACES = {
    "x_position": lambda env: env.qpos[:, 0].copy(),
    "y_position": lambda env: env.qpos[:, 1].copy(),
    "distance_from_origin": lambda env: norm(env.qpos[:, :2]),
    "z_distance_from_origin": lambda env: env.qpos[:, env.height] - env.init_qpos[env.height],
    "tendon_length": lambda env: env.field("ten_length").copy(),
    "tendon_velocity": lambda env: env.field("ten_velocity").copy(),
}


def _shared(task):
    return lambda: task


TASKS = {name: _shared(task) for name, task in _TASKS.items()}
