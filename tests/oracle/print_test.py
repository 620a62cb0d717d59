"""Models, data and scenes as text: line by line as the release whose interface it is writes them.

Both libraries run on the release's compiled models. Needs an installed wheel of that release, and skips itself without.
"""

import ctypes
import importlib.util
import os
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = pathlib.Path(os.environ.get("SINEW_LIBRARY", ROOT / "build/release/lib/libmujoco.so.3.8.0"))
AVAILABLE = importlib.util.find_spec("mujoco") and OWN.is_file()

# Two boxes and a sphere that touch nothing but the floor: several islands.
ISLANDS = """<mujoco><option jacobian="{}" integrator="{}"/><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 .09"><freejoint/><geom size=".1"/></body>
  <body pos="1 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="2 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""

# Use of memory and time are the library's own.
OWN_LINES = re.compile(r" +(total|struct|buffer|arena|narena|nbuffer|maxuse_\w+|threadpool|\d+:  duration) ")


class Library:
    """The printing functions of our library, for structs that the wheel has made."""

    def __init__(self):
        self._lib = ctypes.CDLL(str(OWN))

    def text(self, function: str, *structs) -> list[str]:
        with tempfile.NamedTemporaryFile(suffix=".txt") as file:
            getattr(self._lib, function)(*(ctypes.c_void_p(struct._address) for struct in structs), file.name.encode())
            return lines(file.name)


def lines(path: str) -> list[str]:
    return [line for line in pathlib.Path(path).read_text().splitlines() if not OWN_LINES.match(line)]


@unittest.skipUnless(AVAILABLE, "no library, or no release to compare with")
class PrintTest(unittest.TestCase):
    def compare(self, model):
        import mujoco

        data = mujoco.MjData(model)
        if model.nkey:
            mujoco.mj_resetDataKeyframe(model, data, 0)
        for _ in range(3):
            mujoco.mj_step(model, data)
        mujoco.mj_forward(model, data)
        scene, camera = mujoco.MjvScene(model, 1000), mujoco.MjvCamera()
        mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
        own = Library()
        with tempfile.NamedTemporaryFile(suffix=".txt") as file:
            mujoco.mj_printModel(model, file.name)
            self.assertEqual(own.text("mj_printModel", model), lines(file.name))
            mujoco.mj_printData(model, data, file.name)
            self.assertEqual(own.text("mj_printData", model, data), lines(file.name))
            mujoco.mj_printScene(scene, file.name)
            self.assertEqual(own.text("mj_printScene", scene), lines(file.name))

    def test_own_models(self):
        import mujoco

        for name in ("humanoid.xml", "sensors.xml", "flex/cloth.xml"):
            with self.subTest(name):
                self.compare(mujoco.MjModel.from_xml_path(str(ROOT / "models" / name)))

    def test_islands(self):
        import mujoco

        for options in (("dense", "Euler"), ("sparse", "implicit"), ("sparse", "implicitfast")):
            with self.subTest(options):
                self.compare(mujoco.MjModel.from_xml_string(ISLANDS.format(*options)))


if __name__ == "__main__":
    unittest.main()
