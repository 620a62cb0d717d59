"""What the wheel is built from is seen to before anything is compiled: packages that are missing are named all at once, and of
several releases of libc++ one is taken that g++ compiles."""

import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLCHAIN = ROOT / "cmake/libcxx.cmake"


def libcxx_of(*folders):
    """The folder that the toolchain takes of these, and what CMake says."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "script.cmake"
        script.write_text(f'include("{TOOLCHAIN}")\nmessage("taken: ${{llvm}}")\n')
        setting = "-DSINEW_LLVM_FOLDERS=" + ";".join(map(str, folders))
        result = subprocess.run(["cmake", setting, "-P", script], capture_output=True, text=True)
    taken = result.stderr.split("taken: ")[-1].strip() if result.returncode == 0 else None
    return taken, result.stderr


class LibcxxTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        # as the headers of a release that is later than the compiler
        self.later = pathlib.Path(self.folder.name) / "llvm-99"
        headers = self.later / "include/c++/v1"
        headers.mkdir(parents=True)
        for name in ("algorithm", "atomic", "functional", "map", "string", "thread", "unordered_map", "vector"):
            (headers / name).write_text('#error "this compiler is too old"\n')
        (self.later / "lib").mkdir()
        for name in ("libc++.a", "libc++abi.a"):
            (self.later / "lib" / name).touch()

    def test_releases_that_do_not_compile_are_passed_over(self) -> None:
        found = sorted(pathlib.Path("/usr/lib").glob("llvm-*/lib/libc++.a"))
        if not found:
            self.skipTest("no static libc++ is installed")
        own = found[-1].parents[1]
        self.assertEqual(libcxx_of(self.later, own)[0], str(own))

    def test_what_is_missing_is_said(self) -> None:
        taken, text = libcxx_of(self.later)
        self.assertIsNone(taken)
        self.assertIn("llvm-99", text)
        self.assertIn("libc++abi-dev", text)
        taken, text = libcxx_of(pathlib.Path(self.folder.name) / "nothing")
        self.assertIsNone(taken)
        self.assertIn("no static libc++", text)


class PackagesTest(unittest.TestCase):
    def run_with(self, answer: str) -> subprocess.CompletedProcess:
        """The script on a machine whose packages all have this status, without installing any."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "dpkg-query"
            program.write_text(f"#!/bin/sh\necho '{answer}'\n")
            program.chmod(0o755)
            environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "SINEW_INSTALL": "0"}
            return subprocess.run([ROOT / "tools/wheel_needs.sh"], capture_output=True, text=True, env=environment)

    def test_all_that_is_missing_is_named_at_once(self) -> None:
        result = self.run_with("unknown ok not-installed")
        self.assertEqual(result.returncode, 1)
        for package in ("g++", "libpugixml-dev", "libassimp-dev", "libc++-dev", "libc++abi-dev"):
            self.assertIn(package, result.stderr)
        self.assertIn("sudo apt-get install g++", result.stderr)

    def test_nothing_is_said_where_nothing_is_missing(self) -> None:
        result = self.run_with("install ok installed")
        self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
