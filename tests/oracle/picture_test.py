#!/usr/bin/env python3
"""Pictures of the tasks of Gymnasium and dm_control, drawn by this library and by MuJoCo 3.8.0 on a software rasterizer.

Both libraries run in processes of their own (this file, with a folder as argument). Compared are colours, depth and
segmentation; skips itself where the reference, its tasks or a GL library is not at hand."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import libraries

WIDTH, HEIGHT = 320, 240
# Colours: silhouettes, shadow edges and edges of textures are sampled in different ways, all else is the same formula.
MEAN_DIFFERENCE = 4  # of 255
FAR = 24  # of 255
SHARE_NEAR = 0.99
DEPTH = 1e-3  # relative; the reference keeps depth in 24 to 32 bits and draws round shapes as polyhedra
EDGE_SHARE = 0.01  # pixels whose object or depth may differ: silhouettes of those polyhedra


def models():
    """XML files of both suites' tasks."""
    import dm_control
    import gymnasium

    folders = (
        pathlib.Path(gymnasium.__file__).parent / "envs/mujoco/assets",
        pathlib.Path(dm_control.__file__).parent / "suite",
    )
    return [path for folder in folders for path in sorted(folder.glob("*.xml")) if path.stem != "lqr"]


def cameras(model):
    """The free camera, and the first one of the model."""
    return [-1, 0] if model.ncam else [-1]


def draw(folder):
    """Writes pictures of all models to a folder, with the library that Python finds."""
    import mujoco
    import numpy as np

    for path in models():
        try:
            model = mujoco.MjModel.from_xml_path(str(path))
        except ValueError:
            continue  # parts that are meant to be included
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        renderer = mujoco.Renderer(model, HEIGHT, WIDTH)
        for number in cameras(model):
            camera = mujoco.MjvCamera()
            mujoco.mjv_defaultFreeCamera(model, camera)
            if number >= 0:
                camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, number
            renderer.update_scene(data, camera)
            shown = {"rgb": renderer.render()}
            renderer.enable_depth_rendering()
            shown["depth"] = renderer.render()
            renderer.disable_depth_rendering()
            renderer.enable_segmentation_rendering()
            shown["segments"] = renderer.render()
            renderer.disable_segmentation_rendering()
            np.savez(pathlib.Path(folder) / f"{path.parent.name}_{path.stem}_{number}.npz", **shown)
        renderer.close()


def run(folder, environment):
    """Draws in another process; returns what it wrote to its error stream, None when all went well."""
    environment = {"MUJOCO_GL": "egl"} | os.environ | environment
    done = subprocess.run([sys.executable, __file__, str(folder)], env=environment, capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr


class Pictures:
    """What both renderers have to do."""

    renderer: str

    @classmethod
    def setUpClass(cls):
        try:
            import dm_control  # noqa: F401
            import gymnasium  # noqa: F401
            import mujoco
            import numpy  # noqa: F401
        except ImportError as error:
            raise unittest.SkipTest(f"{error.name} is not installed") from error
        if mujoco.__version__ != "3.8.0":
            raise unittest.SkipTest("the Python package is not mujoco 3.8.0")
        if "SINEW_PROGRAM" not in os.environ:
            raise unittest.SkipTest("SINEW_PROGRAM does not name the program")
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name)
        (root / "theirs").mkdir()
        (root / "ours").mkdir()
        problem = run(root / "theirs", {})
        if problem:
            raise unittest.SkipTest("the reference cannot draw here: " + problem.strip().splitlines()[-1])
        shadow = root / "shadow"
        subprocess.run(
            [os.environ["SINEW_PROGRAM"], "python-shadow", str(shadow), "--python", sys.executable]
            + ["--lib", str(libraries.OWN), "--any-library"],
            check=True,
            capture_output=True,
        )
        path = os.pathsep.join(filter(None, [str(shadow), os.environ.get("PYTHONPATH", "")]))
        problem = run(root / "ours", {"PYTHONPATH": path, "SINEW_RENDER": cls.renderer})
        if problem:
            raise AssertionError(problem)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def pairs(self):
        import numpy as np

        root = pathlib.Path(self.folder.name)
        files = sorted((root / "theirs").glob("*.npz"))
        self.assertGreater(len(files), 20)
        for file in files:
            yield file.stem, np.load(root / "ours" / file.name), np.load(file)

    def test_colours(self):
        import numpy as np

        for name, ours, theirs in self.pairs():
            difference = np.abs(ours["rgb"].astype(int) - theirs["rgb"])
            near = (difference.max(axis=2) <= FAR).mean()
            if os.environ.get("VERBOSE"):
                print(f"{name:45s} mean {difference.mean():6.3f}   within {FAR}: {100 * near:7.3f} %")
            with self.subTest(name):
                self.assertLessEqual(difference.mean(), MEAN_DIFFERENCE)
                self.assertGreaterEqual(near, SHARE_NEAR)

    def test_depth(self):
        import numpy as np

        for name, ours, theirs in self.pairs():
            relative = np.abs(ours["depth"] - theirs["depth"]) / theirs["depth"]
            with self.subTest(name):
                self.assertLessEqual((relative > DEPTH).mean(), EDGE_SHARE)

    def test_segments(self):
        for name, ours, theirs in self.pairs():
            with self.subTest(name):
                self.assertLessEqual((ours["segments"] != theirs["segments"]).any(axis=2).mean(), EDGE_SHARE)


class Rays(Pictures, unittest.TestCase):
    renderer = "cpu"


class OpenGl(Pictures, unittest.TestCase):
    renderer = "gl"


if __name__ == "__main__":
    if len(sys.argv) > 1 and pathlib.Path(sys.argv[1]).is_dir():
        draw(sys.argv[1])
    else:
        sys.exit(unittest.main(verbosity=0))
