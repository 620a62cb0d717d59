#!/usr/bin/env python3
"""Pictures of scenes of our own and of the tasks of Gymnasium and dm_control, drawn by this library and by MuJoCo 3.8.0 on
a software rasterizer.

Both libraries run in processes of their own (this file, with a folder as argument). Compared are colours, depth and
segmentation; skips itself where the reference, its tasks or a GL library is not at hand. Where gym_aloha is installed,
its tasks are compared, too, and so is every model (.xml, .mjb) in the folder that SINEW_PICTURES names."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import libraries

WIDTH, HEIGHT = 320, 240
# Colours: silhouettes, shadow edges and edges of textures are sampled in different ways, all else is the same formula.
MEAN_DIFFERENCE = 1.5  # of 255
FAR = 24  # of 255
SHARE_NEAR = 0.98
# Mean colours of the fields of an 8 by 8 grid: the second foot of Gymnasium's walker lies in the first, and the
# reference adds the light of both.
FIELDS, FIELD_DIFFERENCE = 8, 12  # of 255
DEPTH = 1e-3  # relative; the reference keeps depth in 24 to 32 bits and draws round shapes as polyhedra
EDGE_SHARE = 0.01  # pixels whose object or depth may differ: silhouettes of those polyhedra


# What tables and rooms of manipulation tasks have: highlights of spots and of the headlight on large faces, planes with
# and without borders, few pieces, mirrors, walls.
OWN = {
    "table": """
      <mujoco><visual><headlight ambient=".3 .3 .3" diffuse=".5 .5 .5" specular=".4 .4 .4"/><quality offsamples="4"/></visual>
        <asset><texture type="skybox" builtin="gradient" rgb1=".9 .9 1" rgb2=".2 .3 .4" width="64" height="384"/>
          <texture name="wood" type="cube" builtin="checker" rgb1=".6 .4 .2" rgb2=".7 .5 .3" width="32" height="192"/>
          <texture name="floor" type="2d" builtin="checker" rgb1=".5 .5 .5" rgb2=".6 .6 .55" width="64" height="64"/>
          <material name="wood" texture="wood" specular=".8" shininess=".3" texuniform="true"/>
          <material name="floor" texture="floor" texrepeat="2 2" texuniform="true" reflectance=".1" specular=".3"/></asset>
        <worldbody><camera pos="1.4 0 1.6" xyaxes="0 1 0 -.6 0 .8"/><camera pos="0 0 2.2" euler="0 0 90"/>
          <light pos=".2 .3 1.8" dir="-.1 -.2 -1" specular=".6 .6 .6" cutoff="50" exponent="8"/>
          <light pos="-1 -1 2" dir=".4 .4 -1" directional="true" diffuse=".3 .3 .3" castshadow="false"/>
          <geom type="plane" size="3 3 .125" material="floor"/><geom type="box" size=".4 .5 .02" pos="0 0 .8" material="wood"/>
          <geom type="box" size="3 .02 1.5" pos="0 2.5 1.5" rgba=".8 .8 .75 1"/>
          <geom type="box" size=".02 3 1.5" pos="-2.5 0 1.5" rgba=".8 .75 .8 1"/>
          <geom type="cylinder" size=".05 .06" pos=".1 .1 .88" rgba=".8 .1 .1 1"/><geom size=".05" pos="-.1 -.2 .87" rgba=".1 .8 .1 1"/>
          <geom type="capsule" size=".03 .1" pos="-.2 .2 .85" euler="90 20 0" rgba=".2 .3 .9 1"/>
          <geom type="ellipsoid" size=".05 .08 .04" pos=".2 -.2 .86"/></worldbody></mujoco>""",
    "spots": """
      <mujoco><statistic extent="2" center="0 0 .5"/><visual><map zfar="20" haze=".2"/>
          <quality numslices="64" numstacks="40" numquads="2" offsamples="4"/></visual>
        <asset><texture type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="64" height="384"/>
          <texture name="floor" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".3 .4 .5" width="64" height="64"/>
          <material name="floor" texture="floor" texrepeat="1 1.5" texuniform="true" reflectance=".3"/></asset>
        <worldbody><camera pos="0 -3 1.5" xyaxes="1 0 0 0 .4 .9"/><camera pos="2 2 3" xyaxes="-1 1 0 -.7 -.7 1"/>
          <light pos=".5 .5 2.5" dir="-.2 -.2 -1" cutoff="30" exponent="20" diffuse=".9 .9 .7" attenuation=".6 .1 .05"/>
          <light pos="-1 0 1.2" dir=".6 .1 -1" cutoff="60" diffuse=".4 .3 .6" specular=".5 .5 .5"/>
          <geom type="plane" size="0 0 .1" material="floor"/>
          <geom size=".3" pos="-.6 0 .4" rgba=".8 .3 .3 1"/><geom type="capsule" size=".15 .3" pos=".1 .2 .5" euler="30 0 0"/>
          <geom type="cylinder" size=".2 .2" pos=".7 -.2 .3" euler="60 30 0" rgba=".3 .8 .3 1"/>
          <geom type="box" size=".2 .3 .1" pos=".2 .9 .5" euler="20 30 40" rgba=".3 .4 .9 1"/></worldbody></mujoco>""",
    "veils": """
      <mujoco><asset><material name="floor" rgba=".9 .8 .7 1" reflectance=".3"/><material name="glass" rgba=".4 .9 .9 .4" specular=".6"/></asset>
        <worldbody><camera pos="2 -2.2 1.5" xyaxes="1 1 0 -.3 .3 1"/><camera pos="0 -3 1" xyaxes="1 0 0 0 .2 1"/>
          <light pos="1 1 2.5" dir="-.2 -.2 -1" specular=".3 .3 .3"/>
          <geom type="plane" size="3 3 .1" material="floor"/><geom type="box" size=".1 .1 .2" pos="0 0 .2" rgba=".8 .2 .2 1"/>
          <geom type="box" size=".01 1.5 1" pos="-1.2 0 1" rgba=".9 .9 .9 .3"/><geom type="box" size="1.5 .01 1" pos="0 1 1" material="glass"/>
          <geom size=".2" pos=".5 -.3 .3" rgba=".2 .9 .3 .4"/><geom type="capsule" size=".1 .2" pos="-.4 -.5 .5" euler="40 0 0" rgba=".9 .9 .2 .7"/>
        </worldbody></mujoco>""",
}


def models():
    """Scenes of our own by name, and files of tasks."""
    import dm_control
    import gymnasium

    folders = (
        pathlib.Path(gymnasium.__file__).parent / "envs/mujoco/assets",
        pathlib.Path(dm_control.__file__).parent / "suite",
    )
    files = [path for folder in folders for path in sorted(folder.glob("*.xml")) if path.stem != "lqr"]
    if importlib.util.find_spec("gym_aloha"):
        folder = pathlib.Path(importlib.util.find_spec("gym_aloha").origin).parent / "assets"
        files += sorted(folder.glob("bimanual_viperx_*.xml"))
    if more := os.environ.get("SINEW_PICTURES"):
        files += sorted(path for path in pathlib.Path(more).iterdir() if path.suffix in (".xml", ".mjb"))
    return [*OWN, *files]


def load(mujoco, source):
    """A model and its name; None for parts that are meant to be included."""
    if source in OWN:
        return mujoco.MjModel.from_xml_string(OWN[source]), source
    try:
        read = mujoco.MjModel.from_binary_path if source.suffix == ".mjb" else mujoco.MjModel.from_xml_path
        return read(str(source)), f"{source.parent.name}_{source.stem}"
    except ValueError:
        return None, ""


def cameras(model):
    """The free camera, and the first ones of the model."""
    return [-1, *range(min(model.ncam, 4))]


def draw(folder):
    """Writes pictures of all models to a folder, with the library that Python finds."""
    import mujoco
    import numpy as np

    for source in models():
        model, name = load(mujoco, source)
        if not model:
            continue
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        model.vis.global_.offwidth = max(model.vis.global_.offwidth, WIDTH)
        model.vis.global_.offheight = max(model.vis.global_.offheight, HEIGHT)
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
            np.savez(pathlib.Path(folder) / f"{name}_{number}.npz", **shown)
        renderer.close()


def fields(picture):
    """Mean colours of the fields of a grid: what a picture shows from far away."""
    height, width = (size // FIELDS * FIELDS for size in picture.shape[:2])
    return picture[:height, :width].reshape(FIELDS, height // FIELDS, FIELDS, width // FIELDS, -1).mean(axis=(1, 3))


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
            field = np.abs(fields(ours["rgb"]) - fields(theirs["rgb"])).max()
            if os.environ.get("VERBOSE"):
                print(f"{name:45s} mean {difference.mean():6.3f}   field {field:6.2f}   within {FAR}: {100 * near:7.3f} %")
            with self.subTest(name):
                self.assertLessEqual(difference.mean(), MEAN_DIFFERENCE)
                self.assertLessEqual(field, FIELD_DIFFERENCE)
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
