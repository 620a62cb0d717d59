#!/usr/bin/env python3
"""What Python adds to a call: our package `mujoco` against the official one, in one run.

    python bench/module.py --ours build/module/python            # an environment with the official package
    python bench/module.py --ours build/module/python --json out.json

Times are the least of several repetitions; both packages are measured in turns, in processes of their own.
"""

import argparse
import json
import os
import subprocess
import sys

CARTPOLE = """
<mujoco><option timestep="0.01" integrator="RK4"><flag contact="disable"/></option>
  <worldbody><geom name="floor" type="plane" size="4 4 .1" pos="0 0 -1"/>
    <body name="cart"><joint name="slider" type="slide" axis="1 0 0" damping=".05"/><geom name="cart" type="box" size=".2 .15 .1" mass="1"/>
      <body name="pole"><joint name="hinge" axis="0 1 0"/><geom name="pole" type="capsule" fromto="0 0 0 0 0 1" size=".045" mass=".1"/></body>
    </body></worldbody>
  <actuator><motor name="slide" joint="slider" gear="10"/></actuator></mujoco>
"""

MEASURE = """
import sys, time, timeit, json
begin = time.perf_counter()
import mujoco
results = {"import": (time.perf_counter() - begin) * 1e6}
import numpy as np
model = mujoco.MjModel.from_xml_string(sys.stdin.read())
data = mujoco.MjData(model)
point, jacobian = np.zeros(3), np.zeros((3, model.nv))
cases = {
    "mj_step": lambda: mujoco.mj_step(model, data),
    "mj_step, 100 steps": lambda: mujoco.mj_step(model, data, 100),
    "data.qpos": lambda: data.qpos,
    "data.time": lambda: data.time,
    "data.qpos[:] = 0": lambda: data.qpos.__setitem__(slice(None), 0),
    "model.opt.timestep": lambda: model.opt.timestep,
    "model.geom('pole').pos": lambda: model.geom("pole").pos,
    "data.body('pole').xpos": lambda: data.body("pole").xpos,
    "data.contact": lambda: data.contact,
    "mj_name2id": lambda: mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, "pole"),
    "mj_jac": lambda: mujoco.mj_jac(model, data, jacobian, None, point, 2),
    "mju_dot3": lambda: mujoco.mju_dot3(point, point),
    "mj_resetData": lambda: mujoco.mj_resetData(model, data),
    "MjData": lambda: mujoco.MjData(model),
    "MjvOption": lambda: mujoco.MjvOption(),
}
for name, call in cases.items():
    timer = timeit.Timer(call)
    # short repetitions, of which some are not interrupted on a busy machine
    count = max(1, int(0.001 / min(timer.repeat(5, 4)) * 4))
    results[name] = min(timer.repeat(100, count)) / count * 1e6
if "renderer" in sys.argv:
    mujoco.mj_forward(model, data)
    def renderer():
        with mujoco.Renderer(model, 120, 160) as renderer:
            renderer.update_scene(data)
            renderer.render()
    renderer()
    results["Renderer and a picture"] = min(timeit.repeat(renderer, number=1, repeat=5)) * 1e6
print(json.dumps(results))
"""


def measure(folder, renderer):
    """Microseconds of each call, of the package in a folder or of the installed one."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment.setdefault("MUJOCO_GL", "egl" if folder is None else "")
    if folder:
        environment["PYTHONPATH"] = folder
    command = [sys.executable, "-P", "-c", MEASURE] if sys.version_info >= (3, 11) else [sys.executable, "-c", MEASURE]
    result = subprocess.run([*command, *(["renderer"] if renderer else [])], input=CARTPOLE, capture_output=True, text=True, env=environment)
    if result.returncode:
        sys.exit(result.stderr)
    return json.loads(result.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, help="the folder with our package mujoco")
    parser.add_argument("--rounds", type=int, default=3, help="how often both are measured")
    parser.add_argument("--no-renderer", action="store_true", help="without pictures, which need OpenGL for the official package")
    parser.add_argument("--json", help="a file for the results")
    options = parser.parse_args()
    best = {"ours": {}, "official": {}}
    for _ in range(options.rounds):
        for name, folder in (("ours", os.path.abspath(options.ours)), ("official", None)):
            for case, value in measure(folder, not options.no_renderer).items():
                best[name][case] = min(value, best[name].get(case, value))
    print(f"{'microseconds':<26} {'ours':>10} {'official':>10} {'ratio':>7}")
    for case, ours in best["ours"].items():
        official = best["official"][case]
        print(f"{case:<26} {ours:>10.3f} {official:>10.3f} {ours / official:>7.2f}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(best, file, indent=1)


if __name__ == "__main__":
    main()
