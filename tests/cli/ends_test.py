"""How the program ends: full disks, wrong arguments, simulations that diverge; and that names steer no terminal."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program import PROGRAM, ROOT, ProgramTest  # noqa: E402

MODEL = """<mujoco><worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>
    <keyframe><key qpos=".5"/><key name="1" qpos=".7"/></keyframe></mujoco>"""
MUSCLE = str(ROOT / "models/muscle/legs18.xml")


class FullDiskTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.model = self.write("m.xml", MODEL)

    def test_every_file_that_is_written(self) -> None:
        for name, words in (("full.txt", ("convert", "m.xml")), ("full.xml", ("convert", "m.xml")), ("full.mjb", ("convert", "m.xml")),
                            ("full.xml", ("convert", "--carry", "m.xml")), ("full.xml", ("convert", "--migrate", "m.xml")),
                            ("full.png", ("render", "m.xml", "-s", "32x32")), ("full.jpg", ("render", "m.xml", "-s", "32x32")),
                            ("full.csv", ("simulate", "m.xml", "-t", ".1", "-o")), ("full.svg", ("plot-muscle", MUSCLE, "-o")),
                            ("full.xsd", ("schema", "-f", "xsd", "-o"))):
            link = self.folder / name
            if not link.is_symlink():
                os.symlink("/dev/full", link)
            place = [*words[:2], name, *words[2:]] if words[0] == "render" else [*words, name]
            self.assertIn("space", self.refusal(*place), place)

    def test_a_video(self) -> None:
        os.symlink("/dev/full", self.folder / "full.mkv")
        told = self.run_program("simulate", "m.xml", "-t", ".2", "--video", "full.mkv", "-s", "64x64", code=1).stderr
        self.assertIn("full.mkv", told)

    def test_every_command_that_prints(self) -> None:
        for words in (("info", "m.xml"), ("info", "m.xml", "--json"), ("simulate", "m.xml", "-t", ".1"), ("compile", "m.xml"),
                      ("convert", "m.xml", "o.xml"), ("render", "m.xml", "o.png", "-s", "32x32"), ("schema",), ("completion", "bash"),
                      ("doctor",), ("--help",), ("info", "--help"), ("--version",), ("new", "n.xml"),
                      ("bench", "m.xml", "--worlds", "2", "--seconds", "0")):
            with open("/dev/full", "w") as full:
                done = subprocess.run([PROGRAM, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=self.folder)
            self.assertEqual(done.returncode, 1, words)
            self.assertIn("standard output", done.stderr, words)

    def test_folders_that_are_missing(self) -> None:
        self.assertIn("folder exists", self.refusal("render", "m.xml", "none/x.png", "-s", "32x32"))


class ArgumentTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.write("m.xml", MODEL)

    def test_numbers_that_are_none(self) -> None:
        for value in ("nan", "inf", "-1", "0", "abc", ""):
            told = self.refusal("simulate", "m.xml", "--time", value, code=105)
            self.assertIn("--time", told)
            self.assertIn("finite number above zero", told)
        for option in (("simulate", "--rate"), ("simulate", "--accuracy"), ("simulate", "--control"), ("render", "--time"),
                       ("render", "--azimuth"), ("bench", "--seconds"), ("simulate", "--distance")):
            self.assertIn(option[1], self.refusal(option[0], "m.xml", option[1], "nan", code=105), option)

    def test_runs_that_nobody_waits_for(self) -> None:
        told = self.refusal("simulate", "m.xml", "-t", "1e300", code=105)
        self.assertIn("--time", told)
        self.assertIn("steps", told)

    def test_what_is_expected(self) -> None:
        self.assertIn("whole number", self.refusal("bench", "m.xml", "--steps", "1.5", code=104))
        self.assertIn("finite number", self.refusal("simulate", "m.xml", "--time", "abc", code=105))

    def test_misspelt_options(self) -> None:
        self.assertIn("did you mean '--time'?", self.refusal("simulate", "m.xml", "--tim", "2", code=109))
        self.assertIn("did you mean '--keyframe'?", self.refusal("render", "m.xml", "--keyfrme", "x", code=109))
        self.assertIn("--xyzzy", self.refusal("info", "m.xml", "--xyzzy", code=109))

    def test_keyframes_by_number(self) -> None:
        def start(key: str) -> str:
            self.run_program("simulate", "m.xml", "--keyframe", key, "-t", "0.01", "-o", "o.csv")
            return (self.folder / "o.csv").read_text().splitlines()[1].split(",")[1]
        self.assertEqual(start("0"), "0.5")
        self.assertEqual(start("1"), "0.69999999999999996")  # a name goes before a number
        for wrong in ("2", "-1", "99999999999999999999"):
            self.assertIn("it has 2", self.refusal("simulate", "m.xml", "--keyframe", wrong))
        self.assertIn("named 'x'", self.refusal("render", "m.xml", "--keyframe", "x"))
        self.run_program("render", "m.xml", "o.png", "--keyframe", "0", "-s", "32x32")

    def test_pictures_have_the_format_of_their_name(self) -> None:
        for name, begin in (("x.png", b"\x89PNG"), ("x.jpg", b"\xff\xd8\xff"), ("x.JPEG", b"\xff\xd8\xff")):
            self.run_program("render", "m.xml", name, "-s", "64x48")
            self.assertTrue((self.folder / name).read_bytes().startswith(begin), name)
        for name in ("x.gif", "x", "x.png.txt"):
            self.assertIn(".png or .jpg", self.refusal("render", "m.xml", name, "-s", "64x48"))
            self.assertFalse((self.folder / name).exists())


class DivergenceTest(ProgramTest):
    WILD = """<mujoco><option timestep=".1"/><worldbody><body><joint name="j" type="slide" stiffness="1e9" ref=".1"/>
        <geom size=".1" mass=".001"/></body></worldbody><keyframe><key qpos=".2"/></keyframe></mujoco>"""

    def test_it_has_a_code_of_its_own(self) -> None:
        model = self.write("wild.xml", self.WILD)
        told = self.refusal("simulate", model, "-k", "0", "-t", "100", "-o", "o.csv", code=2)
        self.assertIn("diverged", told)
        report = json.loads(self.run_program("simulate", model, "-k", "0", "-t", "100", "--json", code=2).stdout)
        self.assertGreaterEqual(report["diverged_at_s"], 0)
        self.assertLess(report["steps"], 1000)
        self.assertGreaterEqual(len((self.folder / "o.csv").read_text().splitlines()), 2)  # names, and the start

    def test_others_do_not(self) -> None:
        self.assertIsNone(self.report("simulate", self.write("m.xml", MODEL), "-t", "1")["diverged_at_s"])


class TerminalTest(ProgramTest):
    """Escape sequences in names reach neither the terminal nor a log."""

    NAME = "a&#27;[2Jb&#155;31m&#127;&#10;sinew: forged"

    def assert_plain(self, *words: str, code: int = 0) -> None:
        done = subprocess.run([PROGRAM, *words], capture_output=True, check=False, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        for stream in (done.stdout, done.stderr):
            self.assertFalse([c for c in stream if c < 32 and c not in (9, 10)] or b"\x7f" in stream or b"\xc2\x9b" in stream, (words, stream))
            self.assertFalse(any(line.startswith(b"sinew: forged") for line in stream.splitlines()), words)

    def test_names(self) -> None:
        model = f"""<mujoco model="{self.NAME}"><asset><texture name="{self.NAME}" builtin="flat" width="1" height="1"/></asset><worldbody>
            <body name="{self.NAME}"><joint name="{self.NAME}" range="0 1"/><geom name="{self.NAME}" size="1"/></body>
            <geom size="1"/></worldbody><actuator><motor name="{self.NAME}" joint="{self.NAME}"/></actuator>
            <keyframe><key name="{self.NAME}" qpos="7"/></keyframe></mujoco>"""
        self.write("m.xml", model)
        self.assert_plain("info", "m.xml")
        self.assert_plain("compile", "m.xml")
        self.assert_plain("simulate", "m.xml", "-t", ".1")
        self.assert_plain("simulate", "m.xml", "-t", ".1", "--keyframe", "x", code=1)
        self.assert_plain("render", "m.xml", "--camera", "x", code=1)
        self.run_program("simulate", "m.xml", "-t", ".1", "-o", "o.csv")
        self.assertNotIn(b"\x1b", (self.folder / "o.csv").read_bytes())
        self.run_program("info", "m.xml", "--json")

    def test_errors(self) -> None:
        for body in (f'<geom name="{self.NAME}" size="-1"/>', f'<geom name="{self.NAME}" sise="1"/>', f'<body name="{self.NAME}"><joint/></body>',
                     f'<geom type="mesh" mesh="{self.NAME}"/>', f'<geom size="{self.NAME}"/>', f'<geom material="{self.NAME}" size="1"/>'):
            self.write("m.xml", f"<mujoco><worldbody>{body}</worldbody></mujoco>")
            self.assert_plain("info", "m.xml", code=1)
        self.write("m.xml", f'<mujoco><asset><mesh name="m" file="{self.NAME}.stl"/></asset></mujoco>')
        self.assert_plain("info", "m.xml", code=1)
        self.write("s.off", b"OFF\n1 0 0\n\x1b[2J 0 0\n")
        self.write("m.xml", '<mujoco><asset><mesh name="m" file="s.off"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>')
        self.assert_plain("info", "m.xml", code=1)
        self.assert_plain("info", "\x1b[2J.xml", code=1)
        self.assert_plain("\x1b[2J", code=109)

    def test_warnings_and_the_log(self) -> None:
        model = f"""<mujoco><option timestep=".1"/><worldbody><body name="{self.NAME}"><joint name="{self.NAME}" type="slide" stiffness="1e9"/>
            <geom size=".1" mass=".001"/></body></worldbody><keyframe><key qpos=".2"/></keyframe></mujoco>"""
        self.write("m.xml", model)
        self.assert_plain("simulate", "m.xml", "-k", "0", "-t", "100", code=2)
        for log in self.folder.glob("MUJOCO_LOG.TXT"):
            self.assertNotIn(b"\x1b", log.read_bytes())


if __name__ == "__main__":
    unittest.main()
