"""Vector environments against Gymnasium's single ones on the same engine: equal bit for bit."""

import numpy as np
import pytest

import sinew

pytest.importorskip("gymnasium")

import gymnasium  # noqa: E402

from sinew import gym  # noqa: E402


def singles(name, count, **settings):
    try:
        sinew.install_as_mujoco()
    except ImportError as error:
        pytest.skip(str(error))
    return [gymnasium.make(name, **settings).unwrapped for _ in range(count)]


@pytest.mark.parametrize("name", gym.TASKS)
def test_equal_to_single_environments(name):
    envs, alone = gym.make_vec(name, 3, threads=2), singles(name, 3)
    assert envs.single_observation_space == alone[0].observation_space
    assert envs.single_action_space == alone[0].action_space
    assert envs.metadata["render_fps"] == alone[0].metadata["render_fps"]
    observations, infos = envs.reset(seed=7)
    for i, env in enumerate(alone):
        expected, info = env.reset(seed=7 + i)
        assert np.array_equal(observations[i], expected)
        for key in ("x_position", "distance_from_origin"):
            if key in info:
                assert infos[key][i] == info[key]
    rng = np.random.default_rng(1)
    low, high = envs.single_action_space.low, envs.single_action_space.high
    resets = 0
    for step in range(60):
        actions = rng.uniform(low, high, (3, len(low))).astype(np.float32)
        ended = envs._ended.copy()
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        for i, env in enumerate(alone):
            if ended[i]:
                expected, _ = env.reset()
                resets += 1
                assert np.array_equal(observations[i], expected) and rewards[i] == 0 and not terminated[i]
                continue
            expected, reward, ends, _, info = env.step(actions[i])
            assert np.array_equal(observations[i], expected), (step, np.abs(observations[i] - expected).max())
            assert rewards[i] == reward, (step, rewards[i] - reward)
            assert terminated[i] == ends
            for key, value in info.items():
                assert np.array_equal(infos[key][i], value), (step, key)
    assert resets or name not in ("Hopper-v5", "InvertedPendulum-v5", "Humanoid-v5")


def test_autoreset_modes():
    at_once = gym.make_vec("InvertedPendulum-v5", 2, autoreset_mode="SameStep", max_episode_steps=5)
    never = gym.make_vec("InvertedPendulum-v5", 2, autoreset_mode="Disabled", max_episode_steps=5)
    at_once.reset(seed=0), never.reset(seed=0)
    for _ in range(5):
        *_, truncated, infos = at_once.step(np.zeros((2, 1), np.float32))
        observations, *_ = never.step(np.zeros((2, 1), np.float32))
    assert truncated.all() and infos["_final_obs"].all()
    assert np.array_equal(infos["final_obs"][1], observations[1])
    assert (at_once.batch.state("time") == 0).all() and (never.batch.state("time") > 0).all()
    observations, _ = never.reset(options={"reset_mask": np.array([True, False])})
    assert never.batch.state("time")[0] == 0 and never.batch.state("time")[1] > 0


def test_arguments_are_checked():
    with pytest.raises(ValueError, match="Humanoid-v5"):
        gym.make_vec("Humanoid-v9")
    with pytest.raises(TypeError, match="healthy_z_rang"):
        gym.make_vec("Humanoid-v5", 2, healthy_z_rang=(0, 1))
    envs = gym.make_vec("Hopper-v5", 2)
    envs.reset()
    with pytest.raises(ValueError, match="shape"):
        envs.step(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="seed has 3"):
        envs.reset(seed=[1, 2, 3])


def test_pictures():
    envs = gym.make_vec("Hopper-v5", 5, render_mode="rgb_array", width=32, height=24)
    envs.reset(seed=0)
    assert envs.render().shape == (24, 32, 3) and envs.render(None).shape == (48, 96, 3)
