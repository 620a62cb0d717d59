"""The bar that ./run and ./test draw while they build: how far it is, what stays of other output, and the exit code."""

import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def build(script: str) -> subprocess.CompletedProcess[str]:
    """What is drawn for a command that prints as ninja does with the status that it is given."""
    words = ["bash", "-c", f'source "{ROOT}/tools/common.sh"; build_with_bar bash -c "$0"', script]
    return subprocess.run(words, capture_output=True, text=True)


class BarTest(unittest.TestCase):
    def test_it_grows_and_says_how_long_it_takes(self) -> None:
        drawn = build('echo "${NINJA_STATUS//%f/25}" | sed "s/%t/100/; s/%e/60.0/; s/$/Building x.o/"').stderr
        self.assertIn("[" + 10 * "#" + 30 * "." + "]  25 %, 25 of 100 files, about 3 min 00 s left", drawn)
        self.assertNotIn("Building", drawn)

    def test_errors_stay_below_the_bar(self) -> None:
        done = build('echo "=bar 1 2 3.0 x"; echo "x.cc:1: error: no"; exit 3')
        self.assertEqual(done.returncode, 3, "that of the build")
        self.assertRegex(done.stderr, r"left\S*\nx\.cc:1: error: no\n$")


if __name__ == "__main__":
    unittest.main()
