"""Models, data and scenes as text: line by line as the release whose interface it is writes them.

Both libraries run on the release's compiled models. Needs what libraries.py says, and the package mujoco.
"""

import ctypes
import pathlib
import re
import tempfile
import unittest

from libraries import AVAILABLE, NEEDS, OWN, REFERENCE, ROOT

# Two boxes and a sphere that touch nothing but the floor: several islands.
ISLANDS = """<mujoco><option jacobian="{}" integrator="{}"/><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 .09"><freejoint/><geom size=".1"/></body>
  <body pos="1 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="2 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""

# Use of memory and time are the library's own.
OWN_LINES = re.compile(r" +(total|struct|buffer|arena|narena|nbuffer|maxuse_\w+|threadpool|\d+:  duration) ")


def text(library: ctypes.CDLL, function: str, *structs) -> list[str]:
    """Returns what a function of a library prints of some structs."""
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        getattr(library, function)(*structs, file.name.encode())
        return lines(file.name)


def scene_of(library: ctypes.CDLL, model, data):
    """Returns an mjvScene with everything that a model shows."""
    scene, option, camera = (ctypes.create_string_buffer(1 << 17) for _ in range(3))
    library.mjv_defaultScene(scene)
    library.mjv_makeScene(model, scene, 1000)
    library.mjv_defaultOption(option)
    library.mjv_defaultCamera(camera)
    everything = 7  # mjCAT_ALL
    library.mjv_updateScene(model, data, option, None, camera, everything, scene)
    return scene


def lines(path: str) -> list[str]:
    return [line for line in pathlib.Path(path).read_text().splitlines() if not OWN_LINES.match(line)]


@unittest.skipUnless(AVAILABLE, NEEDS)
class PrintTest(unittest.TestCase):
    def compare(self, model):
        import mujoco

        data = mujoco.MjData(model)
        if model.nkey:
            mujoco.mj_resetDataKeyframe(model, data, 0)
        for _ in range(3):
            mujoco.mj_step(model, data)
        mujoco.mj_forward(model, data)
        own = ctypes.CDLL(str(OWN))
        reference = ctypes.CDLL(str(REFERENCE))
        m, d = ctypes.c_void_p(model._address), ctypes.c_void_p(data._address)
        scene = scene_of(reference, m, d)
        for function, *structs in (("mj_printModel", m), ("mj_printData", m, d), ("mj_printScene", scene)):
            with self.subTest(function):
                self.assertEqual(text(own, function, *structs), text(reference, function, *structs))

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
