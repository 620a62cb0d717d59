"""Vector environments: all of Gymnasium's MuJoCo tasks (v5), many at once on the engine's batch.

    envs = sinew.gym.make_vec("Humanoid-v5", num_envs=256)
    observations, infos = envs.reset(seed=0)
    observations, rewards, terminations, truncations, infos = envs.step(actions)

Each environment gives what Gymnasium's single one gives on this engine, bit for bit, when it is seeded with seed + i:
observations, rewards, terminations, and the same random numbers at each reset. Rewards and observations are computed
for all environments by array operations, in the order in which the single ones do.
"""

import dataclasses
from typing import Any, Callable, Optional, Sequence, Union

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from sinew._sinew import Batch, Model, Renderer

_INFINITY = float("inf")


@dataclasses.dataclass
class Task:
    """What a task is made of. Functions take the environments; arrays have a row for each of them."""

    model: str
    frame_skip: int
    settings: dict
    outputs: Sequence[str]
    observe: Callable
    reward: Callable
    noise: Callable
    healthy: Optional[Callable] = None
    prepare: Optional[Callable] = None
    terminate: Optional[Callable] = None
    steps: int = 1000


def _rows(array):
    return array.reshape(len(array), -1)


def _square_sum(array):
    return np.sum(np.square(_rows(array)), axis=1)


def _norm(vectors):
    # the dot product of each row, as the norm of one vector is taken
    return np.sqrt(np.array([row.dot(row) for row in vectors]))


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
        parts.append(_rows(np.clip(env.field("cfrc_ext")[:, 1:], low, high)))
    return np.concatenate(parts, axis=1)


def _observe_humanoid(env):
    parts = [_positions_and_velocities(2)(env)]
    if env.settings["include_cinert_in_observation"]:
        parts.append(_rows(env.field("cinert")[:, 1:]))
    if env.settings["include_cvel_in_observation"]:
        parts.append(_rows(env.field("cvel")[:, 1:]))
    if env.settings["include_qfrc_actuator_in_observation"]:
        parts.append(env.field("qfrc_actuator")[:, 6:])
    if env.settings["include_cfrc_ext_in_observation"]:
        parts.append(_rows(env.field("cfrc_ext")[:, 1:]))
    return np.concatenate(parts, axis=1)


def _observe_double_pendulum(env):
    force = np.clip(env.field("qfrc_constraint"), -10, 10)[:, :1]
    angles = env.qpos[:, 1:]
    return np.concatenate((env.qpos[:, :1], np.sin(angles), np.cos(angles), np.clip(env.qvel, -10, 10), force), axis=1)


def _observe_pendulum(env):
    return np.concatenate((env.qpos, env.qvel), axis=1)


def _observe_pusher(env):
    bodies = [env.body(name) for name in ("tips_arm", "object", "goal")]
    return np.concatenate((env.qpos[:, :7], env.qvel[:, :7], *bodies), axis=1)


def _observe_reacher(env):
    theta = env.qpos[:, :2]
    offset = (env.body("fingertip") - env.body("target"))[:, :2]
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
        "distance_from_origin": _norm(env.qpos[:, :2]),
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
    distance = 0.01 * x**2 + (y - 2) ** 2
    speed = 1e-3 * v1**2 + 5e-3 * v2**2
    alive = env.settings["healthy_reward"] * (~env.task.terminate(env)).astype(int)
    info = {"reward_survive": alive, "distance_penalty": -distance, "velocity_penalty": -speed}
    return alive - distance - speed, info


def _terminate_pendulum(env):
    observation = _observe_pendulum(env)
    return ~np.isfinite(observation).all(axis=1) | (np.abs(observation[:, 1]) > 0.2)


def _reward_pendulum(env, action):
    reward = (~_terminate_pendulum(env)).astype(np.float64)
    return reward, {"reward_survive": reward.astype(int)}


def _reward_pusher(env, action):
    near = -_norm(env.body("object") - env.body("tips_arm")) * env.settings["reward_near_weight"]
    distance = -_norm(env.body("object") - env.body("goal")) * env.settings["reward_dist_weight"]
    control = -_square_sum(action) * env.settings["reward_control_weight"]
    return distance + control + near, {"reward_dist": distance, "reward_ctrl": control, "reward_near": near}


def _reward_reacher(env, action):
    distance = -_norm(env.body("fingertip") - env.body("target")) * env.settings["reward_dist_weight"]
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

TASKS = {
    "Ant-v5": Task(
        "ant.xml", 5,
        {**_HIDDEN, "forward_reward_weight": 1, "ctrl_cost_weight": 0.5, "contact_cost_weight": 5e-4,
         "healthy_reward": 1.0, "main_body": 1, "terminate_when_unhealthy": True, "healthy_z_range": (0.2, 1.0),
         "contact_force_range": (-1.0, 1.0), "reset_noise_scale": 0.1, "include_cfrc_ext_in_observation": True},
        ("cfrc_ext", "xpos"), _observe_ant, _reward_ant, _noise(False), _healthy_ant, _prepare_ant),
    "HalfCheetah-v5": Task(
        "half_cheetah.xml", 5,
        {**_HIDDEN, "forward_reward_weight": 1.0, "ctrl_cost_weight": 0.1, "reset_noise_scale": 0.1},
        (), _positions_and_velocities(1), _reward_runner, _noise(False), prepare=_prepare_x),
    "Hopper-v5": Task(
        "hopper.xml", 4,
        {**_HIDDEN, "forward_reward_weight": 1.0, "ctrl_cost_weight": 1e-3, "healthy_reward": 1.0,
         "terminate_when_unhealthy": True, "healthy_state_range": (-100.0, 100.0),
         "healthy_z_range": (0.7, _INFINITY), "healthy_angle_range": (-0.2, 0.2), "reset_noise_scale": 5e-3},
        (), _positions_and_velocities(1, True), _reward_walker, _noise(True), _healthy_hopper, _prepare_x),
    "Humanoid-v5": Task(
        "humanoid.xml", 5,
        {**_HUMANOID, "forward_reward_weight": 1.25, "contact_cost_weight": 5e-7,
         "contact_cost_range": (-_INFINITY, 10.0), "healthy_reward": 5.0, "terminate_when_unhealthy": True,
         "healthy_z_range": (1.0, 2.0)},
        _HUMANOID_OUTPUTS, _observe_humanoid, _reward_humanoid, _noise(True), _healthy_humanoid, _mass_centre),
    "HumanoidStandup-v5": Task(
        "humanoidstandup.xml", 5,
        {**_HUMANOID, "impact_cost_weight": 0.5e-6, "impact_cost_range": (-_INFINITY, 10.0)},
        _HUMANOID_OUTPUTS, _observe_humanoid, _reward_standup, _noise(True)),
    "InvertedDoublePendulum-v5": Task(
        "inverted_double_pendulum.xml", 5, {"healthy_reward": 10.0, "reset_noise_scale": 0.1},
        ("site_xpos", "qfrc_constraint"), _observe_double_pendulum, _reward_double_pendulum, _noise(False),
        terminate=lambda env: env.field("site_xpos")[:, 0, 2] <= 1),
    "InvertedPendulum-v5": Task(
        "inverted_pendulum.xml", 2, {"reset_noise_scale": 0.01}, (), _observe_pendulum, _reward_pendulum, _noise(True),
        terminate=_terminate_pendulum),
    "Pusher-v5": Task(
        "pusher_v5.xml", 5, {"reward_near_weight": 0.5, "reward_dist_weight": 1, "reward_control_weight": 0.1},
        ("xpos",), _observe_pusher, _reward_pusher, _noise_pusher, steps=100),
    "Reacher-v5": Task(
        "reacher.xml", 2, {"reward_dist_weight": 1, "reward_control_weight": 1},
        ("xpos",), _observe_reacher, _reward_reacher, _noise_reacher, steps=50),
    "Swimmer-v5": Task(
        "swimmer.xml", 4,
        {**_HIDDEN, "forward_reward_weight": 1.0, "ctrl_cost_weight": 1e-4, "reset_noise_scale": 0.1},
        (), _positions_and_velocities(2), _reward_swimmer, _noise(True), prepare=_prepare_xy),
    "Walker2d-v5": Task(
        "walker2d_v5.xml", 4,
        {**_HIDDEN, "forward_reward_weight": 1.0, "ctrl_cost_weight": 1e-3, "healthy_reward": 1.0,
         "terminate_when_unhealthy": True, "healthy_z_range": (0.8, 2.0), "healthy_angle_range": (-1.0, 1.0),
         "reset_noise_scale": 5e-3},
        (), _positions_and_velocities(1, True), _reward_walker, _noise(True), _healthy_walker, _prepare_x),
}  # fmt: skip


def _model_file(name):
    import importlib.util
    import pathlib

    # without importing the tasks themselves, which need the package mujoco
    package = importlib.util.find_spec("gymnasium")
    return pathlib.Path(package.origin).parent / "envs" / "mujoco" / "assets" / name


class MujocoVectorEnv(VectorEnv):
    """Environments of one task. Make it by `make_vec`."""

    metadata = {"render_modes": ["rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        task: Task,
        num_envs: int,
        *,
        max_episode_steps: Optional[int] = None,
        autoreset_mode: Union[AutoresetMode, str] = AutoresetMode.NEXT_STEP,
        render_mode: Optional[str] = None,
        threads: int = 0,
        xml_file: Optional[str] = None,
        frame_skip: Optional[int] = None,
        width: int = 480,
        height: int = 480,
        **settings: Any,
    ):
        unknown = set(settings) - set(task.settings)
        if unknown:
            raise TypeError(f"unknown settings: {', '.join(sorted(unknown))}; there are: {', '.join(task.settings)}")
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode {render_mode!r}: only 'rgb_array' is possible")
        self.task, self.num_envs = task, num_envs
        self.settings = {**task.settings, **settings}
        self.model = Model.from_xml_path(xml_file or _model_file(task.model))
        self.batch = Batch(self.model, num_envs, threads=threads)
        self.frame_skip = frame_skip or task.frame_skip
        self.dt = self.model.opt.timestep * self.frame_skip
        self.metadata = {**MujocoVectorEnv.metadata, "render_fps": int(np.round(1.0 / self.dt))}
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata["autoreset_mode"] = self.autoreset_mode
        self.render_mode, self._size, self._renderer = render_mode, (width, height), None

        self.qpos, self.qvel, self.ctrl = (self.batch.state(name) for name in ("qpos", "qvel", "ctrl"))
        self._fields = {name: self.batch.output(name) for name in task.outputs}
        self.init_qpos, self.init_qvel = self.qpos[0].copy(), self.qvel[0].copy()
        self.mass = self.model.body_mass.copy()
        self.total_mass = self.mass.sum()
        body = self.settings.get("main_body", 1)
        self.main_body = body if isinstance(body, int) else self.model.body(body).id
        self._bodies = {}
        self.before = task.prepare(self) if task.prepare else None
        self._limit = task.steps if max_episode_steps is None else max_episode_steps
        self._elapsed = np.zeros(num_envs, int)
        self._ended = np.zeros(num_envs, bool)
        self._rngs = [None] * num_envs

        low, high = self.model.actuator_ctrlrange.copy().astype(np.float32).T
        self.single_action_space = gymnasium.spaces.Box(low=low, high=high, dtype=np.float32)
        size = task.observe(self).shape[1]
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape=(size,), dtype=np.float64)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def field(self, name):
        """A field of mjData of all environments."""
        return self._fields[name]

    def body(self, name):
        """Positions of a body."""
        if name not in self._bodies:
            self._bodies[name] = self.model.body(name).id
        return self._fields["xpos"][:, self._bodies[name]]

    # ---- resets

    def reset(self, *, seed=None, options=None):
        mask = (options or {}).get("reset_mask")
        mask = np.ones(self.num_envs, bool) if mask is None else np.asarray(mask, bool)
        if mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask has the shape {mask.shape}; it takes ({self.num_envs},)")
        seeds = [None] * self.num_envs
        if isinstance(seed, (int, np.integer)):
            seeds = [int(seed) + i for i in range(self.num_envs)]
        elif seed is not None:
            seeds = list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"seed has {len(seeds)} entries; there are {self.num_envs} environments")
        for i in np.flatnonzero(mask):
            if seeds[i] is not None or self._rngs[i] is None:
                self._rngs[i], _ = seeding.np_random(seeds[i])
        self._reset(mask)
        return self.task.observe(self), self._reset_info(mask)

    def _reset(self, mask):
        self.batch.reset(mask, stage=0)
        for i in np.flatnonzero(mask):
            self.qpos[i], self.qvel[i] = self.task.noise(self, self._rngs[i])
        self.batch.forward(mask)
        if "cfrc_ext" in self._fields:
            self._fields["cfrc_ext"][mask] = 0  # which the forward pass does not compute
        self._elapsed[mask] = 0
        self._ended[mask] = False

    def _reset_info(self, mask):
        info = {}
        place = _place(self)
        for name, values in place.items() if self.model.nq >= 3 else ():
            info[name], info["_" + name] = values, mask.copy()
        return info

    # ---- steps

    def step(self, actions):
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions have the shape {actions.shape}; it takes {self.action_space.shape}")
        restarted = self._ended.copy() if self.autoreset_mode is AutoresetMode.NEXT_STEP else None
        if restarted is not None and restarted.any():
            self._reset(restarted)
            running = ~restarted
        else:
            running = None
        self.before = self.task.prepare(self) if self.task.prepare else None
        if running is None:
            self.ctrl[:] = actions
        else:
            self.ctrl[running] = actions[running]
        self.batch.step(self.frame_skip, running)
        reward, info = self.task.reward(self, actions)
        terminated = self._terminations()
        self._elapsed += 1 if running is None else running
        truncated = self._elapsed >= self._limit
        if running is not None:
            reward = np.where(running, reward, 0.0)
            terminated, truncated = terminated & running, truncated & running
        info = self._with_masks(info, running)
        self._ended = terminated | truncated
        observation = self.task.observe(self)
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._ended.any():
            observation = self._restart_at_once(observation, info)
        return observation, np.asarray(reward, np.float64), terminated, truncated, info

    def _terminations(self):
        if self.task.terminate:
            return np.asarray(self.task.terminate(self))
        if self.task.healthy and self.settings["terminate_when_unhealthy"]:
            return ~self.task.healthy(self)
        return np.zeros(self.num_envs, bool)

    def _with_masks(self, info, running):
        present = np.ones(self.num_envs, bool) if running is None else running
        result = {}
        for name, values in info.items():
            result[name], result["_" + name] = np.asarray(values), present.copy()
        return result

    def _restart_at_once(self, observation, info):
        ended = self._ended.copy()
        final = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(ended):
            final[i] = observation[i]
        final_info = {name: values.copy() for name, values in info.items()}
        info["final_obs"], info["_final_obs"] = final, ended
        info["final_info"], info["_final_info"] = final_info, ended
        self._reset(ended)
        return self.task.observe(self)

    # ---- pictures

    def render(self, world: Optional[int] = 0):
        """A picture of one environment; None: of all, side by side in a square."""
        if self.render_mode is None:
            return None
        if self._renderer is None:
            self._renderer = Renderer(self.model, *self._size)
            self._renderer.look(at=self.model.stat.center, distance=2 * self.model.stat.extent)
        pictures = self.batch.render(self._renderer, None if world is None else [world])
        return contact_sheet(pictures) if world is None else pictures[0]

    def close_extras(self, **kwargs):
        self._renderer = None


def contact_sheet(pictures: np.ndarray) -> np.ndarray:
    """Pictures (n x height x width x 3) side by side, in rows; what is left over is black."""
    count, height, width, channels = pictures.shape
    columns = int(np.ceil(np.sqrt(count)))
    rows = -(-count // columns)
    sheet = np.zeros((rows * columns, height, width, channels), pictures.dtype)
    sheet[:count] = pictures
    return sheet.reshape(rows, columns, height, width, channels).swapaxes(1, 2).reshape(rows * height, -1, channels)


def make_vec(id: str, num_envs: int = 1, **settings: Any) -> MujocoVectorEnv:
    """Environments of a task of Gymnasium's, "Humanoid-v5" for example. `settings` are those of the single one, and
    max_episode_steps, autoreset_mode, threads, render_mode, width, height."""
    try:
        task = TASKS[id]
    except KeyError:
        raise ValueError(f"there is no task {id!r}; there are: {', '.join(TASKS)}") from None
    return MujocoVectorEnv(task, num_envs, **settings)
