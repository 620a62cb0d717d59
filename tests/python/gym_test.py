"""Vector environments against the single ones of Gymnasium, dm_control and MyoSuite on the same engine: equal bit for
bit. Those of packages that are not installed are skipped."""

import numpy as np
import pytest

import sinew

pytest.importorskip("gymnasium")

import gymnasium  # noqa: E402

from sinew import gym  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def on_this_engine():
    try:
        sinew.install_as_mujoco()
    except ImportError as error:
        pytest.skip(str(error))


NAMES = {package: gym.tasks(package) for package in gym.PACKAGES}


def test_there_are_all_tasks():
    pytest.importorskip("mujoco")
    known = {name for name, spec in gymnasium.registry.items() if "mujoco" in str(spec.entry_point)}
    assert set(NAMES["gymnasium"]) == {name for name in known if name.endswith("-v5")}
    assert [len(NAMES[package]) for package in ("dm_control", "myosuite", "sinew")] == [51, 12, 4]


def compare(envs, alone, steps, must_reset=False):
    """Steps both with the same actions. `alone` has reset(seed) and step(action) for each environment."""
    count = len(alone)
    observations, infos = envs.reset(seed=7)
    for i, env in enumerate(alone):
        expected, info = env.reset(seed=7 + i)
        assert np.array_equal(observations[i], expected), np.flatnonzero(observations[i] != expected)
        for key in ("x_position", "distance_from_origin"):
            if key in info:
                assert infos[key][i] == info[key]
    rng, resets = np.random.default_rng(1), 0
    low, high = envs.single_action_space.low, envs.single_action_space.high
    for step in range(steps):
        actions = rng.uniform(low, high, (count, len(low))).astype(envs.single_action_space.dtype)
        ended = envs._ended.copy()
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        for i, env in enumerate(alone):
            if ended[i]:
                expected, _ = env.reset()
                resets += 1
                assert np.array_equal(observations[i], expected) and rewards[i] == 0 and not terminated[i]
                continue
            expected, reward, ends, cut, info = env.step(actions[i])
            assert np.array_equal(observations[i], expected), (step, i, np.flatnonzero(observations[i] != expected))
            assert rewards[i] == reward, (step, i, rewards[i] - reward)
            assert terminated[i] == ends and truncated[i] == cut, (step, i)
            for key, value in info.items():
                if key in infos:
                    assert np.array_equal(infos[key][i], value), (step, key)
    assert resets or not must_reset


@pytest.mark.parametrize("name", NAMES["gymnasium"])
def test_equal_to_gymnasium(name):
    envs, alone = gym.make_vec(name, 3, threads=2), [gymnasium.make(name) for _ in range(3)]
    assert envs.single_observation_space == alone[0].observation_space
    assert envs.single_action_space == alone[0].action_space
    assert envs.metadata["render_fps"] == alone[0].metadata["render_fps"]
    _, infos = envs.reset(seed=7)
    compare(envs, alone, 60, name in ("Hopper-v5", "InvertedPendulum-v5", "Humanoid-v5", "Reacher-v5"))
    assert {key for key in infos if not key.startswith("_")} == set(alone[0].reset(seed=7)[1])


class Suite:
    """A single environment of dm_control, by Gymnasium's methods."""

    def __init__(self, domain, task, seed, time_limit):
        suite = pytest.importorskip("dm_control.suite")
        self.make = lambda: suite.load(
            domain, task, {"random": seed, "time_limit": time_limit}, environment_kwargs={"flat_observation": True}
        )
        self.env = self.make()

    def reset(self, seed=None):
        return self.env.reset().observation["observations"], {}

    def step(self, action):
        at = self.env.step(action)
        return at.observation["observations"], at.reward, False, at.last(), {}


@pytest.mark.parametrize("name", NAMES["dm_control"])
def test_equal_to_dm_control(name):
    pytest.importorskip("dm_control")
    domain, task = name.removeprefix("dm_control/").removesuffix("-v0").split("-")
    envs = gym.make_vec(name, 3, threads=2, max_episode_steps=25)
    limit = 25 * envs.dt
    alone = [Suite(domain, task, 7 + i, limit) for i in range(3)]
    specification = alone[0].env.action_spec()
    assert np.array_equal(envs.single_action_space.low, specification.minimum)
    assert np.array_equal(envs.single_action_space.high, specification.maximum)
    compare(envs, alone, 60, True)


@pytest.mark.parametrize("name", NAMES["myosuite"])
def test_equal_to_myosuite(name):
    pytest.importorskip("myosuite")
    envs, alone = gym.make_vec(name, 3, threads=2), [gymnasium.make(name) for _ in range(3)]
    assert envs.single_observation_space == alone[0].observation_space
    assert envs.single_action_space == alone[0].action_space
    compare(envs, alone, 60 if "Leg" in name else 120)


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


def test_calls_out_of_order():
    envs = gym.make_vec("Hopper-v5", 2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(envs.action_space.sample())
    envs.reset()
    envs.step(envs.action_space.sample())
    envs.close()
    envs.close()
    for call in (lambda: envs.step(envs.action_space.sample()), envs.reset):
        with pytest.raises(gymnasium.error.ClosedEnvironmentError):
            call()


def test_what_is_returned_stays():
    """Observations and infos are copies: the next step does not change them."""
    envs = gym.make_vec("Ant-v5", 2)
    observations, _ = envs.reset(seed=0)
    *_, infos = envs.step(envs.action_space.sample())
    kept = observations.copy(), {name: np.array(values) for name, values in infos.items()}
    envs.step(envs.action_space.sample())
    assert np.array_equal(observations, kept[0])
    assert all(np.array_equal(infos[name], values) for name, values in kept[1].items())


def test_pictures():
    envs = gym.make_vec("Hopper-v5", 5, render_mode="rgb_array", width=32, height=24)
    envs.reset(seed=0)
    assert envs.render(1).shape == (24, 32, 3) and envs.render(None).shape == (48, 96, 3)
    each = envs.render()
    assert isinstance(each, tuple) and len(each) == envs.num_envs and np.array_equal(each[1], envs.render(1))


def test_worlds_that_fail_are_truncated_and_told():
    envs = gym.make_vec("Humanoid-v5", 4)
    envs.reset(seed=0)
    still = np.zeros(envs.action_space.shape, np.float32)
    envs.qvel[1] = 1e9
    _, rewards, terminated, truncated, infos = envs.step(still)
    assert (terminated | truncated).tolist() == [False, True, False, False]
    assert rewards[1] == 0 and (rewards[[0, 2, 3]] > 0).all()
    assert infos["_status"].tolist() == [False, True, False, False] and infos["status"][1] == 1
    assert "diverged" in infos["cause"][1] and infos["cause"][0] is None
    assert envs.failures == 1
    *_, infos = envs.step(still)  # which resets it
    assert "status" not in infos and not envs.batch.status.any()

    envs.batch.parameter("body_mass")[2, 1] = -1  # no step takes such a mass
    envs.batch.step(0)
    _, rewards, _, truncated, infos = envs.step(still)
    assert truncated.tolist() == [False, False, True, False] and rewards[2] == 0
    assert "body_mass[1] is -1" in infos["cause"][2]
    assert envs.failures == 2


def test_random_parameters_follow_the_seed():
    envs = gym.make_vec("Hopper-v5", 4)
    envs.batch.randomize("body_mass", [0.5], [2.0], combine="scale")
    masses = envs.batch.parameter("body_mass")
    drawn = {}
    for seed in (0, 0, 1):
        envs.reset(seed=seed)
        drawn.setdefault(seed, []).append(masses[:, 1].copy())
    assert np.array_equal(*drawn[0]) and not np.array_equal(drawn[0][0], drawn[1][0])
    envs.batch.randomize("body_mass", [3.0], [3.0], combine="scale")  # in place of the first range
    envs.reset()
    assert np.allclose(masses[:, 1], 3 * envs.model.body_mass[1])
    envs.batch.clear_randomization()
    assert np.array_equal(masses, np.broadcast_to(envs.model.body_mass, masses.shape))


def test_ended_episodes_do_not_go_on_by_themselves():
    envs = gym.make_vec("Hopper-v5", 3, autoreset_mode="Disabled", max_episode_steps=2)
    envs.reset(seed=0)
    action = np.zeros(envs.action_space.shape, np.float32)
    envs.step(action)
    *_, truncated, _ = envs.step(action)
    assert truncated.all()
    with pytest.raises(AssertionError, match="reset_mask"):
        envs.step(action)
    envs.reset(options={"reset_mask": np.ones(3, bool)})
    envs.step(action)


def test_gymnasium_records_videos(tmp_path):
    pytest.importorskip("moviepy")
    from gymnasium.wrappers.vector import RecordVideo

    envs = RecordVideo(gym.make_vec("Hopper-v5", 2, render_mode="rgb_array", width=64, height=64), str(tmp_path), video_length=5)
    envs.reset(seed=0)
    for _ in range(8):
        envs.step(np.zeros(envs.action_space.shape, np.float32))
    envs.close()
    assert any(file.stat().st_size > 1000 for file in tmp_path.glob("*.mp4"))
