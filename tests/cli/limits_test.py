"""--time-limit and --memory-limit hold, whatever number in a file asks for more."""

import math
import os
import pathlib
import struct
import sys
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from program import ProgramTest  # noqa: E402


def black_png(side: int) -> bytes:
    """A picture of side x side pixels of one bit: a few kilobytes."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = zlib.compress(bytes(((side + 7) // 8 + 1) * side), 9)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)) + chunk(b"IDAT", rows) +
            chunk(b"IEND", b""))


class TimeTest(ProgramTest):
    def refused(self, text: str, seconds: float) -> None:
        """Processor time: other work on the machine does not count."""
        code, told, taken, _ = self.measure("info", self.write("m.xml", text), "--time-limit", "2")
        self.assertEqual(code, 1, told[-300:])
        self.assertLess(taken, seconds)

    def test_unknown_attributes(self) -> None:
        attributes = " ".join(f'a{i}="1"' for i in range(100_000))
        self.refused(f'<mujoco><worldbody><geom size="1" {attributes}/></worldbody></mujoco>', 4)

    def test_attributes_that_have_no_effect(self) -> None:
        attributes = " ".join(f'a{i}="1"' for i in range(100_000))
        code, told, taken, _ = self.measure("info", self.write("m.xml", f"<mujoco><worldbody><frame {attributes}/></worldbody></mujoco>"))
        self.assertEqual(code, 0, told[-300:])
        self.assertLess(taken, 4)

    def test_a_hull_of_many_points(self) -> None:
        points = bytearray()
        for i in range(300_000):  # on a ball, by the golden angle: all are vertices of the hull
            z = 1 - 2 * (i + .5) / 300_000
            r, angle = math.sqrt(1 - z * z), 2.399963 * i
            points += struct.pack("<3f", r * math.cos(angle), r * math.sin(angle), z)
        self.write("m.msh", struct.pack("<4i", 300_000, 0, 0, 0) + points)
        self.refused('<mujoco><asset><mesh name="m" file="m.msh"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>', 2)

    def test_a_limit_is_a_number(self) -> None:
        self.assertIn("--time-limit", self.refusal("info", "m.xml", "--time-limit", "nan", code=105))


class MemoryTest(ProgramTest):
    LIMIT = "0.2"  # GB

    def refused(self, text: str) -> str:
        """The program itself takes some 30 MB, and a limit is checked before memory is taken."""
        code, told, _, megabytes = self.measure("info", self.write("m.xml", text), "--memory-limit", self.LIMIT)
        self.assertEqual(code, 1, told[-300:])
        self.assertNotIn("bad_alloc", told)
        self.assertLess(megabytes, 400)
        return told

    def test_sides_of_a_cube(self) -> None:
        self.write("h.png", black_png(5000))  # 75 MB as a texture: one fits, six do not
        sides = " ".join(f'file{side}="h.png"' for side in ("right", "left", "up", "down", "front", "back"))
        self.refused(f'<mujoco><asset><texture name="t" type="cube" {sides}/></asset></mujoco>')

    def test_many_pictures(self) -> None:
        self.write("h.png", black_png(5000))
        textures = "".join(f'<texture name="t{i}" type="2d" file="h.png"/>' for i in range(20))
        self.refused(f"<mujoco><asset>{textures}</asset></mujoco>")

    def test_a_height_field(self) -> None:
        self.write("h.png", black_png(8000))
        self.refused('<mujoco><asset><hfield name="h" size="1 1 1 1" file="h.png"/></asset></mujoco>')
        self.refused('<mujoco><asset><hfield name="h" size="1 1 1 1" nrow="8000" ncol="8000"/></asset></mujoco>')

    def test_one_mesh_many_times(self) -> None:
        count = 200_000  # 2.4 MB of points
        points = b"".join(struct.pack("<3f", i % 97, i % 89, i % 83) for i in range(count))
        self.write("m.msh", struct.pack("<4i", count, 0, 0, 1) + points + struct.pack("<3i", 0, 1, 2))
        meshes = "".join(f'<mesh name="m{i}" file="m.msh" inertia="shell"/>' for i in range(100))
        self.refused(f"<mujoco><asset>{meshes}</asset></mujoco>")

    def test_sparse_files(self) -> None:
        for name, element in (("big.xml", '<include file="big.xml"/>'),
                              ("big.stl", '<asset><mesh name="m" file="big.stl"/></asset>'),
                              ("big.bin", '<asset><texture name="t" type="2d" file="big.bin"/></asset>')):
            with open(self.folder / name, "wb") as file:
                os.truncate(file.fileno(), 20_000_000_000)
            self.assertIn("20 GB", self.refused(f"<mujoco>{element}</mujoco>"))

    def test_many_elements(self) -> None:
        self.refused("<mujoco><worldbody>" + "<site/>" * 2_000_000 + "</worldbody></mujoco>")

    def test_counts(self) -> None:
        sphere = "<geom size='.1'/>"
        nested = sphere
        for _ in range(6):
            nested = f"<replicate count='30' offset='1 0 0'>{nested}</replicate>"
        for body in (nested, "<body name='b'><flexcomp name='f' type='grid' dim='3' count='300 300 300' spacing='.1 .1 .1' mass='1'/></body>",
                     f"<replicate count='100000' offset='1 0 0'><body><freejoint/>{sphere}</body></replicate>"):
            self.refused(f"<mujoco><worldbody>{body}</worldbody></mujoco>")


if __name__ == "__main__":
    unittest.main()
