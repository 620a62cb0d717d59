"""The program under test: SINEW_PROGRAM, by default that of the release build."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SINEW_PROGRAM") or str(ROOT / "build/release/bin/sinew")


class ProgramTest(unittest.TestCase):
    """Runs the program in a folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name: str, content: str | bytes) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    def run_program(self, *words: str, code: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
        result = subprocess.run([PROGRAM, *words], capture_output=True, text=True, errors="replace", check=False,
                                cwd=self.folder, env={**os.environ, **environment})
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def refusal(self, *words: str, code: int = 1, **environment: str) -> str:
        return self.run_program(*words, code=code, **environment).stderr

    def report(self, *words: str) -> dict:
        return json.loads(self.run_program(*words, "--json").stdout)

    def measure(self, *words: str, seconds: int = 60) -> tuple[int, str, float, float]:
        """Exit code, text of both outputs, seconds of processor time, peak memory [MB]: of the children of a process
        between, which has no others."""
        script = ("import json, resource, subprocess, sys\n"
                  f"r = subprocess.run(sys.argv[1:], capture_output=True, text=True, errors='replace', timeout={seconds})\n"
                  "u = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
                  "print(json.dumps([r.returncode, r.stdout + r.stderr, u.ru_utime + u.ru_stime, u.ru_maxrss / 1024]))")
        done = subprocess.run(["python3", "-c", script, PROGRAM, *words], capture_output=True, text=True, check=True,
                              cwd=self.folder)
        return tuple(json.loads(done.stdout))
