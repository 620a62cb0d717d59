#!/usr/bin/env python3
"""Draws the plots of the pages on what is beyond MuJoCo 3.8.0 into docs/images, with the program of the release build.

    python3 tools/plots.py [--learning CURVE] [FOLDER]

Needs matplotlib (python3-matplotlib). CURVE, which takes long, is what `examples/ppo.py --curve` writes: then only its plot
is drawn.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import tempfile

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
SINEW = ROOT / "build/release/bin/sinew"
PENDULUM = """<mujoco><option timestep="0.05" integrator="{method}"/><worldbody>
  <body><joint name="first" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".02" contype="0" conaffinity="0"/>
    <body pos="0 0 -.5"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".02" contype="0" conaffinity="0"/>
  </body></body></worldbody><keyframe><key name="up" qpos="2 0.5"/></keyframe></mujoco>"""


def simulate(model: pathlib.Path, *options: str) -> dict:
    told = subprocess.run([SINEW, "simulate", model, "--json", *options], check=True, capture_output=True, text=True)
    return json.loads(told.stdout)


def columns(file: pathlib.Path) -> dict:
    """Returns the columns of a trajectory by their names."""
    with file.open() as stream:
        rows = list(csv.DictReader(stream))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def wrapping(folder: pathlib.Path, scratch: pathlib.Path) -> None:
    """Length of the tendon of models/muscle/wrapping.xml, its moment arm, and the slope of the length."""
    simulate(ROOT / "models/muscle/wrapping.xml", "-k", "swing", "-t", "2.2", "-o", str(scratch / "swing.csv"))
    run = columns(scratch / "swing.csv")
    angle, rate, length, speed = (run[f"sensordata:sensor{i}"] for i in range(4))
    arm = [1000 * v / w for v, w in zip(speed, rate)]
    slopes = [1000 * (length[k + 1] - length[k - 1]) / (angle[k + 1] - angle[k - 1]) for k in range(1, len(length) - 1)]
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3))
    left.plot(angle, length)
    left.set(xlabel="angle [rad]", ylabel="length [m]")
    right.plot(angle, arm, label="moment arm")
    right.plot(angle[1:-1:8], slopes[::8], ".", label="slope of the length")
    right.set(xlabel="angle [rad]", ylabel="[mm]")
    right.legend()
    save(figure, folder / "wrapping.png")


def energy(folder: pathlib.Path, scratch: pathlib.Path) -> None:
    """Energy that a double pendulum gains or loses in ten seconds, over the accuracy that was asked for."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3))
    accuracies = [10.0**-k for k in range(2, 9)]
    for method in ("merson", "rk3", "euler2"):
        model = scratch / f"{method}.xml"
        model.write_text(PENDULUM.format(method=method))
        wanted = accuracies if method != "euler2" else accuracies[:4]
        runs = [simulate(model, "-k", "up", "-t", "10", "-a", str(a)) for a in wanted]
        ends = [abs(r["kinetic_end_J"] + r["potential_end_J"] - r["kinetic_start_J"] - r["potential_start_J"]) for r in runs]
        left.loglog(wanted, ends, "o-", label=method)
        right.loglog(wanted, [r["accepted_steps"] / 10 for r in runs], "o-", label=method)
    left.set(xlabel="accuracy", ylabel="change of energy [J]")
    right.set(xlabel="accuracy", ylabel="steps per second")
    left.legend()
    save(figure, folder / "accuracy.png")


# ---- muscles

MUSCLE = """<mujoco><compiler angle="radian"/><option timestep="{step}" integrator="{method}" gravity="0 0 0"/><worldbody><site name="a"/>
  <body pos="0 0 {length}"><joint type="slide" axis="0 0 1" armature="1e12"/><geom size=".02" mass="1"/><site name="b"/></body></worldbody>
  <tendon><spatial name="t"><site site="a"/><site site="b"/></spatial></tendon>
  <actuator><musculotendon name="soleus" tendon="t" force="5137" fiberlength="0.050288844245806"
    slacklength="0.25144422122903" pennation="0.43633231" minact="{least}" curves="{curves}"/></actuator>
  <sensor><actuatorfrc actuator="soleus"/><tendonstrain actuator="soleus"/><actuatorpos actuator="soleus"/></sensor>
  <keyframe><key name="go" qvel="{speed}" ctrl="{control}" {act}/></keyframe></mujoco>"""
# OpenSim's soleus of gait10dof18musc at a path of 0.300 m; docs/how/musculotendon.md
STEP = {0.02: 1158.69, 0.05: 2499.71, 0.1: 3497.28, 0.2: 4044.60}
REST = {0.01: 69.484, 0.5: 2238.359, 1.0: 4153.486}


def muscle_run(scratch: pathlib.Path, seconds: float, **values) -> dict:
    given = {"step": 1e-3, "method": "implicitfast", "length": 0.3, "least": 0.01, "curves": "millard", "speed": 0,
             "control": 1, "act": "", **values}
    model = scratch / "muscle.xml"
    model.write_text(MUSCLE.format(**given))
    simulate(model, "-k", "go", "-t", str(seconds), "-o", str(scratch / "muscle.csv"), "--rate", str(min(200 / seconds, 1 / given["step"])))
    return columns(scratch / "muscle.csv")


def muscle(folder: pathlib.Path, scratch: pathlib.Path) -> None:
    """Soleus: the isometric step with steps of 0.1 and 5 ms, and forces over length at three activations."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
    for step, method, style in ((1e-4, "RK4", "-"), (1e-3, "implicitfast", "--"), (5e-3, "implicitfast", ".:")):
        # from rest at the least activation: the first force is that of the state before the step
        run = muscle_run(scratch, 0.25, step=step, method=method, act='act="1.041582 0.01"')
        left.plot(run["time"], [-f for f in run["sensordata:sensor0"]], style, label=f"{method}, {1000 * step:g} ms")
    left.plot(STEP.keys(), STEP.values(), "ko", mfc="none", label="reference")
    left.set(xlabel="time [s]", ylabel="tendon force [N]")
    left.legend()
    for curves, style in (("millard", "-"), ("hyfydy", "--"), ("degroote", ":")):
        for k, activation in enumerate(REST):
            # so slow that the muscle is in equilibrium all the time; beginning there
            run = muscle_run(scratch, 60, step=1e-2, length=0.275, speed=0.00075, control=activation, curves=curves,
                             act=f'act="0 {activation}"')
            right.plot(run["sensordata:sensor2"][1:], [-f for f in run["sensordata:sensor0"]][1:], style, color=f"C{k}",
                       label=f"a = {activation:g}" if curves == "millard" else None)
    right.plot([0.3] * 3, REST.values(), "ko", mfc="none", label="reference")
    right.set(xlabel="path [m]; Hyfydy dashed, De Groote dotted", ylabel="tendon force [N]")
    right.legend()
    save(figure, folder / "muscle.png")


# ---- compliant contacts

SOFT = 'contactmodel="hertz" modulus="1e7" dissipation="{dissipation}" cfriction="0.9 0.6 0" frictionlaw="{law}"'
BALL = """<mujoco><option timestep="{step}" integrator="merson" accuracy="1e-8" gravity="{tilt} 0 {gravity}" slipspeed="0.1"/>
  <default><geom {soft}/></default><worldbody>
  <geom type="plane" size="5 5 1"/><body name="ball" pos="0 0 {height}"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
  <geom size=".05" mass="1"/><site name="foot" size=".06"/></body></worldbody>
  <sensor><touch site="foot"/><framelinacc objtype="body" objname="ball"/></sensor>
  <keyframe><key name="go" qvel="{along} {speed}"/></keyframe></mujoco>"""
FRICTION = {"hollars": [0.11940594, 0.29117647, 0.54, 0.9, 0.72, 0.66], "step": [0.007704, 0.09316406, 0.45, 0.9, 0.75, 0.6]}
SLIPS = [0.1, 0.25, 0.5, 1, 2, 3]
RESTITUTION = {0.1: 0.98039140, 0.5: 0.90901574, 1: 0.83286979, 2: 0.71195018}


def ball_run(scratch: pathlib.Path, seconds: float, **values) -> dict:
    given = {"step": 1e-3, "gravity": -9.81, "tilt": 0, "height": 0.15, "along": 0, "speed": 0}
    values = {**given, **values}
    values["soft"] = SOFT.format(dissipation=values.pop("dissipation", 0.2), law=values.pop("law", "hollars"))
    model = scratch / "ball.xml"
    model.write_text(BALL.format(**values))
    simulate(model, "-k", "go", "-t", str(seconds), "-o", str(scratch / "ball.csv"), "--rate", str(1 / values["step"]))
    return columns(scratch / "ball.csv")


def contact(folder: pathlib.Path, scratch: pathlib.Path) -> None:
    """A ball that falls, the loops of its force, its restitution, and both laws of friction."""
    figure, axes = plt.subplots(2, 2, figsize=(9, 6))
    run = ball_run(scratch, 1)
    qpos = sorted(name for name in run if name.startswith("qpos"))
    height = [0.15 + z for z in run[qpos[1]]]
    axes[0, 0].plot(run["time"], height)
    axes[0, 0].plot([1], [0.0491373024], "ko", mfc="none", label="Simbody 3.7")
    axes[0, 0].set(xlabel="time [s]", ylabel="height of the centre [m]")
    axes[0, 0].legend()
    for dissipation in (0, 0.2, 1):
        run = ball_run(scratch, 0.02, step=5e-5, gravity=0, height=0.05, speed=-1.4, dissipation=dissipation)
        depth = [-1000 * z for z in run[qpos[1]]]
        # sensors are those of the beginning of the step, coordinates of its end
        axes[0, 1].plot(depth[:-1], run["sensordata:sensor0"][1:], label=f"{dissipation} s/m")
    axes[0, 1].set(xlabel="depth [mm]", ylabel="force [N]", xlim=(0, None))
    axes[0, 1].legend(title="dissipation")
    speeds = [0.1] + [0.2 * k for k in range(1, 12)]
    ends = []
    for speed in speeds:
        # an exit is slower than the entry, and the depth some millimetres
        run = ball_run(scratch, 0.2, gravity=0, height=0.0501, speed=-speed)
        ends.append(run[sorted(name for name in run if name.startswith("qvel"))[1]][-1] / speed)
    axes[1, 0].plot(speeds, ends)
    axes[1, 0].plot(RESTITUTION.keys(), RESTITUTION.values(), "ko", mfc="none", label="closed form")
    axes[1, 0].set(xlabel="speed of impact [m/s]", ylabel="restitution")
    axes[1, 0].legend()
    for k, (law, values) in enumerate(FRICTION.items()):
        # pulled ever faster over the floor: friction is what accelerates it beside gravity, which the sensor leaves out
        run = ball_run(scratch, 0.5, height=0.05 - 0.442446e-3, tilt=10, law=law)
        slip = [v / 0.1 for v in run[sorted(name for name in run if name.startswith("qvel"))[0]]]
        vector = sorted(name for name in run if name.startswith("sensordata"))
        friction = [-a / f if f > 0 else 0 for a, f in zip(run[vector[1]], run[vector[0]])]
        shown = [(s, f) for s, f in zip(slip[:-1], friction[1:]) if s < 3.5]
        axes[1, 1].plot([s for s, _ in shown], [f for _, f in shown], color=f"C{k}", label=law)
        axes[1, 1].plot(SLIPS, values, "o", color=f"C{k}", mfc="none")
    axes[1, 1].set(xlabel="slip over slipspeed  (circles: published values)", ylabel="friction over normal force")
    axes[1, 1].legend()
    save(figure, folder / "contact.png")


# ---- drives

FLYWHEEL = """<mujoco><option timestep="0.001" integrator="implicitfast" gravity="0 0 0"/><worldbody><body>
  <joint name="j" axis="0 0 1" armature="1e6" {joint}/><geom size=".1" mass="1"/></body></worldbody>
  <actuator>{drive}<motor joint="j"/></actuator>
  <sensor><jointvel joint="j"/><actuatorfrc actuator="drive"/><actuatorpos actuator="drive"/></sensor>
  <keyframe><key name="run" qvel="{start}" ctrl="{control} {torque}"/></keyframe></mujoco>"""
MOTOR = """<dcmotor name="drive" joint="j" gear="{g}" motorconst="{kt} {ke}" resistance="{R}" input="ff" controller="0 0 0 0 0 {voltage}"
  saturation="{limit} 0 0" dryfriction="{friction}"/>"""
CHEETAHS = {  # gear, K_T, R, V_b, largest torque of the motor, viscous and dry friction (the project's own constants)
    "Mini Cheetah": (6, 0.05, 0.173, 24, 3, 0.01, 0.2),
    "Cheetah 3": (7.66666666667, 0.266, 0.45, 65, 27.2, 0.1, 1),
}


def flywheel(scratch: pathlib.Path, drive: str, control: float, start: float, end: float, joint: str = "") -> dict:
    """Torque of a drive while something stronger turns a heavy wheel ever faster."""
    model = scratch / "flywheel.xml"
    model.write_text(FLYWHEEL.format(drive=drive, control=control, start=start, torque=1e6 * (end - start), joint=joint))
    simulate(model, "-k", "run", "-t", "1", "-o", str(scratch / "flywheel.csv"))
    run = columns(scratch / "flywheel.csv")
    return {"speed": run["sensordata:sensor0"], "force": run["sensordata:sensor1"]}


def clip(x: float, limit: float) -> float:
    return max(-limit, min(limit, x))


def cheetah_law(torque: float, speed: float, g, kt, R, V, limit, b, f) -> float:
    emf = 2 * kt * g * speed
    voltage = clip(torque / g / (1.5 * kt) * R + emf, V)
    return g * clip(1.5 * kt * (voltage - emf) / R, limit) - b * speed - f * ((speed > 0) - (speed < 0))


def drives(folder: pathlib.Path, scratch: pathlib.Path) -> None:
    """Torque over speed of the motors of both Cheetahs, and of an actuator as Drake has it."""
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.2))
    for axis, (name, constants) in zip(axes, CHEETAHS.items()):
        g, kt, R, V, limit, b, f = constants
        kt3, ke = 1.5 * kt, 2 * kt
        end = 1.25 * V / (2 * kt * g)
        for k, share in enumerate((1, 0.5, 0)):
            drive = MOTOR.format(g=g, kt=kt3, ke=ke, R=R, voltage=V * (kt3 / ke) ** 0.5, limit=limit, friction=f)
            run = flywheel(scratch, drive, share * limit, 0, end)
            # what the joint damps is no force of the actuator
            torque = [g * x - b * w for w, x in zip(run["speed"], run["force"])]
            axis.plot(run["speed"][1:], torque[1:], color=f"C{k}", label=f"{share * limit * g:.3g} N m")
            circles = [end * (i + 0.5) / 12 for i in range(12)]
            law = [cheetah_law(share * limit * g, w, *constants) for w in circles]
            axis.plot(circles, law, "o", color=f"C{k}", mfc="none")
        axis.set(title=name, xlabel="speed [rad/s]", ylabel="torque of the joint [N m]")
        axis.legend(title="command")
    for k, (damping, forward) in enumerate(((40, 0), (40, 80), (10, 0))):
        drive = f"""<general name="drive" joint="j" biastype="affine" biasprm="0 0 -{damping}" forcerange="-60 60"/>"""
        run = flywheel(scratch, drive, forward, -4, 6)
        axes[2].plot(run["speed"], run["force"], color=f"C{k}", label=f"{damping}, {forward}")
        circles = [-3.6 + 0.8 * i for i in range(12)]
        axes[2].plot(circles, [clip(forward - damping * w, 60) for w in circles], "o", color=f"C{k}", mfc="none")
    axes[2].set(title="Drake, limit 60 N m", xlabel="speed [rad/s]", ylabel="torque [N m]")
    axes[2].legend(title="$K_d$, $u_{ff}$")
    save(figure, folder / "drives.png")


# ---- learning

# mean lengths of episodes of Humanoid-v5 without learning [steps]
FALLS = {"stiff joints": (90, "--"), "random actions": (24, ":")}


def learning(folder: pathlib.Path, curve: pathlib.Path) -> None:
    """How long episodes of the humanoid last while it learns to stand."""
    run = columns(curve)
    figure, axis = plt.subplots(figsize=(7, 3.2))
    axis.plot([steps / 1e6 for steps in run["steps"]], run["length"], label="examples/ppo.py")
    for name, (length, style) in FALLS.items():
        axis.axhline(length, color="gray", linestyle=style, label=name)
    axis.set(xlabel="steps of environments [millions]", ylabel="steps of an episode", ylim=(0, 1000))
    axis.secondary_xaxis("top", functions=minutes_of(run)).set_xlabel("minutes of one processor")
    axis.grid(alpha=0.3)
    axis.legend()
    save(figure, folder / "learning.png")


def minutes_of(run: dict) -> tuple:
    """Millions of steps in minutes of a processor, and back: the work of an update is always the same."""
    factor = (run["processor"][-1] - run["processor"][0]) / 60 / ((run["steps"][-1] - run["steps"][0]) / 1e6)
    return lambda millions: millions * factor, lambda minutes: minutes / factor


def save(figure, file: pathlib.Path) -> None:
    figure.tight_layout()
    figure.savefig(file, dpi=90)
    print(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learning", type=pathlib.Path, metavar="CURVE", help="draws only this curve of learning")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "docs/images", help="(default docs/images)")
    options = parser.parse_args()
    if options.learning:
        learning(options.folder, options.learning)
        return
    with tempfile.TemporaryDirectory() as temporary:
        for draw in (wrapping, energy, muscle, contact, drives):
            draw(options.folder, pathlib.Path(temporary))


if __name__ == "__main__":
    main()
