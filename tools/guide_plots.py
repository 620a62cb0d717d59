#!/usr/bin/env python3
"""Draws the figures of the modelling guide into docs/images/guide, each from a model of docs/examples/models.

    PYTHONPATH=build/python-release-.../package python3 tools/guide_plots.py [--folder FOLDER] [NAME...]

Needs the package sinew (tests/python/preset.sh --preset release builds it) and matplotlib. NAME: only these figures.
"""

import argparse
import pathlib
import sys

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import sinew  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODELS = ROOT / "docs/examples/models"
FIGURES = {}


def figure(function):
    """Registers a figure by the name of its function."""
    FIGURES[function.__name__] = function
    return function


def load(name: str) -> sinew.Model:
    return sinew.Model.from_xml_path(MODELS / f"{name}.xml")


def pictured(name: str) -> sinew.Model:
    """The model under a bright sky, with a light at the camera and a bright floor, for pictures."""
    spec = sinew.Spec.from_xml_path(MODELS / f"{name}.xml")
    if not spec.all("texture"):
        spec.add("texture", name="sky", type=sinew.mjtTexture.mjTEXTURE_SKYBOX, builtin=sinew.mjtBuiltin.mjBUILTIN_GRADIENT,
                 rgb1=[1, 1, 1], rgb2=[0.65, 0.78, 0.9], width=64, height=64)  # fmt: skip
    light = spec.visual.headlight
    light.ambient[:], light.diffuse[:], light.specular[:] = 0.35, 0.55, 0.1
    model = spec.compile()
    for i in range(model.ngeom):
        if np.allclose(model.geom_rgba[i], [0.5, 0.5, 0.5, 1]) and model.geom_matid[i] < 0:
            model.geom_rgba[i, :3] = 0.85 if model.geom_type[i] == sinew.mjtGeom.mjGEOM_PLANE else 0.65
    return model


def saved(folder: pathlib.Path, name: str, plot) -> None:
    plot.tight_layout()
    plot.savefig(folder / f"{name}.png", dpi=110)
    plt.close(plot)


def axes_of(rows: int = 1, columns: int = 1, size=(5.6, 3.2)):
    return plt.subplots(rows, columns, figsize=size, squeeze=False)


def look(axes, xlabel: str, ylabel: str, legend: str | None = "", **settings) -> None:
    axes.set(xlabel=xlabel, ylabel=ylabel, **settings)
    axes.grid(alpha=0.3)
    if legend is not None:
        axes.legend(title=legend or None, fontsize=8)


# ---- pictures with sizes drawn in


class View:
    """A free camera, and where points of the world appear in its picture (fovy 45 degrees)."""

    def __init__(self, model, at, distance, azimuth, elevation, width=420, height=320):
        self.renderer = sinew.Renderer(model, width, height, samples=4)
        self.renderer.look(at, distance, azimuth, elevation)
        a, e = np.radians([azimuth, elevation])
        self.forward = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        self.right = np.array([np.sin(a), -np.cos(a), 0])
        self.up = np.cross(self.right, self.forward)
        self.eye = np.asarray(at) - distance * self.forward
        self.width, self.height = width, height
        self.scale = height / 2 / np.tan(np.radians(45) / 2)

    def picture(self, data) -> np.ndarray:
        return self.renderer.render(data)

    def pixel(self, point) -> tuple[float, float]:
        offset = np.asarray(point, float) - self.eye
        depth = offset @ self.forward
        return self.width / 2 + self.scale * (offset @ self.right) / depth, self.height / 2 - self.scale * (offset @ self.up) / depth

    def arrow(self, axes, start, end, text, color="black", at_end=True) -> None:
        """An arrow with two heads between two points of the world, and a text beyond its end (or at its middle)."""
        a, b = np.array(self.pixel(start)), np.array(self.pixel(end))
        axes.annotate("", a, b, arrowprops={"arrowstyle": "<|-|>", "color": color, "lw": 1.5, "shrinkA": 0, "shrinkB": 0})
        along = (b - a) / max(np.linalg.norm(b - a), 1e-9)
        place = b + 8 * along if at_end else (a + b) / 2 + 10 * np.array([-along[1], along[0]])
        axes.text(*place, text, color=color, fontsize=9,
                  ha="left" if along[0] > 0.3 else "right" if along[0] < -0.3 else "center",
                  va="bottom" if along[1] < -0.6 else "top" if along[1] > 0.6 else "center",
                  bbox={"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 1})  # fmt: skip


def hidden_but(model, geoms) -> None:
    """Makes all geoms but these invisible."""
    for i in range(model.ngeom):
        if i not in geoms:
            model.geom_rgba[i, 3] = 0


@figure
def sizes(folder):
    """Primitive geoms with the numbers of their sizes."""
    plot, grid = axes_of(2, 3, (9, 5.2))
    x, y, z = np.eye(3)
    for axes, i in zip(grid.flat, range(1, 6)):
        model = pictured("geoms")
        hidden_but(model, {i})
        model.geom_rgba[i, 3] = 0.5
        data = sinew.Data(model)
        data.forward()
        center, size = np.array(data.geom_xpos[i]), model.geom_size[i]
        kind = ("plane", "sphere", "capsule", "cylinder", "ellipsoid", "box")[i]
        view = View(model, center, 0.95 if kind in ("capsule", "cylinder") else 0.75, 115, -18)
        axes.imshow(view.picture(data))
        if kind == "sphere":
            view.arrow(axes, center, center + size[0] * view.right, "size[0]\nradius")
        elif kind in ("capsule", "cylinder"):
            view.arrow(axes, center, center + size[0] * view.right, "size[0]\nradius", "darkred")
            view.arrow(axes, center, center + size[1] * z, "size[1]\nhalf length", "darkblue", kind == "cylinder")
        else:
            view.arrow(axes, center, center - size[0] * x, "size[0]", "darkred")
            view.arrow(axes, center, center - size[1] * y, "size[1]", "darkgreen")
            view.arrow(axes, center, center + size[2] * z, "size[2]", "darkblue")
        axes.set_title(f"{kind}, size=\"{' '.join(f'{n:g}' for n in size if n)}\"", fontsize=9)
        axes.axis("off")
    model = pictured("geoms")
    hidden_but(model, {0})
    data = sinew.Data(model)
    data.forward()
    view, axes = View(model, [0, 0, 0], 4.4, 115, -32), grid.flat[5]
    axes.imshow(view.picture(data))
    half = model.geom_size[0]
    view.arrow(axes, [0, 0, 0], [half[0], 0, 0], "size[0]", "darkred", at_end=False)
    view.arrow(axes, [0, 0, 0], [0, half[1], 0], "size[1]", "darkgreen", at_end=False)
    view.arrow(axes, [0, 0, 0], [0, 0, 0.7], "normal (z)", "darkblue")
    axes.set_title('plane, size="2 1 0.1"', fontsize=9)
    axes.axis("off")
    saved(folder, "sizes", plot)


@figure
def hfield_size(folder):
    """A height field with the four numbers of its size."""
    model = pictured("terrain")
    hidden_but(model, {0})
    data = sinew.Data(model)
    data.forward()
    view = View(model, [0, 0, 0.05], 2.9, 120, -25, 560, 340)
    plot, grid = axes_of(1, 1, (5.6, 3.6))
    axes, (rx, ry, top, bottom) = grid[0, 0], model.hfield_size[0]
    axes.imshow(view.picture(data))
    view.arrow(axes, [0, -ry, 0], [rx, -ry, 0], "size[0] = 1", "darkred", at_end=False)
    view.arrow(axes, [rx, 0, 0], [rx, -ry, 0], "size[1] = 1", "darkgreen", at_end=False)
    view.arrow(axes, [0, 0, 0], [0, 0, top], "size[2] = 0.3", "darkblue")
    view.arrow(axes, [-rx, -ry, 0], [-rx, -ry, -bottom], "size[3] = 0.1", "purple")
    axes.axis("off")
    saved(folder, "hfield_size", plot)


@figure
def joint_types(folder):
    """Each type of joint at its reference, and moved."""
    plot, grid = axes_of(2, 2, (8, 6))
    cases = {
        "hinge": ("door", "turns about axis: qpos has 1 number, qvel 1", lambda d: d.joint("hinge").qpos.__setitem__(slice(None), 1.0)),
        "slide": ("drawer", "shifts along axis: qpos has 1 number, qvel 1", lambda d: d.joint("slide").qpos.__setitem__(slice(None), 0.25)),
        "ball": ("lamp", "turns about pos: qpos has 4 numbers, qvel 3",
                 lambda d: d.joint("ball").qpos.__setitem__(slice(None), [np.cos(0.35), np.sin(0.35) * 0.6, np.sin(0.35) * 0.8, 0])),
        "free": ("crate", "floats: qpos has 7 numbers, qvel 6",
                 lambda d: d.joint("free").qpos.__setitem__(slice(None), [1.15, -0.2, 0.72, np.cos(0.4), np.sin(0.4) * 0.6, 0, np.sin(0.4) * 0.8])),
    }  # fmt: skip
    for axes, (name, (body, text, move)) in zip(grid.flat, cases.items()):
        model = pictured("joints")
        index = model.body(body).id
        hidden_but(model, {0, *[i for i in range(model.ngeom) if model.geom_bodyid[i] == index]})
        data = sinew.Data(model)
        data.forward()
        at = np.array(data.body(body).xpos)
        view = View(model, at + [0, 0, -0.05], 1.5, 65, -18, 460, 320)
        before = view.picture(data).astype(float)
        move(data)
        data.forward()
        after = view.picture(data).astype(float)
        axes.imshow((0.35 * before + 0.65 * after).astype(np.uint8))
        joint = model.joint(name)
        if name in ("hinge", "slide"):
            anchor, axis = np.array(data.joint(name).xanchor), np.array(data.joint(name).xaxis)
            reach = axis * (0.42 if name == "hinge" else 0.3)
            start = anchor - reach if name == "hinge" else anchor
            axes.annotate("", view.pixel(anchor + reach), view.pixel(start), arrowprops={"arrowstyle": "-|>", "color": "darkred", "lw": 2})
            axes.text(*view.pixel(anchor + reach), " axis", color="darkred", fontsize=9)
        axes.plot(*view.pixel(data.joint(name).xanchor if joint.id < 3 else at), "o", color="darkred", ms=4)
        axes.set_title(f"{name}: {text}", fontsize=8.5)
        axes.set(xlim=(0, 460), ylim=(320, 0))
        axes.axis("off")
    saved(folder, "joint_types", plot)


@figure
def frames(folder):
    """The frames of frames.xml: of the body, of the frame at its corner, and of the site."""
    model = pictured("frames")
    model.geom_rgba[:, 3] = 0.6
    data = sinew.Data(model)
    data.forward()
    view = View(model, [0.1, 0, 0.45], 1.5, 115, -22, 560, 360)
    plot, grid = axes_of(1, 1, (5.6, 3.7))
    axes = grid[0, 0]
    axes.imshow(view.picture(data))
    table, tip = data.body("table"), data.site("tip")
    turned = np.reshape(tip.xmat, (3, 3))
    corner = np.array(tip.xpos) - 0.2 * turned[:, 2]
    for origin, rotation, size, name in (
        (np.zeros(3) + [0, 0, 0], np.eye(3), 0.18, "world"), (np.array(table.xpos), np.eye(3), 0.18, "table"),
        (corner, turned, 0.13, "corner"), (np.array(tip.xpos), turned, 0.1, "tip"),
    ):  # fmt: skip
        for k, color in enumerate(("red", "green", "blue")):
            axes.annotate("", view.pixel(origin + size * rotation[:, k]), view.pixel(origin),
                          arrowprops={"arrowstyle": "-|>", "color": color, "lw": 1.8, "shrinkA": 0, "shrinkB": 0})  # fmt: skip
        x, y = view.pixel(origin)
        axes.text(x - 8, y + 12, name, ha="right", fontsize=9, bbox={"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 1})
    axes.set(xlim=(0, 560), ylim=(360, 0))
    axes.axis("off")
    saved(folder, "frames", plot)


@figure
def keyframes(folder):
    """Both key frames of keyframes.xml."""
    model = pictured("keyframes")
    data = sinew.Data(model)
    plot, grid = axes_of(1, 2, (7, 2.9))
    for axes, name in zip(grid[0], ("straight", "bent")):
        data.reset(name)
        data.forward()
        axes.imshow(View(model, [0.2, 0, 0.6], 1.3, 100, -12, 420, 320).picture(data))
        axes.set_title(name, fontsize=9)
        axes.axis("off")
    saved(folder, "keyframes", plot)


# ---- choosing


@figure
def timestep(folder):
    """Error of the pendulum of pendulum.xml after a second, over the time step, for three integrators."""
    plot, grid = axes_of()
    steps = [0.01 / 2**k for k in range(7)]

    def angle(integrator, step):
        model = load("pendulum")
        model.opt.timestep, model.opt.integrator = step, integrator
        data = sinew.Data(model)
        data.qpos[0] = 1.0
        data.step(int(round(1 / step)))
        return data.qpos[0]

    kinds = sinew.mjtIntegrator
    exact = angle(kinds.mjINT_RK4, 1e-5)
    for name, kind, style in (("Euler", kinds.mjINT_EULER, "o-"), ("implicitfast", kinds.mjINT_IMPLICITFAST, "s--"), ("RK4", kinds.mjINT_RK4, "o-")):
        grid[0, 0].loglog([1e3 * step for step in steps], [abs(angle(kind, step) - exact) for step in steps], style, ms=4, label=name)
    look(grid[0, 0], "time step (ms)", "error of the angle after 1 s (rad)", "integrator")
    saved(folder, "timestep", plot)


@figure
def servo(folder):
    """A stiff servo with damping on a light joint, integrated in two ways."""
    text = """<mujoco><option timestep="0.005" gravity="0 0 0" integrator="{}"/><worldbody><body>
      <joint name="j" axis="0 1 0" armature="0.001"/><geom size="0.01" mass="0.001" contype="0"/></body></worldbody>
      <actuator><position joint="j" kp="5" kv="0.5"/></actuator></mujoco>"""
    plot, grid = axes_of()
    for name, style in (("Euler", "-"), ("implicitfast", "-")):
        data = sinew.Data(sinew.Model.from_xml_string(text.format(name)))
        data.ctrl[0] = 0.1
        times, angles = [], []
        for _ in range(18 if name == "Euler" else 60):  # then it has diverged
            times.append(1e3 * data.time)
            angles.append(np.clip(data.qpos[0], -0.3, 0.3))
            data.step()
        grid[0, 0].plot(times, angles, style, label=name)
    look(grid[0, 0], "time (ms)", "angle (rad), wanted 0.1", "integrator", ylim=(-0.3, 0.3))
    saved(folder, "servo", plot)


# ---- sensors


@figure
def sensors(folder):
    """What sensors of sensors_guide.xml measure while the cart falls onto the floor."""
    model = load("sensors_guide")
    data = sinew.Data(model)
    data.joint(0).qpos[2] = 0.5
    data.joint("elbow").qpos[0] = 0.3
    times, acceleration, height, turning = [], [], [], []
    while data.time < 1:
        data.step()
        times.append(data.time)
        acceleration.append(data.sensor("acceleration")[2])
        height.append(data.sensor("height")[0])
        turning.append(data.sensor("elbow_angle")[0])
    plot, grid = axes_of(1, 3, (9, 2.8))
    grid[0, 0].plot(times, acceleration)
    look(grid[0, 0], "time (s)", "accelerometer, z (m/s²)", None, ylim=(-5, 60))
    grid[0, 1].plot(times, height)
    look(grid[0, 1], "time (s)", "rangefinder (m)", None)
    grid[0, 2].plot(times, turning)
    look(grid[0, 2], "time (s)", "jointpos of the elbow (rad)", None)
    saved(folder, "sensors", plot)


# ---- contact


def impedance(depth: np.ndarray, dmin: float, dmax: float, width: float, midpoint: float, power: float) -> np.ndarray:
    """The share d of a rigid contact's effect at a depth in metres, as docs/how/constraint.md defines it."""
    x = np.clip(depth / width, 0, 1)
    rise = np.where(x <= midpoint, x**power / midpoint ** (power - 1), 1 - (1 - x) ** power / (1 - midpoint) ** (power - 1))
    return dmin + (dmax - dmin) * rise


@figure
def solimp(folder):
    depth = np.linspace(0, 2e-3, 400)
    plot, grid = axes_of()
    for label, setting in {
        "0.9 0.95 0.001 0.5 2 (default)": (0.9, 0.95, 0.001, 0.5, 2),
        "0.5 0.99 0.0015 0.5 2": (0.5, 0.99, 0.0015, 0.5, 2),
        "0.7 0.99 0.0015 0.8 4": (0.7, 0.99, 0.0015, 0.8, 4),
    }.items():
        grid[0, 0].plot(1e3 * depth, impedance(depth, *setting), label=label)
    look(grid[0, 0], "depth (mm)", "impedance d", "solimp", ylim=(0.45, 1.02))
    saved(folder, "solimp", plot)


@figure
def solref(folder):
    model = load("solref")
    data = sinew.Data(model)
    data.qpos[:] = 0.02
    times, heights = [], []
    while data.time < 0.4:
        times.append(data.time)
        heights.append(1e3 * data.qpos)
        data.step()
    plot, grid = axes_of()
    for label, color, curve in zip(("0.02 1 (default)", "0.06 1", "0.02 0.2", "0.02 3"), ("C0", "C2", "C1", "C3"), np.array(heights).T):
        grid[0, 0].plot(1e3 * np.array(times), curve, color=color, label=label)
    grid[0, 0].axhline(0, color="gray", lw=0.8)
    look(grid[0, 0], "time (ms)", "distance of ball and floor (mm)", "solref")
    saved(folder, "solref", plot)


@figure
def margin(folder):
    model = load("margin")
    data = sinew.Data(model)
    heights, forces = np.linspace(-0.001, 0.014, 301), []
    for height in heights:
        data.reset()
        data.qpos[:] = height
        data.forward()
        forces.append(np.array(data.qfrc_constraint))
    plot, grid = axes_of()
    labels = ("no margin, no gap", 'margin="0.01"', 'margin="0.01" gap="0.01"')
    for label, color, style, curve in zip(labels, ("C0", "C2", "C1"), ("-", "-", "--"), np.array(forces).T):
        grid[0, 0].plot(1e3 * heights, curve, color=color, ls=style, label=label)
    look(grid[0, 0], "distance of ball and floor (mm)", "normal force (N)")
    saved(folder, "margin", plot)


@figure
def condim(folder):
    model = load("condim")
    data = sinew.Data(model)
    for i in range(4):
        data.qvel[6 * i : 6 * i + 6] = 1, 0, 0, 0, 4, 6
    times, values = [], []
    while data.time < 4:
        times.append(data.time)
        values.append([np.linalg.norm(data.qvel[6 * i : 6 * i + 2]) for i in range(4)]
                      + [0.1 * np.linalg.norm(rolling(data, i)[:2]) for i in range(4)] + [rolling(data, i)[2] for i in range(4)])  # fmt: skip
        data.step(5)
    values = np.array(values)
    plot, grid = axes_of(1, 3, (9, 3.2))
    for k, ylabel in enumerate(("speed of the centre (m/s)", "speed of rolling, radius times rate (m/s)", "spin about the vertical (rad/s)")):
        for i, (label, color) in enumerate(zip("1346", ("C3", "C2", "C0", "C1"))):
            grid[0, k].plot(times, values[:, 4 * k + i], color=color, ls=("-", "-", "--", "-.")[i], label=label)
        look(grid[0, k], "time (s)", ylabel, "condim")
    saved(folder, "condim", plot)


def rolling(data, i: int) -> np.ndarray:
    """Angular velocity of a ball in the world frame."""
    body = data.body(("one", "three", "four", "six")[i])
    return np.reshape(body.xmat, (3, 3)) @ data.qvel[6 * i + 3 : 6 * i + 6]


@figure
def cones(folder):
    angles = np.linspace(0, 2 * np.pi, 145)
    plot = plt.figure(figsize=(4.2, 4))
    axes = plot.add_subplot(projection="polar")
    for name, cone in (("elliptic", 1), ("pyramidal", 0)):
        model = load("cones")
        model.opt.cone = cone
        ratio = []
        for angle in angles:
            data = sinew.Data(model)
            direction, total = np.array([np.cos(angle), np.sin(angle)]), np.zeros(3)
            for step in range(800):
                data.qvel[:2] = 0.2 * direction  # the puck is dragged with 0.2 m/s
                data.step()
                total += data.qfrc_constraint if step >= 300 else 0
            ratio.append(-(total[:2] @ direction) / total[2])
        axes.plot(angles, ratio, label=name)
    axes.set_rticks([0.2, 0.4, 0.6])
    axes.set_rmax(0.7)
    axes.legend(loc="lower left", bbox_to_anchor=(-0.25, -0.12), fontsize=8)
    saved(folder, "cones", plot)


@figure
def surfaces(folder):
    """Left: a parcel on a belt and a plate on a turntable. Right: how far two blocks on a slope have crept."""
    plot, grid = axes_of(1, 2, (8, 3))
    model = load("belt")
    data = sinew.Data(model)
    times, speeds = [], []
    while data.time < 1:
        data.step()
        times.append(data.time)
        speeds.append([np.linalg.norm(data.body(name).cvel[3:5]) for name in ("parcel", "plate")])
    grid[0, 0].plot(times, speeds, label=["parcel on the belt", "plate on the turntable"])
    look(grid[0, 0], "time (s)", "speed (m/s)")
    model = load("stick")
    data = sinew.Data(model)
    down = np.array([np.cos(np.radians(15)), 0, -np.sin(np.radians(15))])
    times, crept = [], []
    while data.time < 10:
        data.step(50)
        times.append(data.time)
        crept.append([1e3 * (data.body(name).xpos @ down) for name in ("soft", "held")])
    crept = np.array(crept) - crept[9]  # after a second, when both have settled
    grid[0, 1].plot(times[9:], crept[9:, 0], "C3", label="without stick")
    grid[0, 1].plot(times[9:], crept[9:, 1], "C2", label='stick="enable"')
    look(grid[0, 1], "time (s)", "way down the slope (mm)")
    saved(folder, "surfaces", plot)


# ---- actuators


@figure
def actuators(folder):
    """Joint angles of actuators.xml after a step of all three controls."""
    model = load("actuators")
    data = sinew.Data(model)
    data.ctrl[:] = 0.05, 1, 1
    times, angles = [], []
    while data.time < 3:
        times.append(data.time)
        angles.append(data.qpos.copy())
        data.step()
    plot, grid = axes_of()
    for name, curve in zip(("motor, 0.05 N m", "position, 1 rad", "velocity, 1 rad/s"), np.array(angles).T):
        grid[0, 0].plot(times, curve, label=name)
    look(grid[0, 0], "time (s)", "angle of the joint (rad)")
    saved(folder, "actuators", plot)


@figure
def shortcuts(folder):
    """Responses of the shortcuts to a step of the control at 0.1 s."""
    model = load("shortcuts")
    names = [model.name_of(int(sinew.mjtObj.mjOBJ_ACTUATOR), i) for i in range(model.nu)]
    data = sinew.Data(model)
    data.reset("moving")
    control = {"motor": 1, "position": 1, "filtered": 1, "velocity": 1, "intvelocity": 1, "damper": 1, "cylinder": 1, "delayed": 1, "general": 1}
    times, qpos, qvel, force = [], [], [], []
    while data.time < 2:
        data.ctrl[:] = [control[name] if data.time >= 0.1 else 0 for name in names]
        times.append(data.time)
        qpos.append(data.qpos.copy())
        qvel.append(data.qvel.copy())
        data.step()
        force.append(data.actuator_force.copy())
    qpos, qvel, force = map(np.array, (qpos, qvel, force))
    titles = {
        "motor": "motor: F = u", "position": 'position, kp="100" dampratio="1"', "filtered": 'position, timeconst="0.2"',
        "velocity": 'velocity, kv="10"', "intvelocity": 'intvelocity, kp="100" dampratio="1"', "damper": 'damper, kv="10" (starts at 1 m/s)',
        "cylinder": 'cylinder, timeconst="0.2"', "delayed": 'position, delay="0.2"', "general": 'general, affine bias "0 -50 -2"',
    }  # fmt: skip
    plot, grid = axes_of(3, 3, (9, 7.2))
    for axes, name in zip(grid.flat, names):
        i = names.index(name)
        what, curve = ("velocity (m/s)", qvel[:, i]) if name in ("motor", "velocity", "damper", "cylinder") else ("position (m)", qpos[:, i])
        axes.plot(times, curve, color="C0", label=what)
        axes.axvline(0.1, color="gray", lw=0.8, ls=":")
        other = axes.twinx()
        other.plot(times, force[:, i], color="C1", lw=0.9, label="force (N)")
        other.tick_params(labelsize=7, colors="C1")
        axes.set_title(titles[name], fontsize=8.5)
        axes.tick_params(labelsize=7)
        axes.grid(alpha=0.3)
        lines = axes.get_lines()[:1] + other.get_lines()
        axes.legend(lines, [line.get_label() for line in lines], fontsize=7, loc="lower right" if name != "damper" else "upper right")
    saved(folder, "shortcuts", plot)


@figure
def dcmotor(folder):
    model = load("dcmotor")
    data = sinew.Data(model)
    data.ctrl[:] = 12
    times, speed, torque = [], [], []
    while data.time < 1:
        times.append(data.time)
        speed.append(data.qvel[0])
        data.step()
        torque.append(data.actuator_force[0])
    plot, grid = axes_of(1, 2, (8, 3))
    grid[0, 0].plot(times, speed)
    look(grid[0, 0], "time (s)", "speed (rad/s)", None)
    grid[0, 1].plot(times, torque)
    look(grid[0, 1], "time (s)", "torque (N m)", None)
    saved(folder, "dcmotor", plot)


# ---- muscles


@figure
def muscle_curves(folder):
    """Force of the muscle of muscle.xml by length, by velocity, and its activation after a step of the control."""
    model = load("muscle")
    data = sinew.Data(model)
    low, high = model.actuator_lengthrange[0]
    optimal = (high - low) / (1.4 - 0.6)

    def force(position, velocity, activation):
        data.reset()
        data.qpos[0], data.qvel[0], data.act[0], data.ctrl[0] = position, velocity, activation, activation
        data.forward()
        return -data.actuator_force[0]

    plot, grid = axes_of(1, 3, (9, 3.2))
    positions = np.linspace(-0.1, 0.12, 120)
    lengths = [0.6 + (0.36 - p - low) / optimal for p in positions]
    for activation in (1, 0.5, 0):
        grid[0, 0].plot(lengths, [force(p, 0, activation) for p in positions], label=f"activation {activation}")
    look(grid[0, 0], "length of the fibre (optimal lengths)", "force (N)")
    middle = 0.36 - low - 0.4 * optimal
    speeds = np.linspace(-0.45, 0.45, 120)
    grid[0, 1].plot(-speeds / optimal, [force(middle, v, 1) for v in speeds])
    look(grid[0, 1], "lengthening velocity (optimal lengths / s)", "force (N)", None)
    data.reset()
    times, act = [], []
    while data.time < 0.6:
        data.ctrl[0] = 1 if 0.05 <= data.time < 0.3 else 0
        times.append(data.time)
        act.append(data.act[0])
        data.qpos[0], data.qvel[0] = 0, 0
        data.step()
    grid[0, 2].plot(times, act, label="activation")
    grid[0, 2].plot(times, [1 if 0.05 <= t < 0.3 else 0 for t in times], color="gray", lw=0.8, label="control")
    look(grid[0, 2], "time (s)", "activation")
    saved(folder, "muscle_curves", plot)


@figure
def musculotendon(folder):
    """A picture of musculotendon.xml, and fibre and tendon after the muscle is excited."""
    model = pictured("musculotendon")
    data = sinew.Data(model)
    data.step(500)
    times, fibre, strain, angle = [], [], [], []
    while data.time < 1.5:
        data.ctrl[0] = 1 if data.time >= 0.6 else 0
        times.append(data.time - 0.6)
        data.step()
        fibre.append(100 * data.sensordata[0])
        strain.append(100 * data.sensordata[1])
        angle.append(np.degrees(data.joint("ankle").qpos[0]))
    plot, grid = axes_of(1, 3, (9, 3.2))
    view = View(model, [0.02, 0, 0.27], 0.7, 90, -5, 300, 300)
    grid[0, 0].imshow(view.picture(data))
    grid[0, 0].axis("off")
    grid[0, 1].plot(times, fibre, label="length of the fibre (cm)")
    grid[0, 1].plot(times, strain, label="strain of the tendon (%)")
    look(grid[0, 1], "time after excitation (s)", "")
    grid[0, 2].plot(times, angle)
    look(grid[0, 2], "time after excitation (s)", "ankle (degrees)", None)
    saved(folder, "musculotendon", plot)


# ---- fluid


@figure
def fluid(folder):
    """Height and inclination of the falling card of fluids_guide.xml under both models of drag."""
    plot, grid = axes_of(1, 2, (8, 3))
    for label, shape in (("ellipsoid model", True), ("inertia box", False)):
        text = (MODELS / "fluids_guide.xml").read_text()
        model = sinew.Model.from_xml_string(text if shape else text.replace('fluidshape="ellipsoid"', ""))
        data = sinew.Data(model)
        times, height, x = [], [], []
        while data.time < 2 and data.qpos[2] > 0.05:
            times.append(data.time)
            height.append(data.qpos[2])
            x.append(data.qpos[0])
            data.step()
        grid[0, 0].plot(times, height, label=label)
        grid[0, 1].plot(x, height, label=label)
    look(grid[0, 0], "time (s)", "height (m)")
    look(grid[0, 1], "x (m)", "height (m)")
    saved(folder, "fluid", plot)


# ---- pictures from cameras


@figure
def cameras(folder):
    """What the four cameras of cameras.xml see."""
    model = load("cameras")
    data = sinew.Data(model)
    data.qpos[:2] = -0.4, -0.1
    data.forward()
    renderer = sinew.Renderer(model, 320, 240, samples=4)
    plot, grid = axes_of(1, 4, (9, 2.1))
    for axes, name in zip(grid[0], ("side", "above", "watching", "driver")):
        renderer.use(name)
        axes.imshow(renderer.render(data))
        axes.set_title(name, fontsize=9)
        axes.axis("off")
    saved(folder, "cameras", plot)


# ---- plain pictures


def picture(name, at, distance, azimuth, elevation, time=0.0, size=(560, 320), control=None):
    """Registers a figure that is a picture of a model, by the name of the model."""

    def draw(folder):
        model = pictured(name)
        data = sinew.Data(model)
        if control is not None:
            data.ctrl[:] = control
        if time:
            data.step(int(round(time / model.opt.timestep)))
        data.forward()
        View(model, at, distance, azimuth, elevation, *size).picture(data)
        image = View(model, at, distance, azimuth, elevation, *size).picture(data)
        sinew.Picture(image).save(folder / f"{name.removesuffix('_guide')}.png")

    FIGURES.setdefault(name.removesuffix("_guide"), draw)


picture("joints", [0, 0, 0.5], 2.3, 75, -14)
picture("geoms", [0, 0, 0.2], 2.1, 75, -18)
picture("terrain", [0, 0, 0.1], 3, 110, -25)
picture("materials", [0, 0, 0.2], 2, 110, -20)
picture("meshes", [-0.05, 0, 0.12], 1.2, 110, -25)
picture("sdf", [0, 0, 0.1], 0.95, 110, -30, time=1)
picture("spatial_tendon", [0, 0, 0.6], 0.95, 90, -8)
picture("pulley", [0, 0, 0.42], 0.85, 90, -5, time=1)
picture("fourbar", [0, 0, 0.38], 0.75, 90, -8)
picture("gears", [0.02, 0, 0.3], 0.45, 90, -8, time=0.3, control=3)
picture("fixed_tendon", [0.08, 0, 0.49], 0.42, 110, -14, time=0.5, control=1)
picture("mocap", [0, 0, 0.3], 1.0, 110, -14, time=1)
picture("replicate", [0, 0, 0.2], 2.6, 90, -30)
picture("attach", [0, 0, 0.23], 0.4, 120, -25, time=0.5, control=0.6)
picture("cable", [0, 0, 0.35], 1.3, 90, -12, time=1.5)
picture("flexes_guide", [0, 0, 0.25], 2.2, 90, -18, time=0.5)
picture("flexcomp_types", [0, 0, 0.1], 1.75, 90, -12, size=(720, 360))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "docs/images/guide")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    unknown = set(options.names) - set(FIGURES)
    if unknown:
        print(f"no figure {', '.join(sorted(unknown))}; there are {', '.join(FIGURES)}", file=sys.stderr)
        return 2
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.names or FIGURES:
        FIGURES[name](options.folder)
        print(name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
