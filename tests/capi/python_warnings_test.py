#!/usr/bin/env python3
"""What a model is warned of while it is loaded is a warning of Python in the process of an interpreter, at the line of the
program and each once, whether the caller holds the interpreter or not. SINEW_LIBRARY names the library."""

import ctypes
import os
import pathlib
import tempfile
import threading
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = os.environ.get("SINEW_LIBRARY", str(ROOT / "build/release/lib/libmujoco.so.3.8.0"))

PLAIN = '<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>'
# a contact too stiff for Euler's method at this time step
STIFF = """<mujoco><option timestep="0.001"/><worldbody>
  <geom type="plane" size="5 5 .1" contactmodel="hertz" modulus="1e11" dissipation="1"/>
  <body pos="0 0 .1"><freejoint/><geom size=".05" mass="1" contactmodel="hertz" modulus="1e11" dissipation="1"/></body>
  </worldbody></mujoco>"""


class PythonWarnings(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def load(self, library, xml):
        path = pathlib.Path(self.folder.name, f"{threading.get_ident()}.xml")
        path.write_text(xml)
        error = ctypes.create_string_buffer(1000)
        library.mj_loadXML.restype = ctypes.c_void_p
        model = library.mj_loadXML(str(path).encode(), None, error, len(error))
        library.mj_deleteModel(ctypes.c_void_p(model))
        return model, error.value.decode()

    def libraries(self):
        return ctypes.CDLL(LIBRARY), ctypes.PyDLL(LIBRARY)  # calls without and with the interpreter

    def test_a_warning_is_one_of_python(self):
        for library in self.libraries():
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                model, text = self.load(library, STIFF)
            self.assertTrue(model)
            self.assertEqual([str(warning.message) for warning in caught], [text])
            self.assertIn("reduce the timestep", text)
            self.assertEqual(caught[0].filename, __file__)

    def test_no_warning(self):
        for library in self.libraries():
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                self.assertTrue(self.load(library, PLAIN)[0])
            self.assertEqual(caught, [])

    def test_a_filter_makes_it_an_error(self):
        for library in self.libraries():
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                model, text = self.load(library, STIFF)
            self.assertFalse(model)
            self.assertIn("reduce the timestep", text)

    def test_threads(self):
        library, _ = self.libraries()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            threads = [threading.Thread(target=self.load, args=(library, STIFF)) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(60)
        self.assertEqual(len(caught), 2)


if __name__ == "__main__":
    unittest.main()
