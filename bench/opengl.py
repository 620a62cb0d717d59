#!/usr/bin/env python3
"""Pictures by OpenGL on a software rasterizer, this library against MuJoCo 3.8.0: milliseconds of processor time each.

Both draw dm_control's humanoid in turns, in processes of their own, which keep to one processor. SINEW_LIBRARY and
SINEW_PROGRAM name the library and the program, else they are those of the release build."""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
SIZES = [(84, 84), (320, 240), (640, 480)]


def measure(pictures):
    """Prints the processor time of a picture for each size, without the first one."""
    import dm_control
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(pathlib.Path(dm_control.__file__).parent / "suite/humanoid.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    times = {}
    for width, height in SIZES:
        renderer = mujoco.Renderer(model, height, width)
        camera = mujoco.MjvCamera()
        mujoco.mjv_defaultFreeCamera(model, camera)
        for picture in range(pictures + 1):
            if picture == 1:
                begin = time.process_time()
            renderer.update_scene(data, camera)
            renderer.render()
        times[f"{width}x{height}"] = 1e3 * (time.process_time() - begin) / pictures
        renderer.close()
    print(json.dumps(times))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="turns of each library")
    parser.add_argument("--pictures", type=int, default=10, help="in a turn, of each size")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        return measure(arguments.pictures)
    library = os.environ.get("SINEW_LIBRARY", ROOT / "build/release/lib/libmujoco.so.3.8.0")
    program = os.environ.get("SINEW_PROGRAM", ROOT / "build/release/bin/sinew")
    with tempfile.TemporaryDirectory() as shadow:
        subprocess.run(
            [program, "python-shadow", f"{shadow}/python", "--python", sys.executable, "--lib", library, "--any-library"],
            check=True,
            capture_output=True,
        )
        base = {"MUJOCO_GL": "egl", "LP_NUM_THREADS": "0"} | os.environ
        path = os.pathsep.join(filter(None, [f"{shadow}/python", os.environ.get("PYTHONPATH", "")]))
        kinds = {"reference": base, "sinew": base | {"PYTHONPATH": path, "SINEW_RENDER": "gl"}}
        times = {kind: {} for kind in kinds}
        for _ in range(arguments.rounds):
            for kind, environment in kinds.items():
                command = [sys.executable, __file__, "--child", "--pictures", str(arguments.pictures)]
                done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
                for size, value in json.loads(done.stdout).items():
                    times[kind].setdefault(size, []).append(value)
    for size in times["sinew"]:
        reference, own = (statistics.median(times[kind][size]) for kind in ("reference", "sinew"))
        print(f"{size:>9s}  reference {reference:7.1f} ms  sinew {own:7.1f} ms  ratio {reference / own:5.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
