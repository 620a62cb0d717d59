"""Calls of functions of the C interface by their names, on copies of the arguments, and what is compared afterwards."""

import ctypes
import json
import pathlib

try:
    import numpy as np
except ImportError:
    np = None

from libraries import ROOT

VALUES = {"mjtNum": ctypes.c_double, "double": ctypes.c_double, "int": ctypes.c_int, "size_t": ctypes.c_size_t,
          "mjtByte": ctypes.c_ubyte, "unsigned char": ctypes.c_ubyte, "mjtSize": ctypes.c_int64,
          "const char*": ctypes.c_char_p, "char*": ctypes.c_char_p, "const mjtNum*": ctypes.c_void_p,
          "mjData*": ctypes.c_void_p, "void": None}

# The library's own: use of memory and time, and where it puts what varies in size. Beyond the lengths in use, arrays of
# the arena hold whatever was there before.
OWN_FIELDS = ("solver", "timer", "warning", "maxuse_", "threadpool", "signature", "parena", "efc_", "iefc_", "iM", "iLD",
              "solver_", "tree_island", "map_", "island_", "dof_island", "contact",
              "nisland", "nidof", "iacc", "ifrc", "qfrc_isl", "itree", "tendon_efc")
COUNTS = {"body_awake_ind": "nbody_awake", "parent_awake_ind": "nparent_awake", "dof_awake_ind": "nv_awake"}


def functions() -> dict[str, dict]:
    """Returns the entries of the table of functions by name."""
    entries = json.loads((ROOT / "tables/functions.json").read_text())
    return {entry["name"]: entry for entry in entries if "name" in entry}


class Library:
    """Calls functions by name; arrays go in and out as pointers."""

    def __init__(self, path: pathlib.Path):
        self._library = ctypes.CDLL(str(path))
        self._functions = functions()

    def call(self, name: str, args: list) -> list:
        """Returns the value of a call on copies of the arguments, then the arrays as the call leaves them."""
        function = getattr(self._library, name)
        function.restype = VALUES[self._functions[name]["returns"]]
        args = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
        result = function(*(self._pass(p, arg) for p, arg in zip(self._functions[name]["params"], args, strict=True)))
        return [result, *(arg for arg in args if isinstance(arg, np.ndarray))]

    @staticmethod
    def _pass(parameter: str, arg):
        if isinstance(arg, np.ndarray):
            assert "*" in parameter or "[" in parameter, parameter
            return ctypes.c_void_p(arg.ctypes.data)
        if arg is None or isinstance(arg, bytes | ctypes.c_void_p):
            return arg
        return VALUES[parameter.rsplit(" ", 1)[0]](arg)


def difference(ours, theirs) -> float:
    """Returns the largest error relative to the largest number, at least 1; infinite where kinds or integers differ."""
    if isinstance(theirs, np.ndarray) and theirs.dtype == np.float64 or isinstance(theirs, float):
        ours, theirs = np.atleast_1d(ours), np.atleast_1d(theirs)
        if not np.array_equal(np.isfinite(ours), np.isfinite(theirs)):
            return np.inf
        ours, theirs = ours[np.isfinite(theirs)], theirs[np.isfinite(theirs)]
        return float(np.abs(ours - theirs).max(initial=0) / max(1.0, np.abs(theirs).max(initial=0)))
    return 0.0 if np.array_equal(ours, theirs) else np.inf


def fields(data) -> dict:
    """Returns the numbers of mjData that are compared, by name."""
    result = {}
    for name in dir(data):
        if name.startswith(("_",) + OWN_FIELDS):
            continue
        value = getattr(data, name)
        if isinstance(value, (int, float, np.ndarray)):
            array = np.array(value, dtype=float)
            result[name] = array[:getattr(data, COUNTS[name])] if name in COUNTS else array
    return result
