"""The vector environment: one batch of the engine, and a task that says what its worlds mean."""

from typing import Any, Optional, Union

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from sinew._sinew import Batch, Renderer
from sinew.errors import Status
from sinew.gym.task import Task


# Statuses of worlds whose episode cannot go on.
_LOST = (Status.DIVERGED, Status.FAILED, Status.BAD_TIME)


# Attributes of single environments that are found elsewhere in many.
_PER_ENVIRONMENT = {
    "action_space": lambda envs: [envs.single_action_space] * envs.num_envs,
    "observation_space": lambda envs: [envs.single_observation_space] * envs.num_envs,
    "data": lambda envs: [envs.batch.world(i) for i in range(envs.num_envs)],
    "render": lambda envs: envs.render() or [None] * envs.num_envs,
}


class SinewVectorEnv(VectorEnv):
    """Environments of one task. Make it by `make_vec`.

    An environment whose world has diverged or failed is truncated with reward 0: `infos["status"]` has its status,
    `infos["cause"]` says in words what happened, and `failures` counts such episodes.

    `pixels`: observations are pictures, num_envs x height x width x 3 bytes, of this width and height (True: 84 by 84).
    `samples` are rays of a pixel: 0 as many as edges need, which is what `render` takes, 1 for pixels, in a quarter of
    the time.
    """

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
        camera: Union[str, int, None] = None,
        samples: Optional[int] = None,
        pixels: Union[bool, tuple[int, int]] = False,
        **settings: Any,
    ):
        unknown = set(settings) - set(task.settings)
        if unknown:
            raise TypeError(f"unknown settings: {', '.join(sorted(unknown))}; there are: {', '.join(task.settings)}")
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode {render_mode!r}: only 'rgb_array' is possible")
        self.task, self.num_envs = task, num_envs
        self.settings = {**task.settings, **settings}
        self.render_mode, self._size, self._renderer, self._camera = render_mode, (width, height), None, camera
        self._samples, self._pixels = samples, None
        self.model = task.make_model(xml_file) if xml_file else task.make_model()
        self.batch = Batch(self.model, num_envs, threads=threads)
        self.frame_skip = frame_skip or task.frame_skip
        self.dt = self.model.opt.timestep * self.frame_skip
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            **SinewVectorEnv.metadata,
            "render_fps": int(np.round(1.0 / self.dt)),
            "autoreset_mode": self.autoreset_mode,
        }

        self.qpos, self.qvel, self.ctrl = (self.batch.state(name) for name in ("qpos", "qvel", "ctrl"))
        self._fields = {name: self.batch.output(name) for name in task.outputs}
        self._numbers = {}
        self.init_qpos, self.init_qvel = self.qpos[0].copy(), self.qvel[0].copy()
        self.rngs, self._seeds, self._begun = [None] * num_envs, [None] * num_envs, False
        self._limit = task.steps if max_episode_steps is None else max_episode_steps
        self.elapsed = np.zeros(num_envs, int)
        self._ended = np.zeros(num_envs, bool)
        self.failures = 0
        task.begin(self)
        self.before = task.prepare(self)

        low, high = task.action_bounds(self)
        self.single_action_space = gymnasium.spaces.Box(low=low, high=high, dtype=low.dtype)
        if pixels:
            width, height = (84, 84) if pixels is True else pixels
            self._pixels = self._make_renderer(width, height, 1 if samples is None else samples)
            self.single_observation_space = gymnasium.spaces.Box(0, 255, shape=(height, width, 3), dtype=np.uint8)
        else:
            size = task.observe(self).shape[1]
            self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape=(size,), dtype=task.dtype)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    # ---- one value for each environment, as Gymnasium's own vector environments have them

    @property
    def np_random(self):
        """The sources of random numbers (numpy.random.Generator), one of each environment."""
        self._seed_rest(range(self.num_envs))
        return tuple(
            np.random.Generator(rng._bit_generator) if isinstance(rng, np.random.RandomState) else rng for rng in self.rngs
        )

    @property
    def np_random_seed(self):
        """The seeds that the sources of random numbers began with; -1 where a source was set by the program."""
        self._seed_rest(range(self.num_envs))
        return tuple(self._seeds)

    def get_attr(self, name: str) -> tuple:
        """An attribute of each environment: rows of arrays, what all have in common, and settings of the task.
        "data" are copies of the worlds (sinew.Data)."""
        return self.call(name)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple:
        """Calls a method, as "render", and returns its result for each environment; of an attribute its values."""
        if name in _PER_ENVIRONMENT:
            return tuple(_PER_ENVIRONMENT[name](self))
        value = self.settings[name] if name in self.settings else getattr(self, name)
        value = value(*args, **kwargs) if callable(value) else value
        if isinstance(value, (np.ndarray, tuple, list)) and len(value) == self.num_envs:
            return tuple(value)
        return (value,) * self.num_envs

    def set_attr(self, name: str, values: Any) -> None:
        """Sets an attribute: rows of an array that has one for each environment ("qpos"), or what all have in common."""
        values = list(values) if isinstance(values, (list, tuple, np.ndarray)) else [values] * self.num_envs
        if len(values) != self.num_envs:
            raise ValueError(f"{name} is set by {len(values)} values; there are {self.num_envs} environments")
        if name in ("np_random", "rngs"):
            self.rngs, self._seeds = values, [-1] * self.num_envs
            self._begun = True
            return
        now = self.settings[name] if name in self.settings else getattr(self, name)
        if isinstance(now, np.ndarray) and len(now) == self.num_envs:
            now[:] = values
            return
        if any(not np.array_equal(value, values[0]) for value in values):
            raise ValueError(f"all environments have the same {name}")
        if name in self.settings:
            self.settings[name] = values[0]
        else:
            setattr(self, name, values[0])

    def __reduce_ex__(self, protocol):
        raise TypeError(
            "vector environments are neither copied nor pickled: pass the name and the settings to the other process, "
            "and call sinew.gym.make_vec there"
        )

    # ---- for tasks

    def field(self, name):
        """A field of mjData of all environments."""
        return self._fields[name]

    def number(self, kind, name):
        """The number of the model's body, joint, geom, site or sensor of this name."""
        key = kind, name
        if key not in self._numbers:
            self._numbers[key] = getattr(self.model, kind)(name).id
        return self._numbers[key]

    def position(self, body):
        """Places of a body in all environments: num_envs x 3, metres, in the world frame."""
        return self._fields["xpos"][:, self.number("body", body)]

    def sensor(self, name):
        """What a sensor measured: environments x its size."""
        number = self.number("sensor", name)
        begin = int(self.model.sensor_adr[number])
        return self._fields["sensordata"][:, begin : begin + int(self.model.sensor_dim[number])]

    def _observe(self):
        """Observations of all environments: what the task measures, or pictures."""
        return self.task.observe(self) if self._pixels is None else self.batch.render(self._pixels)

    def mask_of(self, worlds):
        """One flag for each environment, set for these numbers."""
        mask = np.zeros(self.num_envs, bool)
        mask[worlds] = True
        return mask

    # ---- resets

    def reset(self, *, seed=None, options=None):
        """Begins episodes in all environments, or in those of `options["reset_mask"]`; returns observations and infos."""
        if self.closed:
            raise gymnasium.error.ClosedEnvironmentError("reset after close")
        mask = self._mask_to_reset(options)
        seeds = [None] * self.num_envs
        if isinstance(seed, (int, np.integer)):
            seeds = [int(seed) + i for i in range(self.num_envs)]
        elif seed is not None:
            seeds = list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"seed has {len(seeds)} entries; there are {self.num_envs} environments")
        for i in np.flatnonzero(mask):
            if seeds[i] is not None:
                self._seeds[i], self.rngs[i] = seeds[i], self.task.generator(seeds[i])
        self._seed_rest(np.flatnonzero(mask))
        self._begun = None not in self.rngs
        if mask.all() and seeds[0] is not None:
            self.batch.seed(seeds[0])  # what `batch.randomize` draws follows the seed, too
        self._reset(mask)
        info = {}
        for name, values in self.task.reset_info(self).items():
            info[name], info["_" + name] = values, mask.copy()
        return self._observe(), info

    def _mask_to_reset(self, options):
        """The mask that a reset is asked for, as Gymnasium takes it; all environments without one."""
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, bool)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"reset_mask is an array of bool, not {getattr(mask, 'dtype', type(mask).__name__)}")
        if mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask has the shape {mask.shape}; it takes ({self.num_envs},)")
        if not mask.any():
            raise ValueError("reset_mask selects no environment")
        return mask

    def _seed_rest(self, worlds):
        """Gives environments that have no source of random numbers one, of a seed that nobody chose."""
        for i in worlds:
            if self.rngs[i] is None:
                self._seeds[i] = int(np.random.SeedSequence().entropy % 2**32)
                self.rngs[i] = self.task.generator(self._seeds[i])

    def _reset(self, mask):
        self.elapsed[mask] = 0
        self._ended[mask] = False
        self.task.reset(self, np.flatnonzero(mask))

    # ---- steps

    def step(self, actions):
        """One action in each environment; returns observations, rewards, terminations, truncations and infos."""
        if self.closed:
            raise gymnasium.error.ClosedEnvironmentError("step after close")
        if not self._begun:
            raise gymnasium.error.ResetNeeded("step before reset")
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions have the shape {actions.shape}; it takes {self.action_space.shape}")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            raise AssertionError(
                f"episodes have ended in the environments {np.flatnonzero(self._ended).tolist()}: "
                "reset them with options={'reset_mask': ...} before the next step"
            )
        running, begun = None, {}
        if self.autoreset_mode is AutoresetMode.NEXT_STEP and self._ended.any():
            running = ~self._ended
            self._reset(self._ended.copy())
            begun = self.task.reset_info(self)
        self.before = self.task.prepare(self)
        controls = self.task.control(self, actions)
        if running is None:
            self.ctrl[:] = controls
        else:
            self.ctrl[running] = controls[running]
        self.batch.step(self.frame_skip, running, stage=self.task.stage)
        self.elapsed += 1 if running is None else running
        reward, info = self.task.reward(self, actions)
        terminated = self.task.terminate(self)
        truncated = self.elapsed >= self._limit if self._limit is not None else np.zeros(self.num_envs, bool)
        status = self.batch.status
        failed = np.isin(status, _LOST) if status.any() else np.zeros(self.num_envs, bool)
        if failed.any():
            truncated = truncated | (failed & ~terminated)
            reward = np.where(failed, 0.0, reward)
        if running is not None:
            reward = np.where(running, reward, 0.0)
            terminated, truncated, failed = terminated & running, truncated & running, failed & running
        info = _of_some(info, np.ones(self.num_envs, bool) if running is None else running)
        if running is not None:
            info = _joined(info, _of_some(begun, ~running))
        if failed.any():
            self._tell_failures(failed, info)
        self._ended = terminated | truncated
        observation = self._observe()
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._ended.any():
            observation = self._restart_at_once(observation, info)
        return observation, np.asarray(reward, np.float64), terminated, truncated, info

    def _tell_failures(self, failed, info):
        causes = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(failed):
            causes[i] = self.batch.cause(int(i))
        info["status"], info["_status"] = self.batch.status.copy(), failed
        info["cause"], info["_cause"] = causes, failed.copy()
        self.failures += int(failed.sum())

    def _restart_at_once(self, observation, info):
        ended = self._ended.copy()
        final = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(ended):
            final[i] = observation[i]
        parts = {name: (values, info["_" + name]) for name, values in info.items() if not name.startswith("_")}
        info.clear()
        for name, (values, mask) in parts.items():
            info.update(_of_some({name: values}, mask & ~ended))
        last: dict = {}
        for name, (values, mask) in parts.items():
            last.update(_of_some({name: values}, mask & ended))
        self._reset(ended)
        joined = _joined(info, _of_some(self.task.reset_info(self), ended))
        info.update(joined)
        info["final_obs"], info["_final_obs"] = final, ended
        info["final_info"], info["_final_info"] = last, ended.copy()
        return self._observe()

    # ---- pictures

    def render(self, world: Union[int, None, str] = "each"):
        """Pictures of all environments as a tuple, as Gymnasium has it; a number: one picture, of this environment; None:
        one picture with all of them side by side in a square."""
        if self.render_mode is None:
            return None
        if isinstance(world, str) and world != "each":
            raise ValueError(f"world is {world!r}; it is the number of an environment, None or 'each'")
        if isinstance(world, (int, np.integer)) and not 0 <= world < self.num_envs:
            raise IndexError(f"there is no environment {world}; there are {self.num_envs}")
        if self._renderer is None:
            self._renderer = self._make_renderer(*self._size, self._samples or 0)
        pictures = self.batch.render(self._renderer, None if world in (None, "each") else [world])
        if world == "each":
            return tuple(pictures)
        return contact_sheet(pictures) if world is None else pictures[0]

    def _make_renderer(self, width, height, samples):
        renderer = Renderer(self.model, width, height, samples)
        if self._camera is None:
            renderer.look(at=self.model.stat.center, distance=2 * self.model.stat.extent)
        else:
            renderer.use(self._camera)
        return renderer

    def close_extras(self, **kwargs):
        """Lets go of the renderer; `close` calls it."""
        self._renderer = None


def _of_some(values: dict, mask: np.ndarray) -> dict:
    """Infos of the environments of a mask, as Gymnasium has them: zero for the others, and nothing where it has none."""
    infos = {}
    for name, array in values.items():
        if mask.any():
            infos[name] = np.array(array)
            infos[name][~mask] = None if infos[name].dtype == object else 0
            infos["_" + name] = mask.copy()
    return infos


def _joined(infos: dict, more: dict) -> dict:
    """Infos of different environments together."""
    result = dict(infos)
    for name, array in more.items():
        if name in result and not name.startswith("_"):
            mask = more["_" + name]
            result[name][mask] = array[mask]
            result["_" + name] = result["_" + name] | mask
        elif name not in result:
            result[name] = array
    return result


def contact_sheet(pictures: np.ndarray) -> np.ndarray:
    """Pictures (n x height x width x 3) side by side, in rows; what is left over is black."""
    count, height, width, channels = pictures.shape
    columns = int(np.ceil(np.sqrt(count)))
    lines = -(-count // columns)
    sheet = np.zeros((lines * columns, height, width, channels), pictures.dtype)
    sheet[:count] = pictures
    return sheet.reshape(lines, columns, height, width, channels).swapaxes(1, 2).reshape(lines * height, -1, channels)
