"""Hands, compared: how fast held things creep, what gets through, and what a step takes.

    python bench/hands.py NAME > NAME.json         measures the package `mujoco` of this interpreter
    python bench/hands.py --table NAME.json...     one table of several

The package may be MuJoCo's wheel of any release, or Sinew's (`python -m sinew run bench/hands.py sinew`). What a release
does not have (stick, speculative) is left out.
"""

import json
import math
import re
import sys
import time
from pathlib import Path

import numpy as np

MODELS = Path(__file__).resolve().parent.parent / "models"
SPEEDS = (1, 2, 5, 10, 20)
THROWS = 8

MOVERS = {
    "plate": "type='box' size='.05 .04 .001'",
    "rod": "type='box' size='.06 .002 .002'",
    "needle": "type='capsule' size='.001 .05'",
    "disc": "type='cylinder' size='.05 .001'",
    "lens": "type='ellipsoid' size='.05 .05 .002'",
    "shot": "type='sphere' size='.002'",
    "sheet": "type='mesh' mesh='sheet'",
}
SUPPORTS = {
    "plane": "type='plane' size='1 1 1'",
    "plate": "type='box' size='1 1 .001' pos='0 0 -.001'",
    "disc": "type='cylinder' size='1 .001' pos='0 0 -.001'",
    "lens": "type='ellipsoid' size='1.5 1.5 .004' pos='0 0 -.004'",
    "bar": "type='capsule' size='.02 1' pos='0 0 -.02' euler='0 90 0'",
    "mesh": "type='mesh' mesh='slab' pos='0 0 -.001'",
    "field": "type='hfield' hfield='flat'",
}


def load(text):
    """Compiles MJCF text; None where this release does not know some word of it."""
    import mujoco

    try:
        return mujoco.MjModel.from_xml_string(text)
    except ValueError:
        return None


def load_file(path):
    """The same of a file."""
    import mujoco

    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        return None


def plate_mesh(name, x, y, z):
    corners = [(sx * x, sy * y, sz * z) for sz in (-1, 1) for sy in (-1, 1) for sx in (-1, 1)]
    return f"<mesh name='{name}' vertex='{' '.join(str(c) for corner in corners for c in corner)}'/>"


def throw_model(mover, support, speculative):
    flag = "<flag speculative='enable'/>" if speculative else ""
    return load(
        f"<mujoco><option timestep='.002' integrator='implicitfast'>{flag}</option><default><geom friction='.5'/></default>"
        f"<asset>{plate_mesh('sheet', .05, .03, .001)}{plate_mesh('slab', 1, 1, .001)}"
        "<hfield name='flat' nrow='21' ncol='21' size='1 1 .1 .01'/></asset><worldbody>"
        f"<geom {SUPPORTS[support]}/><body><freejoint/><geom mass='.05' {MOVERS[mover]}/></body></worldbody></mujoco>"
    )


def passes(model, data, speed, generator, support):
    """Throws the body down, turned and spinning at random; whether it gets below the support."""
    import mujoco

    mujoco.mj_resetData(model, data)
    data.qpos[2] = generator.uniform(0.08, 0.2)
    data.qpos[3:7] = generator.normal(size=4)
    data.qpos[3:7] /= np.linalg.norm(data.qpos[3:7])
    data.qvel[2] = -speed
    data.qvel[3:] = 5 * generator.normal(size=3)
    # a plane and a field have no other side; what slips off the bar is beside it
    level = {"plane": -0.05, "field": -0.05, "bar": -0.02}.get(support, -0.005)
    while data.time < 0.2 / speed + 0.03:
        mujoco.mj_step(model, data)
        if data.qpos[2] < level:
            return support != "bar" or abs(data.qpos[1]) < 0.018
    return False


def count_passes(speculative):
    """How many throws get through each support; None without the flag."""
    import mujoco

    passed = {}
    for support in SUPPORTS:
        passed[support] = 0
        for mover in MOVERS:
            model = throw_model(mover, support, speculative)
            if model is None:
                return None
            data = mujoco.MjData(model)
            for speed in SPEEDS:
                generator = np.random.default_rng(1)
                passed[support] += sum(bool(passes(model, data, speed, generator, support)) for _ in range(THROWS))
    return passed


def rod_model(cone, impratio, extra, stick):
    text = (MODELS / "hands/gripper_rod.xml").read_text()
    option = f"<option timestep='.002' integrator='implicitfast' cone='{cone}' impratio='{impratio}' {extra} "
    return load(re.sub(r"<option [^>]*?/>", option + ("stick='enable'/>" if stick else "/>"), text, count=1))


def creep(model):
    """Micrometres per second that the rod sinks in the hand at rest, from 5 s to 15 s; None for no model."""
    import mujoco

    if model is None:
        return None
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    rod, palm = (mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name) for name in ("rod", "palm"))
    height = []
    for until in (5, 15):
        while data.time < until:
            mujoco.mj_step(model, data)
        height.append(data.xpos[rod][2] - data.xpos[palm][2])
    return 1e6 * (height[0] - height[1]) / 10


THINGS = ("mug", "bowl", "bottle", "ring", "banana", "cog", "bracket", "channel", "cross", "hammer")
POURED, POUR_TIME = 50, 4


def pour_model(word):
    """Fifty things above a bin; `word` is what the meshes say about their collision."""
    meshes = "".join(f"<mesh file='{name}.obj' inertia='exact' {word}/>" for name in THINGS)
    bodies = ""
    for i in range(POURED):
        x, y, z = (0.06 * math.sin(3.0 * i), 0.06 * math.cos(5.0 * i), 0.12 + 0.045 * i)
        bodies += (f"<body pos='{x:.4f} {y:.4f} {z:.4f}' euler='{37 * i % 360} {53 * i % 360} {71 * i % 360}'><freejoint/>"
                   f"<geom type='mesh' mesh='{THINGS[i % len(THINGS)]}'/></body>")
    walls = "".join(f"<geom type='box' size='{sx} {sy} .12' pos='{px} {py} .12'/>"
                    for sx, sy, px, py in ((.25, .02, 0, .23), (.25, .02, 0, -.23), (.02, .25, .23, 0), (.02, .25, -.23, 0)))
    return load(f"<mujoco><option timestep='.004' integrator='implicitfast'/><compiler meshdir='{MODELS}/hands/shapes'/>"
                f"<size memory='200M'/><default><geom density='400' friction='.6'/></default><asset>{meshes}</asset>"
                f"<worldbody><geom type='plane' size='1 1 .1'/>{walls}{bodies}</worldbody></mujoco>")


def pour(model):
    """Seconds of the world in a second of processor time, until the things lie, and how many are in the bin then."""
    import mujoco

    if model is None:
        return None
    data = mujoco.MjData(model)
    begin = time.process_time()
    while data.time < POUR_TIME:
        mujoco.mj_step(model, data)
    factor = POUR_TIME / (time.process_time() - begin)
    place = data.xipos[1:]
    inside = np.abs(place[:, :2]).max(axis=1) < 0.22
    return factor, int((inside & (place[:, 2] > 0)).sum())


def step_time(model):
    """Median microseconds of a step, in processor time."""
    import mujoco

    if model is None:
        return None
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    times = []
    for _ in range(20):
        begin = time.process_time()
        mujoco.mj_step(model, data, nstep=200)
        times.append(1e6 * (time.process_time() - begin) / 200)
    return sorted(times)[len(times) // 2]


def measure(name):
    import mujoco

    cones = {"elliptic, impratio 10": ("elliptic", 10), "pyramidal": ("pyramidal", 1)}
    creeps, times = {}, {}
    for cone, (word, ratio) in cones.items():
        for kind, extra, stick in (("", "", False), ("noslip", "noslip_iterations='3'", False), ("stick", "", True)):
            label = f"{cone}, {kind}" if kind else cone
            creeps[label] = creep(rod_model(word, ratio, extra, stick))
            times[f"rod in a gripper, {label}"] = step_time(rod_model(word, ratio, extra, stick))
    for file in sorted((MODELS / "hands").glob("*.xml")):
        if file.stem != "gripper_rod":
            times[file.stem.replace("_", " ")] = step_time(load_file(file))
    begin = time.process_time()
    passed = {"without": count_passes(False)}
    middle = time.process_time()
    passed["speculative"] = count_passes(True)
    times["throws, all, in s"] = middle - begin
    times["throws, speculative, in s"] = time.process_time() - middle if passed["speculative"] else None
    poured = {kind: pour(pour_model(word)) for kind, word in (
        ("hulls", ""), ("convex pieces", "convex='decompose'"), ("triangles", "collision='triangles'"))}
    return {"name": name, "version": mujoco.__version__, "creep": creeps, "passes": passed, "time": times, "pour": poured}


def number(value):
    if value is None:
        return "-"
    return f"{value:.3g}" if not isinstance(value, int) else str(value)


def table(files):
    results = [json.loads(Path(file).read_text()) for file in files]
    lines = ["| | " + " | ".join(r["name"] for r in results) + " |", "|---" * (len(results) + 1) + "|"]

    def row(label, values):
        lines.append(f"| {label} | " + " | ".join(number(v) for v in values) + " |")

    for label in results[0]["creep"]:
        row(f"creep of the rod, {label} [um/s]", [r["creep"][label] for r in results])
    thrown = len(MOVERS) * len(SPEEDS) * THROWS
    for kind in ("without", "speculative"):
        for support in SUPPORTS:
            row(f"through a {support}, {kind}, of {thrown}", [(r["passes"][kind] or {}).get(support) for r in results])
    for label in results[0]["time"]:
        row(f"time of a step, {label} [us]" if "throws" not in label else label, [r["time"][label] for r in results])
    for kind in results[0]["pour"]:
        poured = [r["pour"][kind] or (None, None) for r in results]
        row(f"{POURED} things poured, by {kind}, times real time", [factor for factor, _ in poured])
        row(f"{POURED} things poured, by {kind}, in the bin", [inside for _, inside in poured])
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1] == "--table":
        print(table(sys.argv[2:]))
    else:
        print(json.dumps(measure(sys.argv[1])))
