#!/usr/bin/env python3
"""Draws the plots of the modelling guide into docs/images/guide.

    PYTHONPATH=SHADOW python3 tools/guide_plots.py [FOLDER]

SHADOW is a folder that `sinew python-shadow` made: the curves are those of this library. Needs matplotlib.
"""

import pathlib
import sys

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402
import mujoco  # noqa: E402
import numpy as np  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]


def impedance(depth: np.ndarray, dmin: float, dmax: float, width: float, midpoint: float, power: float) -> np.ndarray:
    """The share d of a rigid contact's effect at a depth in metres, as docs/how/constraint.md defines it."""
    x = np.clip(depth / width, 0, 1)
    rise = np.where(x <= midpoint, x**power / midpoint ** (power - 1), 1 - (1 - x) ** power / (1 - midpoint) ** (power - 1))
    return dmin + (dmax - dmin) * rise


def draw_solimp(folder: pathlib.Path) -> None:
    depth = np.linspace(0, 2e-3, 400)
    figure, axes = plt.subplots(figsize=(5.6, 3.2))
    for label, setting in {
        "0.9 0.95 0.001 0.5 2 (default)": (0.9, 0.95, 0.001, 0.5, 2),
        "0.5 0.99 0.0015 0.5 2": (0.5, 0.99, 0.0015, 0.5, 2),
        "0.7 0.99 0.0015 0.8 4": (0.7, 0.99, 0.0015, 0.8, 4),
    }.items():
        axes.plot(1e3 * depth, impedance(depth, *setting), label=label)
    axes.set(xlabel="depth (mm)", ylabel="impedance d", ylim=(0.45, 1.02))
    axes.legend(title="solimp")
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(folder / "solimp.png", dpi=110)


def draw_actuators(folder: pathlib.Path) -> None:
    """Joint angles of docs/examples/models/actuators.xml after a step of all three controls."""
    model = mujoco.MjModel.from_xml_path(str(ROOT / "docs/examples/models/actuators.xml"))
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.05, 1, 1
    times, angles = [], []
    while data.time < 3:
        times.append(data.time)
        angles.append(data.qpos.copy())
        mujoco.mj_step(model, data)
    figure, axes = plt.subplots(figsize=(5.6, 3.2))
    for name, curve in zip(("motor, 0.05 N m", "position, 1 rad", "velocity, 1 rad/s"), np.array(angles).T):
        axes.plot(times, curve, label=name)
    axes.set(xlabel="time (s)", ylabel="angle of the joint (rad)")
    axes.legend()
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(folder / "actuators.png", dpi=110)


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/images/guide"
    target.mkdir(parents=True, exist_ok=True)
    draw_solimp(target)
    draw_actuators(target)
