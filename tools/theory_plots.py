#!/usr/bin/env python3
"""Draws the figures of docs/theory into docs/images/theory.

    PYTHONPATH=build/python-release-.../package python3 tools/theory_plots.py [--folder FOLDER] [NAME...]

Needs the packages sinew and matplotlib.
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
FIGURES = {}


def figure(function):
    FIGURES[function.__name__] = function
    return function


def saved(folder, name, plot):
    plot.tight_layout()
    plot.savefig(folder / f"{name}.png", dpi=110)
    plt.close(plot)


def grid(columns, size):
    plot, axes = plt.subplots(1, columns, figsize=size, squeeze=False)
    for one in axes[0]:
        one.grid(alpha=0.3)
    return plot, axes[0]


@figure
def costs(folder):
    """Costs of rows over their deviation, and the forces, which are their negative slopes."""
    x = np.linspace(-2, 2, 401)
    eta = 1.0
    kinds = {
        "equality": (0.5 * x**2, -x),
        "limit, contact": (0.5 * np.minimum(x, 0) ** 2, np.maximum(-x, 0)),
        "dry friction": (np.where(abs(x) <= eta, 0.5 * x**2, eta * abs(x) - 0.5 * eta**2), -np.clip(x, -eta, eta)),
    }
    plot, (left, right) = grid(2, (8, 3))
    for style, (name, (cost, force)) in zip(("-", "--", "-."), kinds.items()):
        left.plot(x, cost, style, label=name)
        right.plot(x, force, style, label=name)
    left.set(xlabel="deviation x = Ja - a*", ylabel="cost s(x), D = 1")
    right.set(xlabel="deviation x = Ja - a*", ylabel="force f = -s'(x)")
    left.legend(fontsize=8)
    saved(folder, "costs", plot)


@figure
def zones(folder):
    """The three zones of a contact with an elliptic cone, in the plane of normal and tangential force."""
    mu = 0.5
    plot, (axes,) = grid(1, (4.8, 3.6))
    n = np.linspace(0, 3, 2)
    axes.fill_between(n, -mu * n, mu * n, color="C2", alpha=0.3)
    wedge = np.linspace(-3, 0, 2)
    axes.fill_between(wedge, wedge / mu, -wedge / mu, color="C3", alpha=0.25)
    axes.plot(n, mu * n, "C2", n, -mu * n, "C2")
    axes.plot(wedge, wedge / mu, "C3", wedge, -wedge / mu, "C3")
    for x, y, text in ((1.9, 0, "sticks"), (-1.4, 0, "opens"), (0.4, 1.7, "slides"), (0.4, -1.7, "slides")):
        axes.text(x, y, text, ha="center", va="center")
    start, end = np.array([1.0, 1.6]), None
    along = np.array([1, mu]) / np.hypot(1, mu)
    end = along * (start @ along)
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": "black"})
    axes.plot(*start, "ko", ms=4)
    axes.set(xlabel="normal part of -D x", ylabel="tangential part", xlim=(-3, 3), ylim=(-2.4, 2.4), aspect="equal")
    saved(folder, "zones", plot)


@figure
def energy(folder):
    """Energy of an oscillator under explicit and semi-implicit Euler, and of a pendulum of the engine."""
    plot, (left, right) = grid(2, (8.5, 3))
    h, steps = 0.1, 200
    for name, implicit in (("explicit Euler", False), ("semi-implicit Euler", True)):
        q, v, energies = 1.0, 0.0, []
        for _ in range(steps):
            energies.append(0.5 * (q * q + v * v))
            if implicit:
                v -= h * q
                q += h * v
            else:
                q, v = q + h * v, v - h * q
        left.plot(h * np.arange(steps), energies, label=name)
    left.set(xlabel="time", ylabel="energy of an oscillator", yscale="log")
    left.legend(fontsize=8)
    text = """<mujoco><option timestep="0.02" integrator="{}"><flag energy="enable"/></option><worldbody>
      <body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -1" size="0.02" mass="1"/></body></worldbody></mujoco>"""
    for name in ("Euler", "implicitfast", "RK4"):
        data = sinew.Data(sinew.Model.from_xml_string(text.format(name)))
        data.qpos[0] = 1.5
        times, energies = [], []
        while data.time < 20:
            data.step()
            data.forward()
            times.append(data.time)
            energies.append(data.energy.sum())
        right.plot(times, np.array(energies) - energies[0], label=name, lw=1)
    right.set(xlabel="time (s)", ylabel="change of energy (J), pendulum")
    right.legend(fontsize=8)
    saved(folder, "energy", plot)


@figure
def damping(folder):
    """Velocity of a damped hinge after steps with h b / I = 2.5, explicit and implicit."""
    text = """<mujoco><option timestep="0.01" gravity="0 0 0" integrator="Euler"><flag eulerdamp="{}"/></option><worldbody>
      <body><joint axis="0 1 0" damping="2.5" armature="0.01"/><geom size="0.01" mass="1e-6"/></body></worldbody></mujoco>"""
    plot, (axes,) = grid(1, (5.4, 3))
    for name, flag in (("explicit", "disable"), ("implicit", "enable")):
        data = sinew.Data(sinew.Model.from_xml_string(text.format(flag)))
        data.qvel[0] = 1
        values = [1.0]
        for _ in range(8):
            data.step()
            values.append(data.qvel[0])
        axes.plot(values, "o-", label=name)
    axes.set(xlabel="step", ylabel="velocity (rad/s)")
    axes.legend()
    saved(folder, "damping", plot)


@figure
def convergence(folder):
    """Error of the acceleration over the number of iterations, for the three solvers."""
    model = sinew.Model.from_xml_path(ROOT / "models/humanoids22.xml")
    model.opt.tolerance = 0
    data = sinew.Data(model)
    data.step(150)
    state = data.state()
    plot, (axes,) = grid(1, (5.6, 3.4))

    def acceleration(solver, iterations):
        model.opt.solver, model.opt.iterations = solver, iterations
        world = sinew.Data(model)
        world.set_state(state)
        world.qacc_warmstart[:] = 0
        world.forward()
        return world.qacc.copy(), len(world.efc_force)

    exact, rows = acceleration(sinew.mjtSolver.mjSOL_NEWTON, 100)
    for name, solver in (("Newton", sinew.mjtSolver.mjSOL_NEWTON), ("CG", sinew.mjtSolver.mjSOL_CG), ("PGS", sinew.mjtSolver.mjSOL_PGS)):
        counts = [1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 30, 40, 50, 65, 80, 100]
        errors = [np.linalg.norm(acceleration(solver, k)[0] - exact) / np.linalg.norm(exact) for k in counts]
        axes.semilogy(counts, np.maximum(errors, 1e-14), "o-", ms=3, label=name)
    axes.set(xlabel="iterations", ylabel="relative error of the acceleration", title=f"22 humanoids, {rows} constraint rows")
    axes.title.set_fontsize(9)
    axes.legend()
    saved(folder, "convergence", plot)


@figure
def impedance(folder):
    """Acceleration of a ball in contact over the impedance: between free fall and the reference."""
    text = """<mujoco><worldbody><geom type="plane" size="1 1 1" solmix="1e-9"/><body pos="0 0 0.099">
      <joint type="slide" axis="0 0 1"/><geom size="0.1" mass="1" solref="0.02 1" solimp="{0} {0}"/></body></worldbody></mujoco>"""
    values = np.linspace(0.02, 0.98, 49)
    measured, reference = [], []
    for d in values:
        data = sinew.Data(sinew.Model.from_xml_string(text.format(d)))
        data.forward()
        measured.append(data.qacc[0])
        reference.append(data.efc_aref[0])
    plot, (axes,) = grid(1, (5.4, 3.2))
    axes.plot(values, measured, label="acceleration of the engine")
    axes.plot(values, values * np.array(reference) + (1 - values) * -9.81, "k:", label="d a* + (1 - d) J a0")
    axes.axhline(-9.81, color="gray", lw=0.8)
    axes.set(xlabel="impedance d", ylabel="acceleration (m/s²)")
    axes.legend(fontsize=8)
    saved(folder, "impedance", plot)


@figure
def gradient(folder):
    """Where a thrown ball comes to rest over its throwing speed, and the slope by the engine and by differences."""
    text = """<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 0.1">
      <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><geom type="sphere" size="0.1" mass="1" friction="0.4"/>
      </body></worldbody></mujoco>"""
    model = sinew.Model.from_xml_string(text)
    batch = sinew.Batch(model, 1)
    steps, control = 300, np.zeros((1, 300, 0))

    def final(speed):
        batch.reset()
        batch.state("qvel")[0] = speed, 1.5
        return batch.rollout(control, ["qpos"])["qpos"][0, -1, 0]

    speeds = np.linspace(0.2, 3, 90)
    ends = [final(v) for v in speeds]
    slopes, differences = [], []
    for v in speeds:
        batch.reset()
        batch.state("qvel")[0] = v, 1.5
        by_states = np.zeros((1, steps, 4))
        by_states[0, -1, 0] = 1
        slopes.append(batch.rollout_gradient(control, by_states)[0][0, 2])
        differences.append((final(v + 1e-5) - final(v - 1e-5)) / 2e-5)
    plot, (left, right) = grid(2, (8.5, 3))
    left.plot(speeds, ends)
    left.set(xlabel="throwing speed (m/s)", ylabel="place after 0.6 s (m)")
    right.plot(speeds, slopes, label="gradient of the rollout")
    right.plot(speeds, differences, "k:", label="finite differences")
    right.set(xlabel="throwing speed (m/s)", ylabel="slope (s)")
    right.legend(fontsize=8)
    saved(folder, "gradient", plot)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "docs/images/theory")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.names or FIGURES:
        if name not in FIGURES:
            print(f"no figure {name}; there are {', '.join(FIGURES)}", file=sys.stderr)
            return 2
        FIGURES[name](options.folder)
        print(name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
