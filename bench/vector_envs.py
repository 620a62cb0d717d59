"""Vector environments side by side: Gymnasium's Humanoid-v5 on this engine, in Gymnasium's SyncVectorEnv and
AsyncVectorEnv on the reference, and in EnvPool.

    python bench/vector_envs.py --envs 256 --cores 1 2 --rounds 3

Each runs in a process of its own, bound to so many processors, the ways one after the other and again. Steps of
environments are counted per second of the clock and per second of processor time, which other programs on the machine
do not lengthen. The start is that from the first import to the first observation; memory is what all its processes
have of their own (proportional set size).
"""

import argparse
import json
import os
import subprocess
import sys
import time

WAYS = {"sinew": "this engine", "sync": "SyncVectorEnv", "async": "AsyncVectorEnv", "envpool": "EnvPool"}


def processes():
    """This process and those below it."""
    below, found = {}, [os.getpid()]
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as file:
                below.setdefault(int(file.read().rpartition(")")[2].split()[1]), []).append(int(pid))
        except OSError:
            continue
    for pid in found:
        found += below.get(pid, [])
    return found


def processor_time():
    ticks = 0
    for pid in processes():
        try:
            with open(f"/proc/{pid}/stat") as file:
                ticks += sum(map(int, file.read().rpartition(")")[2].split()[11:13]))
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


def memory():
    total = 0
    for pid in processes():
        try:
            with open(f"/proc/{pid}/smaps_rollup") as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))
        except OSError:
            continue
    return total / 1024


def make(way, envs, cores):
    """Functions that reset and step, and the highest action."""
    if way == "envpool":
        import envpool

        made = envpool.make_gymnasium("Humanoid-v5", num_envs=envs, num_threads=cores, seed=0)
        return made
    import gymnasium

    if way == "sinew":
        import sinew.gym

        return sinew.gym.make_vec("Humanoid-v5", envs, threads=cores)
    kind = gymnasium.vector.SyncVectorEnv if way == "sync" else gymnasium.vector.AsyncVectorEnv
    return kind([lambda: gymnasium.make("Humanoid-v5")] * envs)


def measure(way, envs, cores, seconds):
    begin = time.perf_counter()
    made = make(way, envs, cores)
    made.reset()
    import numpy as np

    start = time.perf_counter() - begin
    rng = np.random.default_rng(0)
    actions = [rng.uniform(-0.4, 0.4, (envs, 17)).astype(np.float32 if way != "envpool" else np.float64) for _ in range(16)]
    for action in actions[:4]:
        made.step(action)
    begin, used, count = time.perf_counter(), processor_time(), 0
    while processor_time() - used < seconds:
        for action in actions[: 1 if way in ("sync", "async") else 16]:
            made.step(action)
            count += envs
    clock, used = time.perf_counter() - begin, processor_time() - used
    result = {"per_second": count / clock, "per_processor_second": count / used, "start": start, "memory": memory()}
    made.close()
    return result


def overhead(envs):
    """Microseconds of the processor that Python adds to a step of a batch: the method, against the C function alone; and
    that a step of the vector environment takes without its batch: observations, rewards, terminations."""
    import ctypes

    import numpy as np
    import sinew
    import sinew.gym

    library = ctypes.CDLL(str(sinew.library))
    library.mj_loadXML.restype = library.sinew_batch_make.restype = ctypes.c_void_p
    path, text = str(sinew.models / "humanoid.xml").encode(), ctypes.create_string_buffer(1000)
    pointer = ctypes.c_void_p(library.mj_loadXML(path, None, text, 1000))
    made = ctypes.c_void_p(library.sinew_batch_make(pointer, envs, (ctypes.c_int * 4)(1), text, 1000))
    batch = sinew.Batch(sinew.Model.from_xml_path(path.decode()), envs, threads=1)
    nobody = np.zeros(envs, bool)  # no world steps, so that the difference is what is left
    mask = nobody.ctypes.data_as(ctypes.c_void_p)

    def fastest(function, count):
        times = []
        for _ in range(10):
            begin = time.process_time()
            for _ in range(count):
                function()
            times.append((time.process_time() - begin) / count)
        return min(times) * 1e6

    plain = fastest(lambda: library.sinew_batch_step(made, mask, 1, 0, text, 1000), 100)
    method = fastest(lambda: batch.step(1, nobody), 100)

    class Idle:
        def step(self, *arguments, **settings):
            return 0

    made = sinew.gym.make_vec("Humanoid-v5", envs, threads=1)
    made.reset(seed=0)
    action, made.batch = made.action_space.sample(), Idle()
    return {"method": method, "function": plain, "environment": fastest(lambda: made.step(action), 10)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--envs", type=int, default=256, help="environments (default 256)")
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2], help="processors (default 1 2)")
    parser.add_argument("--rounds", type=int, default=3, help="(default 3)")
    parser.add_argument("--seconds", type=float, default=4, help="processor time of a round (default 4)")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS), help="(default: all)")
    parser.add_argument("--json", action="store_true", help="results as JSON")
    parser.add_argument("--overhead", action="store_true", help="what Python adds to a step, and nothing else")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.overhead:
        print(json.dumps(overhead(options.envs)))
        return 0
    if options.one:
        print(json.dumps(measure(options.one, options.envs, options.cores[0], options.seconds)))
        return 0
    results = {}
    for cores in options.cores:
        for _ in range(options.rounds):
            for way in options.ways:
                command = [sys.executable, __file__, "--one", way, "--envs", str(options.envs), "--cores", str(cores)]
                bound = ["taskset", "-c", ",".join(map(str, sorted(os.sched_getaffinity(0))[:cores]))]
                run = subprocess.run([*bound, *command, "--seconds", str(options.seconds)], capture_output=True, text=True)
                if run.returncode:
                    print(f"{WAYS[way]}: {run.stderr.strip().splitlines()[-1]}", file=sys.stderr)
                    continue
                results.setdefault((cores, way), []).append(json.loads(run.stdout.splitlines()[-1]))
    best = {
        key: {name: (max if "per" in name else min)(run[name] for run in runs) for name in runs[0]}
        for key, runs in results.items()
    }
    if options.json:
        print(json.dumps([{"cores": cores, "way": way, **row} for (cores, way), row in best.items()], indent=1))
        return 0
    print(f"{options.envs} environments; the best of {options.rounds} rounds")
    print("| cores | | steps/s | steps per processor second | of this engine's | start [s] | memory [MB] |\n|---|---|---|---|---|---|---|")
    for (cores, way), row in best.items():
        share = best.get((cores, "sinew"), row)["per_processor_second"] / row["per_processor_second"]
        print(
            f"| {cores} | {WAYS[way]} | {row['per_second']:,.0f} | {row['per_processor_second']:,.0f} | "
            f"1 / {share:.1f} | {row['start']:.1f} | {row['memory']:,.0f} |"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
