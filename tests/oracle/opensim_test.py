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

# Muscles that run around obstacles: OpenSim's paths there are approximations (docs/how/osim.md), whose differences from
# geodesics bound these in the second place.
WRAPPED = {
    "arm26.osim": (["TRIlong", "TRIlat", "TRImed", "BIClong", "BRA"], 2e-2),
}


class OpenSim(unittest.TestCase):
    def compare(self, path, wrapped=(), bound=0.0):
        report = opensim.compare(path)
        print(report)
        self.assertLess(report.mass.worst, 1e-9)
        self.assertLess(report.inertia.worst, INERTIA)
        for muscle, difference in report.length.by_element.items():
            self.assertLess(difference, bound if muscle in wrapped else LENGTH, muscle)
        for name, difference in report.moment_arm.by_element.items():
            if name.split(" about ")[0] not in wrapped:
                self.assertLess(difference, ARM, name)
        for muscle, difference in report.tendon_force.by_element.items():
            if muscle not in wrapped:
                self.assertLess(difference, FORCE, muscle)

    def test_a_leg_of_our_own(self):
        self.compare(LEG, ["hamstring"], 1e-3)


def add(name):
    def test(self):
        self.compare(FOLDER / name, *WRAPPED.get(name, ()))

    setattr(OpenSim, "test_" + name.removesuffix(".osim"), test)


for name in ("arm26", "gait10dof18musc", "gait2354_simbody", "gait2392_millard2012muscle", "leg6dof9musc",
             "subject01_metabolics", "Tug_of_War_Millard", "Rajagopal2016"):
    add(name + ".osim")

if __name__ == "__main__":
    unittest.main()
