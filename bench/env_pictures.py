#!/usr/bin/env python3
"""Pictures of vector environments: as observations of all, on one sheet, and one environment after the other.

    python bench/env_pictures.py                # with the package sinew and Gymnasium
    python bench/env_pictures.py --envs 256 --size 64 Ant-v5

Pictures a second, and in brackets for each second of processor time, the best of several rounds. Sheets have one ray in each
pixel, as observations do; `render` takes as many as edges need where nobody says how many.
"""

import argparse
import time

import sinew.gym


def rates(draw, count, rounds):
    """Pictures for each second of the clock and of the processor."""
    draw()
    wall = processor = float("inf")
    for _ in range(rounds):
        begin, used = time.perf_counter(), time.process_time()
        draw()
        wall, processor = min(wall, time.perf_counter() - begin), min(processor, time.process_time() - used)
    return f"{count / wall:9.0f} ({count / processor:.0f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=["Hopper-v5", "HalfCheetah-v5", "Humanoid-v5"])
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--size", type=int, nargs="+", default=[64, 84])
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    print(f"{'task':16}{'size':>5}{'observations':>18}{'one sheet':>18}{'one by one':>18}{'edges smoothed':>18}")
    for task in options.tasks:
        for size in options.size:
            count, shape = options.envs, {"width": size, "height": size, "render_mode": "rgb_array"}
            envs = sinew.gym.make_vec(task, count, pixels=(size, size), samples=1, **shape)
            smooth = sinew.gym.make_vec(task, count, **shape)
            for each in (envs, smooth):
                each.reset(seed=0)
            few = range(min(count, 16))
            ways = [
                rates(envs._observe, count, options.rounds),
                rates(lambda: envs.render(None), count, options.rounds),
                rates(lambda: [envs.render(i) for i in few], len(few), options.rounds),
                rates(smooth.render, count, options.rounds),
            ]
            print(f"{task:16}{size:5}" + "".join(f"{way:>18}" for way in ways), flush=True)


if __name__ == "__main__":
    main()
