"""`sinew python-shadow` and `sinew doctor`: a Python that finds the shadow runs on our library.

Needs the program (SINEW_PROGRAM) and a Python with the package mujoco of the release whose interface it is; skips itself
without.
"""

import importlib.metadata
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ.get("SINEW_PROGRAM", "")
RELEASE = "3.8.0"


def installed() -> bool:
    return bool(importlib.util.find_spec("mujoco")) and importlib.metadata.version("mujoco") == RELEASE


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, *words], capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )


@unittest.skipUnless(PROGRAM and installed(), "no program, or no package to mirror")
class ShadowTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def shadow(self) -> subprocess.CompletedProcess[str]:
        return run("python-shadow", str(self.folder), "--python", sys.executable, "--any-library")

    def test_programs_run_on_our_library(self) -> None:
        self.assertEqual(self.shadow().returncode, 0)
        report = json.loads(run("doctor", "--json", "--python", sys.executable, PYTHONPATH=str(self.folder)).stdout)
        # The one thing to warn of is a library that was built with another C++ library than the package.
        self.assertTrue(all("libc++" in warning for warning in report["warnings"]), report["warnings"])
        self.assertEqual(report["python"]["library"], report["library"])
        self.assertTrue(report["python"]["runs on this library"])

    def test_libraries_that_cannot_serve_specifications_are_refused(self) -> None:
        result = run("python-shadow", str(self.folder), "--python", sys.executable)
        if result.returncode:  # the program was built with another C++ library than the package
            self.assertIn("cmake --preset wheel", result.stderr)

    def test_it_can_be_made_again(self) -> None:
        self.shadow()
        self.assertEqual(self.shadow().returncode, 0)

    def test_the_work_of_others_is_kept(self) -> None:
        file = self.folder / "mujoco" / "mine.py"
        file.parent.mkdir()
        file.touch()
        result = self.shadow()
        self.assertEqual(result.returncode, 1)
        self.assertIn(str(file), result.stderr)
        self.assertTrue(file.exists())

    def test_doctor_says_what_python_lacks(self) -> None:
        result = run("doctor", "--python", "/nonexistent/python")
        self.assertEqual(result.returncode, 0)
        self.assertIn("name another one with --python", result.stderr)


if __name__ == "__main__":
    unittest.main()
