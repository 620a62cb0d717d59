"""Our library as the package mujoco sees it: models that it compiles, and its functions on models and states of the package."""

import ctypes
import pathlib
import tempfile

# The package comes before our library: one of the same name that is there already would be taken for its own.
try:
    import mujoco
except ImportError:
    mujoco = None

from libraries import OWN


class OwnLibrary:
    def __init__(self):
        self.library = ctypes.CDLL(str(OWN))
        self.library.mj_loadXML.restype = ctypes.c_void_p
        self.library.mj_saveModel.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int]
        self.library.mj_deleteModel.argtypes = [ctypes.c_void_p]

    def compile(self, xml: str):
        """Returns the model that our library makes, for the package to read."""
        with tempfile.TemporaryDirectory() as folder:
            source, binary = (str(pathlib.Path(folder, name)) for name in ("model.xml", "model.mjb"))
            pathlib.Path(source).write_text(xml)
            error = ctypes.create_string_buffer(1000)
            model = self.library.mj_loadXML(source.encode(), None, error, 1000)
            if not model:
                raise ValueError(error.value.decode())
            self.library.mj_saveModel(model, binary.encode(), None, 0)
            self.library.mj_deleteModel(model)
            return mujoco.MjModel.from_binary_path(binary)

    def call(self, name: str, model, data) -> None:
        """Calls a function of our library."""
        function = getattr(self.library, name)
        function.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        function(model._address, data._address)
