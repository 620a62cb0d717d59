"""Every command and every block of code in README.md and in the documents for users.

sh      run in a folder with the models, line after line
python  run on this library, below the Python package where that is installed
c, cpp  a file of docs/examples, which the build compiles and runs
xml     a model, which is loaded and simulated; where a comment names a file of docs/examples, both are the same text
cmake   a project: its sources are there, or taken from the C++ example

A block below a comment `<!-- not run: REASON -->` is not run.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/release"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
for folder in ("start", "models", "tutorials", "reference", "from-mujoco", "contributing"):
    PAGES += sorted((ROOT / "docs" / folder).glob("*.md"))

_BLOCK = re.compile(r"(?:<!-- (?P<note>(?:(?!-->).)*?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)


def blocks():
    for page in PAGES:
        for match in _BLOCK.finditer(page.read_text()):
            line = page.read_text()[: match.start()].count("\n") + 1
            yield f"{page.relative_to(ROOT)}:{line}", match["language"], match["note"] or "", match["text"]


class BlocksTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "models").symlink_to(ROOT / "models")
        (self.folder / "guide").symlink_to(ROOT / "docs/examples/models")

    def run_words(self, words: list[str], where: str, **environment: str) -> None:
        path = f"{BUILD / 'bin'}:{os.environ['PATH']}"
        result = subprocess.run(
            words, cwd=self.folder, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path, **environment}
        )
        self.assertEqual(result.returncode, 0, f"{where}\n{result.stdout}{result.stderr}")

    def test_every_block(self) -> None:
        tried = 0
        for where, language, note, text in blocks():
            with self.subTest(where):
                if note.startswith("not run: "):
                    continue
                self.assertIn(language, ("sh", "python", "c", "cpp", "cmake", "xml", "text"), f"{where}: what language is it?")
                getattr(self, f"check_{language}")(where, note, text)
                tried += 1
        self.assertGreater(tried, 8)

    def check_sh(self, where: str, note: str, text: str) -> None:
        for entry in self.folder.iterdir():
            if not entry.is_symlink():
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        self.run_words(["bash", "-euc", text], where)

    def check_python(self, where: str, note: str, text: str) -> None:
        if not importlib.util.find_spec("mujoco"):
            self.skipTest("no Python package to run below")
        (self.folder / "block.py").write_text(text)
        self.run_words(["sinew", "python-shadow", "shadow", "--python", sys.executable, "--any-library"], where)
        self.run_words([sys.executable, "block.py"], where, PYTHONPATH=str(self.folder / "shadow"))

    def check_c(self, where: str, note: str, text: str) -> None:
        self.check_file(where, note, text)

    def check_file(self, where: str, note: str, text: str) -> None:
        """The block and the file that its comment names are the same text; the site fills an empty block from the file."""
        name = note.removeprefix("file: ")
        self.assertTrue((ROOT / name).is_file() and name.startswith("docs/examples/"), f"{where}: name its file")
        if text:
            self.assertEqual(text, (ROOT / name).read_text(), f"{where} differs from {name}")

    check_cpp = check_c

    def check_cmake(self, where: str, note: str, text: str) -> None:
        """A complete project is configured and built against an installation."""
        if not text.startswith("cmake_minimum_required"):
            return
        project = self.folder / "project"
        project.mkdir(exist_ok=True)
        (project / "CMakeLists.txt").write_text(text)
        shutil.copy(ROOT / "docs/examples/example.cc", project / "mine.cc")
        self.run_words(["cmake", "--install", str(BUILD), "--prefix", str(self.folder / "prefix")], where)
        self.run_words(["cmake", "-S", "project", "-B", "b", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.folder}/prefix"], where)
        self.run_words(["cmake", "--build", "b"], where)
        self.run_words(["b/mine", "models/humanoid.xml"], where)

    def check_xml(self, where: str, note: str, text: str) -> None:
        model = "block.xml"
        if note.startswith("file: "):
            self.check_file(where, note, text)
            model = str(ROOT / note.removeprefix("file: "))  # in its place, since it may name files beside it
        else:
            (self.folder / model).write_text(text)
        self.run_words(["sinew", "compile", model], where)
        self.run_words(["sinew", "simulate", model, "--time", "0.1"], where)

    def test_every_model_of_the_guide_is_shown(self) -> None:
        """A model of docs/examples/models that no page shows is not kept."""
        shown = {note.removeprefix("file: ") for _, _, note, _ in blocks()}
        kept = {str(file.relative_to(ROOT)) for file in (ROOT / "docs/examples/models").glob("*.xml")}
        self.assertEqual(kept - shown, set())

    def check_text(self, where: str, note: str, text: str) -> None:
        """Output, a tree of folders: nothing to run."""


if __name__ == "__main__":
    unittest.main()
