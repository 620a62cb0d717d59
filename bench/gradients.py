"""Times A and B of a step in closed form (sinew_transition) against forward differences of the reference.

    python3 bench/gradients.py --lib build/release/lib/libmujoco.so.3.8.0 [MODEL...]

Both libraries differentiate the same states, which the reference reaches from the first keyframe under random controls;
rounds alternate, processor time counts, and the median over rounds is shown. MODEL is a file or one of the names below,
for which `gymnasium` and `dm_control` must be installed, as must `mujoco==3.8.0`, the reference. With --rollout: the
gradient of a rollout of 500 steps (sinew_rolloutGradient) over the rollout. With --batch: A and B of so many worlds, on one
thread and on one for each processor, by the clock: other programs must leave the processors alone.
"""

import argparse
import ctypes
import importlib.util
import json
import math
import pathlib
import statistics
import sys
import tempfile
import time

MODELS = {
    "half_cheetah": "gymnasium/envs/mujoco/assets/half_cheetah.xml",
    "ant": "gymnasium/envs/mujoco/assets/ant.xml",
    "humanoid": "gymnasium/envs/mujoco/assets/humanoid.xml",
    "suite_humanoid": "dm_control/suite/humanoid.xml",
    "quadruped": "dm_control/suite/quadruped.xml",
    "manipulator": "dm_control/suite/manipulator.xml",
    "humanoid_CMU": "dm_control/suite/humanoid_CMU.xml",
    "dog": "dm_control/suite/dog.xml",
    "fruitfly": "dm_control/locomotion/walkers/assets/fruitfly_v2/floor.xml",
}
QPOS, QVEL, ACT, WARMSTART, CTRL, INTEGRATION = 1 << 1, 1 << 2, 1 << 3, 1 << 5, 1 << 6, (1 << 14) - 1
c_double_p = ctypes.POINTER(ctypes.c_double)


def prepare(name, folder):
    """A binary model for both libraries, of a file or a name. Runge-Kutta becomes Euler's method, which has differences,
    and PGS Newton's without noslip, which has derivatives."""
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(locate(name)))
    if model.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    if model.opt.solver == mujoco.mjtSolver.mjSOL_PGS:
        model.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    model.opt.noslip_iterations = 0
    path = pathlib.Path(folder) / "model.mjb"
    mujoco.mj_saveModel(model, str(path))
    return path


def locate(name):
    """The file of a model: a path, or a file inside an installed package."""
    if name not in MODELS:
        return name
    package, _, rest = MODELS[name].partition("/")
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(f"{name} needs the package {package}")
    return str(pathlib.Path(list(spec.submodule_search_locations)[0]) / rest)


def array(size):
    return (ctypes.c_double * max(size, 1))()


class World:
    """A model and its data in one of the libraries."""

    def __init__(self, library, path):
        self.library = ctypes.CDLL(str(library))
        for function in ("mj_loadModel", "mj_makeData"):
            getattr(self.library, function).restype = ctypes.c_void_p
        m = self.library.mj_loadModel(str(path).encode(), None)
        if not m:
            raise RuntimeError(f"{path} cannot be loaded")
        self.m = ctypes.c_void_p(m)
        self.d = ctypes.c_void_p(self.library.mj_makeData(self.m))
        self.nv, self.nu, self.na = self.size(QVEL), self.size(CTRL), self.size(ACT)
        n = 2 * self.nv + self.na
        self.A, self.B = array(n * n), array(n * self.nu)

    def size(self, parts):
        return self.library.mj_stateSize(self.m, parts)

    def state(self, parts=INTEGRATION):
        values = array(self.size(parts))
        self.library.mj_getState(self.m, self.d, values, parts)
        return values

    def set(self, values, parts=INTEGRATION):
        self.library.mj_setState(self.m, self.d, values, parts)

    def step(self):
        self.library.mj_step(self.m, self.d)

    def differences(self):
        self.library.mjd_transitionFD(
            self.m, self.d, ctypes.c_double(1e-6), ctypes.c_ubyte(0), self.A, self.B, None, None
        )

    def closed_form(self):
        error = ctypes.create_string_buffer(300)
        if self.library.sinew_transition(self.m, self.d, self.A, self.B, None, None, error, len(error)):
            raise RuntimeError(error.value.decode())


def tones(step, size):
    """Controls: a sum of slow tones, another for each actuator."""
    return (ctypes.c_double * max(size, 1))(*(0.4 * math.sin(0.013 * step * (1 + i % 5) + i) for i in range(size)))


def reach(world, count, between=60):
    states = []
    for step in range(count * between):
        world.set(tones(step, world.nu), CTRL)
        world.step()
        if (step + 1) % between == 0:
            states.append(world.state())
    return states


def seconds(world, states, function, repeats):
    start = time.process_time()
    for _ in range(repeats):
        for state in states:
            world.set(state)
            function()
    return (time.process_time() - start) / (repeats * len(states))


def compare(path, reference, library, rounds):
    old, new = World(reference, path), World(library, path)
    states = reach(old, 8)
    first = min(seconds(new, states, new.closed_form, 1) for _ in range(2))
    repeats = max(1, int(0.01 / (8 * first)))
    pairs = []
    for _ in range(rounds):
        pairs.append((seconds(old, states, old.differences, max(1, repeats // 4)),
                      seconds(new, states, new.closed_form, repeats)))
    return statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs)


def rollout(path, library, steps):
    """Processor time of a rollout, and of its gradient by all states and controls."""
    world = World(library, path)
    start = reach(world, 1)[0]
    size = world.size(QPOS) + world.nv + world.na
    controls = (ctypes.c_double * max(1, steps * world.nu))(*(x for t in range(steps) for x in tones(t, world.nu)[: world.nu]))
    slopes = (ctypes.c_double * (steps * size))(*([1.0] * (steps * size)))
    by_start, by_ctrl, error = array(size), array(steps * world.nu), ctypes.create_string_buffer(300)
    rows = [(ctypes.c_double * max(world.nu, 1)).from_buffer(controls, 8 * t * world.nu) for t in range(steps)]
    pairs = []
    for _ in range(3):
        world.set(start)
        begin = time.process_time()
        for row in rows:
            world.set(row, CTRL)
            world.step()
        middle = time.process_time()
        world.set(start)
        if world.library.sinew_rolloutGradient(
            world.m, world.d, steps, controls, slopes, by_start, by_ctrl, None, error, len(error)
        ):
            raise RuntimeError(error.value.decode())
        pairs.append((middle - begin, time.process_time() - middle))
    return min(p[0] for p in pairs), min(p[1] for p in pairs)


class BatchConfig(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("threads", "persistent", "precision", "first_world")]


class BatchArray(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("stride", ctypes.c_longlong),
        ("size", ctypes.c_int),
        ("elemsize", ctypes.c_int),
        ("type", ctypes.c_char),
    ]


class Batch:
    """Worlds at the states of another one, in turn."""

    PARTS = {"qpos": QPOS, "qvel": QVEL, "act": ACT, "qacc_warmstart": WARMSTART, "ctrl": CTRL}

    def __init__(self, world, states, count, threads):
        self.library, self.error = world.library, ctypes.create_string_buffer(300)
        self.library.sinew_batch_make.restype = ctypes.c_void_p
        config = BatchConfig(threads=threads)
        b = self.library.sinew_batch_make(world.m, count, ctypes.byref(config), self.error, len(self.error))
        if not b:
            raise RuntimeError(self.error.value.decode())
        self.b, self.count = ctypes.c_void_p(b), count
        n = 2 * world.nv + world.na
        self.A, self.B = array(count * n * n), array(count * n * world.nu)
        for name, part in self.PARTS.items():
            self.fill(name, [self.part_of(world, state, part) for state in states])

    @staticmethod
    def part_of(world, state, part):
        world.set(state)
        return world.state(part)

    def fill(self, name, rows):
        into = BatchArray()
        self.check(self.library.sinew_batch_state(self.b, name.encode(), ctypes.byref(into), self.error, len(self.error)))
        for i in range(self.count if into.size else 0):
            ctypes.memmove(into.data + i * into.stride, rows[i % len(rows)], into.size * into.elemsize)

    def check(self, failed):
        if failed:
            raise RuntimeError(self.error.value.decode())

    def seconds(self):
        begin = time.perf_counter()
        self.check(
            self.library.sinew_batch_transition(
                self.b, None, self.A, self.B, None, None, self.error, len(self.error)
            )
        )
        return (time.perf_counter() - begin) / self.count


def compare_threads(path, library, count, rounds):
    """A and B of a world of a batch: on one thread, on all processors."""
    world = World(library, path)
    states = reach(world, 8)
    one, all_processors = Batch(world, states, count, 1), Batch(world, states, count, 0)
    pairs = [(one.seconds(), all_processors.seconds()) for _ in range(rounds + 1)][1:]
    return statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=list(MODELS), help="files, or: " + ", ".join(MODELS))
    parser.add_argument("--lib", required=True, help="the library that has sinew_transition")
    parser.add_argument("--reference", help="the reference's library; else that of the installed mujoco")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rollout", action="store_true", help="gradients of 500 steps instead")
    parser.add_argument("--batch", type=int, metavar="N", help="A and B of a batch of N worlds instead")
    parser.add_argument("--json", metavar="FILE", help="writes the rows to a file, too")
    options = parser.parse_args()
    reference = options.reference
    if not reference and not options.rollout and not options.batch:
        spec = importlib.util.find_spec("mujoco")
        if spec is None:
            parser.error("the reference is not installed: pip install mujoco==3.8.0, or name it with --reference")
        reference = pathlib.Path(spec.origin).parent / "libmujoco.so.3.8.0"
    rows, failed, folder = [], False, tempfile.TemporaryDirectory()
    for name in options.models:
        try:
            if options.rollout:
                old, new = rollout(prepare(name, folder.name), options.lib, 500)
                ratio = new / old
            elif options.batch:
                old, new = compare_threads(prepare(name, folder.name), options.lib, options.batch, options.rounds)
                ratio = old / new
            else:
                old, new = compare(prepare(name, folder.name), reference, options.lib, options.rounds)
                ratio = old / new
        except (RuntimeError, OSError) as error:
            print(f"{name:16} {error}", file=sys.stderr)
            failed = True
            continue
        before = "rollout" if options.rollout else "one thread" if options.batch else "reference"
        rows.append({"model": name, before: old, "closed_form": new, "ratio": ratio})
        print(f"{name:16} {1e6 * old:10.1f} us {1e6 * new:10.1f} us {ratio:6.2f}", flush=True)
    if rows:
        mean = math.exp(sum(math.log(row["ratio"]) for row in rows) / len(rows))
        print(f"geometric mean {mean:.2f}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
