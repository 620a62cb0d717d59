"""Which files the program reads and writes: below the folder that it is bound to, in the folder of its output, and meshes
of other programs however damaged they are."""

import json
import math
import os
import pathlib
import random
import struct
import sys
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program import ROOT, ProgramTest  # noqa: E402

sys.path.insert(0, str(ROOT / "tests/fuzz"))
import make_seeds  # noqa: E402

FORMATS = {"ply": make_seeds.ply("binary_little_endian"), "off": make_seeds.off(), "gltf": make_seeds.gltf(False),
           "glb": make_seeds.gltf(True), "dae": make_seeds.dae("triangles"), "stl": make_seeds.stl(), "obj": make_seeds.obj("{0}"),
           "msh": make_seeds.msh()}


def mesh_model(file: str) -> str:
    return f"""<mujoco><asset><mesh name="m" file="{file}"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body>
        </worldbody></mujoco>"""


def ball(name: str) -> str:
    """A model whose mesh is too long to stand in the XML that convert writes."""
    points = [(math.cos(i * .7) * math.sin(i), math.sin(i * .7) * math.sin(i), math.cos(i)) for i in range(150)]
    vertices = " ".join("%.4f %.4f %.4f" % point for point in points)
    return f"""<mujoco><asset><mesh name="{name}" vertex="{vertices}"/></asset><worldbody><geom type="mesh" mesh="{name}"/></worldbody>
        </mujoco>"""


class RootTest(ProgramTest):
    """SINEW_FILE_ROOT: nothing outside of the folder is opened, by whatever element names it."""

    def bound(self) -> dict[str, str]:
        return {"SINEW_FILE_ROOT": str(self.folder / "root")}

    def test_meshes_of_all_formats(self) -> None:
        for kind, content in FORMATS.items():
            self.write(f"secret/s.{kind}", content)
            self.write(f"root/s.{kind}", content)
            outside, inside = (self.write(f"root/{where}_{kind}.xml", mesh_model(f"{path}s.{kind}"))
                               for where, path in (("out", "../secret/"), ("in", "")))
            self.assertIn("outside of", self.refusal("info", outside, **self.bound()), kind)
            self.refusal("convert", outside, "root/leak.xml", **self.bound())
            self.run_program("info", inside, **self.bound())
            absolute = self.write("root/absolute.xml", mesh_model(str(self.folder / f"secret/s.{kind}")))
            self.assertIn("outside of", self.refusal("info", absolute, **self.bound()), kind)
            os.symlink(self.folder / f"secret/s.{kind}", self.folder / f"root/link.{kind}")
            linked = self.write("root/linked.xml", mesh_model(f"link.{kind}"))
            self.assertIn("outside of", self.refusal("info", linked, **self.bound()), kind)
        self.assertFalse((self.folder / "root/leak.xml").exists())

    def test_buffers_of_gltf(self) -> None:
        document = json.loads(make_seeds.gltf(False))
        buffer = make_seeds.floats(*make_seeds.TETRAHEDRON) + struct.pack("<12H", *sum(make_seeds.FACES, ()))
        for uri, code in (("../secret/b.bin", 1), ("b.bin", 0), (str(self.folder / "secret/b.bin"), 1)):
            document["buffers"][0]["uri"] = uri
            self.write("root/s.gltf", json.dumps(document))
            self.write("secret/b.bin", buffer)
            self.write("root/b.bin", buffer)
            self.run_program("info", self.write("root/m.xml", mesh_model("s.gltf")), code=code, **self.bound())

    def test_all_other_files(self) -> None:
        texture = make_seeds.png(2, 3)
        self.write("secret/t.png", texture)
        self.write("secret/s.skn", make_seeds.skn())
        self.write("secret/i.xml", "<mujoco/>")
        self.write("secret/robot.xml", "<mujoco><worldbody><body name='b'/></worldbody></mujoco>")
        for element in ('<asset><texture name="t" type="2d" file="../secret/t.png"/></asset>',
                        '<asset><texture name="t" type="cube" fileright="../secret/t.png"/></asset>',
                        '<asset><hfield name="h" size="1 1 1 1" file="../secret/t.png"/></asset>',
                        '<asset><skin name="s" file="../secret/s.skn"/></asset>',
                        '<include file="../secret/i.xml"/>', '<asset><model name="r" file="../secret/robot.xml"/></asset>',
                        '<worldbody><body name="b"><flexcomp name="f" type="mesh" dim="2" file="../secret/s.ply"/></body></worldbody>',
                        '<compiler meshdir="../secret"/><asset><mesh name="m" file="s.ply"/></asset>'):
            self.refusal("info", self.write("root/m.xml", f"<mujoco>{element}</mujoco>"), **self.bound())
        with zipfile.ZipFile(self.folder / "secret/z.zip", "w") as archive:
            archive.writestr("scene.xml", "<mujoco/>")
        self.refusal("info", "secret/z.zip", **self.bound())
        self.run_program("info", "secret/z.zip")


class OutputTest(ProgramTest):
    """convert writes in the folder of its output alone."""

    def files(self) -> set[str]:
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file() or path.is_symlink()}

    def test_names_that_look_like_paths(self) -> None:
        (self.folder / "box/out").mkdir(parents=True)
        for name in (str(self.folder / "victim"), "../../victim", "a/../../../victim", "..", ".", "~/x", "C:\\x", "a b", "&#27;[2J"):
            before = self.files()
            self.run_program("convert", self.write("evil.xml", ball(name)), "box/out/o.xml")
            new = self.files() - before - {"evil.xml"}
            self.assertTrue(all(path.startswith("box/out/") for path in new), (name, new))
            self.run_program("info", "box/out/o.xml")

    def test_names_that_become_the_same(self) -> None:
        model = ball("a/b").replace("</asset>", ball("A_b").split("<asset>")[1].split("</asset>")[0] + "</asset>")
        self.run_program("convert", self.write("two.xml", model), "o.xml")
        self.assertEqual(self.report("info", "o.xml")["meshes"], 2)
        self.assertEqual(len({path.lower() for path in self.files() if path.startswith("o_meshes/")}), 2)

    def test_links_in_the_folder_are_not_followed(self) -> None:
        self.write("precious", "precious")
        (self.folder / "o_meshes").mkdir()
        os.symlink(self.folder / "precious", self.folder / "o_meshes/m.obj")
        self.assertIn("link", self.refusal("convert", self.write("m.xml", ball("m")), "o.xml"))
        self.assertEqual((self.folder / "precious").read_text(), "precious")

    def test_meshes_of_other_programs_become_obj(self) -> None:
        for kind in ("ply", "off", "gltf", "glb", "dae"):
            self.write(f"s.{kind}", FORMATS[kind])
            self.run_program("convert", self.write("m.xml", mesh_model(f"s.{kind}")), "o.xml")
            text = (self.folder / "o.xml").read_text()
            self.assertNotIn(f".{kind}", text)
            there, back = self.report("info", "m.xml"), self.report("info", "o.xml")
            self.assertAlmostEqual(there["mass (kg)"], back["mass (kg)"], 6, kind)


class DamageTest(ProgramTest):
    """Damaged meshes are refused, or read: in time, and without a signal."""

    def assert_ends_well(self, file: str, content: bytes) -> None:
        self.write(file, content)
        code, text, seconds, _ = self.measure("info", self.write("m.xml", mesh_model(file)))
        self.assertIn(code, (0, 1), (file, text))
        self.assertTrue(code == 0 or "bad_alloc" not in text, text)
        self.assertLess(seconds, 5, file)

    def test_damaged_files(self) -> None:
        chance = random.Random(1)
        for kind in ("ply", "off", "gltf", "glb", "dae"):
            for _ in range(10):
                content = bytearray(FORMATS[kind])
                for _ in range(chance.randint(1, 8)):
                    content[chance.randrange(len(content))] = chance.randrange(256)
                self.assert_ends_well(f"s.{kind}", bytes(content[:chance.randint(1, len(content))]))

    def test_formats_that_assimp_reads(self) -> None:
        """It runs in a process of its own, and what it dies of is told."""
        for kind in ("fbx", "3ds"):
            self.write(f"s.{kind}", b"Kaydara FBX Binary  \x00\x1a\x00" + bytes(range(256)) * 40)
            self.assertIn(f"s.{kind}", self.refusal("info", self.write("m.xml", mesh_model(f"s.{kind}"))))

    def test_a_3ds_file_is_read(self) -> None:
        def chunk(kind: int, body: bytes) -> bytes:
            return struct.pack("<HI", kind, 6 + len(body)) + body
        points = struct.pack("<H", 4) + b"".join(struct.pack("<3f", *p) for p in make_seeds.TETRAHEDRON)
        faces = struct.pack("<H", 4) + b"".join(struct.pack("<4H", *face, 7) for face in make_seeds.FACES)
        mesh = chunk(0x4100, chunk(0x4110, points) + chunk(0x4120, faces))
        self.write("s.3ds", chunk(0x4D4D, chunk(0x3D3D, chunk(0x4000, b"t\x00" + mesh))))
        self.assertEqual(self.report("info", self.write("m.xml", mesh_model("s.3ds")))["meshes"], 1)


if __name__ == "__main__":
    unittest.main()
