#!/usr/bin/env python3
"""Models of OpenSim against OpenSim itself (PyPI: opensim), over grids of poses: `./test opensim`.

usage: opensim_test.py FOLDER, the folder of the models. What is compared, and in which poses: python/sinew/opensim.py.
"""

import pathlib
import sys
import unittest

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

if __name__ == "__main__":
    unittest.main()
