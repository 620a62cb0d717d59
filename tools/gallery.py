#!/usr/bin/env python3
"""Draws the videos of the gallery into docs/images/gallery, each with a picture, and writes pages to play with its scenes.

    PYTHONPATH=build/python-release-.../package python3 tools/gallery.py [NAME...]
    PYTHONPATH=build/python-release-.../package python3 tools/gallery.py --pages [NAME...]

Needs the package sinew; videos need av. Pages need the program of the release build (or what SINEW_PROGRAM names) and the page for
browsers (tools/build_web.sh). They are written into build/play, where the site finds them (tools/site.py).
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import sinew

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs/images/gallery"
PAGES = ROOT / "build/play"
PROGRAM = os.environ.get("SINEW_PROGRAM", ROOT / "build/release/bin/sinew")
FPS, WIDTH, HEIGHT = 25, 480, 336


def staged(path: pathlib.Path, floor: float | None) -> sinew.Spec:
    """A specification under a sky, in the light of a sun, on tiles that reach to the horizon; physics stay what they are.

    `floor` is the height of a floor for pictures alone, in models that have none.
    """
    spec = sinew.Spec.from_xml_path(path)
    for element in (*(sky for sky in spec.all("texture") if sky.type == sinew.mjtTexture.mjTEXTURE_SKYBOX), *spec.all("light")):
        element.delete()
    spec.add("texture", name="gallery_sky", type=sinew.mjtTexture.mjTEXTURE_SKYBOX, builtin=sinew.mjtBuiltin.mjBUILTIN_GRADIENT,
             rgb1=[0.75, 0.87, 0.97], rgb2=[0.3, 0.5, 0.75], width=64, height=64)  # fmt: skip
    spec.add("texture", name="gallery_tiles", type=sinew.mjtTexture.mjTEXTURE_2D, builtin=sinew.mjtBuiltin.mjBUILTIN_CHECKER,
             rgb1=[0.82, 0.83, 0.85], rgb2=[0.72, 0.74, 0.77], width=128, height=128)  # fmt: skip
    tiles = spec.add("material", name="gallery_floor", texrepeat=[2, 2], texuniform=True)
    tiles.textures = ["", "gallery_tiles"]  # the second role is the colour
    spec.world.add("light", pos=[1, -2, 4], dir=[-0.3, 0.45, -1], type=sinew.mjtLightType.mjLIGHT_DIRECTIONAL, diffuse=[0.6, 0.6, 0.6])
    if floor is not None:
        spec.world.add("geom", type=sinew.mjtGeom.mjGEOM_PLANE, size=[1, 1, 0.05], pos=[0, 0, floor], contype=0, conaffinity=0)
    for geom in spec.all("geom"):
        if geom.type == sinew.mjtGeom.mjGEOM_PLANE:
            geom.material, geom.rgba, geom.size = "gallery_floor", [0.5, 0.5, 0.5, 1], [0, 0, 0.05]
    light = spec.visual.headlight
    light.ambient[:], light.diffuse[:], light.specular[:] = 0.35, 0.45, 0.1
    return spec


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


# Name: model, key frame, seconds of simulation, of the video, camera (point or body, distance, azimuth, elevation), height of a floor
# for pictures alone (None: the model has one), controls
SCENES = {
    "quadruped": ("docs/tutorials/models/quadruped.xml", "stand", 5, 5, ("trunk", 1.3, 130, -12), None, Run()),
    "cloth": ("models/flex/cloth_on_sphere.xml", None, 1.3, 4, ([0, 0, 0.2], 1.4, 60, -20), None, nothing),
    "jelly": ("models/flex/jelly_on_stairs.xml", None, 1.5, 4, ([0.35, 0, 0.25], 1.7, 120, -16), None, nothing),
    "gripper": ("models/flex/soft_gripper.xml", None, 2.5, 4, ([0, 0, 0.13], 0.6, 110, -14), None, squeeze_and_lift),
    "pinched": ("models/flex/pinched_cloth.xml", None, 1.2, 4, ([0, 0, 0.25], 0.8, 60, -20), None, nothing),
    "rope": ("models/flex/rope_on_pulley.xml", None, 0.8, 4, ([-0.1, 0, 1.2], 2.4, 75, -12), 0.4, nothing),
    "legs": ("models/muscle/legs18.xml", None, 1.1, 4, ([0, 0, 0.75], 1.9, 110, -8), None, alternate),
    "walker": ("models/muscle/walker18.xml", None, 1.0, 4, ([0, 0, 0.6], 2.3, 90, -6), None, nothing),
    "condyle": ("models/muscle/wrapping.xml", "swing", 2.2, 4, ([0, 0, 0], 1.0, 95, -10), -0.45, nothing),
    "hop": ("models/compliant/hop.xml", "crouch", 3, 4, ([0, 0, 0.42], 1.35, 110, -8), None, hop),
    "arm": ("models/compliant/arm.xml", "push", 2, 4, ([0.35, 0.2, 0.05], 1.1, 135, -28), None, nothing),
    "ring": ("docs/examples/models/sdf.xml", None, 1.2, 4, ([0, 0, 0.12], 0.95, 110, -26), None, nothing),
    "crowd": ("models/humanoids22.xml", None, 2.5, 4, ([3.2, 3.3, 0.7], 6, 120, -14), None, nothing),
    "cable": ("docs/examples/models/cable.xml", None, 2.5, 4, ([0, 0, 0.33], 1.3, 90, -10), None, nothing),
    "terrain": ("docs/examples/models/terrain.xml", None, 2.0, 4, ([0, 0, 0.05], 2.6, 110, -24), -0.12, nothing),
    "fourbar": ("docs/examples/models/fourbar.xml", None, 3.0, 4, ([0, 0, 0.36], 0.95, 100, -12), 0, turn),
}


def draw(name: str) -> pathlib.Path:
    """The video of a scene, and its middle picture."""
    path, key, seconds, shown, (at, distance, azimuth, elevation), floor, control = SCENES[name]
    model = staged(ROOT / path, floor).compile()
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
            renderer.look(data.body(at).xpos if isinstance(at, str) else at, distance, azimuth, elevation)
            picture = renderer.render(data)
            video.add(picture)
            if frame == frames // 2:
                middle = picture.copy()
    sinew.Picture(middle).save(FOLDER / f"{name}.png")
    return FOLDER / f"{name}.mp4"


FOLLOWING = "following"  # the camera of a page that follows a body

# What sliders of a page are set to in the beginning.
SLIDERS = {"fourbar": 4}

# The same controls for pages, as functions of the engine that are called before each time step (apps/web/page.js).
CONTROLLERS = {
    "gripper": """(engine) => {
      const time = engine.time(), ctrl = engine.ctrl();
      ctrl.fill(0.03 * Math.min(time / 0.5, 1), 1);
      ctrl[0] = 0.12 * Math.min(Math.max((time - 0.8) / 0.8, 0), 1);
    }""",
    "legs": """(engine) => {
      const ctrl = engine.ctrl(), half = ctrl.length / 2, phase = 2 * Math.PI * 1.2 * engine.time();
      ctrl.forEach((_, i) => (ctrl[i] = 0.3 + (i < half ? 0.3 : -0.3) * Math.sin(phase + Math.PI * (i % half) / (half - 1))));
    }""",
    "hop": """(engine) => {
      const wanted = engine.sensor(0)[0] > 1 ? [0.35, -0.7] : [0.8, -1.6];
      const qpos = engine.qpos(), qvel = engine.qvel(), ctrl = engine.ctrl();
      wanted.forEach((angle, i) => {
        ctrl[i] = Math.min(Math.max(60 * (angle - qpos[1 + i]) - qvel[1 + i], -20), 20);
      });
    }""",
    "quadruped": """(() => {
      const weights = WEIGHTS, stand = STAND;
      let next = 0;
      return (engine) => {
        const time = engine.time();
        if (time + 1e-9 < next && time > next - 0.03) return;  // or the clock has been set back
        next = time + 0.02;
        const [w, x, y, z] = engine.qpos().slice(3, 7), qvel = engine.qvel(), clock = 4 * Math.PI * time, ctrl = engine.ctrl();
        const seen = [Math.sin(clock), Math.cos(clock), 2 * (w * x + y * z), 2 * (w * y - x * z), 2 * (w * z + x * y),
          qvel[3], qvel[4], qvel[5], qvel[0]];
        stand.forEach((angle, i) => (ctrl[i] = angle + weights[i].reduce((sum, weight, k) => sum + weight * seen[k], 0)));
      };
    })()""",
}


def look_at(spec: sinew.Spec, camera: tuple) -> None:
    """Lets the free camera begin where the camera of the video does; one that follows a body is a camera of the model."""
    at, distance, azimuth, elevation = camera
    if not isinstance(at, str):
        spec.stat.center[:], spec.stat.extent = at, distance / 1.5  # free cameras begin 1.5 extents away
        spec.visual.global_.azimuth, spec.visual.global_.elevation = azimuth, elevation
        return
    # turned about x from looking down to the elevation, then about z to the azimuth
    turn, tip = np.radians(azimuth - 90) / 2, np.radians(90 + elevation) / 2
    quat = [np.cos(turn) * np.cos(tip), np.cos(turn) * np.sin(tip), np.sin(turn) * np.sin(tip), np.sin(turn) * np.cos(tip)]
    flat = np.cos(np.radians(elevation))
    forward = np.array([flat * np.cos(np.radians(azimuth)), flat * np.sin(np.radians(azimuth)), np.sin(np.radians(elevation))])
    spec.find("body", at).add("camera", name=FOLLOWING, mode=sinew.mjtCamLight.mjCAMLIGHT_TRACK, pos=-distance * forward, quat=quat)


def script_of(name: str, key: str | None, camera: tuple) -> str:
    """What a page does beyond showing its model: key frame, camera and sliders of the beginning, and a controller."""
    settings = [f"keyframe={key}"] if key else []
    settings += [f"camera={FOLLOWING}"] if isinstance(camera[0], str) else []
    settings += [f"control={SLIDERS[name]}"] if name in SLIDERS else []
    lines = [f'location.hash ||= "{"&".join(settings)}";'] if settings else []
    if name in CONTROLLERS:
        controller = CONTROLLERS[name]
        if name == "quadruped":
            weights = SCENES[name][-1].weights.tolist()
            stand = sinew.Model.from_xml_path(ROOT / SCENES[name][0]).key_ctrl[0].tolist()
            controller = controller.replace("WEIGHTS", json.dumps(weights)).replace("STAND", json.dumps(stand))
        lines.append(f"globalThis.sinewController = {controller};")
    return "\n".join(lines)


def write_page(name: str) -> pathlib.Path:
    """A page for browsers with the scene and the engine in it."""
    path, key, _, _, camera, floor, _ = SCENES[name]
    spec = staged(ROOT / path, floor)
    look_at(spec, camera)
    PAGES.mkdir(parents=True, exist_ok=True)
    page = PAGES / f"{name}.html"
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / f"{name}.xml"
        model.write_text(spec.to_xml())
        done = subprocess.run([PROGRAM, "view", "--web", model, "-o", page], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    page.write_text(page.read_text().replace("</head>", f"<script>\n{script_of(name, key, camera)}\n</script>\n</head>", 1))
    return page


def main() -> int:
    pages = "--pages" in sys.argv[1:]
    names = [word for word in sys.argv[1:] if word != "--pages"] or list(SCENES)
    unknown = set(names) - set(SCENES)
    if unknown:
        print(f"no scene {', '.join(sorted(unknown))}; there are {', '.join(SCENES)}", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names:
        print(write_page(name) if pages else draw(name))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
