#!/usr/bin/env python3
"""Inverse tools against OpenSim's on a walking trial: how near the results are, and how long both take.

    python bench/biomech.py                      # ../shared/data/gait: subject01.osim, its trial, OpenSim's results
    python bench/biomech.py FOLDER --json out.json

Times are the least of several repetitions, in ms of processor time, of one call over the whole trial, with model and files loaded. OpenSim's tools
load the model in each run, which is timed by itself and taken off; their reading and writing of tables is in their times. Without OpenSim's package (`pip install opensim`) results are compared with the files beside
the trial, and static optimization and joint reactions are only timed.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import tempfile
import time
import xml.etree.ElementTree as tree

import numpy as np

from sinew import biomech
from sinew.biomech import muscles

DEFAULT = pathlib.Path(__file__).resolve().parents[2] / "shared" / "data" / "gait"
CUTOFF = 6.0  # Hz, as the set-up says
RESIDUAL = 1000.0  # N m or N: the optimal force of reserves of the pelvis and the back, which no muscle moves
REPETITIONS = 15


def least(call, repetitions=REPETITIONS):
    """The result of a call, and the least processor time of it in ms."""
    times = []
    for _ in range(repetitions):
        begin = time.process_time()
        result = call()
        times.append(time.process_time() - begin)
    return result, 1e3 * min(times)


class Ours:
    def __init__(self, folder):
        self.folder = folder
        self.subject = biomech.Subject(folder / "subject01.osim")
        self.markers = biomech.read_trc(folder / "subject01_walk.trc")
        self.weights, self.tasks = biomech.read_weights(folder / "walk_Setup_IK.xml")
        self.loads = biomech.read_external_loads(folder / "subject01_walk_grf.xml")
        self.angles = biomech.read_table(folder / "subject01_walk_IK.mot")  # the same for both in all that follows

    def kinematics(self):
        return biomech.inverse_kinematics(self.subject, self.markers, self.weights, self.tasks)

    def dynamics(self):
        return biomech.inverse_dynamics(self.subject, self.angles, self.loads, CUTOFF)

    def optimization(self):
        return biomech.static_optimization(self.subject, self.angles, self.loads, CUTOFF, reserves=1.0, passive=False)

    def reactions(self, pulls):
        return biomech.joint_reactions(self.subject, self.angles, pulls, self.loads, CUTOFF)


class OpenSim:
    """OpenSim's tools with the trial's set-up files, whose paths are made absolute."""

    def __init__(self, folder, scratch):
        import opensim

        self.opensim, self.folder, self.scratch = opensim, folder, scratch
        opensim.Logger.setLevelString("Off")
        self.model = str(folder / "subject01.osim")

    def setup(self, name, **values):
        document = tree.parse(self.folder / name)
        for key, value in values.items():
            document.find(f".//{key}").text = str(value)
        document.write(self.scratch / name)
        return str(self.scratch / name)

    def load(self):
        self.opensim.Model(self.model).initSystem()

    def kinematics(self):
        setup = self.setup("walk_Setup_IK.xml", model_file=self.model, marker_file=self.folder / "subject01_walk.trc",
                           output_motion_file=self.scratch / "ik.mot", results_directory=self.scratch)  # fmt: skip
        self.opensim.InverseKinematicsTool(setup).run()

    def dynamics(self):
        setup = self.setup("walk_Setup_ID.xml", model_file=self.model, results_directory=self.scratch,
                           external_loads_file=self.folder / "subject01_walk_grf.xml",
                           coordinates_file=self.folder / "subject01_walk_IK.mot", output_gen_force_file="id.sto")  # fmt: skip
        self.opensim.InverseDynamicsTool(setup).run()

    def analyze(self, analysis, with_reserves):
        osim = self.opensim
        model = osim.Model(self.model)
        model.initSystem()
        coordinates = model.getCoordinateSet()
        for i in range(coordinates.getSize() if with_reserves else 0):
            name = coordinates.get(i).getName()
            reserve = osim.CoordinateActuator(name)
            reserve.setName("reserve_" + name)
            reserve.setOptimalForce(RESIDUAL if name.startswith(("pelvis", "lumbar")) else 1.0)
            reserve.setMinControl(-1e6)
            reserve.setMaxControl(1e6)
            model.updForceSet().cloneAndAppend(reserve)
        model.printToXML(str(self.scratch / "analyzed.osim"))
        tool = osim.AnalyzeTool()
        tool.setName("trial")
        tool.setModelFilename(str(self.scratch / "analyzed.osim"))
        tool.setCoordinatesFileName(str(self.folder / "subject01_walk_IK.mot"))
        tool.setLowpassCutoffFrequency(CUTOFF)
        tool.setExternalLoadsFileName(str(self.folder / "subject01_walk_grf.xml"))
        tool.setResultsDir(str(self.scratch))
        tool.setInitialTime(0)
        tool.setFinalTime(2.5)
        tool.updAnalysisSet().cloneAndAppend(analysis)
        tool.printToXML(str(self.scratch / "analyze.xml"))
        osim.AnalyzeTool(str(self.scratch / "analyze.xml")).run()

    def optimization(self):
        analysis = self.opensim.StaticOptimization()
        analysis.setStartTime(0)
        analysis.setEndTime(2.5)
        analysis.setActivationExponent(2)
        analysis.setConvergenceCriterion(1e-6)
        analysis.setMaxIterations(1000)
        self.analyze(analysis, True)

    def reactions(self):
        osim = self.opensim
        analysis = osim.JointReaction()
        analysis.setName("JointReaction")
        analysis.setForcesFileName(str(self.scratch / "trial_StaticOptimization_force.sto"))
        for setter, word in ((analysis.setJointNames, "ALL"), (analysis.setOnBody, "child"), (analysis.setInFrame, "ground")):
            words = osim.ArrayStr()
            words.append(word)
            setter(words)
        analysis.setStartTime(0)
        analysis.setEndTime(2.5)
        self.analyze(analysis, True)

    def fibre_forces(self, subject, moved, names):
        """What its static optimization takes for the pull of an active muscle: the force of the fibre, without the cosine of
        its pennation."""
        model = self.opensim.Model(self.model)
        state = model.initSystem()
        forces = np.zeros((len(moved.time), len(names)))
        for f in range(len(moved.time)):
            for i, name in enumerate(subject.coordinates):
                coordinate = model.getCoordinateSet().get(name)
                coordinate.setValue(state, float(moved.coordinates[f, i]), False)
                coordinate.setSpeedValue(state, float(moved.velocities[f, i]))
            model.realizeVelocity(state)
            forces[f] = [model.getMuscles().get(n).calcInextensibleTendonActiveFiberForce(state, 1.0) for n in names]
        return forces


def scale(path, output, factors, mass):
    """Writes a file that OpenSim has scaled by factors of bodies."""
    import opensim

    opensim.Logger.setLevelString("Off")
    model = opensim.Model(str(path))
    scales = opensim.ScaleSet()
    for body, factor in factors.items():
        entry = opensim.Scale()
        entry.setSegmentName(body)
        entry.setScaleFactors(opensim.Vec3(*factor))
        entry.setApply(True)
        scales.cloneAndAppend(entry)
    model.scale(model.initSystem(), scales, False, mass)
    model.printToXML(str(output))


def largest(labels, ours, theirs, relative=False):
    """The largest difference of columns, in shares of their peaks with `relative`, and the column."""
    differences = {n: float(np.abs(ours[n] - theirs[n]).max() / (np.abs(theirs[n]).max() if relative else 1)) for n in labels}
    worst = max(differences, key=differences.get)
    return differences[worst], worst


def compare_optimization(ours, opensim, result):
    """Activations against OpenSim's, with its pulls of active muscles; and forces with which reactions are compared."""
    moved = biomech.motion(ours.subject, ours.angles, CUTOFF)
    can = result.capacity
    rows = [ours.subject.number(name) for name in result.coordinates]
    active = opensim.fibre_forces(ours.subject, moved, can.names)
    matrix = np.concatenate([(active[..., None] * can.arms[:, :, rows]).transpose(0, 2, 1), np.tile(np.eye(len(rows)), (len(active), 1, 1))], axis=2)
    bound = np.full((len(active), len(rows)), np.inf)
    low, high = np.tile(can.low, (len(active), 1)), np.tile(can.high, (len(active), 1))
    x, _, _ = muscles.least_squares_within(
        matrix, result.moments.data[:, rows], np.concatenate([low, -bound], axis=1), np.concatenate([high, bound], axis=1), 1e-9
    )
    theirs = biomech.read_table(opensim.scratch / "trial_StaticOptimization_activation.sto")
    table = biomech.Table(moved.time, can.names, x[:, : len(can.names)])
    forces = biomech.read_table(opensim.scratch / "trial_StaticOptimization_force.sto")
    pulls = biomech.Table(moved.time, can.names, np.stack([forces[name] for name in can.names], axis=1))
    return largest(can.names, table, theirs), pulls


def compare_reactions(opensim, reactions):
    path = next(p for p in opensim.scratch.iterdir() if "Reaction" in p.name and p.name.endswith(("Loads.sto", "Loads")))
    theirs = biomech.read_table(path)
    worst = {"force": 0.0, "moment": 0.0}
    for i, body in enumerate(reactions.bodies):
        columns = np.stack([theirs[label] for label in theirs.labels if f"_on_{body}_in_" in label], axis=1)
        worst["force"] = max(worst["force"], float(np.abs(reactions.force[:, i] - columns[:, :3]).max()))
        worst["moment"] = max(worst["moment"], float(np.abs(reactions.moment[:, i] - columns[:, 3:6]).max()))
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=DEFAULT)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    if not (options.folder / "subject01_walk.trc").is_file():
        raise SystemExit(f"{options.folder} has no subject01_walk.trc; name the folder of the trial")
    ours, figures = Ours(options.folder.resolve()), {}
    kinematics, ms = least(ours.kinematics)
    figures["inverse kinematics"] = {"ms": ms, "frames": len(kinematics.coordinates)}
    moments, ms = least(ours.dynamics)
    figures["inverse dynamics"] = {"ms": ms}
    optimized, ms = least(ours.optimization)
    figures["static optimization"] = {"ms": ms, "residual [N m]": float(optimized.residual.max())}
    _, ms = least(lambda: ours.reactions(optimized.forces))
    figures["joint reactions"] = {"ms": ms}

    angles, forces = ours.angles, biomech.read_table(options.folder / "subject01_walk_ID.sto")
    if importlib.util.find_spec("opensim"):
        compare(ours, figures, optimized)
        angles, forces = figures.pop("angles"), figures.pop("forces")
    subject = ours.subject
    turning = [n for n, turns in zip(subject.coordinates, subject.rotational) if turns]
    sliding = [n for n in subject.coordinates if n not in turning]
    figures["inverse kinematics"]["largest difference [degree]"] = largest(turning, kinematics.table, angles)
    figures["inverse kinematics"]["largest difference [m]"] = largest(sliding, kinematics.table, angles)
    figures["inverse dynamics"]["largest difference [of peak]"] = largest(forces.labels, moments, forces, relative=True)
    show(figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1))


def compare(ours, figures, optimized):
    """Adds OpenSim's times and differences from its results, and puts its angles and moments into the figures."""
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        opensim = OpenSim(ours.folder, pathlib.Path(scratch))
        _, load = least(opensim.load)
        for name, call, repetitions in (
            ("inverse kinematics", opensim.kinematics, REPETITIONS), ("inverse dynamics", opensim.dynamics, REPETITIONS),
            ("static optimization", opensim.optimization, 3), ("joint reactions", opensim.reactions, 3),
        ):  # fmt: skip
            _, ms = least(call, repetitions)
            figures[name]["OpenSim's ms"] = ms - load
        (difference, pulls) = compare_optimization(ours, opensim, optimized)
        figures["static optimization"]["largest difference of activations, with OpenSim's pulls"] = difference
        worst = compare_reactions(opensim, ours.reactions(pulls))
        figures["joint reactions"]["largest difference [N, N m]"] = worst["force"], worst["moment"]
        figures["angles"] = biomech.read_table(opensim.scratch / "ik.mot")
        figures["forces"] = biomech.read_table(opensim.scratch / "id.sto")
    os.chdir(here)


def show(figures):
    for name, values in figures.items():
        ms, theirs = values["ms"], values.get("OpenSim's ms")
        line = f"{name:<38} {ms:8.2f} ms" + (f"   OpenSim {theirs:8.1f} ms, {theirs / ms:5.0f} times" if theirs else "")
        print(line)
        for key, value in values.items():
            if key not in ("ms", "OpenSim's ms", "frames"):
                print(f"    {key}: {value}")


if __name__ == "__main__":
    main()
