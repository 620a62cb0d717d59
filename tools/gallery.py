#!/usr/bin/env python3
"""Draws the videos of the gallery into docs/images/gallery, each with its first picture.

    PYTHONPATH=build/python-release-.../package python3 tools/gallery.py [NAME...]

Needs the packages sinew and av.
"""

import pathlib
import sys

import numpy as np
import sinew

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs/images/gallery"
FPS, WIDTH, HEIGHT = 25, 400, 280


def bright(path: pathlib.Path) -> sinew.Model:
    """A model with a sky, a light at the camera, and a light floor where the model has given it no colour of its own."""
    spec = sinew.Spec.from_xml_path(path)
    if not any(texture.type == sinew.mjtTexture.mjTEXTURE_SKYBOX for texture in spec.all("texture")):
        spec.add("texture", name="gallery_sky", type=sinew.mjtTexture.mjTEXTURE_SKYBOX, builtin=sinew.mjtBuiltin.mjBUILTIN_GRADIENT,
                 rgb1=[0.8, 0.89, 0.97], rgb2=[0.35, 0.52, 0.75], width=64, height=64)  # fmt: skip
    light = spec.visual.headlight
    light.ambient[:], light.diffuse[:] = 0.3, 0.45
    model = spec.compile()
    for i in range(model.ngeom):
        if model.geom_type[i] == sinew.mjtGeom.mjGEOM_PLANE and model.geom_matid[i] < 0:
            model.geom_rgba[i] = 0.8, 0.82, 0.84, 1
    return model


def nothing(data, time):
    """No controls."""


def squeeze_and_lift(data, time):
    data.ctrl[1:] = 0.03 * min(time / 0.5, 1)
    data.ctrl[0] = 0.12 * np.clip((time - 0.8) / 0.8, 0, 1)


def alternate(data, time):
    """Muscles of both legs in turn."""
    half = data.model.nu // 2
    phase = 2 * np.pi * 1.2 * time + np.linspace(0, np.pi, half)
    data.ctrl[:half] = 0.3 + 0.3 * np.sin(phase)
    data.ctrl[half:] = 0.3 - 0.3 * np.sin(phase)


def hop(data, time):
    """Stretches the leg while the foot presses on the floor, and bends it in flight."""
    touching = data.sensordata[0] > 1
    wanted = (0.35, -0.7) if touching else (0.8, -1.6)
    for i in range(2):
        data.ctrl[i] = np.clip(60 * (wanted[i] - data.qpos[1 + i]) - 1.0 * data.qvel[1 + i], -20, 20)


def turn(data, time):
    data.ctrl[:] = 4.0


class Run:
    """The quadruped of the tutorial, by the policy that it has learned."""

    def __init__(self):
        self.weights = np.loadtxt(ROOT / "docs/tutorials/models/quadruped_policy.csv", delimiter=",")
        self.next = 0.0

    def __call__(self, data, time):
        if time + 1e-9 < self.next:
            return
        self.next = time + 0.02
        w, x, y, z = data.qpos[3:7]
        clock = 4 * np.pi * time
        seen = [np.sin(clock), np.cos(clock), 2 * (w * x + y * z), 2 * (w * y - x * z), 2 * (w * z + x * y), *data.qvel[3:6], data.qvel[0]]
        data.ctrl[:] = data.model.key_ctrl[0] + self.weights @ seen


# Name: model, key frame, seconds of simulation, of the video, camera (point or body, distance, azimuth, elevation), controls
SCENES = {
    "quadruped": ("docs/tutorials/models/quadruped.xml", "stand", 5, 5, ("trunk", 1.3, 130, -12), Run()),
    "cloth": ("models/flex/cloth_on_sphere.xml", None, 1.3, 4, ([0, 0, 0.2], 1.4, 60, -20), nothing),
    "jelly": ("models/flex/jelly_on_stairs.xml", None, 1.5, 4, ([0.35, 0, 0.25], 1.7, 120, -16), nothing),
    "gripper": ("models/flex/soft_gripper.xml", None, 2.5, 4, ([0, 0, 0.13], 0.6, 110, -14), squeeze_and_lift),
    "pinched": ("models/flex/pinched_cloth.xml", None, 1.2, 4, (None, 1.1, 60, -20), nothing),
    "rope": ("models/flex/rope_on_pulley.xml", None, 0.8, 4, ([0, 0, 1.3], 2.2, 70, -12), nothing),
    "legs": ("models/muscle/legs18.xml", None, 1.1, 4, ([0, 0, 0.75], 1.9, 110, -8), alternate),
    "walker": ("models/muscle/walker18.xml", None, 1.0, 4, ([0, 0, 0.6], 2.3, 90, -6), nothing),
    "condyle": ("models/muscle/wrapping.xml", "swing", 2.2, 4, (None, 1.1, 90, -10), nothing),
    "hop": ("models/compliant/hop.xml", "crouch", 3, 4, ([0, 0, 0.42], 1.35, 110, -8), hop),
    "arm": ("models/compliant/arm.xml", "push", 2, 4, ([0.35, 0.2, 0.05], 1.3, 130, -30), nothing),
    "ring": ("docs/examples/models/sdf.xml", None, 1.2, 4, ([0, 0, 0.12], 0.95, 110, -26), nothing),
    "crowd": ("models/humanoids22.xml", None, 2.5, 4, ([5, 3.3, 0.7], 13, 115, -10), nothing),
    "cable": ("docs/examples/models/cable.xml", None, 2.5, 4, ([0, 0, 0.33], 1.3, 90, -10), nothing),
    "terrain": ("docs/examples/models/terrain.xml", None, 2.0, 4, ([0, 0, 0.1], 2.9, 110, -22), nothing),
    "fourbar": ("docs/examples/models/fourbar.xml", None, 3.0, 4, ([0, 0, 0.36], 0.85, 90, -6), turn),
}


def draw(name: str) -> None:
    path, key, seconds, shown, (at, distance, azimuth, elevation), control = SCENES[name]
    model = bright(ROOT / path)
    data = sinew.Data(model)
    if key:
        data.reset(key)
    renderer = sinew.Renderer(model, WIDTH, HEIGHT, samples=4)
    frames = int(FPS * shown)
    middle = None
    with sinew.Video(FOLDER / f"{name}.mp4", fps=FPS) as video:
        for frame in range(frames):
            until = seconds * frame / (frames - 1)
            while data.time < until - 1e-9:
                control(data, data.time)
                data.step()
            data.forward()
            if at is None:
                renderer.look(model.stat.center, distance * model.stat.extent, azimuth, elevation)
            else:
                renderer.look(data.body(at).xpos if isinstance(at, str) else at, distance, azimuth, elevation)
            picture = renderer.render(data)
            video.add(picture)
            if frame == frames // 2:
                middle = picture.copy()
    sinew.Picture(middle).save(FOLDER / f"{name}.png")


def main() -> int:
    names = sys.argv[1:] or list(SCENES)
    unknown = set(names) - set(SCENES)
    if unknown:
        print(f"no scene {', '.join(sorted(unknown))}; there are {', '.join(SCENES)}", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names:
        draw(name)
        print(name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
