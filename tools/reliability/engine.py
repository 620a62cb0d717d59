"""The library under test, by ctypes. Errors and warnings are collected: a handler that returns lets the call return, so
that a program sees what it would have died of."""

import array
import ctypes
import math
import os
import pathlib

import layout
from layout import ROOT

LIBRARY = pathlib.Path(os.environ.get("SINEW_LIBRARY", ROOT / "build/release/lib/libmujoco.so.3.8.0"))
NUMBERS = {"mjtNum": "d", "float": "f", "int": "i", "mjtByte": "B"}
MODELS = ROOT / "models"


class LoadError(Exception):
    """A model was refused, with this text."""


class Engine:
    def __init__(self, path: pathlib.Path = LIBRARY):
        self.path = path
        self.library = library = ctypes.CDLL(str(path))
        for name in ("mj_loadXML", "mj_loadModel", "mj_loadModelBuffer", "mj_makeData", "mj_parseXMLString", "mj_compile",
                     "mj_copyModel", "mj_copyData"):
            getattr(library, name).restype = ctypes.c_void_p
        for name in ("mj_stateSize", "mj_sizeModel", "mj_version"):
            getattr(library, name).restype = ctypes.c_int
        self.errors, self.warnings = [], []
        kind = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
        self._handlers = [kind(lambda text: self.errors.append(text.decode(errors="replace"))),
                          kind(lambda text: self.warnings.append(text.decode(errors="replace")))]
        for name, handler in zip(("mju_user_error", "mju_user_warning"), self._handlers):
            ctypes.c_void_p.in_dll(library, name).value = ctypes.cast(handler, ctypes.c_void_p).value

    def load(self, path: pathlib.Path) -> "World":
        """A model from a file, with a world."""
        text = ctypes.create_string_buffer(4000)
        load = self.library.mj_loadModel if path.suffix == ".mjb" else self.library.mj_loadXML
        arguments = (os.fsencode(path), None) if path.suffix == ".mjb" else (os.fsencode(path), None, text, len(text))
        address = load(*arguments)
        if not address:
            raise LoadError(text.value.decode(errors="replace") or " ".join(self.warnings + self.errors))
        return World(self, address)

    def load_text(self, xml: bytes) -> "World":
        """A model from MJCF, with a world."""
        text = ctypes.create_string_buffer(4000)
        spec = self.library.mj_parseXMLString(xml, None, text, len(text))
        address = self.library.mj_compile(ctypes.c_void_p(spec), None) if spec else None
        if not address:
            self.library.mjs_getError.restype = ctypes.c_char_p
            reason = text.value or (self.library.mjs_getError(ctypes.c_void_p(spec)) if spec else b"")
            self.library.mj_deleteSpec(ctypes.c_void_p(spec))
            raise LoadError(reason.decode(errors="replace"))
        self.library.mj_deleteSpec(ctypes.c_void_p(spec))
        return World(self, address)

    def take_errors(self) -> list[str]:
        taken, self.errors[:] = list(self.errors), []
        return taken

    def take_warnings(self) -> list[str]:
        taken, self.warnings[:] = list(self.warnings), []
        return taken


class World:
    """A model and a world of it. Arrays are ctypes arrays of their elements, without copies."""

    def __init__(self, engine: Engine, model: int):
        self.engine, self.library = engine, engine.library
        self.model_address = model
        self.m = ctypes.cast(model, ctypes.POINTER(layout.Model)).contents
        self.d = None
        self.make_data()

    def make_data(self) -> None:
        """A world from scratch, instead of the present one."""
        if self.d is not None:
            self.library.mj_deleteData(ctypes.byref(self.d))
        address = self.library.mj_makeData(ctypes.c_void_p(self.model_address))
        if not address:
            raise LoadError(" ".join(self.engine.take_errors()) or "mj_makeData returned NULL")
        self.d = ctypes.cast(address, ctypes.POINTER(layout.Data)).contents

    def close(self) -> None:
        self.library.mj_deleteData(ctypes.byref(self.d))
        self.library.mj_deleteModel(ctypes.c_void_p(self.model_address))

    def call(self, name: str, *arguments):
        """mj_step(m, d), and the like."""
        return getattr(self.library, name)(ctypes.c_void_p(self.model_address), ctypes.byref(self.d), *arguments)

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            self.call("mj_step")

    def reset(self) -> None:
        self.call("mj_resetData")

    def model_array(self, name: str):
        """An array of mjModel; empty ones have length 0."""
        return self._array(layout.MODEL_ARRAYS[name], self.m)

    def data_array(self, name: str):
        """An array of mjData; those of the arena have their present length."""
        return self._array(layout.DATA_ARRAYS[name], self.d)

    def _array(self, entry: layout.Array, owner):
        address = getattr(owner, entry.name)
        count = entry.count(self.m, self.d if owner is self.d else None)
        kind = layout.STRUCTS[entry.type] * (count if address else 0)
        return kind.from_address(address or 0) if address and count else kind()

    def warning_counts(self) -> list[int]:
        return [stat.number for stat in self.d.warning]

    def state(self) -> bytes:
        """mjSTATE_INTEGRATION."""
        signature = layout.CONSTANTS["mjSTATE_INTEGRATION"]
        size = self.library.mj_stateSize(ctypes.c_void_p(self.model_address), signature)
        numbers = (ctypes.c_double * size)()
        self.call("mj_getState", numbers, signature)
        return bytes(numbers)

    def infinite_arrays(self) -> list[str]:
        """Results that a number has spoiled: arrays of mjData's buffer with a NaN or an infinity."""
        bad = []
        for entry in layout.DATA_ARRAYS.values():
            if entry.type != "mjtNum" or entry.kind != "buffer" or entry.name in ("userdata", "plugin_data"):
                continue
            numbers = self.data_array(entry.name)
            if len(numbers) and not is_finite(numbers):
                bad.append(entry.name)
        return bad


def is_finite(numbers) -> bool:
    """Whether all are; a sum tells unless huge ones cancel, then each is asked."""
    values = array.array("d", bytes(numbers))
    return math.isfinite(sum(values)) or all(map(math.isfinite, values))
