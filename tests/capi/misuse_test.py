#!/usr/bin/env python3
"""Arguments that the interface tables forbid: every function is called with each of its pointers null in turn, then with
negative counts and with ids that the model does not have. It must report an error that names the function and the argument;
where null is accepted, it must return.

SINEW_LIBRARY or the first argument names the library, else it is that of the release build.
"""

import ctypes
import json
import os
import pathlib
import re
import signal
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tables"))

from generator.capi import required_pointers  # noqa: E402

LIBRARY = pathlib.Path(os.environ.get("SINEW_LIBRARY", ROOT / "build/release/lib/libmujoco.so.3.8.0"))

# Functions of other tiers, those that report errors themselves, and one that returns a struct.
LEFT_OUT = re.compile(r"mjr_|mjui_|mju_(error|warning|writeLog)|mj_warning$|mjv_averageCamera$")
COUNTS = {"n", "nr", "nc", "r1", "c1", "r2", "c2", "ntotal", "nrow", "ncol", "nray", "nface", "nvert", "nband", "ndense",
          "nvec", "dim", "maxgeom", "size"}
# Pointers that functions judge in their own way ("own" in the tables): by a code, or by a text in the caller's buffer. May only
# shrink.
MOST_OWN = 50

XML = b"""<mujoco><worldbody><site name="x"/><camera name="x"/><body name="x"><joint name="x"/><geom size=".1"/></body>
  </worldbody><actuator><motor name="x" joint="x"/></actuator><sensor><jointpos joint="x"/></sensor></mujoco>"""


def is_pointer(parameter: str) -> bool:
    """Returns whether a parameter is a pointer to data."""
    return ("*" in parameter or "[" in parameter) and "(*" not in parameter


def name_of(parameter: str) -> str:
    """Returns the name of a parameter, also of a function pointer."""
    if "(*" in parameter:
        return re.search(r"\(\*(\w+)\)", parameter).group(1)
    return re.match(r".*?([A-Za-z_]\w*)(\[.*\])?$", parameter.strip()).group(1)


class NullArguments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.library = library = ctypes.CDLL(str(LIBRARY))
        cls.errors = []
        handler_type = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
        cls.handler = handler_type(lambda text: cls.errors.append(text.decode()))
        ctypes.c_void_p.in_dll(library, "mju_user_error").value = ctypes.cast(cls.handler, ctypes.c_void_p).value
        for name in ("mj_parseXMLString", "mj_compile", "mj_makeData", "mj_copyModel", "mj_loadModelBuffer"):
            getattr(library, name).restype = ctypes.c_void_p
        cls.error = ctypes.create_string_buffer(1000)
        cls.spec = library.mj_parseXMLString(XML, None, cls.error, 1000)
        assert cls.spec, cls.error.value
        library.mjs_findBody.restype = ctypes.c_void_p
        cls.body = library.mjs_findBody(ctypes.c_void_p(cls.spec), b"x")
        cls.model = library.mj_compile(ctypes.c_void_p(cls.spec), None)
        cls.data = library.mj_makeData(ctypes.c_void_p(cls.model))
        # where a check comes first, other arguments are not looked at
        cls.memory = ctypes.create_string_buffer(1 << 20)

    def argument(self, parameter: str):
        """Returns a value for a parameter."""
        name = name_of(parameter)
        if is_pointer(parameter):
            known = {"mjModel*": self.model, "mjData*": self.data, "mjSpec*": self.spec, "mjsBody*": self.body}
            for kind, address in known.items():
                if kind in parameter:
                    return ctypes.c_void_p(address)
            return ctypes.c_void_p(ctypes.addressof(self.memory))
        if "(*" in parameter or parameter.startswith("mjf"):
            return ctypes.c_void_p(None)
        if parameter.startswith(("mjtNum ", "double ")):
            return ctypes.c_double(1)
        if parameter.startswith("float "):
            return ctypes.c_float(1)
        return ctypes.c_size_t(1 if name in COUNTS else 0)

    def error_of(self, function: dict, bad: str, value) -> str:
        """Returns the error of a call in which one argument has a bad value."""
        self.errors.clear()
        arguments = [value if name_of(p) == bad else self.argument(p) for p in function["params"]]
        getattr(self.library, function["name"])(*arguments)
        return self.errors[0] if self.errors else ""

    def ends_by(self, function: dict, bad: str | None) -> int:
        """Returns the status of a process that calls a function, with null as one of its arguments."""
        process = os.fork()
        if process:
            return os.waitpid(process, 0)[1]
        signal.alarm(10)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        null = ctypes.c_void_p(None)
        getattr(self.library, function["name"])(*[null if name_of(p) == bad else self.argument(p) for p in function["params"]])
        os._exit(0)

    def functions(self):
        """Yields the functions that can be called."""
        missing = set((ROOT / "tables/unimplemented.txt").read_text().split())
        for function in json.loads((ROOT / "tables/functions.json").read_text()):
            name = function.get("name")
            if name and name not in missing and not LEFT_OUT.match(name) and "..." not in function["params"]:
                yield function

    def test_numbers(self):
        checked = 0
        for function in self.functions():
            name = function["name"]
            for check in function.get("checks", []):
                limit = re.fullmatch(r"(\w+) (>=|<) .+", check)
                if not limit or " if " in check or name.startswith("mjs_"):
                    continue
                argument = limit.group(1)
                for value in (-5, 10**6) if limit.group(2) == "<" else (-5,):
                    with self.subTest(function=name, argument=argument, value=value):
                        error = self.error_of(function, argument, ctypes.c_int(value))
                        self.assertIn(f"{name}: argument '{argument}' is {value}", error)
                        checked += 1
        self.assertGreater(checked, 140)

    def test_pointers(self):
        checked = own = 0
        for function in self.functions():
            name, checks = function["name"], function.get("checks", [])
            own += len(function.get("own", []))
            for argument in required_pointers(function):
                conditions = [check for check in checks if " if " in check and argument in check.split(" if ")[0].split(", ")]
                with self.subTest(function=name, argument=argument):
                    error = self.error_of(function, argument, ctypes.c_void_p(None))
                    if conditions and argument not in error:  # the condition does not hold here
                        continue
                    self.assertIn(f"{name}: argument '{argument}' is null", error)
                    checked += 1
        print(f"{checked} pointers are checked, {own} are judged by their functions", file=sys.stderr)
        self.assertGreater(checked, 640)
        self.assertLessEqual(own, MOST_OWN)

    def test_null_is_never_followed(self):
        for function in self.functions():
            usual = self.ends_by(function, None)  # some cannot be called with the memory of zeros that stands for structs
            for parameter in filter(is_pointer, function["params"]):
                with self.subTest(function=function["name"], argument=name_of(parameter)):
                    self.assertIn(self.ends_by(function, name_of(parameter)), (0, usual))

    def test_data_of_another_model(self):
        """Functions whose first arguments are a model and a world refuse a world with other arrays."""
        text = XML.replace(b"</worldbody>", b"<body><freejoint/><geom size='.1'/></body></worldbody>")
        other = self.library.mj_parseXMLString(text, None, self.error, 1000)
        stranger = self.library.mj_makeData(ctypes.c_void_p(self.library.mj_compile(ctypes.c_void_p(other), None)))
        self.assertTrue(stranger, self.errors)
        checked = 0
        for function in self.functions():
            kinds = [parameter.replace("const ", "").split("*")[0] for parameter in function["params"][:2]]
            if kinds != ["mjModel", "mjData"]:
                continue
            name, argument = function["name"], name_of(function["params"][1])
            with self.subTest(function=name):
                self.assertIn(f"{name}: argument '{argument}' was made for another model",
                              self.error_of(function, argument, ctypes.c_void_p(stranger)))
                checked += 1
        self.assertGreater(checked, 80)

    def test_data_of_an_equal_model(self):
        """A world may go on with another model of the same sizes: programs vary models so."""
        again = self.library.mj_parseXMLString(XML.replace(b'size=".1"', b'size=".2"'), None, self.error, 1000)
        model = self.library.mj_compile(ctypes.c_void_p(again), None)
        self.errors.clear()
        self.library.mj_step(ctypes.c_void_p(model), ctypes.c_void_p(self.data))
        self.assertEqual(self.errors, [])

    def test_no_file_in_memory(self):
        warnings = []
        handler = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda text: warnings.append(text.decode()))
        place = ctypes.c_void_p.in_dll(self.library, "mju_user_warning")
        before, place.value = place.value, ctypes.cast(handler, ctypes.c_void_p).value
        self.assertIsNone(self.library.mj_loadModelBuffer(None, 100))
        place.value = before
        self.assertIn("argument 'buffer' is null", warnings[0])

    def test_corrupted_ids(self):
        """A model that a program has written beyond its arrays gets no world, and the error names the array."""
        sys.path.insert(0, str(ROOT / "tools/reliability"))
        import layout
        checked = 0
        for entry in layout.MODEL_ARRAYS.values():
            if entry.type != "int" or not entry.name.endswith(("id", "adr", "parent")):
                continue
            copy = self.library.mj_copyModel(None, ctypes.c_void_p(self.model))
            m = ctypes.cast(copy, ctypes.POINTER(layout.Model)).contents
            if entry.count(m):
                ctypes.c_int.from_address(getattr(m, entry.name)).value = 10**6
                self.errors.clear()
                with self.subTest(array=entry.name):
                    if world := self.library.mj_makeData(ctypes.c_void_p(copy)):  # nothing reads it here
                        self.library.mj_step(ctypes.c_void_p(copy), ctypes.c_void_p(world))
                        self.library.mj_deleteData(ctypes.c_void_p(world))
                        continue
                    self.assertIn("mj_makeData", self.errors[0])
                    self.assertIn(entry.name, self.errors[0])
                    checked += 1
            self.library.mj_deleteModel(ctypes.c_void_p(copy))
        self.assertGreater(checked, 20)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        LIBRARY = pathlib.Path(sys.argv.pop(1))
    unittest.main()
