"""Vector environments for Stable-Baselines3, whose algorithms take vector environments of a class of their own.

    from stable_baselines3 import PPO
    envs = sinew.gym.stable_baselines3.VecEnv("Hopper-v5", num_envs=64)
    PPO("MlpPolicy", envs, n_steps=64, batch_size=1024).learn(1_000_000)
"""

from typing import Any, Optional

import numpy as np
from stable_baselines3.common.vec_env import VecEnv as Base

import sinew.gym


class VecEnv(Base):
    """Environments of a task (or those of a SinewVectorEnv that resets in the same step) for Stable-Baselines3."""

    def __init__(self, task: Any, num_envs: int = 1, **settings: Any):
        if isinstance(task, str):
            task = sinew.gym.make_vec(task, num_envs, autoreset_mode="SameStep", **settings)
        if task.autoreset_mode.value != "SameStep":
            raise ValueError(f"autoreset_mode is {task.autoreset_mode.value}; Stable-Baselines3 takes 'SameStep'")
        self.envs, self._actions = task, None
        self.metadata, self.render_mode = task.metadata, task.render_mode
        super().__init__(task.num_envs, task.single_observation_space, task.single_action_space)

    def reset(self):
        seeds = None if all(seed is None for seed in self._seeds) else self._seeds
        observations, infos = self.envs.reset(seed=seeds)
        self.reset_infos = self._of_each(infos)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions):
        self._actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, infos = self.envs.step(self._actions)
        final, ended = infos.pop("final_obs", None), terminated | truncated
        infos.pop("final_info", None)
        each = self._of_each(infos)
        for i in np.flatnonzero(ended):
            each[i]["terminal_observation"] = final[i]
            each[i]["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
        return observations, rewards.astype(np.float32), ended, each

    def _of_each(self, infos: dict) -> list[dict]:
        """Infos by environment, of those that have them."""
        each: list[dict] = [{} for _ in range(self.num_envs)]
        for name, values in infos.items():
            if not name.startswith("_"):
                for i in np.flatnonzero(infos["_" + name]):
                    each[i][name] = values[i]
        return each

    def _chosen(self, indices: Any) -> list[int]:
        return list(self._get_indices(indices))

    def get_attr(self, attr_name: str, indices: Any = None) -> list:
        values = self.envs.get_attr(attr_name)
        return [values[i] for i in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        values = list(self.envs.get_attr(attr_name))
        for i in self._chosen(indices):
            values[i] = value
        self.envs.set_attr(attr_name, values)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list:
        results = self.envs.call(method_name, *args, **kwargs)
        return [results[i] for i in self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False for _ in self._chosen(indices)]

    def get_images(self):
        return self.envs.render() or [None] * self.num_envs

    def render(self, mode: Optional[str] = None):
        """One picture with all environments side by side in a square."""
        return self.envs.render(None)

    def close(self):
        self.envs.close()
