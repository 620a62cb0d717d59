"""Sinew's own tasks, the scenes of models/hands: policies made by hand solve them, and the reward says so."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from sinew import gym  # noqa: E402

NAMES = gym.tasks("sinew")
SIZES = {"PickPlace-v0": (29, 4), "PegInsert-v0": (22, 3), "CubeInHand-v0": (29, 5), "GripRod-v0": (22, 2)}


def toward(way, rate):
    """The action that goes this way, with a drive that moves by `rate` in a step."""
    return np.clip(way / rate, -1, 1)


# ---- policies: the action of each environment, by what it observes and the number of the step


def lift_the_rod(observations, step):
    """Down beside the rod, pinch, up."""
    height, pinch = (-1, -1) if step < 60 else (0, 1) if step < 85 else (1, 0)
    return np.tile([height, pinch], (len(observations), 1))


def turn_the_cube(observations, step):
    """Pinch, then turn by what the cube is yet to turn."""
    if step < 20:
        return np.tile([0, 1, 1, 1, 1], (len(observations), 1))
    turn, held, error = observations[:, 0], observations[:, 23], observations[:, 28]
    actions = np.zeros((len(observations), 5))
    actions[:, 0] = toward(turn + error - held, 0.05)
    return actions


def insert_the_peg(observations, step):
    """To the middle of the hole, then down."""
    actions = np.full((len(observations), 3), [-1.0, 0, 0])
    if step < 60:
        actions[:, 0], actions[:, 1:] = 0, -toward(observations[:, :2], 0.005)
    return actions


def take_the_thing(observations, step):
    """Over the thing, down and suck, up, over the goal, down, let go."""
    pad, held, thing, goal = (observations[:, begin : begin + 3] for begin in (0, 6, 10, 13))
    actions = np.zeros((len(observations), 4))
    if step < 40 or 190 <= step < 290:
        actions[:, :2] = toward((pad + (thing if step < 40 else goal) - held)[:, :2], 0.04)
    down = 40 <= step < 120 or 290 <= step < 350
    actions[:, 2] = -1 if down else toward(-0.05 - held[:, 2], 0.01) if step < 290 else 0
    actions[:, 3] = 1 if step < 360 else -1
    return actions


POLICIES = {
    "PickPlace-v0": take_the_thing,
    "PegInsert-v0": insert_the_peg,
    "CubeInHand-v0": turn_the_cube,
    "GripRod-v0": lift_the_rod,
}


def episode(name, count, seed, policy):
    """The rewards of one episode, steps x environments, and which environments had success at their end."""
    envs = gym.make_vec(name, count, autoreset_mode="Disabled")
    observations, _ = envs.reset(seed=seed)
    rewards, going, success = [], np.ones(count, bool), np.zeros(count, bool)
    for step in range(envs.task.steps):
        observations, reward, terminated, truncated, infos = envs.step(policy(observations, step).astype(np.float32))
        rewards.append(np.where(going, reward, 0))
        success = np.where(going, infos["success"], success)
        going &= ~(terminated | truncated)
        envs._ended[:] = False
    assert truncated.all() and not envs.failures
    return np.array(rewards), success


# ---- the tasks


@pytest.mark.parametrize("name", NAMES)
def test_policies_made_by_hand_solve_them(name):
    """All environments end with success, and rewards are higher then than at the beginning. At random nothing is done."""
    rewards, success = episode(name, 4, 3, POLICIES[name])
    assert success.all()
    assert (rewards[-1] == 0).all() == (name == "PegInsert-v0")  # whose episodes end when the peg is in
    last = np.array([row[row != 0][-1] for row in rewards.T])  # that of the step that an episode ends with
    assert (last > rewards[0] + 1).all()
    rng = np.random.default_rng(0)
    at_random, success = episode(name, 4, 3, lambda observations, step: rng.uniform(-1, 1, (4, SIZES[name][1])))
    assert not success.any() and (rewards.sum(axis=0) > at_random.sum(axis=0) + 20).all()


def test_a_peg_that_is_not_led_to_its_hole_does_not_find_it():
    straight_down = np.tile([-1, 0, 0], (8, 1))
    rewards, success = episode("PegInsert-v0", 8, 3, lambda observations, step: straight_down)
    assert not success.all() and (rewards.max(axis=0)[~success] < 0).all()


def test_the_peg_is_seen_where_a_step_leaves_it():
    envs = gym.make_vec("PegInsert-v0", 2)
    envs.reset(seed=0)
    observations = envs.step(np.full(envs.action_space.shape, -1, np.float32))[0]
    envs.batch.forward()
    assert np.array_equal(observations, envs.task.observe(envs))


@pytest.mark.parametrize("name", NAMES)
def test_gymnasiums_checker_has_nothing_to_say(name):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        check_env(gym.make(name, render_mode="rgb_array", width=16, height=16))
    # Nobody knows the bounds of velocities.
    assert [str(warning.message) for warning in told if "infinity" not in str(warning.message)] == []


@pytest.mark.parametrize("name", NAMES)
def test_one_environment_is_the_first_of_many(name):
    """Bit for bit, over ends of episodes; and equal seeds give equal results, other seeds others."""
    env, envs = gymnasium.make(f"sinew/{name}", max_episode_steps=12), gymnasium.make_vec(f"sinew/{name}", num_envs=3)
    envs.unwrapped._limit = 12
    assert (env.observation_space.shape[0], env.action_space.shape[0]) == SIZES[name]
    rng = np.random.default_rng(0)
    for seed in (4, None):
        observation, _ = env.reset(seed=seed)
        many, _ = envs.reset(seed=seed)
        assert np.array_equal(observation, many[0]) and not np.array_equal(many[0], many[1])
        for _ in range(12):
            actions = rng.uniform(-1, 1, envs.action_space.shape).astype(np.float32)
            observation, reward, terminated, truncated, info = env.step(actions[0])
            many, rewards, terminations, truncations, infos = envs.step(actions)
            assert np.array_equal(observation, many[0]) and reward == rewards[0]
            assert terminated == terminations[0] and truncated == truncations[0] and info["success"] == infos["success"][0]
        assert truncated
    assert np.array_equal(envs.reset(seed=4)[0], envs.reset(seed=4)[0])
    assert not np.array_equal(envs.reset(seed=4)[0], envs.reset(seed=9)[0])


@pytest.mark.parametrize(
    "name, begin, values",
    [
        ("GripRod-v0", 6, [np.sqrt(0.5), np.sqrt(0.5), 0, 0]),  # the rod lies
        ("CubeInHand-v0", 5, [0.06]),  # the cube is beside the fingers
        ("PickPlace-v0", None, [0.6]),  # the thing is out of reach
    ],
)
def test_episodes_end_when_a_thing_is_lost(name, begin, values):
    envs = gym.make_vec(name, 3)
    envs.reset(seed=0)
    if begin is None:
        begin = 3 + 7 * envs.thing[1]
    envs.qpos[1, begin : begin + len(values)] = values
    terminated = envs.step(np.zeros(envs.action_space.shape, np.float32))[2]
    assert terminated.tolist() == [False, True, False]


def test_settings():
    assert (gym.make_vec("CubeInHand-v0", 8, angles=(0.5, 0.5), spread=0).reset(seed=0)[0][:, 5:7] == 0).all()
    wrong = {
        "GripRod-v0": {"lift": 0},
        "CubeInHand-v0": {"angles": (0.3, 4)},
        "PegInsert-v0": {"spread": 0.1},
        "PickPlace-v0": {"heaps": 0},
    }
    for name, setting in wrong.items():
        with pytest.raises(ValueError, match=f"{next(iter(setting))} is .*; it lies between"):
            gym.make_vec(name, 2, **setting)
