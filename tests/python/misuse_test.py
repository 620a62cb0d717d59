"""Everything that the module mujoco has, with wrong arguments, and models whose arrays a program has overwritten: an exception, and never a crash.
`SINEW_SEEDS` sets how many times each part is run."""

import os
import pathlib
import subprocess
import sys

import pytest

from module_test import _HERE

SEEDS = int(os.environ.get("SINEW_SEEDS", 1))


def calls_of(folder, program, *arguments):
    """Runs a program that says what it is about to call; what it has said."""
    calls = folder / "calls"
    program = pathlib.Path(__file__).with_name(program)
    (folder / "work").mkdir()
    with open(calls, "wb") as log:
        os.dup2(log.fileno(), 3)
        result = subprocess.run(
            [sys.executable, str(program), _HERE, *arguments], stdin=subprocess.DEVNULL, capture_output=True, pass_fds=(3,), timeout=500,
            env={**os.environ, "MISUSE_FOLDER": str(folder / "work"), "PYTHONFAULTHANDLER": "1"},
        )  # fmt: skip
    made = calls.read_bytes().decode("ascii", "replace").splitlines()
    assert result.returncode == 0 and made[-1] == "end", f"{result.returncode} in {made[-2:]}\n{result.stderr.decode(errors='replace')[-3000:]}"
    return made


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("part", ["functions", "classes", "attributes", "methods", "dead", "threads"])
def test_misuse_is_no_crash(tmp_path, part, seed):
    assert len(calls_of(tmp_path, "misuse_calls.py", part, str(seed))) > 100


@pytest.mark.parametrize("seed", range(SEEDS))
def test_overwritten_structure_is_no_crash(tmp_path, seed):
    """Names, parts by name, texts, copies, pickles and files of a model in which a program has overwritten where things are."""
    made = calls_of(tmp_path, "structure_calls.py", str(seed))
    assert sum("] = " in line for line in made) > 150
