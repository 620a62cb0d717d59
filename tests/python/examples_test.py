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
    ],
    ids=lambda words: words[0],
)
def test_example(words):
    result = subprocess.run(
        [sys.executable, str(EXAMPLES / words[0]), *words[1:]], capture_output=True, text=True, env=os.environ
    )
    assert result.returncode == 0, result.stdout + result.stderr
