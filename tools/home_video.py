#!/usr/bin/env python3
"""Draws the moving picture of the home page: docs/images/home.mp4, and its first picture, home.png.

    PYTHONPATH=build/python-release-.../package python3 tools/home_video.py

A quadruped runs by the policy that docs/tutorials/walking.ipynb has learned; a cloth falls on a ball; soft pads lift a cube. Needs the
packages sinew and av.
"""

import pathlib

import numpy as np
import sinew

ROOT = pathlib.Path(__file__).resolve().parents[1]
TUTORIAL = ROOT / "docs/tutorials/models"
FPS, SECONDS = 25, 7
FREQUENCY, PERIOD = 2.0, 0.02  # of the policy


def bright(path: pathlib.Path) -> sinew.Model:
    """A model with a sky, a light at the camera and a light floor."""
    spec = sinew.Spec.from_xml_path(path)
    spec.add("texture", name="sky", type=sinew.mjtTexture.mjTEXTURE_SKYBOX, builtin=sinew.mjtBuiltin.mjBUILTIN_GRADIENT,
             rgb1=[0.75, 0.87, 0.97], rgb2=[0.3, 0.5, 0.75], width=64, height=64)  # fmt: skip
    light = spec.visual.headlight
    light.ambient[:], light.diffuse[:] = 0.3, 0.45
    model = spec.compile()
    planes = model.geom_type == sinew.mjtGeom.mjGEOM_PLANE
    model.geom_rgba[planes] = 0.8, 0.82, 0.84, 1
    return model


class Runner:
    def __init__(self, width: int, height: int):
        self.model = sinew.Model.from_xml_path(TUTORIAL / "quadruped.xml")
        self.weights = np.loadtxt(TUTORIAL / "quadruped_policy.csv", delimiter=",")
        self.data = sinew.Data(self.model)
        self.data.reset("stand")
        self.stand = np.array(self.data.ctrl)
        self.renderer = sinew.Renderer(self.model, width, height, samples=4)

    def picture(self, time: float) -> np.ndarray:
        data = self.data
        while data.time < time:
            w, x, y, z = data.qpos[3:7]
            clock = 2 * np.pi * FREQUENCY * data.time
            seen = [np.sin(clock), np.cos(clock), 2 * (w * x + y * z), 2 * (w * y - x * z), 2 * (w * z + x * y), *data.qvel[3:6], data.qvel[0]]
            data.ctrl[:] = self.stand + self.weights @ seen
            data.step(int(round(PERIOD / self.model.opt.timestep)))
        self.renderer.look([data.qpos[0], data.qpos[1], 0.2], 1.15, 130 + 4 * time, -12)
        return self.renderer.render(data)


class Cloth:
    def __init__(self, width: int, height: int):
        self.model = bright(ROOT / "models/flex/cloth_on_sphere.xml")
        self.data = sinew.Data(self.model)
        self.renderer = sinew.Renderer(self.model, width, height, samples=4)

    def picture(self, time: float) -> np.ndarray:
        time = 0.35 * (time % 3.5)  # slowly, and again
        if time < self.data.time:
            self.data.reset()
        while self.data.time < time:
            self.data.step()
        self.data.forward()
        self.renderer.look([0, 0, 0.2], 1.25, 120, -22)
        return self.renderer.render(self.data)


class Gripper:
    def __init__(self, width: int, height: int):
        self.model = bright(ROOT / "models/flex/soft_gripper.xml")
        self.data = sinew.Data(self.model)
        self.renderer = sinew.Renderer(self.model, width, height, samples=4)

    def picture(self, time: float) -> np.ndarray:
        time = time % 3.5
        if time < self.data.time - 1e-9:
            self.data.reset()
        while self.data.time < time:
            now = self.data.time
            self.data.ctrl[1:] = 0.03 * min(now / 0.5, 1)
            self.data.ctrl[0] = 0.12 * np.clip((now - 0.8) / 0.8, 0, 1)
            self.data.step()
        self.data.forward()
        self.renderer.look([0, 0, 0.13], 0.55, 110, -14)
        return self.renderer.render(self.data)


def main() -> int:
    left, above, below = Runner(720, 480), Cloth(480, 240), Gripper(480, 240)
    images = ROOT / "docs/images"
    with sinew.Video(images / "home.mp4", fps=FPS) as video:
        for frame in range(FPS * SECONDS):
            time = frame / FPS
            picture = np.hstack([left.picture(time), np.vstack([above.picture(time), below.picture(time)])])
            video.add(picture)
            if frame == 2 * FPS:
                sinew.Picture(picture).save(images / "home.png")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
