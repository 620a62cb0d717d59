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
        """Returns the model (sinew.Model); `xml_file` is a file to read in place of the task's own."""
        raise NotImplementedError

    def begin(self, env):
        """Called once, when env.batch is there: a task keeps here what does not change later, as addresses and default poses."""

    def generator(self, seed):
        """Returns the source of random numbers of an environment that is reset with this seed (numpy.random.Generator)."""
        return seeding.np_random(seed)[0]

    def action_bounds(self, env):
        """Returns the lowest and the highest action, an array each: the bounds of the action space."""
        return env.model.actuator_ctrlrange.copy().astype(np.float32).T

    def control(self, env, actions):
        """Returns the controls (environments x nu) that actions stand for, as after scaling or adding a pose."""
        return actions

    def prepare(self, env):
        """Returns what the reward needs of the state before the step, a position for example; it is env.before afterwards."""

    def observe(self, env):
        """Returns observations, environments x size, made of the outputs of env.batch."""
        raise NotImplementedError

    def reward(self, env, actions):
        """Returns the rewards of the step that was taken, one for each environment, and a dictionary of arrays for the infos."""
        raise NotImplementedError

    def terminate(self, env):
        """Returns for each environment whether its episode ends in this state, because of a fall for example."""
        return np.zeros(env.num_envs, bool)

    def reset(self, env, worlds):
        """Begins an episode: writes the state of the environments with these numbers, at random by their env.rngs."""
        raise NotImplementedError

    def reset_each(self, env, worlds, draw):
        """A reset as most tasks have it: these environments begin anew, draw(world, rng) writes what is random in each, and results
        are those of their states."""
        mask = env.mask_of(worlds)
        env.batch.reset(mask, stage=0)
        for world in worlds:
            draw(world, env.rngs[world])
        env.batch.forward(mask)

    def reset_info(self, env):
        """Returns what reset hands out beside observations: a dictionary of arrays."""
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
