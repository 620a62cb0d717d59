"""The first minute of a user without compilers: a fresh environment, the wheel, the first ten lines, and a program for
`import mujoco` with Gymnasium's Humanoid for 1,000 steps. SINEW_WHEEL is the wheel."""

import os
import pathlib
import resource
import subprocess
import sys
import time

import pytest

WHEEL = os.environ.get("SINEW_WHEEL")

TEN_LINES = """
import sinew

model = sinew.Model.from_xml_path(sinew.models / "humanoid.xml")
data = sinew.Data(model)
data.joint("abdomen_y").qpos[:] = 0.3
data.step(100)
print(data.body("torso").xpos, data.contact["dist"])
batch = sinew.Batch(model, 64)
batch.step(5)
print(batch.output("xpos").shape)
"""

HUMANOID = """
import gymnasium
env = gymnasium.make("Humanoid-v5")
env.reset(seed=0)
for _ in range(1000):
    *_, terminated, truncated, _ = env.step(env.action_space.sample())
    if terminated or truncated:
        env.reset()
print("1000 steps")
"""


@pytest.mark.skipif(not WHEEL, reason="SINEW_WHEEL names no wheel")
def test_first_minute(tmp_path):
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    python = tmp_path / "venv" / "bin" / "python"
    # nothing but the environment's programs are found: no compiler, no CMake
    environment = {"PATH": str(python.parent), "HOME": str(tmp_path), "MUJOCO_GL": "disable"}
    environment.update({name: value for name, value in os.environ.items() if name.startswith("PIP_")})

    def run(*words):
        result = subprocess.run(words, capture_output=True, text=True, env=environment, cwd=tmp_path)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    run(sys.executable, "-m", "venv", str(tmp_path / "venv"))
    run(str(python), "-m", "pip", "install", "-q", str(pathlib.Path(WHEEL).resolve()))
    installed = run(str(python), "-m", "pip", "list", "--format=freeze").split()
    assert {name.split("==")[0] for name in installed} <= {"numpy", "pip", "setuptools", "sinew"}
    assert "(64, " in run(str(python), "-c", TEN_LINES)
    run(str(python), "-m", "pip", "install", "-q", "mujoco==3.8.0", "gymnasium[mujoco]")
    program = tmp_path / "train.py"
    program.write_text(HUMANOID)
    assert "1000 steps" in run(str(python), "-m", "sinew", "run", str(program))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{time.monotonic() - start:.0f} s, {processor:.0f} s of them on the processor")
    # what other programs take of the machine does not count
    assert processor < 60
