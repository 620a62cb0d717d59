"""What a task of a vector environment is, and the arithmetic that tasks share.

Results are those of single environments to the last bit, so sums and powers are taken as those take them: a dot product
of each row where they have one vector, the power function where they have one number.
"""

import importlib.util
import pathlib

import numpy as np
from gymnasium.utils import seeding


class Task:
    """A task of many environments at once. `env` is a SinewVectorEnv; arrays have a row for each environment."""

    frame_skip = 1  # steps of the model between actions
    steps = 1000  # after which an episode is cut off; None: never
    stage = 0  # mjtStage that the results after the last of these steps are of; 0: those of the step itself
    settings: dict = {}  # what make_vec takes beside what all tasks have
    outputs: tuple = ()  # fields of mjData that observations and rewards are made of
    dtype = np.float64  # of observations

    def make_model(self, xml_file=None):
        """The model; `xml_file` in place of the task's own."""
        raise NotImplementedError

    def begin(self, env):
        """Keeps what does not change, once the batch is there."""

    def generator(self, seed):
        """Random numbers of an environment."""
        return seeding.np_random(seed)[0]

    def action_bounds(self, env):
        """Lowest and highest action."""
        return env.model.actuator_ctrlrange.copy().astype(np.float32).T

    def control(self, env, actions):
        """The controls that actions stand for."""
        return actions

    def prepare(self, env):
        """What the reward needs from before the step; it is env.before."""

    def observe(self, env):
        """Observations: environments x size."""
        raise NotImplementedError

    def reward(self, env, actions):
        """Rewards, and the info by name."""
        raise NotImplementedError

    def terminate(self, env):
        """Which environments have come to an end."""
        return np.zeros(env.num_envs, bool)

    def reset(self, env, worlds):
        """Begins an episode of these environments (numbers), with env.rngs."""
        raise NotImplementedError

    def reset_info(self, env):
        """What reset tells beside observations."""
        return {}


def package_folder(name):
    """The folder of an installed package, without importing it: most import the package mujoco."""
    found = importlib.util.find_spec(name)
    if found is None:
        raise ImportError(f"these tasks take their models from the package {name}: pip install {name}")
    return pathlib.Path(found.origin).parent


def rows(array):
    """An array with one row for each environment."""
    return array.reshape(len(array), -1)


def dot(vectors, others):
    """Dot products of rows."""
    # numpy takes a product of row and column as it takes the dot product of two vectors: the same bits, in one call
    return np.matmul(vectors[:, None, :], others[:, :, None])[:, 0, 0]


def norm(vectors):
    """Lengths of rows."""
    return np.sqrt(dot(vectors, vectors))


def square(values):
    """Squares: a number's by the power function, those of an array by multiplication, as numpy takes them."""
    return np.array([value**2 for value in values.tolist()]) if values.ndim == 1 else np.square(values)
