"""Everything that the module mujoco has, with wrong arguments: an exception, and never a crash. `SINEW_SEEDS` sets how many times each part is run."""

import os
import pathlib
import subprocess
import sys

import pytest

from module_test import _HERE

SEEDS = int(os.environ.get("SINEW_SEEDS", 1))


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("part", ["functions", "classes", "attributes", "methods", "dead", "threads"])
def test_misuse_is_no_crash(tmp_path, part, seed):
    calls = tmp_path / "calls"
    program = pathlib.Path(__file__).with_name("misuse_calls.py")
    (tmp_path / "work").mkdir()
    with open(calls, "wb") as log:
        os.dup2(log.fileno(), 3)
        result = subprocess.run(
            [sys.executable, str(program), _HERE, part, str(seed)], stdin=subprocess.DEVNULL, capture_output=True, pass_fds=(3,), timeout=500,
            env={**os.environ, "MISUSE_FOLDER": str(tmp_path / "work"), "PYTHONFAULTHANDLER": "1"},
        )  # fmt: skip
    made = calls.read_bytes().decode("ascii", "replace").splitlines()
    assert result.returncode == 0 and made[-1] == "end", f"{result.returncode} in {made[-2:]}\n{result.stderr.decode(errors='replace')[-3000:]}"
    assert len(made) > 100
