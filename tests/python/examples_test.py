"""The examples run, in small, and reach what they are about (their exit code says so)."""

import os
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize(
    "words",
    [
        ["mppi.py", "--samples", "64", "--time", "4"],
        ["system_identification.py", "--steps", "150", "--iterations", "5"],
        ["inverse_dynamics.py", "--steps", "200"],
        ["ilqr.py", "--steps", "100", "--iterations", "12"],
        ["pushed_block.py"],
    ],
    ids=lambda words: words[0],
)
def test_example(words):
    result = subprocess.run(
        [sys.executable, str(EXAMPLES / words[0]), *words[1:]], capture_output=True, text=True, env=os.environ
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_learning(tmp_path):
    """In small: after some updates the humanoid stands longer than it falls over by chance (24 steps)."""
    for name in ("torch", "gymnasium"):
        pytest.importorskip(name)
    words = ["--steps", "40000", "--goal", "45", "--curve", str(tmp_path / "curve.csv"), "--minutes", "1000"]
    result = subprocess.run([sys.executable, str(EXAMPLES / "ppo.py"), *words], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    assert (tmp_path / "curve.csv").read_text().startswith("steps,seconds,processor,length")
