"""Runs packages that depend on mujoco, each in an environment of its own, on our module.

    python tests/python/packages.py build/module/python [PACKAGE ...]

The folder contains the package mujoco (python/module/CMakeLists.txt). What pip resolves is installed, the official wheel
included, and a short program makes a world, steps it and draws it where the package draws. What it prints are rows
of the table in docs/from-mujoco/any-version.md.
"""

import argparse
import importlib.metadata
import os
import pathlib
import subprocess
import sys
import textwrap
import venv

_CHECK = """
import mujoco, pathlib
assert pathlib.Path(mujoco.__file__).is_relative_to({folder!r}), mujoco.__file__
assert "site-packages/mujoco/" not in pathlib.Path("/proc/self/maps").read_text(), "the official wheel is in the process"
"""

# What is installed, the package first, and what is run then. mo-gymnasium imports packaging without asking for it.
PACKAGES = {
    "mo-gymnasium[mujoco] packaging": """
        import mo_gymnasium
        for name in ("mo-hopper-v5", "mo-halfcheetah-v5", "mo-reacher-v5"):
            env = mo_gymnasium.make(name, render_mode="rgb_array")
            env.reset(seed=0)
            for _ in range(20):
                _, reward, *_ = env.step(env.action_space.sample())
            assert reward.ndim == 1 and env.render().any()
        """,
    "orca-sim": """
        import numpy, orca_sim
        env = orca_sim.OrcaHandRight()
        env.reset(seed=0)
        for _ in range(20):
            observation, *_ = env.step(env.action_space.sample())
        assert numpy.isfinite(observation).all()
        env.close()
        """,
    # It imports imageio without asking for it.
    "sai-mujoco imageio": """
        import gymnasium, numpy, sai_mujoco
        env = gymnasium.make("InvertedPendulumWheel-v0")
        env.reset(seed=0)
        for _ in range(20):
            _, reward, *_ = env.step(env.action_space.sample())
        assert numpy.isfinite(reward)
        """,
    "openarm-mujoco": """
        import importlib.metadata, mujoco, numpy
        files = [file.locate() for file in importlib.metadata.files("openarm-mujoco") if file.name in ("tool_scene.xml", "bottle_scene.xml")]
        assert files
        for file in files:
            model = mujoco.MjModel.from_xml_path(str(file))
            data = mujoco.MjData(model)
            mujoco.mj_step(model, data, 20)
            with mujoco.Renderer(model) as renderer:
                renderer.update_scene(data)
                assert numpy.isfinite(data.qpos).all() and renderer.render().any()
        """,
    "rcsssmj": """
        import numpy, mujoco, pathlib, rcsssmj
        files = sorted(pathlib.Path(rcsssmj.__path__[0]).glob("resources/**/robot.xml"))
        assert files
        for file in files:
            model = mujoco.MjModel.from_xml_path(str(file))
            data = mujoco.MjData(model)
            mujoco.mj_step(model, data, 20)
            assert numpy.isfinite(data.qpos).all()
        """,
    "mujoco-utils": """
        from dm_control import mjcf
        from mujoco_utils import mjcf_utils, physics_utils
        root = mjcf.RootElement()
        body = root.worldbody.add("body", name="b")
        body.add("freejoint", name="j")
        body.add("geom", name="g", size=[0.1])
        assert mjcf_utils.safe_find(root, "geom", "g") is not None
        physics_utils.compensate_gravity(root)
        physics = mjcf.Physics.from_mjcf_model(root)
        physics.step(100)
        assert abs(physics.bind(body).xpos[2]) < 1e-9
        """,
    # Two windows: they need a display (xvfb-run).
    "mujoco-python-viewer": """
        import mujoco, mujoco_viewer
        text = '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        window = mujoco_viewer.MujocoViewer(model, data, width=320, height=240)
        for _ in range(20):
            mujoco.mj_step(model, data)
            window.render()
        window.close()
        window = mujoco_viewer.MujocoViewer(model, data, mode="offscreen", width=320, height=240)
        assert window.read_pixels().std() > 1
        window.close()
        """,
    "magbotsim": """
        import gymnasium, magbotsim, numpy
        gymnasium.register_envs(magbotsim)
        env = gymnasium.make("StateBasedPushTEnv-v0", render_mode="human")
        env.reset(seed=0)
        for _ in range(5):
            observation, reward, *_ = env.step(env.action_space.sample())
        assert numpy.isfinite(reward)
        env.close()
        """,
    "so101-nexus-mujoco": """
        import gymnasium, numpy, so101_nexus_mujoco
        env = gymnasium.make("MuJoCoPickCubeLift-v1")
        env.reset(seed=0)
        for _ in range(5):
            _, reward, *_ = env.step(env.action_space.sample())
        assert numpy.isfinite(reward)
        """,
    "moojoco": """
        import mujoco, moojoco.environment.mjc_env, moojoco.environment.mjx_env
        from moojoco.mjcf.arena import ArenaConfiguration, MJCFArena
        class Arena(MJCFArena):
            def _build(self):
                self.mjcf_model.worldbody.add("geom", type="plane", size=[1, 1, 1])
                self.mjcf_model.worldbody.add("light", pos=[0, 0, 3])
        arena = Arena(ArenaConfiguration("arena"))
        model = mujoco.MjModel.from_xml_string(arena.get_mjcf_str(), arena.get_mjcf_assets())
        mujoco.mj_step(model, mujoco.MjData(model))
        assert model.ngeom == 1 and model.nlight == 1
        """,
    "playground": """
        import jax, numpy
        from mujoco_playground import registry
        env = registry.load("CartpoleBalance", config_overrides={"impl": "jax"})
        state, step = jax.jit(env.reset)(jax.random.PRNGKey(0)), jax.jit(env.step)
        for _ in range(3):
            state = step(state, numpy.zeros(env.action_size))
        assert numpy.isfinite(numpy.asarray(state.obs)).all()
        assert numpy.asarray(env.render([state], height=48, width=64)).std() > 1
        """,
    "mjx-safety-gym": """
        import jax, numpy
        from mjx_safety_gym.envs.go_to_goal import GoToGoal
        env = GoToGoal()
        state, step = jax.jit(env.reset)(jax.random.PRNGKey(0)), jax.jit(env.step)
        for _ in range(3):
            state = step(state, jax.numpy.zeros(env.action_size))
        assert numpy.isfinite(numpy.asarray(state.obs)).all()
        """,
    "mink-warp": """
        import mink_warp, mujoco, numpy
        text = '<mujoco><worldbody><body><joint axis="0 1 0"/><geom size=".1"/><site name="tip" pos=".3 0 0"/></body></worldbody></mujoco>'
        state = mink_warp.Configuration(mujoco.MjModel.from_xml_string(text), nworld=2, device="cpu")
        task = mink_warp.FrameTask("tip", "site", position_cost=1.0, orientation_cost=0.0)
        task.set_target_from_configuration(state)
        mink_warp.IKSolver(state).solve_and_integrate([task], dt=0.01)
        assert numpy.isfinite(state.q.numpy() if hasattr(state.q, "numpy") else state.q).all()
        """,
    "soft-robotic-arm": """
        import numpy
        from soft_robotic_arm import make_sim
        arm = make_sim(control_hz=100.0)
        arm.reset()
        for _ in range(20):
            observation = arm.step(numpy.full((4, 5), 2.0))
        assert numpy.isfinite(observation["tip_pos"]).all()
        """,
    "physsim": """
        from physsim import Board, Robot, run_firmware
        board = Board("esp32")
        robot = Robot("arm", board=board)
        link = robot.base(mass=1.0).link(length=0.30, mass=0.25, name="upper")
        link.joint("revolute", axis="y", range=(-90, 90), name="shoulder").servo(board.pwm(13), stall_torque=2.5)
        firmware = "from machine import Pin, PWM\\nimport utime\\nservo = PWM(Pin(13), freq=50)\\ndef main():\\n    servo.duty_us(2000)\\n    utime.sleep_ms(300)\\n"
        assert "completed" in run_firmware(robot.build(), firmware, duration=0.5, view=False).summary()
        """,
    "crazyflow": """
        import numpy
        from crazyflow.sim import Sim
        sim = Sim(n_worlds=1, n_drones=1)
        sim.reset()
        sim.step(20)
        assert numpy.isfinite(numpy.asarray(sim.data.states.pos)).all()
        sim.render(mode="rgb_array")
        """,
}


def environment(folder: pathlib.Path, package: str) -> str:
    """The interpreter of an environment that has the package, which is made where it is missing."""
    python = folder / "bin" / "python"
    if not (folder / "done").exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *package.split()], check=True)
        (folder / "done").touch()
    return str(python)


def version(folder: pathlib.Path, package: str) -> str:
    """The version of an installed package; "-" when it is not installed."""
    site = next((folder / "lib").glob("python*/site-packages"))
    for found in importlib.metadata.distributions(path=[str(site)]):
        if found.metadata["Name"].lower().replace("_", "-") == package:
            return found.version
    return "-"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="contains the package mujoco")
    parser.add_argument("packages", nargs="*", help="those of the table that are run; all without")
    parser.add_argument("--home", type=pathlib.Path, default=pathlib.Path("build/packages"), help="for environments")
    options = parser.parse_intermixed_args()
    failed = 0
    for package, program in PACKAGES.items():
        name = package.split()[0].split("[")[0]
        if options.packages and name not in options.packages:
            continue
        home = options.home.resolve() / name
        variables = {**os.environ, "PYTHONPATH": str(options.folder.resolve()), "MUJOCO_GL": os.environ.get("MUJOCO_GL", "egl")}
        code = textwrap.dedent(program) + _CHECK.format(folder=str(options.folder.resolve()))
        done = subprocess.run([environment(home, package), "-c", code], env=variables, cwd=home, capture_output=True, text=True)
        reason = "" if done.returncode == 0 else done.stderr.strip().splitlines()[-1]
        failed += bool(done.returncode)
        print(f"| {name} {version(home, name)} | {version(home, 'mujoco')} | {'yes' if not reason else 'no: ' + reason} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
