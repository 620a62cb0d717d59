"""Vector environments: tasks of Gymnasium, dm_control and MyoSuite, many at once on the engine's batch.

    envs = sinew.gym.make_vec("Humanoid-v5", num_envs=256)
    observations, infos = envs.reset(seed=0)
    observations, rewards, terminations, truncations, infos = envs.step(actions)

Each environment gives what the single one gives on this engine, bit for bit, when it is seeded with seed + i:
observations, rewards, terminations, and the same random numbers at each reset. Models come from the installed packages;
`tasks()` lists what there is.
"""

from typing import Any, Optional

from sinew.gym import dm_control_tasks, gymnasium_tasks, myosuite_tasks
from sinew.gym.task import Task
from sinew.gym.vector import SinewVectorEnv, contact_sheet

__all__ = ["PACKAGES", "SinewVectorEnv", "Task", "contact_sheet", "make_vec", "tasks"]

# The packages that tasks and their models are of.
PACKAGES = {
    "gymnasium": gymnasium_tasks.TASKS,
    "dm_control": dm_control_tasks.TASKS,
    "myosuite": myosuite_tasks.TASKS,
}
_TASKS = {name: make for known in PACKAGES.values() for name, make in known.items()}


def tasks(package: Optional[str] = None) -> list[str]:
    """Names that `make_vec` knows, of all packages or of one: "Humanoid-v5", "dm_control/humanoid-run-v0",
    "myoHandReachRandom-v0", ..."""
    return list(_TASKS if package is None else PACKAGES[package])


def make_vec(id: str, num_envs: int = 1, **settings: Any) -> SinewVectorEnv:
    """Environments of a task, "Humanoid-v5" for example. `settings` are those of the single one, and
    max_episode_steps, autoreset_mode, threads, render_mode, width, height, camera."""
    try:
        make_task = _TASKS[id]
    except KeyError:
        raise ValueError(f"there is no task {id!r}; there are: {', '.join(_TASKS)}") from None
    return SinewVectorEnv(make_task(), num_envs, **settings)
