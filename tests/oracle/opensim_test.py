#!/usr/bin/env python3
"""Models of OpenSim against OpenSim itself (PyPI: opensim), over grids of poses: `./test opensim`.

usage: opensim_test.py FOLDER, the folder of the models. What is compared, and in which poses: python/sinew/opensim.py.
"""

import pathlib
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import numpy as np
import opensim_paths
import sinew
import sinew.biomech
from sinew import opensim

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import biomech as bench  # noqa: E402

FOLDER = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 else pathlib.Path("../shared/data/osim")
LEG = pathlib.Path(__file__).resolve().parents[2] / "models/muscle/leg.osim"

LENGTH = 1e-6  # m; lengths of straight pieces agree to rounding
ARM = 1e-5  # m; OpenSim's are projected by its constraints
FORCE = 1e-4  # of the peak; curves are tables with errors of 4e-9, OpenSim's fibres rest to 1e-8 of the peak
INERTIA = 1e-9  # of the largest entry; rounding

# Lengths [m] of muscles that run around obstacles, where OpenSim's paths are approximations (docs/how/osim.md): around
# cylinders it meets them in a plane, around ellipsoids it estimates, and TRIlong has three obstacles in a row.
WRAPPED = {
    "arm26": {"TRIlong": 2e-2, "BIClong": 1e-2, "BRA": 1e-4, "TRIlat": 1e-5, "TRImed": 1e-5},
}
# Models whose inertia differs: bodies without a moment about some axes, or without mass, which a model must have.
MENDED = {"leg6dof9musc": 1e-5}


class OpenSim(unittest.TestCase):
    def compare(self, path):
        report = opensim.compare(path, points=3, random=3)
        print(report)
        name = path.stem
        wrapped = WRAPPED.get(name, {})
        self.assertLess(report.mass.worst, 1e-5 if name in MENDED else 1e-9)
        self.assertLess(report.inertia.worst, MENDED.get(name, INERTIA))
        for muscle, difference in report.length.by_element.items():
            self.assertLess(difference, wrapped.get(muscle, LENGTH), muscle)
        for element, difference in report.moment_arm.by_element.items():
            if element.split(" about ")[0] not in wrapped:
                self.assertLess(difference, ARM, element)
        for muscle, difference in report.tendon_force.by_element.items():
            if muscle not in wrapped:
                self.assertLess(difference, FORCE, muscle)

    def test_a_leg_of_our_own(self):
        self.compare(LEG)


def add(name):
    setattr(OpenSim, "test_" + name, lambda self: self.compare(FOLDER / (name + ".osim")))


for name in ("arm26", "gait10dof18musc", "gait2354_simbody", "gait2392_millard2012muscle", "leg6dof9musc",
             "subject01_metabolics", "Tug_of_War_Millard"):
    add(name)


class Cylinders(unittest.TestCase):
    """Which cylinders a muscle runs around, and on which side, is OpenSim's choice in every pose; the way around them is
    the shortest of that kind."""

    def compare(self, name, poses):
        ours, theirs = opensim_paths.lengths(FOLDER / (name + ".osim"), poses)
        worst, longer = {}, 0.0
        for muscle, kind, length, shortest, length_there in opensim_paths.differences(ours, theirs):
            worst[kind] = max(worst.get(kind, 0), abs(length - shortest))
            longer = max(longer, length_there - shortest)
            self.assertLess(abs(length - shortest), LENGTH, f"{muscle}, {kind}")
            self.assertLess(shortest, length_there + 1e-9, muscle)  # rounding: OpenSim's is never the shorter one
        print(f"{name}: {poses} random poses, largest differences [m] {worst}; OpenSim's up to {longer} longer")
        self.assertIn("around a cylinder", worst)

    def test_arm26(self):
        self.compare("arm26", 60)

    def test_rajagopal(self):
        self.compare("Rajagopal2016", 12)


class Motion(unittest.TestCase):
    """Half a second of forward motion with steady excitations, both with the same bound of a step's error."""

    ACCURACY = 1e-8  # then OpenSim's own motions at 1e-8 and 1e-10 differ by less than 1e-6 rad

    def compare(self, name, excitation, tolerance):
        path = FOLDER / (name + ".osim")
        times = np.linspace(0, 0.5, 6)
        theirs, names, rest = opensim_paths.simulate(path, excitation, times, self.ACCURACY)
        model = sinew.Model.from_xml_string(self.with_accuracy(path))
        data = sinew.Data(model)
        data.reset("default")
        data.ctrl[:] = excitation
        for i in range(model.nu):
            first = int(model.actuator_actadr[i])
            activation, fiber = rest[model.actuator(i).name]
            data.act[first : first + 2] = fiber, activation
        coordinates = [int(model.joint(n).qposadr) for n in names]
        differences = [np.abs(data.qpos[coordinates] - theirs[0]).max()]
        for k in range(1, len(times)):
            while data.time < times[k] - 1e-9:
                data.step()
            differences.append(np.abs(data.qpos[coordinates] - theirs[k]).max())
        print(f"{name}: differences of coordinates [rad, m] at {times}: {np.array(differences)}")
        self.assertLess(max(differences), tolerance)

    def with_accuracy(self, path):
        """The converted model, with steps of bounded error that end at multiples of 0.1 s."""
        root = xml.etree.ElementTree.fromstring(sinew.Spec.from_xml_path(path).to_xml())
        option = root.find("option")
        option.attrib.update(integrator="merson", accuracy=str(self.ACCURACY), timestep="0.1")
        return xml.etree.ElementTree.tostring(root, encoding="unicode")

    def test_legs(self):
        self.compare("gait10dof18musc", 0.3, tolerance=1e-4)


class PassiveForces(unittest.TestCase):
    """Limit forces, ligaments, bushings and springs of a leg without muscles, contacts and constraints: accelerations in
    random states."""

    STATES = 20
    ACCURACY = 1e-9  # of the largest acceleration: rounding, also of the inertia matrix

    def document(self):
        # the tags of contacts have two colons in a row, which a strict reader refuses
        text = re.sub(r"<HuntCrossleyForce name.*?</HuntCrossleyForce>", "", LEG.read_text(), flags=re.S)
        document = xml.etree.ElementTree.ElementTree(xml.etree.ElementTree.fromstring(text))
        forces = document.find(".//ForceSet/objects")
        for force in list(forces):
            if force.tag.endswith(("Muscle", "Actuator")):
                forces.remove(force)
        document.find(".//ConstraintSet/objects").clear()
        return document

    def test_accelerations(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "passive.osim"
            self.document().write(path)
            model = sinew.Model.from_osim(path)
            for tag in ("CoordinateLimitForce", "Blankevoort1991Ligament", "Ligament", "BushingForce"):
                self.assertIn(f"<{tag} ", path.read_text())
            worst = self.largest_difference(path, model)
        print(f"passive forces: largest difference of accelerations {worst:.1e}, of the largest")
        self.assertLess(worst, self.ACCURACY)

    def largest_difference(self, path, model):
        model.opt.integrator = 0  # accelerations of the present, and not those of a step
        data, names = sinew.Data(model), [model.joint(i).name for i in range(model.njnt)]
        names = [n for n in names if n in opensim_paths.coordinates(path)]
        joints = [model.joint(n) for n in names]
        random, worst = np.random.default_rng(1), 0.0
        for _ in range(self.STATES):
            q, v = random.uniform(-0.8, 0.8, len(names)), random.uniform(-2, 2, len(names))
            data.reset("default")
            for joint, value, speed in zip(joints, q, v):
                data.qpos[int(joint.qposadr)], data.qvel[int(joint.dofadr)] = value, speed
            data.forward()
            ours = np.array([data.qacc[int(joint.dofadr)] for joint in joints])
            theirs = opensim_paths.accelerations(path, dict(zip(names, zip(q, v))))
            theirs = np.array([theirs[n] for n in names])
            worst = max(worst, np.abs(ours - theirs).max() / np.abs(theirs).max())
        return worst


class Metabolics(unittest.TestCase):
    """Metabolic power of each muscle, parts of its force and the energy of its tendon, in random states."""

    RELATIVE = 1e-4  # of the largest of a state
    STATES = 10

    def sensors(self, path):
        root = xml.etree.ElementTree.fromstring(sinew.Spec.from_xml_path(path).to_xml())
        root.find("option").attrib.update(integrator="merson", accuracy="1e-6", timestep="0.01")
        muscles = [element.attrib["name"] for element in root.find("actuator") if element.tag == "musculotendon"]
        section = xml.etree.ElementTree.SubElement(root, "sensor")
        for kind in opensim_paths.READINGS:
            for name in muscles:
                xml.etree.ElementTree.SubElement(section, kind, actuator=name)
        return sinew.Model.from_xml_string(xml.etree.ElementTree.tostring(root, encoding="unicode")), muscles

    def compare(self, name):
        path = FOLDER / (name + ".osim")
        model, muscles = self.sensors(path)
        data, worst = sinew.Data(model), dict.fromkeys(opensim_paths.READINGS, 0.0)
        theirs = opensim_paths.Muscles(path)
        random = np.random.default_rng(2)
        for _ in range(self.STATES):
            state = theirs.random_state(random)
            data.reset("default")
            for joint, (value, speed) in state.coordinates.items():
                data.qpos[int(model.joint(joint).qposadr)] = value
                data.qvel[int(model.joint(joint).dofadr)] = speed
            for muscle in muscles:
                first = int(model.actuator_actadr[model.actuator(muscle).id])
                data.act[first : first + 2] = state.fibers[muscle], state.activations[muscle]
                data.actuator(muscle).ctrl = state.excitations[muscle]
            data.forward()
            ours = np.array(data.sensordata).reshape(len(opensim_paths.READINGS), len(muscles))
            for row, kind in zip(ours, opensim_paths.READINGS):
                values = np.array([state.readings[kind][muscle] for muscle in muscles])
                worst[kind] = max(worst[kind], np.abs(row - values).max() / np.abs(values).max())
        print(f"{name}: largest differences of what muscles show, of the largest of a state: {worst}")
        for kind, difference in worst.items():
            self.assertLess(difference, self.RELATIVE, kind)

    def test_legs(self):
        self.compare("gait10dof18musc")


class Tools(unittest.TestCase):
    """Inverse tools on a walking trial, in the folder `gait` beside that of the models, against OpenSim's own."""

    @classmethod
    def setUpClass(cls):
        folder = FOLDER.parent / "gait"
        if not (folder / "subject01_walk.trc").is_file():
            raise unittest.SkipTest(f"there is no {folder}")
        cls.scratch = tempfile.TemporaryDirectory()
        cls.ours = bench.Ours(folder.resolve())
        cls.theirs = bench.OpenSim(folder.resolve(), pathlib.Path(cls.scratch.name))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_angles(self):
        self.theirs.kinematics()
        angles, found = sinew.biomech.read_table(self.theirs.scratch / "ik.mot"), self.ours.kinematics().table
        turning = [n for n, turns in zip(self.ours.subject.coordinates, self.ours.subject.rotational) if turns]
        sliding = [n for n in self.ours.subject.coordinates if n not in turning]
        self.assertLess(bench.largest(turning, found, angles)[0], 0.1)  # degrees; its accuracy
        self.assertLess(bench.largest(sliding, found, angles)[0], 1e-4)

    def test_moments(self):
        self.theirs.dynamics()
        moments = sinew.biomech.read_table(self.theirs.scratch / "id.sto")
        # its frames are half a microsecond earlier, and it interpolates loads otherwise
        self.assertLess(bench.largest(moments.labels, self.ours.dynamics(), moments, relative=True)[0], 1e-3)

    def test_activations_and_reactions(self):
        self.theirs.optimization()
        self.theirs.reactions()
        (difference, muscle), pulls = bench.compare_optimization(self.ours, self.theirs, self.ours.optimization())
        self.assertLess(difference, 2e-3, muscle)  # its search ends at 1e-6 of the sum of squares
        worst = bench.compare_reactions(self.theirs, self.ours.reactions(pulls))
        self.assertLess(worst["force"], 0.1)  # N, of 3300; moments as above
        self.assertLess(worst["moment"], 0.05)

    def test_scaling(self):
        """Places, masses and lengths of a file that is scaled as OpenSim scales it; and inertia where factors are equal."""
        factors = {"pelvis": (1.1, 1.05, 0.95), "femur_r": (1.2, 1.1, 1.0), "tibia_r": (0.9, 0.95, 1.05), "calcn_r": (1.1, 1.1, 1.1)}
        for path in (FOLDER / "gait10dof18musc.osim", FOLDER / "Rajagopal2016.osim"):
            scratch = pathlib.Path(self.scratch.name)
            bench.scale(path, scratch / "theirs.osim", factors, 80)
            ours, theirs = sinew.biomech.scale_model(path, factors, scratch / "ours.osim", mass=80).model, sinew.Model.from_osim(scratch / "theirs.osim")
            for field in ("body_pos", "body_mass", "body_ipos", "site_pos", "jnt_pos", "geom_size", "geom_pos"):
                self.assertLess(np.abs(getattr(ours, field) - getattr(theirs, field)).max(initial=0), 1e-12, field)
            equal = int(ours.body("calcn_r").id)
            np.testing.assert_allclose(ours.body_inertia[equal], theirs.body_inertia[equal], rtol=1e-12)
            ratios = ours.actuator_gainprm[:, :4] / np.where(theirs.actuator_gainprm[:, :4] == 0, 1, theirs.actuator_gainprm[:, :4])
            self.assertLess(np.abs(ratios - np.where(theirs.actuator_gainprm[:, :4] == 0, 0, 1)).max(), 0.01)  # wrapped paths differ


if __name__ == "__main__":
    unittest.main()
