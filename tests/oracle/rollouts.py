"""Rolls out Gymnasium's tasks on the library that `import mujoco` finds, and prints what came of it as JSON.

    rollouts.py returns TASK EPISODES STEPS      the return of each episode, actions at random from its seed
    rollouts.py speed TASK STEPS                 steps of the environment a second
    rollouts.py batch STEPS                      steps a second of mujoco.rollout, one thread

Needs the packages gymnasium and mujoco.
"""

import json
import sys
import time


def episode(task: str, seed: int, steps: int) -> float:
    import gymnasium

    environment = gymnasium.make(task, max_episode_steps=steps)
    environment.reset(seed=seed)
    environment.action_space.seed(seed)
    total = 0.0
    for _ in range(steps):
        _, reward, terminated, truncated, _ = environment.step(environment.action_space.sample())
        total += float(reward)
        if terminated or truncated:
            break
    environment.close()
    return total


def steps_a_second(task: str, steps: int) -> float:
    import gymnasium

    environment = gymnasium.make(task)
    environment.reset(seed=0)
    environment.action_space.seed(0)
    actions = [environment.action_space.sample() for _ in range(100)]
    start = time.process_time()
    for i in range(steps):
        _, _, terminated, truncated, _ = environment.step(actions[i % len(actions)])
        if terminated or truncated:
            environment.reset(seed=i)
    return steps / (time.process_time() - start)


def rollout_steps_a_second(steps: int) -> float:
    import gymnasium
    import mujoco.rollout
    import numpy

    unwrapped = gymnasium.make("Humanoid-v5").unwrapped
    model, data = unwrapped.model, mujoco.MjData(unwrapped.model)
    state = numpy.zeros((1, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    mujoco.mj_getState(model, data, state[0], mujoco.mjtState.mjSTATE_FULLPHYSICS)
    control = numpy.random.default_rng(0).uniform(-0.4, 0.4, (1, steps, model.nu))
    start = time.process_time()
    mujoco.rollout.rollout(model, data, state, control)
    return steps / (time.process_time() - start)


def main() -> None:
    kind, *words = sys.argv[1:]
    if kind == "returns":
        task, episodes, steps = words[0], int(words[1]), int(words[2])
        print(json.dumps([episode(task, seed, steps) for seed in range(episodes)]))
    elif kind == "speed":
        print(json.dumps(steps_a_second(words[0], int(words[1]))))
    elif kind == "batch":
        print(json.dumps(rollout_steps_a_second(int(words[0]))))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
