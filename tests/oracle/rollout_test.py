"""Episodes of Gymnasium's tasks on our library and on the release whose interface it is.

Without contacts, 1,000 steps give the same returns. With contacts, motion is chaotic: after some hundred steps the last
bits of the two have grown to different motions, and only their statistics can be compared.

Needs the program (SINEW_PROGRAM) and the packages mujoco and gymnasium; skips itself without.
"""

import importlib.metadata
import importlib.util
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import unittest

from libraries import RELEASE

PROGRAM = os.environ.get("SINEW_PROGRAM", "")
ROLLOUTS = pathlib.Path(__file__).resolve().parent / "rollouts.py"
AVAILABLE = (
    PROGRAM
    and importlib.util.find_spec("mujoco")
    and importlib.util.find_spec("gymnasium")
    and importlib.util.find_spec("imageio")  # which its tasks import, as the next
    and importlib.util.find_spec("packaging")
    and importlib.metadata.version("mujoco") == RELEASE
)


@unittest.skipUnless(AVAILABLE, "no program, or no packages to compare with")
class RolloutTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.shadow = folder.name
        subprocess.run(
            [PROGRAM, "python-shadow", cls.shadow, "--python", sys.executable, "--any-library"],
            check=True,
            capture_output=True,
        )

    def returns(self, task: str, episodes: int, steps: int) -> tuple[list[float], list[float]]:
        """Returns those on our library, and those on the release."""
        command = [sys.executable, str(ROLLOUTS), "returns", task, str(episodes), str(steps)]
        both = []
        for environment in ({**os.environ, "PYTHONPATH": self.shadow}, dict(os.environ)):
            result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            both.append(json.loads(result.stdout))
        return both[0], both[1]

    def test_without_contacts_returns_are_the_same(self) -> None:
        for task in ("Swimmer-v5", "Reacher-v5", "InvertedDoublePendulum-v5"):
            with self.subTest(task):
                ours, theirs = self.returns(task, 3, 1000)
                for a, b in zip(ours, theirs, strict=True):
                    # the rounding of 1,000 steps; rewards are of the size of one
                    self.assertAlmostEqual(a, b, delta=1e-6 * (1 + abs(b)))

    def test_with_contacts_returns_are_equal_in_the_mean(self) -> None:
        episodes = 60
        ours, theirs = self.returns("Humanoid-v5", episodes, 1000)
        error = math.sqrt((statistics.variance(ours) + statistics.variance(theirs)) / episodes)
        # Four standard errors: equal means differ by more in one of 16,000 runs. Seeds are fixed, so that it is this
        # run or none.
        self.assertLess(abs(statistics.mean(ours) - statistics.mean(theirs)), 4 * error)
        self.assertGreater(min(ours), 0)


if __name__ == "__main__":
    unittest.main()
