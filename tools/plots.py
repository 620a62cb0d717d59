#!/usr/bin/env python3
"""Draws the plots of the pages on what is beyond MuJoCo 3.8.0 into docs/images, with the program of the release build.

    python3 tools/plots.py [FOLDER]

Needs matplotlib (python3-matplotlib).
"""

import csv
import json
import pathlib
import subprocess
import sys
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


def save(figure, file: pathlib.Path) -> None:
    figure.tight_layout()
    figure.savefig(file, dpi=90)
    print(file)


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/images"
    with tempfile.TemporaryDirectory() as temporary:
        wrapping(target, pathlib.Path(temporary))
        energy(target, pathlib.Path(temporary))
