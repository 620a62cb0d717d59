"""Vector environments: tasks of Gymnasium, dm_control, MyoSuite and of Sinew's own, many at once on the engine's batch.

    envs = sinew.gym.make_vec("Humanoid-v5", num_envs=256)
    observations, infos = envs.reset(seed=0)
    observations, rewards, terminations, truncations, infos = envs.step(actions)

Each environment gives what the single one gives on this engine, bit for bit, when it is seeded with seed + i:
observations, rewards, terminations, and the same random numbers at each reset. Models come from the installed packages,
those of Sinew's own tasks ("PickPlace-v0") from this one; `tasks()` lists what there is.

Gymnasium finds them by names that begin with "sinew/": `gymnasium.make_vec("sinew/Humanoid-v5", num_envs=256)`,
`gymnasium.make("sinew/Humanoid-v5")`, "sinew/dm_control-humanoid-run-v0". `make` makes one environment.
"""

import dataclasses
from typing import Any, Optional

import gymnasium

from sinew.gym import (
    dm_control_dog,
    dm_control_more,
    dm_control_quadruped,
    dm_control_tasks,
    gymnasium_tasks,
    hand_tasks,
    myosuite_tasks,
)
from sinew.gym.single import SinewEnv
from sinew.gym.task import Task
from sinew.gym.vector import SinewVectorEnv, contact_sheet

__all__ = ["PACKAGES", "SinewEnv", "SinewVectorEnv", "Task", "contact_sheet", "make", "make_vec", "register", "tasks"]

# The packages that tasks and their models are of, the last this one.
PACKAGES = {
    "gymnasium": gymnasium_tasks.TASKS,
    "dm_control": {
        **dm_control_tasks.TASKS,
        **dm_control_more.TASKS,
        **dm_control_quadruped.TASKS,
        **dm_control_dog.TASKS,
    },
    "myosuite": myosuite_tasks.TASKS,
    "sinew": hand_tasks.TASKS,
}
_TASKS = {name: make for known in PACKAGES.values() for name, make in known.items()}


def tasks(package: Optional[str] = None) -> list[str]:
    """Names that `make_vec` knows, of all packages or of one: "Humanoid-v5", "dm_control/humanoid-run-v0",
    "myoHandReachRandom-v0", ..."""
    return list(_TASKS if package is None else PACKAGES[package])


def _registered(id: str) -> str:
    return "sinew/" + id.replace("/", "-")


def register(id: str, make_task: Any) -> None:
    """Adds a task of your own: `make_task()` returns a `Task`. Then `make(id)`, `make_vec(id, ...)` and Gymnasium's
    functions with "sinew/" before the name find it."""
    _TASKS[id] = make_task
    gymnasium.register(
        _registered(id),
        entry_point="sinew.gym:_make_registered",
        vector_entry_point="sinew.gym:_make_vec_registered",
        kwargs={"task": id},
    )


def _make_registered(task: str, **settings: Any) -> SinewEnv:
    return SinewEnv(make_vec(task, 1, **settings))


def _make_vec_registered(task: str, num_envs: int, **settings: Any) -> SinewVectorEnv:
    return make_vec(task, num_envs, **settings)


def make(id: str, **settings: Any) -> SinewEnv:
    """One environment of a task, as Gymnasium's programs take it; settings are those of `make_vec`."""
    env = _make_registered(id, **settings)
    env.spec = _spec(id, settings)
    return env


def _spec(id: str, settings: dict) -> Any:
    """What Gymnasium needs to make the same again: gymnasium.make(spec), gymnasium.make_vec(spec)."""
    spec = gymnasium.spec(_registered(id))
    return dataclasses.replace(spec, kwargs={**spec.kwargs, **settings})


def make_vec(id: str, num_envs: int = 1, **settings: Any) -> SinewVectorEnv:
    """Environments of a task, "Humanoid-v5" for example. `settings` are those of the single one, and
    max_episode_steps, autoreset_mode, threads, render_mode, width, height, camera, pixels."""
    try:
        make_task = _TASKS[id]
    except KeyError:
        raise ValueError(f"there is no task {id!r}; there are: {', '.join(_TASKS)}") from None
    envs = SinewVectorEnv(make_task(), num_envs, **settings)
    envs.spec = _spec(id, {**settings, "num_envs": num_envs})
    return envs


for _name, _make in list(_TASKS.items()):
    register(_name, _make)
