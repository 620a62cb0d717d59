#!/usr/bin/env python3
"""Environment steps a second and core of legged robots, as those who train them to walk on flat ground count them.

    python bench/walking.py FILE... --worlds 256            # files of the set `robots` (bench/robots.py)

An environment step is a target for each position drive and 20 ms of physics, in four steps of 5 ms. Targets are a stance
with bent legs plus noise, as a policy gives them at its start. Each environment step reads positions and velocities of
all worlds, and puts those that have fallen, below 0.6 of the height in which they stand, back into the stance. Numbers are per second of processor time of one thread, the median of several repetitions, with the number of
cores that make 249,000 environment steps a second, as a GPU of 2022 does with G1.
"""

import argparse
import pathlib
import time

import numpy as np
import sinew

SUBSTEPS, TIMESTEP = 4, 0.005
GPU = 249_000
# Angles in which legs stand, by a part of the joint's name; the first that is found counts, others are zero.
STANCE = {"hip_pitch": -0.31, "knee": 0.67, "ankle_pitch": -0.36, "thigh": 0.9, "calf": -1.8, "hfe": 0.9, "kfe": -1.8}
STIFFNESS, DAMPING = 1.0, 0.05  # of drives, in the largest torque of the joint per radian, and per radian a second


def drive(model):
    """Makes all actuators position drives with a stiffness in proportion to what the joint can bear."""
    torque = np.array(model.actuator_forcerange)[:, 1]
    joint = np.array(model.actuator_trnid)[:, 0]
    torque = np.where(torque > 0, torque, np.array(model.jnt_actfrcrange)[joint, 1])
    torque = np.where(torque > 0, torque, np.array(model.actuator_gainprm)[:, 0])
    model.actuator_gainprm[:, 0] = STIFFNESS * torque
    model.actuator_biasprm[:, 1], model.actuator_biasprm[:, 2] = -STIFFNESS * torque, -DAMPING * torque


def stand(model):
    """Writes a stance to the first key frame: bent legs, the base as low as they allow. Returns the angles of drives."""
    data = sinew.Data(model)
    data.reset(0)
    address = np.array(model.jnt_qposadr)[np.array(model.actuator_trnid)[:, 0]]
    for place, joint in zip(address, np.array(model.actuator_trnid)[:, 0], strict=True):
        name = model.joint(int(joint)).name.lower()
        data.qpos[place] = next((angle for part, angle in STANCE.items() if part in name), 0)
    data.forward()
    while data.ncon == 0 and data.qpos[2] > 0:
        data.qpos[2] -= 0.005
        data.forward()
    model.key_qpos[0] = data.qpos
    return np.array(data.qpos)[address]


class Walkers:
    """Worlds of one robot with a policy that is noise about the stance."""

    def __init__(self, file, worlds, precision, noise):
        model = sinew.Model.from_xml_path(str(file))
        model.opt.timestep = TIMESTEP
        drive(model)
        self.pose = stand(model)
        self.range, self.noise = np.array(model.actuator_ctrlrange), noise
        self.limited = np.array(model.actuator_ctrllimited, bool)
        self.least_height = 0.6 * model.key_qpos[0, 2]
        self.random = np.random.default_rng(0)
        self.resets = 0
        self.batch = sinew.Batch(model, worlds, threads=1, precision=precision)
        self.ctrl, self.qpos, self.qvel = (self.batch.state(name) for name in ("ctrl", "qpos", "qvel"))
        self.first_key = np.zeros(worlds, np.int32)
        self.batch.reset(keyframes=self.first_key)

    def step(self):
        shape = (self.batch.count, len(self.pose))
        target = self.pose + self.noise * self.random.standard_normal(shape)
        self.ctrl[:] = np.where(self.limited, np.clip(target, *self.range.T), target)
        self.batch.step(SUBSTEPS)
        observation = np.concatenate([self.qpos, self.qvel], axis=1)
        fallen = ~(observation[:, 2] > self.least_height)
        if fallen.any():
            self.resets += int(fallen.sum())
            self.batch.reset(mask=fallen, keyframes=self.first_key)
        return observation


def measure(file, options, precision):
    walkers = Walkers(file, options.worlds, precision, options.noise)
    for _ in range(50):
        walkers.step()
    walkers.resets, rates = 0, []
    for _ in range(options.repetitions):
        begin = time.process_time()
        for _ in range(options.steps):
            walkers.step()
        rates.append(options.steps * options.worlds / (time.process_time() - begin))
    episodes = walkers.resets / (options.repetitions * options.steps * options.worlds)
    return float(np.median(rates)), episodes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--steps", type=int, default=25, help="environment steps of a repetition (25)")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--noise", type=float, default=0.1, help="of targets, as a standard deviation in radians (0.1)")
    options = parser.parse_args()
    print(f"{'robot':16}{'precision':10}{'steps/s/core':>14}{'cores':>8}{'steps between falls':>21}")
    for file in options.files:
        for precision in ("double", "float"):
            rate, falls = measure(file, options, precision)
            between = f"{1 / falls:.0f}" if falls else "none"
            print(f"{file.stem:16}{precision:10}{rate:14,.0f}{GPU / rate:8.1f}{between:>21}", flush=True)


if __name__ == "__main__":
    main()
