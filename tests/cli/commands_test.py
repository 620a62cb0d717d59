"""The program as its users type: formats in and out, what it refuses, what it says.

Needs the program (SINEW_PROGRAM; default: that of the release build). numpy is used where it is there.
"""

import csv
import json
import os
import pathlib
import pty
import subprocess
import sys
import unittest
import xml.etree.ElementTree
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program import PROGRAM, ROOT, ProgramTest  # noqa: E402

ARM = """<mujoco model="arm">
  <compiler angle="radian"/>
  <worldbody>
    <body name="base"><joint name="root" type="ball"/><geom name="trunk" size=".1"/>
      <body name="fore" pos=".5 0 0"><joint name="elbow" axis="0 1 0" range="-1 1"/><geom name="fist" size=".1"/>
        <site name="a" pos=".1 0 0"/></body></body>
    <site name="b" pos="0 0 1"/><camera name="eye" pos="0 0 3"/>
  </worldbody>
  <tendon><spatial name="cord"><site site="b"/><site site="a"/></spatial></tendon>
  <actuator>
    <motor name="elbow" joint="elbow"/>
    <muscle name="biceps" tendon="cord" force="100" lengthrange="0.5 1.5"/>
  </actuator>
  <sensor><gyro name="gyro" site="a"/></sensor>
  <keyframe><key name="bent" qpos="1 0 0 0 .5"/></keyframe>
</mujoco>"""

ROBOT = """<robot name="r">
  <link name="base"><visual><geometry><mesh filename="{mesh}"/></geometry></visual>
    <collision><geometry><sphere radius=".1"/></geometry></collision></link>
  <link name="arm"><inertial><mass value="1"/><inertia {inertia} ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
</robot>"""
GOOD_INERTIA = 'ixx=".1" iyy=".1" izz=".1"'

# A tetrahedron, as COLLADA.
DAE = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>
<accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/>
</vertices><triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 1 2 3 0 3 2</p></triangles>
</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


class CommandTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.arm = self.write("arm.xml", ARM)


class PictureTest(CommandTest):
    """What machines and users lack: a picture, or an error that says what to do."""

    DARK = "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"

    def test_a_model_without_lights_is_drawn(self) -> None:
        self.run_program("render", self.write("dark.xml", self.DARK), "dark.png", "--size", "32x32")
        self.assertGreater((self.folder / "dark.png").stat().st_size, 100)

    def test_neither_display_nor_driver_nor_fonts_are_needed(self) -> None:
        # an empty environment, and no folder in which libraries or fonts of a desktop would be looked for
        bare = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "FONTCONFIG_PATH": "/nowhere", "LIBGL_DRIVERS_PATH": "/nowhere"}
        self.run_program("render", self.arm, "arm.png", "--size", "32x32", "--kind", "depth", **bare)
        self.assertTrue((self.folder / "arm.png").exists())

    def test_a_camera_that_does_not_exist_is_told_with_those_that_do(self) -> None:
        self.assertIn("eye", self.run_program("render", self.arm, "a.png", "--camera", "nose", code=1).stderr)
        self.assertIn("has 1", self.run_program("render", self.arm, "a.png", "--camera", "7", code=1).stderr)

    def test_sizes_without_a_picture_are_told(self) -> None:
        for size, word in (("0x10", "positive"), ("100000x100000", "at most"), ("wide", "640x480")):
            self.assertIn(word, self.run_program("render", self.arm, "a.png", "--size", size, code=1).stderr, size)

    def test_opengl_without_a_context_is_told(self) -> None:
        facts = self.run_program("doctor", "--json").stdout
        pictures = json.loads(facts)["pictures"]
        self.assertEqual(pictures["renderer cpu"], "works")
        for way in ("EGL", "OSMesa"):
            self.assertRegex(pictures[f"renderer gl, by {way}"], "works|install")


class ExtensionTest(CommandTest):
    """What is beyond MuJoCo 3.8.0: drawn, integrated, refused and carried."""

    LEGS = str(ROOT / "models/muscle/legs18.xml")
    WALKER = str(ROOT / "models/muscle/walker18.xml")

    def test_a_muscle_is_drawn_with_its_tests(self) -> None:
        self.run_program("plot-muscle", self.LEGS, "--muscle", "soleus_r", "--output", "soleus.svg")
        svg = (self.folder / "soleus.svg").read_text()
        xml.etree.ElementTree.fromstring(svg)
        self.assertRegex(svg, r"range of motion, active: 0\.\d\d to [01]\.\d\d")
        self.assertRegex(svg, r"range of motion, relaxed: 0\.\d\d to [01]\.\d\d")
        for panel in ("Isometric force over length", "Force over velocity", "Tendon", "Isometric test", "Isokinetic test", "Ramp test"):
            self.assertIn(panel, svg)
        self.assertNotIn("nan", svg)
        self.assertNotIn("inf", svg)
        self.assertIn("no actuator 'nobody'", self.run_program("plot-muscle", self.LEGS, "-m", "nobody", code=1).stderr)
        self.assertIn("no musculotendon", self.run_program("plot-muscle", self.arm, code=1).stderr)

    def test_strict_conversion_names_what_the_reference_does_not_know(self) -> None:
        told = self.run_program("convert", "--strict", self.WALKER, "walker.xml", code=1).stderr
        for what in ("controls its error", "actuator 'soleus_r' is a musculotendon", "geom 'heel_r' has a compliant contact"):
            self.assertIn(what, told)
        self.assertFalse((self.folder / "walker.xml").exists())
        self.run_program("convert", "--strict", self.arm, "plain.xml")

    def test_carried_models_come_back(self) -> None:
        self.run_program("convert", "--carry", self.WALKER, "carried.xml")
        text = (self.folder / "carried.xml").read_text()
        self.assertIn("sinew/", text)
        self.assertNotIn("<musculotendon ", text)
        carried, walker = self.report("info", "carried.xml"), self.report("info", self.WALKER)
        for size in ("degrees of freedom", "actuators", "tendons", "mass (kg)"):
            self.assertEqual(carried[size], walker[size], size)

    def test_accuracy_brings_steps_of_bounded_error(self) -> None:
        coarse, fine = (self.report("simulate", self.arm, "--keyframe", "bent", "-t", "0.5", "--accuracy", a) for a in ("1e-2", "1e-6"))
        self.assertGreater(fine["accepted_steps"], coarse["accepted_steps"])
        self.assertEqual(fine["warnings"], 0)
        self.assertIn("--accuracy", self.run_program("simulate", self.arm, "--accuracy", "0", code=105).stderr)


class MainTest(CommandTest):
    def test_a_wrong_command_suggests_the_right_one(self) -> None:
        self.assertIn("did you mean 'simulate'?", self.run_program("simulte", code=109).stderr)
        self.assertIn("there are: simulate, render, ", self.run_program("xyzzy", code=109).stderr)

    def test_two_versions(self) -> None:
        self.assertRegex(self.run_program("--version").stdout, r"^sinew \d+\.\d+\.\d+, interface of MuJoCo 3\.8\.0\n$")

    def test_new_writes_a_model_once(self) -> None:
        self.run_program("new", "start.xml")
        self.assertIn("<!--", (self.folder / "start.xml").read_text())
        self.assertEqual(self.report("info", "start.xml")["warnings"], [])
        self.assertEqual(self.report("simulate", "start.xml", "--time", "1")["warnings"], 0)
        self.assertIn("already", self.run_program("new", "start.xml", code=1).stderr)
        self.assertIn(".xml", self.run_program("new", "start.txt", code=1).stderr)

    def test_the_schema_says_what_elements_and_attributes_mean(self) -> None:
        one = self.run_program("schema", "body/geom", "size").stdout
        self.assertTrue(one.startswith("body/geom size: "), one)
        self.assertLessEqual(max(map(len, one.splitlines())), 100)
        joint = self.run_program("schema", "joint").stdout
        for path in ("body/joint:", "equality/joint:", "tendon/fixed/joint:"):
            self.assertIn(path, joint)
        self.assertNotIn("default/joint", joint)
        self.assertIn("Since MuJoCo 3.1.4", self.run_program("schema", "body/joint", "actuatorgravcomp").stdout.replace("\n  ", " "))
        self.assertIn("condim of body/geom", self.run_program("schema", "condim").stdout)
        self.assertIn("'sise'", self.run_program("schema", "geom", "sise", code=1).stderr)
        self.assertIn("sinew schema lists all", self.run_program("schema", "xyzzy", code=1).stderr)
        self.run_program("schema", "geom", "--format", "xsd", code=108)

    def test_completion_in_bash(self) -> None:
        (self.folder / "c.sh").write_text(self.run_program("completion", "bash").stdout)
        script = "source ./c.sh; COMP_WORDS=(sinew sim); COMP_CWORD=1; _sinew; echo ${COMPREPLY[@]};"
        script += " COMP_WORDS=(sinew simulate --key); COMP_CWORD=2; _sinew; echo ${COMPREPLY[@]}"
        result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd=self.folder)
        self.assertEqual(result.stdout.split(), ["simulate", "--keyframe"])
        for shell in ("zsh", "fish"):
            self.assertIn("simulate", self.run_program("completion", shell).stdout)

    def test_colours_and_progress_are_for_terminals(self) -> None:
        self.assertEqual(self.run_program("simulate", self.arm, "--time", "1").stderr, "")
        self.assertNotIn("\x1b", self.run_program("info", "none.xml", code=1, TERM="xterm").stderr)
        for no_color, shown in (("", True), ("1", False)):
            parent, child = pty.openpty()
            environment = {**os.environ, "TERM": "xterm", "NO_COLOR": no_color}
            subprocess.run([PROGRAM, "info", "none.xml"], stderr=child, check=False, env=environment, cwd=self.folder)
            os.close(child)
            self.assertEqual(b"\x1b" in os.read(parent, 10000), shown)
            os.close(parent)


class SimulateTest(CommandTest):
    def test_every_format(self) -> None:
        robot = self.write("robot.urdf", ROBOT.format(mesh="none.stl", inertia=GOOD_INERTIA))
        self.run_program("compile", self.arm, "arm.mjb")
        with zipfile.ZipFile(self.folder / "arm.zip", "w") as archive:
            archive.writestr("scene.xml", "<mujoco><include file='parts/arm.xml'/></mujoco>")
            archive.writestr("parts/arm.xml", ARM)
        reports = [self.report("simulate", str(model), "--time", ".1") for model in (self.arm, "arm.mjb", "arm.zip")]
        self.assertEqual(len({report["final_height_m"] for report in reports}), 1)
        self.assertEqual(self.report("simulate", robot, "--time", ".1")["steps"], 50)
        self.assertIn("r.zip", self.run_program("info", self.write("r.zip", "no archive"), code=1).stderr)
        with zipfile.ZipFile(self.folder / "many.zip", "w") as archive:
            archive.writestr("a.xml", ARM)
            archive.writestr("b.xml", ARM)
        self.assertIn("a.xml, b.xml", self.run_program("info", "many.zip", code=1).stderr)

    def test_columns_have_names(self) -> None:
        self.run_program("simulate", self.arm, "--time", ".1", "-o", "out.csv")
        with open(self.folder / "out.csv", newline="") as file:
            header, *rows = csv.reader(file)
        expected = ["time", *(f"qpos:root[{k}]" for k in range(4)), "qpos:elbow", *(f"qvel:root[{k}]" for k in range(3))]
        expected += ["qvel:elbow", "act:biceps", "ctrl:elbow", "ctrl:biceps", "actuator_force:elbow", "actuator_force:biceps"]
        expected += [f"sensordata:gyro[{k}]" for k in range(3)]
        self.assertEqual(header, expected)
        self.assertEqual(len(rows), 11)
        self.assertTrue(all(len(row) == len(header) for row in rows))

    def test_arrays_of_numpy(self) -> None:
        try:
            import numpy
        except ImportError:
            self.skipTest("no numpy")
        for name in ("out.npz", "out.csv"):
            self.run_program("simulate", self.arm, "--time", ".1", "-o", name)
        arrays = numpy.load(self.folder / "out.npz")
        table = numpy.genfromtxt(self.folder / "out.csv", delimiter=",", skip_header=1)
        self.assertEqual(arrays["qpos"].shape, (11, 5))
        self.assertEqual(list(arrays["qpos_names"]), [f"root[{k}]" for k in range(4)] + ["elbow"])
        numpy.testing.assert_array_equal(arrays["time"], table[:, 0])
        numpy.testing.assert_array_equal(arrays["qpos"], table[:, 1:6])
        numpy.testing.assert_array_equal(arrays["sensordata"], table[:, -3:])

    def test_other_outputs_are_refused_before_the_run(self) -> None:
        self.assertIn(".csv or .npz", self.run_program("simulate", self.arm, "-o", "out.txt", code=1).stderr)
        self.assertIn("none", self.run_program("simulate", self.arm, "-o", "none/out.npz", code=1).stderr)

    def test_what_cannot_run_is_an_error(self) -> None:
        backwards = self.write("back.xml", '<mujoco><option timestep="-.01"/></mujoco>')
        self.assertIn("timestep", self.run_program("simulate", backwards, code=1).stderr)
        stderr = self.run_program("simulate", self.arm, "--keyframe", "bend", code=1).stderr
        self.assertIn("no keyframe named 'bend'; did you mean 'bent'?", stderr)


class BenchTest(CommandTest):
    def test_whole_rollouts_are_measured(self) -> None:
        options = ("--worlds", "3", "--threads", "2", "--length", "10", "--steps", "4", "--seconds", "0")
        report = self.report("bench", self.arm, *options)
        self.assertEqual((report["worlds"], report["threads"], report["worlds not well"]), (3, 2, 0))
        self.assertEqual(report["steps of each world"], 12)  # three calls of four steps
        self.assertGreater(report["steps per second"], 0)

    def test_a_rollout_without_steps_is_refused(self) -> None:
        self.assertIn("--length", self.run_program("bench", self.arm, "--length", "0", code=105).stderr)


class InfoTest(CommandTest):
    def test_names_elements(self) -> None:
        report = self.report("info", self.arm)
        self.assertEqual([row["body"] for row in report["body list"]], ["base", "fore"])
        self.assertEqual([row["range (rad, m)"] for row in report["joint list"]], [None, [-1, 1]])
        self.assertEqual(report["actuator list"][0]["target"], "joint elbow")
        self.assertEqual(report["muscle list"][0]["length range (m)"], [0.5, 1.5])
        self.assertEqual(report["muscle list"][0]["peak force (N)"], 100)
        self.assertNotIn("body list", self.report("info", self.arm, "--summary"))
        self.assertIn("biceps", self.run_program("info", self.arm).stdout)

    def test_info_of_decomposed_meshes(self) -> None:
        """Two boxes in the form of an L are two pieces."""
        corners = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
        vertices = [(x * a, y * b, z * 0.25) for a, b in ((1, 0.25), (0.25, 1)) for x, y, z in corners]
        box = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5]
        faces = box + [8 + i for i in box]
        text = f"""<mujoco><asset><mesh name="ell" convex="decompose" inertia="legacy" vertex="{' '.join(str(c) for v in vertices for c in v)}"
            face="{' '.join(map(str, faces))}"/></asset><worldbody><geom type="mesh" mesh="ell"/></worldbody></mujoco>"""
        row = self.report("info", self.write("ell.xml", text))["decomposed meshes"][0]
        self.assertEqual((row["decomposed mesh"], row["faces"], row["convex pieces"]), ("ell", 24, 2))

    def test_info_of_muscles_with_tendons(self) -> None:
        """The path goes from 0.5 to 0.9 m where the second slide follows the first one, and to 0.7 m if it stays."""
        text = """<mujoco><worldbody><site name="o"/>
            <body pos="0.5 0 0"><joint name="p" type="slide" axis="1 0 0" range="0 0.2"/><geom size=".1"/>
              <body><joint name="q" type="slide" axis="1 0 0"/><geom size=".1"/><site name="i"/></body></body></worldbody>
            <tendon><spatial name="t"><site site="o"/><site site="i"/></spatial></tendon>
            <equality><joint joint1="q" joint2="p" polycoef="0 1 0 0 0"/></equality>
            <actuator><musculotendon name="m" tendon="t" force="800" fiberlength="0.2" slacklength="0.4"/></actuator></mujoco>"""
        muscles = self.report("info", self.write("m.xml", text))["muscles with tendons"]
        self.assertEqual([m["muscle with tendon"] for m in muscles], ["m"])
        self.assertEqual(muscles[0]["peak force (N)"], 800)
        self.assertEqual(muscles[0]["fiber (m)"], 0.2)
        self.assertEqual(muscles[0]["slack tendon (m)"], 0.4)
        # of 2000 values that are spread evenly the outermost are 1/2000 of the range away from its ends, on average
        for found, wanted in zip(muscles[0]["path (m)"], (0.5, 0.9)):
            self.assertAlmostEqual(found, wanted, delta=0.002)

    def warnings(self, body: str, head: str = "") -> list[str]:
        text = f"<mujoco>{head}<worldbody>{body}</worldbody></mujoco>"
        return self.report("info", self.write("model.xml", text))["warnings"]

    def test_warnings_are_told_once(self) -> None:
        cloth = """<mujoco><worldbody><body name="b"><flexcomp name="f" type="grid" count="5 5 1" spacing=".1 .1 .1" dim="2" mass="1">
            <contact selfcollide="none"/></flexcomp></body><geom name="g" size=".1" rgba="nan 1 1 1"/></worldbody></mujoco>"""
        self.write("cloth.xml", cloth)
        told = self.run_program("info", "cloth.xml").stderr
        self.assertEqual(told.count("no equality constraints or passive forces"), 1, told)
        self.assertEqual(told.count("'NaN'"), 1, told)
        self.assertEqual(self.run_program("info", "cloth.xml", "--json").stderr, "")
        listed = self.report("info", "cloth.xml")["warnings"]
        self.assertEqual(sum("'NaN'" in w for w in listed), 1, listed)

    def test_each_overlap_once(self) -> None:
        boxes = "<geom name='a' type='box' size='1 1 1'/><body><freejoint/><geom name='b' type='box' size='1 1 .1' pos='0 0 1'/></body>"
        self.assertEqual(len([w for w in self.warnings(boxes) if "overlap" in w]), 1)

    def test_angles_in_the_wrong_unit(self) -> None:
        joint = "<body><joint name='j' range='-{0} {0}'/><geom size='1'/></body>"
        radian = '<compiler angle="radian"/>'
        self.assertIn('set compiler angle="radian"', self.warnings(joint.format(1.57))[0])
        self.assertIn('set compiler angle="degree"', self.warnings(joint.format(90), radian)[0])
        self.assertEqual(self.warnings(joint.format(90)), [])
        self.assertEqual(self.warnings(joint.format(1.57), radian), [])

    def test_springs_too_stiff_for_the_time_step(self) -> None:
        slide = "<body><joint name='j' type='slide' stiffness='{}'/><geom size='.1' mass='1'/></body>"
        # the limit is k = m (2 / h)^2 = 1e6 N/m for the default step of 2 ms
        self.assertEqual(self.warnings(slide.format("0.9e6")), [])
        self.assertIn("time step below", self.warnings(slide.format("1.1e6"))[0])

    def test_deformables_that_do_not_hold(self) -> None:
        cloth = """<body name="b"><flexcomp name="f" type="grid" count="5 5 1" spacing=".1 .1 .1" dim="2" mass="1">{}
            <contact selfcollide="none"/></flexcomp></body>"""
        elastic = cloth.format('<elasticity young="1e5" thickness=".01" elastic2d="stretch"/>')
        self.assertIn("no equality constraints or passive forces", self.warnings(cloth.format(""))[0])
        found = self.warnings(elastic, '<option timestep=".1"/>')[0]
        longest = float(found.split("below ")[1].split(" s")[0])
        # points of mass m = 1/25 kg on springs of about E t: the estimate is that of a chain, to a factor of three
        chain = (1 / 25 / (1e5 * .01)) ** .5
        self.assertTrue(chain / 3 < longest < 3 * chain, (longest, chain))
        self.assertEqual(self.warnings(elastic, f'<option timestep="{longest / 2}"/>'), [])

    def test_keys_and_the_reference_outside_of_their_ranges(self) -> None:
        model = """<mujoco>{}<worldbody><body><joint name="knee" range="-30 30" ref="{}"/><geom size=".1"/></body></worldbody>
            <actuator><motor name="drive" joint="knee" ctrlrange="-1 1"/></actuator>
            <keyframe><key name="bent" qpos="{}" ctrl="{}"/></keyframe></mujoco>"""
        found = self.report("info", self.write("out.xml", model.format("", 0, 2, 5)))["warnings"]
        self.assertTrue(any("'bent'" in w and "'knee'" in w and "range" in w for w in found), found)
        self.assertTrue(any("'bent'" in w and "'drive'" in w and "range" in w for w in found), found)
        self.assertEqual(self.report("info", self.write("in.xml", model.format("", 0, .5, 1)))["warnings"], [])
        found = self.report("info", self.write("ref.xml", model.format("", 60, .5, 1)))["warnings"]
        self.assertTrue(any("qpos0" in w and "'knee'" in w for w in found), found)

    def test_muscles_whose_lengths_do_not_fit(self) -> None:
        # a path of 0.5 m; with these ranges the tendon is 0.1 m and the optimal fibre 0.4 m
        model = """<mujoco><worldbody><site name="o"/><body pos=".5 0 0"><joint type="slide"/><geom size=".1"/><site name="i"/></body>
            </worldbody><tendon><spatial name="t"><site site="o"/><site site="i"/></spatial></tendon>
            <actuator><muscle name="m" tendon="t" range=".75 1.05" lengthrange="{}" force="100"/></actuator></mujoco>"""
        self.assertEqual(self.report("info", self.write("good.xml", model.format(".4 .52")))["warnings"], [])
        far = self.report("info", self.write("far.xml", model.format(".9 1.02")))["warnings"]
        self.assertTrue(any("'m' begins at" in w for w in far), far)
        negative = self.report("info", self.write("negative.xml", model.format(".1 .9")))["warnings"]
        self.assertTrue(any("negative length" in w for w in negative), negative)

    def test_musculotendons_whose_lengths_do_not_fit(self) -> None:
        model = """<mujoco><worldbody><site name="o"/><body pos=".5 0 0"><joint type="slide"/><geom size=".1"/><site name="i"/></body>
            </worldbody><tendon><spatial name="t"><site site="o"/><site site="i"/></spatial></tendon>
            <actuator><musculotendon name="m" tendon="t" fiberlength=".1" slacklength="{}" force="100"/></actuator></mujoco>"""
        self.assertEqual(self.report("info", self.write("good.xml", model.format(".4")))["warnings"], [])
        found = self.report("info", self.write("long.xml", model.format(".2")))["warnings"]
        self.assertTrue(any("slacklength" in w for w in found), found)

    def test_what_compilation_leaves_out(self) -> None:
        model = """<mujoco><compiler {}="true"/><worldbody><body name="a"><joint/><geom size="1"/><body name="fixed">
            <geom name="seen" size=".1" contype="0" conaffinity="0"/></body></body></worldbody></mujoco>"""
        seen = self.report("info", self.write("discard.xml", model.format("discardvisual")))["warnings"]
        self.assertTrue(any("left out 1 of kind geom" in w and "'seen'" in w for w in seen), seen)
        fused = self.report("info", self.write("fuse.xml", model.format("fusestatic")))["warnings"]
        self.assertTrue(any("left out 1 of kind body" in w and "'fixed'" in w for w in fused), fused)

    def test_inertias_of_a_point(self) -> None:
        point = "<body name='p'><joint/><inertial pos='1 0 0' mass='1' diaginertia='{0} {0} {0}'/></body>"
        self.assertIn("point", self.warnings(point.format("1e-12"))[0])
        self.assertEqual(self.warnings(point.format("1e-3")), [])


class ConvertTest(CommandTest):
    def robot(self, mesh: str = "none.stl", inertia: str = GOOD_INERTIA) -> str:
        return self.write("robots/robot.urdf", ROBOT.format(mesh=mesh, inertia=inertia))

    def converted(self, robot: str) -> tuple[dict, dict]:
        there = self.report("convert", robot, "out/robot.xml")
        return there, self.report("compile", "out/robot.xml")

    def setUp(self) -> None:
        super().setUp()
        (self.folder / "out").mkdir()

    def test_pictures_that_cannot_be_read_are_left_out(self) -> None:
        there, back = self.converted(self.robot())
        self.assertIn("none.stl", there["warnings"][0])
        self.assertEqual(there["bodies"], back["bodies"])
        self.run_program("convert", self.robot(), "out/robot.xml", "--no-mend", code=1)

    def test_colliding_meshes_are_not_left_out(self) -> None:
        text = pathlib.Path(self.robot()).read_text().replace('<sphere radius=".1"/>', '<mesh filename="none.stl"/>')
        self.assertIn("none.stl", self.run_program("convert", self.write("r.urdf", text), "out/r.xml", code=1).stderr)

    def test_meshes_in_foreign_formats(self) -> None:
        self.write("robots/shape.dae", DAE)
        there, back = self.converted(self.robot("shape.dae"))
        self.assertEqual(there["warnings"], [])
        self.assertEqual(there["bodies"], back["bodies"])
        self.assertIn("mesh", (self.folder / "out/robot.xml").read_text())

    def test_inertias_that_no_body_can_have(self) -> None:
        there, back = self.converted(self.robot(inertia='ixx="1" iyy=".1" izz=".1"'))
        self.assertTrue(any("mended" in warning for warning in there["warnings"]))
        self.converted(self.robot(inertia='ixx="-1" iyy=".1" izz=".1"'))

    def test_paths_are_relative_to_the_output(self) -> None:
        self.write("models/meshes/t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
        text = '<mujoco><compiler meshdir="meshes"/><asset><mesh name="t" file="t.obj"/></asset>'
        text += '<worldbody><geom type="mesh" mesh="t"/></worldbody></mujoco>'
        there, back = self.converted(self.write("models/m.xml", text))
        self.assertIn('file="../models/meshes/t.obj"', (self.folder / "out/robot.xml").read_text())

    def test_outputs_that_cannot_be_written(self) -> None:
        self.assertIn(".xml, .mjb or .txt", self.run_program("convert", self.arm, "arm.pdf", code=1).stderr)
        self.assertIn("nowhere", self.run_program("convert", self.arm, "nowhere/arm.mjb", code=1).stderr)


class DoctorTest(CommandTest):
    def test_names_the_c_library_that_the_package_needs(self) -> None:
        report = json.loads(self.run_program("doctor", "--json").stdout)
        self.assertIn(report["C++ library"], ("libc++", "libstdc++"))
        self.assertNotEqual(report["version"], report["interface"])


if __name__ == "__main__":
    unittest.main()
