"""What programs do with vector environments in their first hour: Gymnasium's checker, registry and wrappers, loops as in
CleanRL, Stable-Baselines3 where it is installed."""

import pickle
import warnings

import numpy as np
import pytest

import sinew

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.vector import AutoresetMode  # noqa: E402
from gymnasium.wrappers import vector as wrappers  # noqa: E402

from sinew import gym  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def on_this_engine():
    try:
        sinew.install_as_mujoco()
    except ImportError as error:
        pytest.skip(str(error))


# ---- one environment


@pytest.mark.parametrize("name", ["Hopper-v5", "Humanoid-v5", "InvertedPendulum-v5"])
def test_gymnasiums_checker_has_nothing_to_say(name):
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        check_env(gym.make(name, render_mode="rgb_array", width=16, height=16))
    # Nobody knows the bounds of velocities, and controls are in newtons: Gymnasium's own tasks have both.
    known = ("infinity", "normalized space")
    assert [str(warning.message) for warning in told if not any(text in str(warning.message) for text in known)] == []


def test_one_environment_is_the_first_of_many():
    env, envs = gym.make("Walker2d-v5"), gym.make_vec("Walker2d-v5", 3)
    observation, info = env.reset(seed=4)
    many, infos = envs.reset(seed=4)
    assert np.array_equal(observation, many[0]) and info["x_position"] == infos["x_position"][0]
    action = np.full(env.action_space.shape, 0.3, np.float32)
    for _ in range(20):
        observation, reward, terminated, truncated, info = env.step(action)
        many, rewards, *_ = envs.step(np.tile(action, (3, 1)))
        assert np.array_equal(observation, many[0]) and reward == rewards[0]
    assert isinstance(reward, float) and isinstance(terminated, bool) and isinstance(truncated, bool)
    assert np.array_equal(env.data.qpos, envs.batch.state("qpos")[0])
    assert env.np_random_seed == 4 and env.np_random.random() != env.np_random.random()


# ---- the registry


def test_gymnasium_makes_them_by_name():
    envs = gymnasium.make_vec("sinew/Hopper-v5", num_envs=3, healthy_z_range=(0.5, 2.0))
    assert isinstance(envs.unwrapped, gym.SinewVectorEnv) and envs.num_envs == 3
    assert envs.unwrapped.settings["healthy_z_range"] == (0.5, 2.0) and envs.spec.id == "sinew/Hopper-v5"
    one = gymnasium.make("sinew/Hopper-v5", render_mode="rgb_array", width=24, height=16)
    one.reset(seed=0)
    assert one.render().shape == (16, 24, 3) and one.spec.id == "sinew/Hopper-v5"
    again = gymnasium.make_vec(gym.make_vec("Hopper-v5", 5, frame_skip=2).spec)
    assert again.num_envs == 5 and again.unwrapped.frame_skip == 2
    assert set(gym.tasks()) == {spec.kwargs["task"] for name, spec in gymnasium.registry.items() if name.startswith("sinew/")}


def test_own_tasks_are_registered():
    class Swing(gym.Task):
        """A pole that is paid for its height."""

        outputs, steps = ("xpos",), 50

        def make_model(self, xml_file=None):
            return sinew.Model.from_xml_string(
                "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -.5' size='.03'/>"
                "<body name='tip' pos='0 0 -.5'/></body></worldbody><actuator><motor joint='hinge' ctrlrange='-1 1'/></actuator></mujoco>"
            )

        def observe(self, env):
            return np.concatenate((env.qpos, env.qvel), axis=1)

        def reward(self, env, actions):
            return env.position("tip")[:, 2], {}

        def reset(self, env, worlds):
            mask = env.mask_of(worlds)
            env.batch.reset(mask)
            for i in worlds:
                env.qpos[i] = env.rngs[i].uniform(-1, 1)
            env.batch.forward(mask)

    gym.register("Swing-v0", Swing)
    try:
        envs = gymnasium.make_vec("sinew/Swing-v0", num_envs=2)
        first, _ = envs.reset(seed=1)
        assert first.shape == (2, 2) and np.array_equal(first, gymnasium.make_vec("sinew/Swing-v0", num_envs=2).reset(seed=1)[0])
        assert envs.step(envs.action_space.sample())[1].max() <= 0.5
    finally:
        gymnasium.registry.pop("sinew/Swing-v0")
        gym._TASKS.pop("Swing-v0")


# ---- the interface of vector environments


def test_attributes_and_calls_of_each_environment():
    envs = gym.make_vec("Hopper-v5", 3, render_mode="rgb_array", width=16, height=16)
    envs.reset(seed=[5, 9, 2])
    assert envs.np_random_seed == (5, 9, 2) and len({rng.random() for rng in envs.np_random}) == 3
    assert envs.get_attr("dt") == (envs.dt,) * 3 and envs.get_attr("healthy_z_range") == (envs.settings["healthy_z_range"],) * 3
    assert all(np.array_equal(row, envs.qpos[i]) for i, row in enumerate(envs.get_attr("qpos")))
    assert envs.get_attr("action_space") == (envs.single_action_space,) * 3 and envs.get_attr("spec")[1].id == "sinew/Hopper-v5"
    assert [len(data.qpos) for data in envs.get_attr("data")] == [envs.model.nq] * 3
    pictures = envs.call("render")
    assert len(pictures) == 3 and np.array_equal(pictures[2], envs.render()[2])
    assert envs.call("mask_of", [1]) == (False, True, False)
    envs.set_attr("qvel", np.ones((3, envs.model.nv)))
    assert (envs.qvel == 1).all()
    envs.set_attr("forward_reward_weight", 2.0)
    assert envs.get_attr("forward_reward_weight") == (2.0,) * 3
    with pytest.raises(AttributeError, match="nothing"):
        envs.get_attr("nothing")
    with pytest.raises(ValueError, match="3 environments"):
        envs.set_attr("qvel", [0, 0])
    with pytest.raises(ValueError, match="the same forward_reward_weight"):
        envs.set_attr("forward_reward_weight", [1.0, 2.0, 3.0])


def test_seeds_that_nobody_gives_are_known_afterwards():
    envs = gym.make_vec("Hopper-v5", 2)
    first, _ = envs.reset()
    seeds = envs.np_random_seed
    assert len(set(seeds)) == 2 and np.array_equal(gym.make_vec("Hopper-v5", 2).reset(seed=list(seeds))[0], first)
    envs.set_attr("np_random", [np.random.default_rng(0), np.random.default_rng(1)])
    assert envs.np_random_seed == (-1, -1)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("name", ["Hopper-v5", "Walker2d-v5", "InvertedPendulum-v5"])
def test_steps_are_those_of_gymnasiums_vector_environments(name, mode):
    """Observations, rewards and infos with their masks, across ends of episodes, on the same engine."""

    def make():
        return gymnasium.make(name, max_episode_steps=15)

    theirs = gymnasium.vector.SyncVectorEnv([make] * 3, autoreset_mode=AutoresetMode(mode))
    ours = gym.make_vec(name, 3, autoreset_mode=mode, max_episode_steps=15)
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"]
    results, rng, ends = [envs.reset(seed=3) for envs in (ours, theirs)], np.random.default_rng(0), 0
    for _ in range(40):
        (*values, infos), (*expected, their_infos) = results
        for value, right in zip(values, expected):
            assert np.array_equal(value, right)
        assert_same_infos(infos, their_infos)
        ended = values[2] | values[3] if len(values) == 4 else np.zeros(3, bool)
        ends += int(ended.sum())
        if mode == "Disabled" and ended.any():
            with pytest.raises(AssertionError, match="reset_mask"):  # Gymnasium's steps those before the ended one
                ours.step(np.zeros(ours.action_space.shape, np.float32))
            results = [envs.reset(options={"reset_mask": ended.copy()}) for envs in (ours, theirs)]
            assert np.array_equal(results[0][0], results[1][0])
        actions = rng.uniform(-1, 1, ours.action_space.shape).astype(np.float32)
        results = [envs.step(actions) for envs in (ours, theirs)]
    assert ends > 3


def assert_same_infos(infos, expected):
    assert set(infos) == set(expected), (set(infos) ^ set(expected))
    for name, values in expected.items():
        if isinstance(values, dict):
            assert_same_infos(infos[name], values)
        elif name == "final_obs":
            assert all(np.array_equal(mine, theirs) for mine, theirs in zip(infos[name], values))
        else:
            assert np.array_equal(infos[name], values), (name, infos[name], values)


def test_masks_of_resets_are_those_of_gymnasium():
    envs = gym.make_vec("Hopper-v5", 2, autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=0)
    for mask, error in (
        ([True, False], TypeError),
        (np.array([1, 0]), TypeError),
        (np.array([True]), ValueError),
        (np.array([False, False]), ValueError),
    ):
        with pytest.raises(error, match="reset_mask"):
            envs.reset(options={"reset_mask": mask})


@pytest.mark.parametrize("make", [lambda: gym.make_vec("Hopper-v5", 2), lambda: gym.make("Hopper-v5")])
def test_pickling_says_what_to_do_instead(make):
    with pytest.raises(TypeError, match="sinew.gym.make"):
        pickle.dumps(make())


WRAPPERS = {
    "RecordEpisodeStatistics": wrappers.RecordEpisodeStatistics,
    "NormalizeObservation": wrappers.NormalizeObservation,
    "NormalizeReward": wrappers.NormalizeReward,
    "ClipReward": lambda envs: wrappers.ClipReward(envs, -1, 1),
    "ClipAction": wrappers.ClipAction,
    "RescaleAction": lambda envs: wrappers.RescaleAction(envs, -2.0, 2.0),
    "FlattenObservation": wrappers.FlattenObservation,
    "DtypeObservation": lambda envs: wrappers.DtypeObservation(envs, np.float32),
    "TransformObservation": lambda envs: wrappers.TransformObservation(envs, lambda x: 2 * x),
    "DictInfoToList": wrappers.DictInfoToList,
}


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("name", WRAPPERS)
def test_gymnasiums_wrappers(name, mode):
    if mode == "SameStep" and "Observation" in name:
        with pytest.raises(ValueError, match="SAME_STEP"):  # Gymnasium changes no final observations
            WRAPPERS[name](gym.make_vec("InvertedPendulum-v5", 3, autoreset_mode=mode))
        return
    plain = gym.make_vec("InvertedPendulum-v5", 3, autoreset_mode=mode, max_episode_steps=6)
    envs = WRAPPERS[name](gym.make_vec("InvertedPendulum-v5", 3, autoreset_mode=mode, max_episode_steps=6))
    observations, _ = envs.reset(seed=0)
    plain.reset(seed=0)
    rng, ends = np.random.default_rng(0), 0
    for _ in range(20):
        actions = rng.uniform(-0.1, 0.1, envs.action_space.shape).astype(np.float32)
        observations, rewards, terminated, truncated, _ = envs.step(actions)
        ends += int((terminated | truncated).sum())
        expected = plain.step(actions * 1.5 if name == "RescaleAction" else actions)
        if name in ("RecordEpisodeStatistics", "ClipAction", "FlattenObservation", "RescaleAction", "DictInfoToList"):
            assert np.allclose(observations, expected[0], atol=1e-6) and np.array_equal(rewards, expected[1])
        assert np.asarray(observations).shape == envs.observation_space.shape and np.isfinite(rewards).all()
    assert ends >= 6


# ---- loops


def test_a_loop_as_in_cleanrl_learns():
    """Storage by steps and environments, episodes that end in the middle, values of final observations: a policy with four
    numbers holds a pole four times as long after a hundred updates."""
    count, length, discount = 64, 32, 0.99
    envs = wrappers.RecordEpisodeStatistics(gym.make_vec("InvertedPendulum-v5", count, threads=1, max_episode_steps=200))
    rng, gains = np.random.default_rng(0), np.zeros(4)
    observation, _ = envs.reset(seed=0)
    done, returns = np.zeros(count, bool), []
    for _ in range(100):
        slopes, rewards, ends, valid = [], [], [], []
        for _ in range(length):
            noise = rng.normal(size=count)
            action = np.clip(observation @ gains + 0.5 * noise, -3, 3)
            slopes.append(noise[:, None] * observation / 0.5)
            valid.append(~done)  # the step after an end is a reset, and says nothing of the action
            observation, reward, terminated, truncated, infos = envs.step(action[:, None].astype(np.float32))
            done = terminated | truncated
            rewards.append(reward)
            ends.append(done)
            if "episode" in infos:
                returns += infos["episode"]["r"][infos["_episode"]].tolist()
        to_go, sums = np.zeros(count), []
        for reward, end in zip(reversed(rewards), reversed(ends)):
            to_go = reward + discount * to_go * ~end
            sums.insert(0, to_go)
        weights = (np.array(sums) - np.mean(sums)) * np.array(valid)
        gradient = np.mean(np.array(slopes) * weights[..., None], axis=(0, 1))
        gains = gains + 0.6 * gradient / (np.linalg.norm(gradient) + 1e-8)
    first, last = np.mean(returns[:64]), np.mean(returns[-64:])
    assert first < 15 and last > 4 * first, (first, last)  # a pole that nobody holds falls within some ten steps


def test_pictures_as_observations():
    envs = gym.make_vec("Hopper-v5", 3, pixels=(24, 16), max_episode_steps=2)
    first, _ = envs.reset(seed=0)
    assert first.shape == (3, 16, 24, 3) and first.dtype == np.uint8 and first in envs.observation_space
    action = np.zeros(envs.action_space.shape, np.float32)
    second = envs.step(action)[0]
    envs.qpos[1, 1] += 1  # a metre higher
    moved = envs.step(action)[0]
    assert not np.array_equal(moved[1], second[1]) and np.array_equal(envs.step(action)[0].shape, first.shape)
    assert gym.make_vec("Hopper-v5", 1, pixels=True).single_observation_space.shape == (84, 84, 3)
    # the same picture as a renderer's with one ray in each pixel
    renderer = sinew.Renderer(envs.model, 24, 16, samples=1)
    renderer.look(at=envs.model.stat.center, distance=2 * envs.model.stat.extent)
    assert np.array_equal(envs.reset(seed=0)[0], envs.batch.render(renderer))


def test_stable_baselines3():
    pytest.importorskip("stable_baselines3", reason="Stable-Baselines3 is not installed, whose torch is gigabytes")
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_checker import check_env
    from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

    from sinew.gym.stable_baselines3 import VecEnv

    check_env(gym.make("Hopper-v5"))
    envs = VecEnv("InvertedPendulum-v5", 8, max_episode_steps=20)
    model = PPO("MlpPolicy", VecNormalize(VecMonitor(envs)), n_steps=32, batch_size=64, n_epochs=2, device="cpu", seed=0)
    model.learn(512)
    assert len(model.ep_info_buffer) > 8 and all(info["l"] <= 20 for info in model.ep_info_buffer)
    PPO("MlpPolicy", gym.make("Hopper-v5"), n_steps=64, batch_size=32, n_epochs=1, device="cpu").learn(128)
    # what the end of an episode leaves is the observation before the reset
    envs.reset()
    for _ in range(20):
        observations, _, ended, infos = envs.step(np.zeros((8, 1), np.float32))
    assert ended.all() and infos[3]["TimeLimit.truncated"] in (True, False)
    assert not np.array_equal(infos[3]["terminal_observation"], observations[3])
    assert envs.get_attr("dt", [0, 1]) == [envs.envs.dt] * 2 and envs.env_is_wrapped(object) == [False] * 8
    with pytest.raises(ValueError, match="SameStep"):
        VecEnv(gym.make_vec("Hopper-v5", 2))
