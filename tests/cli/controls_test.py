"""Recorded controls: `sinew simulate --controls`, and the robot that `./run` shows with them.

Needs the program (SINEW_PROGRAM; default: that of the release build).
"""

import csv
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program import ROOT, ProgramTest  # noqa: E402

SLIDER = """<mujoco><option timestep="0.01"/><worldbody><body><joint name="x" type="slide" axis="1 0 0"/><geom size=".1"/>
  </body></worldbody><actuator><motor name="push, hard" joint="x"/><motor joint="x" gear="-1"/></actuator></mujoco>"""
HEADER = 'time,qpos:x,"ctrl:push, hard",ctrl:actuator1\n'


class ControlsTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.model = self.write("slider.xml", SLIDER)

    def rows(self, path: pathlib.Path) -> list[dict[str, float]]:
        with open(path) as file:
            return [{name: float(number) for name, number in row.items()} for row in csv.DictReader(file)]

    def simulate(self, table: str) -> list[dict[str, float]]:
        controls = self.write("controls.csv", table)
        output = self.folder / "out.csv"
        self.run_program("simulate", self.model, "--time", "0.1", "--controls", controls, "--output", str(output))
        return self.rows(output)

    def test_a_row_holds_from_its_time_to_that_of_the_next(self) -> None:
        rows = self.simulate(HEADER + "0,9,1,0\n0.05,9,0,2.5\r\n")
        # the row at a time has the controls of the step that has led there
        self.assertEqual([row["ctrl:push, hard"] for row in rows[1:]], [1] * 5 + [0] * 5)
        self.assertEqual([row["ctrl:actuator1"] for row in rows[1:]], [0] * 5 + [2.5] * 5)
        self.assertGreater(rows[5]["qpos:x"], 0)

    def test_controls_of_a_trajectory_make_the_same_trajectory(self) -> None:
        first = self.simulate(HEADER + "".join(f"{0.01 * k:.2f},0,{0.1 * k * k},{k % 3}\n" for k in range(10)))
        # A row of --output has the controls that have led to it, those of --controls hold from their time on.
        table = HEADER + "".join(
            f"{before['time']!r},0,{row['ctrl:push, hard']!r},{row['ctrl:actuator1']!r}\n" for before, row in zip(first, first[1:])
        )
        self.assertEqual(self.simulate(table), first)

    def test_what_is_no_such_table_is_refused_with_its_line(self) -> None:
        for table, place, words in (
            ("", 1, "no rows"),
            (HEADER, 1, "no rows"),
            ("time,ctrl:actuator1\n0,1\n", 1, "'ctrl:push, hard'"),
            ("t,ctrl:actuator1\n0,1\n", 1, "'time'"),
            (HEADER + "0,0,1,0\n0.1,0,1\n", 3, "3 numbers"),
            (HEADER + "0,0,1,zero\n", 2, "'zero' is no number"),
            (HEADER + "0,0,1,nan\n", 2, "'nan' is no number"),
            (HEADER + "0,0,,1\n", 2, "'' is no number"),
            (HEADER + "0.1,0,1,0\n0.1,0,1,0\n", 3, "time does not grow"),
        ):
            with self.subTest(table=table):
                controls = self.write("controls.csv", table)
                text = self.refusal("simulate", self.model, "--controls", controls)
                self.assertIn(f"controls.csv:{place}: ", text)
                self.assertIn(words, text)
        self.assertIn("none.csv", self.refusal("simulate", self.model, "--controls", "none.csv"))

    def test_the_robot_walks_and_catches_itself(self) -> None:
        """The recorded controls of models/robots: two balls hit the robot, and it stands upright all the time, farther on."""
        folder, output = ROOT / "models/robots", self.folder / "out.csv"
        self.run_program("simulate", str(folder / "quadruped.xml"), "--keyframe", "stand", "--controls",
                         str(folder / "quadruped_walk.csv"), "--output", str(output))  # fmt: skip
        rows = self.rows(output)
        upright = [1 - 2 * (row["qpos:root[4]"] ** 2 + row["qpos:root[5]"] ** 2) for row in rows]
        self.assertGreater(min(upright), 0.7, "it never leans by more than 45 degrees")
        self.assertLess(min(upright), 0.97, "the balls make it lean by 14 degrees and more")
        self.assertGreater(min(row["qpos:root[2]"] for row in rows), 0.2)
        self.assertGreater(rows[-1]["qpos:root[0]"], 2.5, "metres")
        # both balls have fallen and come back slower
        for ball in ("left_ball", "right_ball"):
            self.assertGreater(max(abs(row[f"qvel:{ball}"]) for row in rows), 1.5)


if __name__ == "__main__":
    unittest.main(verbosity=0)
