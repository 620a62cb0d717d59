"""Figures of the documents are drawn by their scripts, and notebooks run.

    PYTHONPATH=PACKAGE python tests/docs/figures_test.py

PACKAGE has the package sinew; matplotlib, av, nbclient, ipykernel and Gymnasium are installed. Each script draws into a folder of its own;
each picture of docs/images/guide and docs/images/theory is one of them. Pictures are not compared to the pixel, since fonts differ.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class FiguresTest(unittest.TestCase):
    def run_tool(self, *words: object) -> None:
        done = subprocess.run([sys.executable, "-W", "ignore", *map(str, words)], capture_output=True, text=True, check=False, env=os.environ)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_figure_is_drawn(self) -> None:
        for name in ("guide", "theory"):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                self.run_tool(ROOT / f"tools/{name}_plots.py", "--folder", folder)
                drawn = {path.name for path in pathlib.Path(folder).glob("*.png")}
                kept = {path.name for path in (ROOT / "docs/images" / name).glob("*.png")}
                self.assertEqual(drawn, kept)

    def test_videos_are_drawn(self) -> None:
        """Those of two scenes of the gallery, into a folder of their own; the others take a minute more."""
        sys.path.insert(0, str(ROOT / "tools"))
        import gallery

        kept = {path.stem for path in (ROOT / "docs/images/gallery").iterdir()}
        self.assertEqual(set(gallery.SCENES), kept)
        with tempfile.TemporaryDirectory() as folder:
            gallery.FOLDER = pathlib.Path(folder)
            for name in ("ring", "hop"):
                gallery.draw(name)
                self.assertGreater((gallery.FOLDER / f"{name}.mp4").stat().st_size, 5000)

    def test_every_figure_is_shown(self) -> None:
        pages = "".join(path.read_text() for path in (ROOT / "docs").rglob("*.md"))
        for name in ("guide", "theory", "gallery"):
            for path in (ROOT / "docs/images" / name).iterdir():
                self.assertIn(f"images/{name}/{path.name}", pages)

    def test_examples_of_classes_run(self) -> None:
        """One after the other, since each begins with what those before it have made."""
        sys.path.insert(0, str(ROOT / "tables"))
        from generator.python_docs import CLASSES

        order = ("Model", "Data", "Named", "Batch", "WorldsElement", "Contacts", "Renderer", "Spec", "Element", "Default", "Options", "Statistics", "Compiler", "Visual")
        self.assertEqual(set(order), set(CLASSES))
        examples = [textwrap.dedent(CLASSES[name].partition("\n\n")[2]) for name in order]
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "examples.py"
            program.write_text("\n".join(["import os", "import sinew", f"os.chdir({folder!r})", *examples]))
            self.run_tool(program)

    def test_notebooks_run(self) -> None:
        for path in sorted((ROOT / "docs/tutorials").glob("*.ipynb")):
            with self.subTest(path.name):
                self.run_tool(ROOT / "tools/notebooks.py", "--check", path.stem)

    def test_every_notebook_is_in_the_menu(self) -> None:
        menu, overview = (ROOT / "mkdocs.yml").read_text(), (ROOT / "docs/tutorials/index.md").read_text()
        for path in (ROOT / "docs/tutorials").glob("*.ipynb"):
            self.assertIn(f"tutorials/{path.stem}.md", menu)
            self.assertIn(f"({path.stem}.md)", overview)


if __name__ == "__main__":
    unittest.main()
