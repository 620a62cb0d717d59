"""Words of older releases of MuJoCo: the error tells since when each is gone and what to do, and `sinew convert --migrate`
does it where it can be done, and tells each change."""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program import ROOT, ProgramTest  # noqa: E402

BODY = '<worldbody><body name="b" pos="0 0 1"><joint name="j"/><geom name="g" size=".1"/></body></worldbody>'
WORDS = json.loads((ROOT / "tables/mjcf_gone.json").read_text())["words"]

# A file of our own for each row of the table, by tag, attribute and value.
FILES = {
    ("option", "collision", ""): '<option collision="all"/>' + BODY,
    ("option", "apirate", ""): '<option apirate="100"/>' + BODY,
    ("option", "mpr_iterations", ""): '<option mpr_iterations="70"/>' + BODY,
    ("option", "mpr_tolerance", ""): '<option mpr_tolerance="1e-5"/>' + BODY,
    ("flag", "sensornoise", ""): '<option><flag sensornoise="enable"/></option>' + BODY,
    ("flag", "passive", ""): '<option><flag passive="disable"/></option>' + BODY,
    ("compiler", "convexhull", ""): '<compiler convexhull="false"/>' + BODY,
    ("compiler", "exactmeshinertia", ""): '<compiler exactmeshinertia="true"/>' + BODY,
    ("compiler", "coordinate", "global"): '<compiler coordinate="global"/>' + BODY,
    ("default", "class", ""): '<default class="robot"><geom rgba="1 0 0 1"/></default>' + BODY,
    ("camera", "orthographic", ""): BODY.replace("<body", '<camera name="c" orthographic="true" fovy="1"/><body', 1),
    ("contact", "vertcollide", ""): BODY.replace("</worldbody>", """<body name="f"><flexcomp name="f" type="grid" dim="2" mass="1"
        count="3 3 1" spacing=".1 .1 .1"><contact vertcollide="true" selfcollide="none"/><edge equality="true"/></flexcomp></body></worldbody>"""),
    ("distance", "", ""): BODY + '<equality><distance geom1="g" geom2="g"/></equality>',
}
for kind in ("particle", "grid", "rope", "loop", "cloth", "box", "cylinder", "ellipsoid"):
    FILES["composite", "type", kind] = BODY.replace("</worldbody>", f"""<body name="c"><composite prefix="p" type="{kind}" count="3 2 1"
        spacing=".2" offset="0 0 2"><geom size=".05"/></composite></body></worldbody>""")
for word in ("spacing", "flatinertia", "solrefsmooth", "solimpsmooth"):
    FILES["composite", word, ""] = BODY.replace("</worldbody>", f"""<body name="c"><composite prefix="p" type="cable" curve="s" size="1"
        count="5 1 1" {word}="1"><geom type="capsule" size=".01"/></composite></body></worldbody>""")


class GoneTest(ProgramTest):
    def model(self, inside: str) -> str:
        return self.write("old.xml", f"<mujoco>{inside}</mujoco>")

    def test_every_row_has_a_file(self) -> None:
        rows = {(word["tag"], word.get("attribute", ""), word.get("value", "")) for word in WORDS}
        self.assertEqual(rows, set(FILES))

    def test_the_error_tells_since_when_and_what_to_do(self) -> None:
        for word in WORDS:
            told = self.refusal("info", self.model(FILES[word["tag"], word.get("attribute", ""), word.get("value", "")]))
            if "since" in word:
                self.assertIn(f"is gone since MuJoCo {word['since']}", told)
            self.assertIn(word["advice"], told)
            self.assertEqual("--migrate" in told, word["action"] != "tell", told)

    def test_each_word_is_migrated_or_told(self) -> None:
        for word in WORDS:
            self.model(FILES[word["tag"], word.get("attribute", ""), word.get("value", "")])
            if word["action"] == "tell":
                told = self.run_program("convert", "--migrate", "old.xml", "new.xml", code=1).stdout
                self.assertIn("left: ", told)
                self.assertIn(word["advice"], told)
                continue
            done = self.run_program("convert", "--migrate", "old.xml", "new.xml")
            self.assertGreater(len(done.stdout.splitlines()), 1, word)  # a change, and the sum
            self.run_program("info", "new.xml")
            again = self.run_program("convert", "--migrate", "new.xml", "newer.xml").stdout
            self.assertIn("0 changes", again)


class MeaningTest(ProgramTest):
    """The new file means what the old one did."""

    def migrate(self, inside: str) -> str:
        self.write("old.xml", f"<mujoco>{inside}</mujoco>")
        self.run_program("convert", "--migrate", "old.xml", "new.xml")
        return (self.folder / "new.xml").read_text()

    def test_successors_take_the_values(self) -> None:
        text = self.migrate('<option mpr_iterations="70" mpr_tolerance="1e-5"><flag passive="disable"/></option>' + BODY)
        for part in ('ccd_iterations="70"', 'ccd_tolerance="1e-5"', 'spring="disable"', 'damper="disable"'):
            self.assertIn(part, text)
        text = self.migrate('<worldbody><camera orthographic="true"/><camera orthographic="false"/></worldbody>')
        self.assertIn('projection="orthographic"', text)
        self.assertIn('projection="perspective"', text)
        self.assertIn('inertia="exact"', self.migrate('<compiler exactmeshinertia="true"/>'))
        self.assertNotIn("inertia", self.migrate('<compiler exactmeshinertia="false"/>'))

    def test_collision(self) -> None:
        pair = BODY.replace("</body>", '</body><geom name="h" size="1" contype="3"/>') + '<contact><pair geom1="g" geom2="h"/></contact>'
        self.assertNotIn("<pair", self.migrate('<option collision="dynamic"/>' + pair))
        text = self.migrate('<option collision="predefined"/>' + pair)
        self.assertIn("<pair", text)
        self.assertIn('<geom contype="0" conaffinity="0" />', text)
        self.assertNotIn('contype="3"', text)

    def test_global_coordinates(self) -> None:
        text = self.migrate("""<compiler coordinate="global"/><worldbody><geom name="floor" type="plane" size="1 1 1" pos="0 0 -1"/>
            <body name="a" pos="0 0 1"><joint name="j" pos="0 0 1.5"/><geom name="ga" type="capsule" fromto="0 0 1 0 0 2" size=".1"/>
            <body name="b"><inertial pos="1 0 2" mass="1" diaginertia="1 1 1"/><joint name="k" pos="0 0 2"/>
            <geom name="gb" size=".1" pos="1 0 3"/></body></body></worldbody>""")
        self.assertNotIn("coordinate", text)
        for part in ('<body name="b" pos="1 0 1">', '<inertial pos="0 0 0"', '<joint name="k" pos="-1 0 0"', 'pos="0 0 1"',
                     '<joint name="j" pos="0 0 0.5"', 'fromto="0 0 0 0 0 1"', 'pos="0 0 -1"'):
            self.assertIn(part, text)
        turned = '<compiler coordinate="global"/><worldbody><body pos="0 0 1" euler="0 0 90"><geom size="1"/></body></worldbody>'
        self.write("old.xml", f"<mujoco>{turned}</mujoco>")
        self.assertIn("left: ", self.run_program("convert", "--migrate", "old.xml", "new.xml", code=1).stdout)

    def test_particles(self) -> None:
        self.migrate(FILES["composite", "type", "particle"])
        report = self.report("info", "new.xml")
        self.assertEqual(report["bodies"], 1 + 1 + 6)
        self.assertEqual(report["degrees of freedom"], 1 + 3 * 6)

    def test_classes(self) -> None:
        text = self.migrate('<default class="robot"><geom size=".2"/><default class="main"><site size=".3"/></default></default>'
                            '<worldbody><body childclass="robot"><geom class="robot"/><site class="main"/></body></worldbody>')
        self.assertNotIn("robot", text)
        self.assertEqual(text.count("<default"), 1)

    def test_files_that_are_included_and_paths(self) -> None:
        self.write("old/parts/option.xml", '<mujoco><option apirate="1"/><include file="parts/more.xml"/></mujoco>')
        self.write("old/parts/more.xml", "<mujoco><option><flag sensornoise='enable'/></option></mujoco>")
        self.write("old/meshes/t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
        self.write("old/m.xml", """<mujoco><!-- a comment --><compiler meshdir="meshes"/><include file="parts/option.xml"/>
            <asset><mesh name="t" file="t.obj"/></asset><worldbody><geom type="mesh" mesh="t"/></worldbody></mujoco>""")
        (self.folder / "new").mkdir()
        told = self.run_program("convert", "--migrate", "old/m.xml", "new/m.xml").stdout
        for part in ("'apirate'", "'sensornoise'", "parts/option.xml", "assets are looked for"):
            self.assertIn(part, told)
        self.assertIn("<!-- a comment -->", (self.folder / "new/m.xml").read_text())
        report = json.loads(self.run_program("convert", "--migrate", "old/m.xml", "new/m.xml", "--json").stdout)
        self.assertGreaterEqual(len(report["changes"]), 4)

    def test_bad_input(self) -> None:
        self.assertIn("malformed", self.refusal("convert", "--migrate", self.write("bad.xml", "<mujoco><option"), "new.xml"))
        self.assertIn("none.xml", self.refusal("convert", "--migrate", "none.xml", "new.xml"))
        self.write("loop.xml", '<mujoco><include file="loop.xml"/></mujoco>')
        self.assertIn("twice", self.refusal("convert", "--migrate", "loop.xml", "new.xml"))


if __name__ == "__main__":
    unittest.main()
