"""MuJoCo 3.8.0 loads and steps models whose extensions our library has put into <custom>.

Needs what libraries.py says, and the package mujoco.
"""

import ctypes
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from libraries import AVAILABLE, NEEDS, OWN

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"

REFERENCE_RUN = """
import json, sys, mujoco
model = mujoco.MjModel.from_xml_path(sys.argv[1])
data = mujoco.MjData(model)
for _ in range(100):
    mujoco.mj_step(model, data)
names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_TEXT, i) for i in range(model.ntext)]
print(json.dumps([model.nu, model.na, any(name.startswith("sinew/") for name in names), bool(abs(data.qpos).max() < 1e3)]))
"""


@unittest.skipUnless(AVAILABLE, NEEDS)
class CarrierTest(unittest.TestCase):
    def setUp(self):
        self.library = ctypes.CDLL(str(OWN))
        self.library.mj_parseXML.restype = ctypes.c_void_p
        self.library.mj_compile.restype = ctypes.c_void_p
        self.library.mj_compile.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self.library.sinew_saveCarrierXml.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int]
        self.library.mj_deleteModel.argtypes = [ctypes.c_void_p]
        self.library.mj_deleteSpec.argtypes = [ctypes.c_void_p]

    def carry(self, source: pathlib.Path, target: pathlib.Path):
        error = ctypes.create_string_buffer(1000)
        spec = self.library.mj_parseXML(str(source).encode(), None, error, 1000)
        self.assertTrue(spec, error.value)
        model = self.library.mj_compile(spec, None)
        self.assertEqual(self.library.sinew_saveCarrierXml(spec, str(target).encode(), error, 1000), 0, error.value)
        self.library.mj_deleteModel(model)
        self.library.mj_deleteSpec(spec)

    def test_the_reference_loads_and_steps_them(self):
        for name, actuators, activations in [("muscle/legs18.xml", 18, 36), ("muscle/walker18.xml", 18, 36),
                                             ("compliant/hop.xml", 2, 0), ("compliant/arm.xml", 2, 0)]:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder, "carried.xml")
                self.carry(MODELS / name, file)
                # in a process of its own: the package would take our library, which is there already, for its own
                told = subprocess.run([sys.executable, "-c", REFERENCE_RUN, str(file)], capture_output=True, text=True)
                self.assertEqual(told.returncode, 0, told.stderr)
                self.assertEqual(json.loads(told.stdout), [actuators, activations, True, True])


if __name__ == "__main__":
    unittest.main()
