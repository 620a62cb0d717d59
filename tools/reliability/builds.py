"""Lines that need builds of their own: the scripts that make them run the tests, and say what they found."""

import re
import subprocess

from layout import ROOT
from result import Result


def _script(line: str, command: list[str], figure: str | None) -> Result:
    """Runs a script; its last lines are the finding where it fails, and numbers by `figure` (a pattern) the figures."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    output = done.stdout + done.stderr
    figures = {text: number for number, text in re.findall(figure, output)} if figure else {}
    findings = [] if done.returncode == 0 else output.splitlines()[-20:]
    return Result(line, 1, figures, findings)


def run_determinism(options, deadline: float) -> Result:
    return _script("determinism", ["tests/determinism/machines.sh"], None)


def run_sanitizers(options, deadline: float) -> Result:
    return _script("sanitizers", ["./test", "asan", "threads", "tsan"], r"(\d+) (passed|failed)")


def run_coverage(options, deadline: float) -> Result:
    return _script("coverage", ["tools/coverage.sh"], r"([\d.]+) %  .*: (all|readers of files), target")
