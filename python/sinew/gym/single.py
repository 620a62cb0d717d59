"""One environment, as Gymnasium's programs take it: a vector environment of one without its first axis."""

from typing import Any, Optional

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from sinew.gym.vector import SinewVectorEnv


class SinewEnv(gymnasium.Env):
    """One environment of a task. Make it by `sinew.gym.make`. Many at once, by `make_vec`, take less time each."""

    def __init__(self, envs: SinewVectorEnv):
        envs.autoreset_mode = AutoresetMode.DISABLED
        self.envs = envs
        self.metadata = {name: value for name, value in envs.metadata.items() if name != "autoreset_mode"}
        self.render_mode = envs.render_mode
        self.action_space, self.observation_space = envs.single_action_space, envs.single_observation_space

    @property
    def np_random(self):
        """The source of random numbers."""
        return self.envs.np_random[0]

    @np_random.setter
    def np_random(self, value):
        self.envs.set_attr("np_random", [value])

    @property
    def np_random_seed(self):
        """The seed that the source of random numbers began with; -1: the program has set the source."""
        return self.envs.np_random_seed[0]

    _np_random = np_random  # where Gymnasium's checker looks for it

    @property
    def model(self):
        """The model of the environment (sinew.Model)."""
        return self.envs.model

    @property
    def data(self):
        """A copy of the world (sinew.Data)."""
        return self.envs.batch.world(0)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None):
        """Begins an episode; returns the observation and infos."""
        observations, infos = self.envs.reset(seed=seed, options=options)
        return observations[0], _first(infos)

    def step(self, action):
        """Returns observation, reward, whether the episode has ended and whether it was cut off, and infos."""
        observations, rewards, terminated, truncated, infos = self.envs.step(np.asarray(action)[None])
        self.envs._ended[:] = False  # Gymnasium's single environments may go on
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), _first(infos)

    def render(self):
        """A picture, height x width x 3."""
        return self.envs.render(0)

    def close(self):
        """Lets go of the renderer."""
        self.envs.close()

    def __reduce_ex__(self, protocol):
        raise TypeError(
            "environments are neither copied nor pickled: pass the name and the settings to the other process, and call "
            "sinew.gym.make there"
        )


def _first(infos: dict) -> dict:
    """Infos of the first environment, those that it has."""
    return {
        name: values[0] for name, values in infos.items() if not name.startswith("_") and infos.get("_" + name, [True])[0]
    }
