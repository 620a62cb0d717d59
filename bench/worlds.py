#!/usr/bin/env python3
"""Time of a step of a world, by the way in which many worlds are stepped, from one world to thousands.

    python bench/worlds.py                                  # our own models; with the package sinew
    python bench/worlds.py --worlds 1 16 256 model.xml
    python bench/worlds.py --json out.json --require 1.1    # exit status 1 where a batch is slower than the best way
    python bench/worlds.py --worlds 256 --vary geom_solref geom_margin opt.timestep model.xml   # parameters of each world

Ways: a batch as it is by default, in packs always, one world at a time, with a Data for each world (persistent), and
`Data.step` in a loop.
With --vary: the default, with a parameter of each world's own in turn (larger by at most --spread, 5 %; with 0 all worlds
do the same, and what is left is the price of values of their own), and a reset of each world with its first observation.
Each way starts from the same states and moves for a tenth of a second first. Times are those of the processor, the
median of several repetitions in turns, on one thread, in microseconds.
"""

import argparse
import json
import pathlib
import sys
import time

import numpy as np
import sinew

MODELS = pathlib.Path(sinew.__file__).parent / "models"
PENDULUM = """<mujoco><worldbody><body><joint axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .5 0 -1"/></body></worldbody></mujoco>"""
BOXES = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
<replicate count="5" offset=".22 0 0"><replicate count="{}" offset="0 .22 0">
<body pos="0 0 .3" euler="10 20 30"><freejoint/><geom type="box" size=".1 .1 .1"/></body></replicate></replicate></worldbody></mujoco>"""
BATCHES = {"batch": {}, "packs": {"packs": "always"}, "alone": {"packs": "never"}, "persistent": {"persistent": True}}


def own_models():
    yield "pendulum", sinew.Model.from_xml_string(PENDULUM)
    for count in (1, 5):
        yield f"{5 * count} boxes", sinew.Model.from_xml_string(BOXES.format(count))
    for name in ("humanoid", "robots/quadruped", "muscle/legs18", "compliant/hop", "sensors", "humanoids22"):
        path = MODELS / f"{name}.xml"
        if path.exists():
            yield path.stem, sinew.Model.from_xml_path(path)


def vary(batch, name, spread):
    """Gives each world its own values of a parameter; of margins and gaps, which mostly are zero, up to a millimetre."""
    array, rng = batch.parameter(name), np.random.default_rng(0)
    array *= 1 + spread * rng.random(array.shape)
    if spread and name.endswith(("_margin", "_gap")):
        array += 0.001 * rng.random(array.shape)


def varied(model, worlds, names, spread):
    """Functions that make a number of steps, without and with parameters of each world's own; and one that resets."""
    ways = {}
    for name in [None, *names]:
        batch = sinew.Batch(model, worlds, threads=1)
        if name:
            vary(batch, name, spread)
        batch.step()
        if batch.obstacle_to_packs:
            print(f"{name or model}: {batch.obstacle_to_packs}", file=sys.stderr)

        def steps(count, batch=batch):
            for _ in range(count):
                batch.step()

        ways[name or "without"] = steps
    observed = sinew.Batch(model, worlds, threads=1)
    observed.output("xpos")

    def resets(count):
        for _ in range(count):
            observed.reset()

    ways["reset"] = resets
    return ways, dict.fromkeys(ways, worlds)


def ways_of(model, worlds):
    """Functions that make a number of steps of all worlds, by name."""
    ways = {}
    for name, options in BATCHES.items():
        batch = sinew.Batch(model, worlds, threads=1, **options)
        batch.reset()

        def steps(count, batch=batch):
            for _ in range(count):
                batch.step()

        ways[name] = steps
    datas = [sinew.Data(model) for _ in range(min(worlds, 64))]

    def loop(count):
        for _ in range(count):
            for data in datas:
                data.step()

    ways["Data.step"] = loop
    return ways, {name: len(datas) if name == "Data.step" else worlds for name in ways}


def measure(model, worlds, seconds, repetitions, names=None, spread=0):
    ways, counts = varied(model, worlds, names, spread) if names else ways_of(model, worlds)
    for run in ways.values():
        run(max(1, round(0.1 / model.opt.timestep)))
    begin = time.process_time()
    next(iter(ways.values()))(2)
    # as many steps of each way, so that all do the same
    steps = max(1, int(seconds / ((time.process_time() - begin) / 2)))
    for run in list(ways.values())[1:]:
        run(2)
    times = {name: [] for name in ways}
    for _ in range(repetitions):
        for name, run in ways.items():
            begin = time.process_time()
            run(steps)
            times[name].append((time.process_time() - begin) / steps / counts[name])
    return {name: 1e6 * float(np.median(value)) for name, value in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help="MJCF files; our own models without any")
    parser.add_argument("--worlds", type=int, nargs="+", default=[1, 16, 256, 4096])
    parser.add_argument("--seconds", type=float, default=0.1, help="of each repetition (0.1)")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--json", help="write the times to this file")
    parser.add_argument("--vary", nargs="+", metavar="PARAMETER", help="time batches with these parameters of each world's own")
    parser.add_argument("--spread", type=float, default=0.05, help="by how much they are larger, at most, as a share (0.05)")
    parser.add_argument("--require", type=float, help="the most that a batch may take, of the best way's time")
    options = parser.parse_args()
    models = ((pathlib.Path(file).stem, sinew.Model.from_xml_path(file)) for file in options.models) if options.models else own_models()
    if options.vary:
        for name, model in models:
            for worlds in options.worlds:
                times = measure(model, worlds, options.seconds, options.repetitions, options.vary, options.spread)
                for way, value in times.items():
                    print(f"{name:22}{worlds:7} {way:20}{value:8.2f} us{value / times['without']:8.2f}", flush=True)
        return 0
    print(f"{'us a step of a world':22}{'worlds':>7}" + "".join(f"{name:>12}" for name in [*BATCHES, "Data.step", "of best"]))
    rows, slow = [], 0
    for name, model in models:
        for worlds in options.worlds:
            times = measure(model, worlds, options.seconds, options.repetitions)
            share = times["batch"] / min(times.values())
            slow += options.require is not None and share > options.require
            rows.append({"model": name, "worlds": worlds, "microseconds": times, "of best": share})
            print(f"{name:22}{worlds:7}" + "".join(f"{value:12.2f}" for value in [*times.values(), share]), flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1))
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
