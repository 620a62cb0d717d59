#!/usr/bin/env python3
"""Models of OpenSim against OpenSim itself (PyPI: opensim), over grids of poses: `./test opensim`.

usage: opensim_test.py FOLDER, the folder of the models. What is compared, and in which poses: python/sinew/opensim.py.
"""

import pathlib
import sys
import unittest
import xml.etree.ElementTree

import numpy as np
import opensim_paths
import sinew
from sinew import opensim

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


if __name__ == "__main__":
    unittest.main()
