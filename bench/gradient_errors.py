"""The worst errors of derivatives in closed form at many states of models, against extrapolated differences.

    python3 bench/gradient_errors.py --contacts build/release/bench/libpolished_contacts.so [--states 100] [MODEL...]

Needs the package `sinew`, and a build with SINEW_BENCH for the library of polished contacts: differences are taken of
steps whose contacts of ellipsoids and cylinders are exact to rounding (tests/support/polished_contacts.h), since those of
the search have noise that narrow differences see. How far that moves them is shown last. MODEL is a file or a name (see
bench/gradients.py). Central differences of whole steps over eps, eps/4, ... eps/4096 are extrapolated, and say themselves
how far they can be trusted: shown are the worst errors of each field, with the error of that difference in parentheses.
Where the two are alike, the error is of the differences. Left out, and counted, are states near which constraints or
limits of forces begin or end to act, and then those whose differences do not settle, as where a mode changes between the
stages of Runge-Kutta. Models without controls are pushed instead, by random velocities at every hundredth step, as what
rests in order is at a change of modes everywhere. Errors are relative to the largest entry of a block: positions,
velocities or activations of the next state, or one sensor, by positions, velocities, activations or controls.
"""

import argparse
import contextlib
import ctypes
import json
import pathlib
import sys

import numpy as np

import sinew
from gradients import MODELS, locate

INTEGRATION = (1 << 14) - 1
RATIO, WIDTHS = 4, 7
TRUSTED = 1e-5  # differences whose own error is larger decide nothing


class PolishedCounts(ctypes.Structure):
    _fields_ = [
        ("polished", ctypes.c_long),
        ("left", ctypes.c_long),
        ("moved", ctypes.c_double),
        ("farther", ctypes.c_double),
    ]


class Polishing:
    """Contacts of round convex shapes in long double precision, in the engine's table of collision functions."""

    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        self.library.polished_counts.restype = PolishedCounts
        engine = pathlib.Path(sinew.__file__).parent / "lib" / "libmujoco.so.3.8.0"
        self.table = ctypes.byref(ctypes.c_void_p.in_dll(ctypes.CDLL(str(engine)), "mjCOLLISIONFUNC"))
        self.polished, self.left, self.moved = 0, 0, 0.0

    @contextlib.contextmanager
    def on(self):
        self.library.polish_contacts(self.table, 1)
        try:
            yield
        finally:
            self.library.polish_contacts(self.table, 0)

    def count(self, data):
        """Takes a step, and adds its contacts to those that were seen."""
        self.library.polished_counts()
        data.step()
        counts = self.library.polished_counts()
        self.polished, self.left = self.polished + counts.polished, self.left + counts.left
        self.moved = max(self.moved, counts.moved)


class Twin:
    """A world, its derivatives, and the differences of its steps."""

    def __init__(self, model):
        options = model.opt
        options.tolerance, options.iterations, options.ls_tolerance, options.ccd_tolerance = 0, 200, 1e-12, 1e-14
        options.noslip_iterations = 0
        if options.solver == sinew.mjtSolver.mjSOL_PGS:
            options.solver = sinew.mjtSolver.mjSOL_NEWTON
        self.model, self.data = model, sinew.Data(model)
        self.nv, self.na, self.nu = model.nv, model.na, model.nu
        self.columns = 2 * self.nv + self.na + self.nu
        self.sensors = True

    def closed_form(self):
        try:
            A, B, C, D = self.data.linearize(sensors=True)
        except ValueError as error:
            if "sensors" not in str(error):
                raise
            self.sensors = False
            A, B = self.data.linearize()
            C, D = np.zeros((0, A.shape[1])), np.zeros((0, B.shape[1]))
        return np.block([[A, B], [C, D]])

    def modes(self):
        """What decides which formulas hold: constraints that act, and actuators at limits."""
        d, m = self.data, self.model
        at_limit = [d.actuator_force == limit for limit in m.actuator_forcerange.T] if self.nu else []
        rows = (np.array(d.efc_state).tobytes(), np.array(d.efc_id).tobytes(), d.contact["geom"].tobytes())
        return (d.nefc, *rows, np.asarray(at_limit).tobytes())

    def moved(self, state, column, by):
        self.data.set_state(state, INTEGRATION)
        d, nv = self.data, self.nv
        if column < nv:
            direction = np.zeros(nv)
            direction[column] = by
            joint = self.model.dof_jntid[column]
            self.turn(joint, column - self.model.jnt_dofadr[joint], by)
        elif column < 2 * nv:
            d.qvel[column - nv] += by
        elif column < 2 * nv + self.na:
            d.act[column - 2 * nv] += by
        else:
            d.ctrl[column - 2 * nv - self.na] += by
        d.step()
        sensors = d.sensordata.copy() if self.sensors else np.zeros(0)
        return d.qpos.copy(), np.concatenate((d.qvel, d.act, sensors)), self.modes()

    def turn(self, joint, component, by):
        adr, kind = self.model.jnt_qposadr[joint], self.model.jnt_type[joint]
        free = kind == sinew.mjtJoint.mjJNT_FREE
        if kind == sinew.mjtJoint.mjJNT_BALL or (free and component >= 3):
            quat = self.data.qpos[adr + 3 * free : adr + 3 * free + 4]
            turn = np.zeros(4)
            turn[0], turn[1 + component - 3 * free] = np.cos(by / 2), np.sin(by / 2)
            quat[:] = product(quat / np.linalg.norm(quat), turn)
        else:
            self.data.qpos[adr + component] += by

    def difference(self, below, above):
        slope = np.empty(self.nv)
        for joint in range(self.model.njnt):
            adr, dof, kind = (x[joint] for x in (self.model.jnt_qposadr, self.model.jnt_dofadr, self.model.jnt_type))
            if kind == sinew.mjtJoint.mjJNT_FREE:
                slope[dof : dof + 3] = above[adr : adr + 3] - below[adr : adr + 3]
                adr, dof = adr + 3, dof + 3
            if kind in (sinew.mjtJoint.mjJNT_FREE, sinew.mjtJoint.mjJNT_BALL):
                conjugate = below[adr : adr + 4] * (1, -1, -1, -1)
                turn = product(conjugate, above[adr : adr + 4])
                slope[dof : dof + 3] = 2 * np.arcsin(np.linalg.norm(turn[1:])) * unit(turn[1:]) * np.sign(turn[0])
            else:
                slope[dof] = above[adr] - below[adr]
        return slope

    def differences(self, state, eps, modes, picked):
        """Columns of a matrix and their own errors, or None where modes change within the narrowest widths.

        Ridders' tableau for each number: central differences over eps, eps/4, ... eps/4096, extrapolated to higher and
        higher orders; the entry counts that agrees best with those it is made of. What is stiff wants a narrow width,
        what is large beside its slope a wide one; a stage of Runge-Kutta that changes its mode spoils widths that reach
        it, and no narrower ones."""
        columns = [self.column(state, column, eps, modes) for column in picked]
        if any(column is None for column in columns):
            return None
        return tuple(np.stack(part, 1) for part in zip(*columns))

    def column(self, state, column, eps, modes):
        tableau, best, doubt = [], None, None
        for width in eps / RATIO ** np.arange(WIDTHS):
            above, below = self.moved(state, column, width), self.moved(state, column, -width)
            if above[2] != modes or below[2] != modes:
                tableau = []
                continue
            change = np.concatenate((self.difference(below[0], above[0]), above[1] - below[1]))
            orders = [change / (2 * width)]
            for k, wider in enumerate(tableau, 1):
                orders.append(orders[-1] + (orders[-1] - wider) / (RATIO ** (2 * k) - 1))
                # numbers of the next state are rounded, those of a solver at a few times that
                size = np.concatenate((np.ones(self.nv), np.abs(above[1])))
                disagreement = np.maximum(np.abs(orders[-1] - orders[-2]), np.abs(orders[-1] - wider))
                own = disagreement + 4 * np.finfo(float).eps * size / width
                if best is None:
                    best, doubt = orders[-1], own
                else:
                    best, doubt = np.where(own < doubt, (orders[-1], own), (best, doubt))
            tableau = orders
        return None if len(tableau) < 3 else (best, doubt)


def product(a, b):
    w, v = a[0] * b[0] - a[1:] @ b[1:], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return np.concatenate(([w], v))


def unit(v):
    length = np.linalg.norm(v)
    return v / length if length > 0 else v


def blocks(twin):
    """Names of fields with the rows and columns of their blocks."""
    nv, na = twin.nv, twin.na
    rows = [("q'", 0, nv), ("v'", nv, 2 * nv), ("act'", 2 * nv, 2 * nv + na)]
    first = 2 * nv + na
    if twin.sensors:
        sizes = zip(twin.model.sensor_adr, twin.model.sensor_dim)
        rows += [("s", first + int(adr), first + int(adr + dim)) for adr, dim in sizes]
    columns = [(0, nv), (nv, 2 * nv), (2 * nv, 2 * nv + na), (2 * nv + na, twin.columns)]
    for name, low, high in rows:
        for i, (left, right) in enumerate(columns):
            if low < high and left < right:
                yield name + (" by u" if i == 3 else " by y"), slice(low, high), left, right


def errors_at(twin, state, eps, polishing, picked):
    """For each field the worst error and that of the differences beside it, or why the state is left out."""
    twin.data.set_state(state, INTEGRATION)
    try:
        found = twin.closed_form()
    except ValueError as error:
        if "no derivative" in str(error) or "converged" in str(error):
            return "modes"
        raise
    twin.data.set_state(state, INTEGRATION)
    with polishing.on():
        polishing.count(twin.data)
        differences = twin.differences(state, eps, twin.modes(), picked)
    if differences is None:
        return "modes"
    expected, doubts = differences
    worst = {}
    for field, rows, left, right in blocks(twin):
        columns = np.flatnonzero((picked >= left) & (picked < right))
        if columns.size == 0:
            continue
        # forces of some 10 units whose slopes vanish have differences of rounding / eps
        floor = 0.1 if field[0] == "s" else 1e-3
        scale = max(floor, np.abs(found[rows, left:right]).max())
        doubt = doubts[rows, columns] / scale
        if doubt.max() > TRUSTED:
            return "differences"
        error = np.abs(expected[rows, columns] - found[rows, picked[columns]]) / scale
        at = np.unravel_index(error.argmax(), error.shape)
        worst[field] = max(worst.get(field, (0, 0)), (float(error[at]), float(doubt[at])))
    return worst


def measure(path, count, eps, polishing, columns):
    twin = Twin(sinew.Model.from_xml_path(str(path)))
    rng, worst, used, step, left_out = np.random.default_rng(0), {}, 0, 0, {"modes": 0, "differences": 0}
    phase, rate = rng.uniform(0, 6, twin.nu), rng.uniform(0.005, 0.03, twin.nu)
    low, high = -np.ones(twin.nu), np.ones(twin.nu)
    limited = np.asarray(twin.model.actuator_ctrllimited, bool)
    low[limited], high[limited] = twin.model.actuator_ctrlrange[limited].T
    while used < count and sum(left_out.values()) < 10 * count:
        for _ in range(10):
            twin.data.ctrl[:] = (low + high) / 2 + 0.3 * (high - low) * np.sin(phase + rate * step)
            twin.data.step()
            step += 1
            if step % 500 == 0:
                twin.data.reset()
            if twin.nu == 0 and step % 100 == 1:
                twin.data.qvel[:] += rng.normal(0, 0.3, twin.nv)
        state = twin.data.state(INTEGRATION)
        picked = np.arange(twin.columns)
        if columns and columns < twin.columns:
            picked = np.sort(rng.choice(picked, columns, replace=False))
        errors = errors_at(twin, state, eps, polishing, picked)
        twin.data.set_state(state, INTEGRATION)
        if isinstance(errors, str):
            left_out[errors] += 1
            continue
        used += 1
        for field, error in errors.items():
            worst[field] = max(worst.get(field, (0, 0)), error)
    contacts = {"polished": polishing.polished, "left": polishing.left, "moved": polishing.moved}
    return {"states": used, "left out": left_out, "sensors": twin.sensors, "contacts": contacts, "worst": worst}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=list(MODELS), help="files, or: " + ", ".join(MODELS))
    parser.add_argument("--contacts", metavar="LIBRARY", required=True, help="libpolished_contacts.so of a build")
    parser.add_argument("--states", type=int, default=100)
    parser.add_argument("--eps", type=float, default=5e-4, help="of the widest differences")
    parser.add_argument("--columns", type=int, metavar="N", help="N of the columns at each state, drawn anew")
    parser.add_argument("--require", type=float, help="exit code 1 if an error exceeds that of its difference by more")
    parser.add_argument("--json", metavar="FILE", help="writes the rows to a file, too")
    options = parser.parse_args()
    fields = ["q' by y", "v' by y", "act' by y", "q' by u", "v' by u", "act' by u", "s by y", "s by u"]
    print("| model | states | left out | " + " | ".join(fields) + " | contacts polished + left, moved by |")
    print("|---" * (4 + len(fields)) + "|")
    rows, failed = {}, False
    for name in options.models:
        try:
            row = rows[pathlib.Path(name).stem] = measure(
                locate(name), options.states, options.eps, Polishing(options.contacts), options.columns
            )
        except (ValueError, FileNotFoundError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            failed = True
            continue
        cells = ["{:.0e} ({:.0e})".format(*row["worst"][field]) if field in row["worst"] else "" for field in fields]
        left_out = " + ".join(map(str, row["left out"].values()))
        contacts = "{polished} + {left}, {moved:.0e}".format(**row["contacts"])
        print(f"| {name} | {row['states']} | {left_out} | " + " | ".join(cells) + f" | {contacts} |", flush=True)
        failed |= options.require is not None and max(e - doubt for e, doubt in row["worst"].values()) > options.require
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
