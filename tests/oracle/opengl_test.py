#!/usr/bin/env python3
"""The two renderers of mjr_* against each other: effects, texts, buffers and formats, in contexts by EGL and OSMesa.

They run in processes of their own (this file, with a folder as argument), with the Python package on our library; skips
itself where the package or a GL library is not at hand."""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

import libraries

WIDTH, HEIGHT = 160, 120
# Silhouettes, borders of shadows and letters' edges fall on other pixels; all else is the same formula.
FAR, SHARE_NEAR = 24, 0.97
LINES, SHARE_OF_LINES = ("boxes, inertia", "figure"), 0.9  # with four samples a pixel, lines have soft borders
CONTEXTS = 300

MODEL = """
<mujoco>
  <visual><global offwidth="160" offheight="120"/><map fogstart="1" fogend="4" zfar="20"/>
    <quality shadowsize="1024"/></visual>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2=".1 .1 .2" width="64" height="384"/>
    <texture name="flat" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".7 .6 .5" width="64" height="64"/>
    <texture name="box" type="cube" builtin="flat" mark="cross" rgb1=".8 .2 .2" rgb2=".2 .8 .2" markrgb="1 1 1"
      width="32" height="192"/>
    <material name="floor" texture="flat" texrepeat="4 4" reflectance=".3"/>
    <material name="cube" texture="box"/>
    <mesh name="tet" vertex="0 0 0 .4 0 0 0 .4 0 0 0 .4"/>
    <hfield name="hills" nrow="3" ncol="3" elevation="0 1 0 1 2 1 0 1 0" size=".4 .4 .2 .05"/>
  </asset>
  <worldbody>
    <light pos="0 -1 3" dir="0 .3 -1" diffuse=".5 .5 .5"/>
    <light pos="2 0 3" dir="-.6 0 -1" directional="true" diffuse=".4 .3 .3"/>
    <geom type="plane" size="0 0 .1" material="floor"/>
    <geom type="box" size=".2 .2 .2" pos="-.8 0 .3" material="cube" euler="0 0 30"/>
    <geom size=".25" pos="0 .4 .5" rgba=".2 .8 .3 1"/>
    <geom type="ellipsoid" size=".1 .2 .3" pos="0 -.5 .5" rgba=".2 .3 .9 .4"/>
    <geom type="capsule" size=".1 .2" pos=".6 0 .5" euler="40 20 0"/>
    <geom type="cylinder" size=".12 .2" pos=".6 .7 .3" euler="70 0 20" rgba=".9 .5 .1 .5"/>
    <geom type="mesh" mesh="tet" pos="1 -.4 .1" rgba=".8 .8 .2 1"/>
    <geom type="hfield" hfield="hills" pos="-1.1 1 .1"/>
    <body pos="0 0 1.2"><joint axis="0 1 0"/><geom type="box" size=".3 .05 .05" rgba=".6 .3 .7 1"/>
      <site name="end" pos=".3 0 0" size=".05"/></body>
    <body pos="0 0 .05"><freejoint/><geom size=".05" pos="1.4 0 0"/></body>
    <flexcomp name="cloth" type="grid" count="4 4 1" spacing=".1 .1 .1" pos="-.6 -.8 .7" radius=".01" dim="2"
      rgba=".9 .4 .4 1"><contact selfcollide="none"/></flexcomp>
    <camera name="side" pos="0 -3 1.2" euler="75 0 0"/>
    <camera name="flat" pos="0 -3 1.2" euler="75 0 0" projection="orthographic" fovy="3"/>
  </worldbody>
</mujoco>
"""


def scenes(mujoco):
    """Name -> change of (option, camera, scene)."""
    render, visual = mujoco.mjtRndFlag, mujoco.mjtVisFlag

    def effect(flag, value=1):
        return lambda option, camera, scene: scene.flags.__setitem__(int(flag), value)

    def shows(*flags):
        return lambda option, camera, scene: [option.flags.__setitem__(int(flag), 1) for flag in flags]

    def orthographic(option, camera, scene):
        camera.fixedcamid = 1

    def eyes(option, camera, scene):
        scene.stereo = mujoco.mjtStereo.mjSTEREO_SIDEBYSIDE

    def frame(option, camera, scene):
        scene.framewidth = 4
        scene.framergb = 1, 0.5, 0

    def behind(option, camera, scene):
        camera.type, camera.lookat[:], camera.distance, camera.elevation = 0, (0, 0, 0), 3, 20

    return {
        "as it is": lambda *_: None,
        "no shadows": effect(render.mjRND_SHADOW, 0),
        "no mirror": effect(render.mjRND_REFLECTION, 0),
        "no sky": effect(render.mjRND_SKYBOX, 0),
        "no haze": effect(render.mjRND_HAZE, 0),
        "fog": effect(render.mjRND_FOG),
        "additive": effect(render.mjRND_ADDITIVE),
        "depth": effect(render.mjRND_DEPTH),
        "segments": effect(render.mjRND_SEGMENT),
        "orthographic": orthographic,
        "stereo": eyes,
        "frame": frame,
        "from below": behind,
        "joints, contacts": shows(visual.mjVIS_JOINT, visual.mjVIS_CONTACTPOINT, visual.mjVIS_CONTACTFORCE),
        "boxes, inertia": shows(visual.mjVIS_INERTIA, visual.mjVIS_BODYBVH, visual.mjVIS_CAMERA, visual.mjVIS_LIGHT),
        "transparent": shows(visual.mjVIS_TRANSPARENT),
        "hulls, frames": lambda option, *_: setattr(option, "frame", 2),
    }


def draw(folder):
    """Writes what the library draws that Python finds."""
    import mujoco
    import numpy as np

    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 20)
    gl = mujoco.GLContext(WIDTH, HEIGHT)
    gl.make_current()
    context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, context)
    whole = mujoco.MjrRect(0, 0, WIDTH, HEIGHT)
    shown = {"name": context.offFBO > 0}

    def read(name, area=whole):
        rgb, depth = np.zeros((area.height, area.width, 3), np.uint8), np.zeros((area.height, area.width), np.float32)
        mujoco.mjr_readPixels(rgb, depth, area, context)
        shown[name], shown[name + ", depths"] = rgb, depth

    for name, change in scenes(mujoco).items():
        option, camera, scene = mujoco.MjvOption(), mujoco.MjvCamera(), mujoco.MjvScene(model, 1000)
        camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
        change(option, camera, scene)
        mujoco.mjv_updateScene(model, data, option, None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
        mujoco.mjr_render(whole, scene, context)
        read(name)

    mujoco.mjr_rectangle(whole, 0, 0, 0, 1)
    mujoco.mjr_rectangle(mujoco.MjrRect(10, 10, 60, 30), 0.2, 0.4, 0.6, 1)
    mujoco.mjr_rectangle(mujoco.MjrRect(40, 20, 60, 60), 1, 0, 0, 0.5)
    read("rectangles")
    mujoco.mjr_overlay(mujoco.mjtFont.mjFONT_NORMAL, mujoco.mjtGridPos.mjGRID_TOPLEFT, whole, "name\nother", "1\n2", context)
    mujoco.mjr_text(mujoco.mjtFont.mjFONT_BIG, "text", context, 0.5, 0.2, 1, 1, 0)
    mujoco.mjr_label(mujoco.MjrRect(5, 5, 50, 20), mujoco.mjtFont.mjFONT_NORMAL, "label", 0, 0.3, 0, 1, 1, 1, 1, context)
    read("texts")
    figure = mujoco.MjvFigure()
    mujoco.mjv_defaultFigure(figure)
    figure.linepnt[0], figure.linedata[0][:6] = 3, (0, 0, 0.5, 1, 1, 0.3)
    figure.title = "title"
    mujoco.mjr_figure(whole, figure, context)
    read("figure")

    mujoco.mjr_rectangle(whole, 0, 0, 0, 1)
    mujoco.mjr_addAux(3, 64, 48, 0, context)
    mujoco.mjr_setAux(3, context)
    mujoco.mjr_rectangle(mujoco.MjrRect(0, 0, 64, 48), 0.1, 0.9, 0.4, 1)
    mujoco.mjr_rectangle(mujoco.MjrRect(0, 0, 32, 24), 0.9, 0.9, 0.4, 1)
    mujoco.mjr_restoreBuffer(context)
    mujoco.mjr_blitAux(3, mujoco.MjrRect(16, 12, 40, 30), 100, 80, context)
    read("copied from aux")
    rgb = np.arange(6 * 4 * 3, dtype=np.uint8).reshape(4, 6, 3)
    mujoco.mjr_drawPixels(rgb.ravel(), np.linspace(0.1, 0.9, 24, dtype=np.float32), mujoco.MjrRect(20, 30, 6, 4), context)
    read("pixels", mujoco.MjrRect(20, 30, 6, 4))
    context.readPixelFormat = 0x80E0  # GL_BGR
    context.readDepthMap = mujoco.mjtDepthMap.mjDEPTH_ZEROFAR
    read("pixels in other formats", mujoco.MjrRect(20, 30, 6, 4))
    mujoco.mjr_resizeOffscreen(50, 40, context)
    viewport = mujoco.mjr_maxViewport(context)
    shown["viewport"] = np.array([viewport.width, viewport.height])
    shown["error"] = mujoco.mjr_getError()
    context.free()

    sizes = []
    for i in range(CONTEXTS):
        again = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
        again.free()
        if i in (CONTEXTS // 3, CONTEXTS - 1):
            sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    shown["growth"] = sizes[1] - sizes[0]
    np.savez(pathlib.Path(folder) / "shown.npz", **shown)


class OpenGl(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            import mujoco
            import numpy as np
        except ImportError as error:
            raise unittest.SkipTest(f"{error.name} is not installed") from error
        if mujoco.__version__ != "3.8.0" or "SINEW_PROGRAM" not in os.environ:
            raise unittest.SkipTest("needs the Python package mujoco 3.8.0 and SINEW_PROGRAM")
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name)
        shadow = [os.environ["SINEW_PROGRAM"], "python-shadow", str(root / "shadow"), "--python", sys.executable]
        subprocess.run(shadow + ["--lib", str(libraries.OWN), "--any-library"], check=True, capture_output=True)
        cls.drawn, cls.problems = {}, {}
        for renderer, platform in (("cpu", "egl"), ("gl", "egl"), ("gl", "osmesa")):
            name = f"{renderer} {platform}"
            (root / name).mkdir()
            path = os.pathsep.join(filter(None, [str(root / "shadow"), os.environ.get("PYTHONPATH", "")]))
            environment = os.environ | {"PYTHONPATH": path, "SINEW_RENDER": renderer, "MUJOCO_GL": platform}
            done = subprocess.run([sys.executable, __file__, str(root / name)], env=environment, capture_output=True, text=True)
            if done.returncode:
                cls.problems[name] = done.stderr
            else:
                cls.drawn[name] = dict(np.load(root / name / "shown.npz"))

    def pairs(self):
        self.assertIn("cpu egl", self.drawn, self.problems)
        for name in ("gl egl", "gl osmesa"):
            if name in self.drawn:
                yield name, self.drawn[name], self.drawn["cpu egl"]
            elif "has no gl" not in self.problems[name] and "rror" in self.problems[name]:
                if "SINEW_RENDER is gl" in self.problems[name] or "mjr_" in self.problems[name]:
                    self.fail(self.problems[name])

    def test_the_same_pictures(self):
        import numpy as np

        for platform, gl, cpu in self.pairs():
            self.assertTrue(gl["name"] and not cpu["name"], "each has its renderer")
            for name, theirs in cpu.items():
                with self.subTest(platform=platform, name=name):
                    if theirs.ndim == 3:
                        near = (np.abs(gl[name].astype(int) - theirs).max(axis=2) <= FAR).mean()
                        if os.environ.get("VERBOSE"):
                            print(f"{platform:12s} {name:30s} {100 * near:.2f} %")
                        self.assertGreaterEqual(near, SHARE_OF_LINES if name in LINES else SHARE_NEAR)
                    elif theirs.ndim == 2:
                        self.assertGreaterEqual((np.abs(gl[name] - theirs) < 2e-3).mean(), SHARE_NEAR)

    def test_exact_pixels(self):
        import numpy as np

        for platform, gl, cpu in self.pairs():
            with self.subTest(platform):
                expected = np.arange(72, dtype=np.uint8).reshape(4, 6, 3)
                np.testing.assert_array_equal(gl["pixels"], expected)
                np.testing.assert_array_equal(gl["pixels in other formats"], expected[:, :, ::-1])
                np.testing.assert_allclose(gl["pixels, depths"].ravel(), np.linspace(0.1, 0.9, 24), atol=1e-6)
                np.testing.assert_allclose(gl["pixels in other formats, depths"].ravel(), np.linspace(0.9, 0.1, 24), atol=1e-6)
                np.testing.assert_allclose(gl["rectangles"].astype(int), cpu["rectangles"], atol=1, err_msg="rounding")
                np.testing.assert_array_equal(gl["viewport"], [50, 40])
                self.assertEqual(gl["error"], 0)

    def test_contexts_leave_nothing_behind(self):
        for platform, gl, _ in self.pairs():
            with self.subTest(platform):
                self.assertLess(gl["growth"], 4000, "kB in the last 200 contexts: of the driver")


if __name__ == "__main__":
    if len(sys.argv) > 1 and pathlib.Path(sys.argv[1]).is_dir():
        draw(sys.argv[1])
    else:
        sys.exit(unittest.main(verbosity=0))
