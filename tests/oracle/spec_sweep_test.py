"""Every field of every structure of a specification, set to values that may be undefined and to others: what MuJoCo 3.8.0 makes
of it when the specification is compiled, against ours.

    spec_sweep_test.py            the test, on every second case, or with SINEW_SPEC_SWEEP=all on all; needs what libraries.py says
    spec_sweep_test.py --list     every case that differs, those that depart on purpose too

Structures are written as C programs write them, by their layout, in elements of a model that has one of each kind and in
elements that were added by mjs_add*. A case is an element, a field and a value; equal are two refusals, or two models whose
arrays are equal to rounding.
"""

import ctypes
import math
import os
import re
import signal
import sys
import unittest

from libraries import AVAILABLE, NEEDS, OWN, REFERENCE

try:
    import mujoco
    import numpy as np
except ImportError:
    mujoco = np = None

import spec_structs

BASE = """<mujoco model="m"><compiler autolimits="true"/><extension><plugin plugin="mujoco.elasticity.cable"/></extension>
  <default><geom friction=".9 .01 .001"/><default class="k"><geom size=".2"/><joint damping="2"/></default></default>
  <asset><mesh name="mesh" vertex="0 0 0 .2 0 0 0 .3 0 0 0 .1 .2 .2 .2"/><hfield name="hf" nrow="2" ncol="3" size="1 1 .5 .1" elevation="0 1 .5 1 0 .2"/>
  <texture name="flat" type="2d" builtin="checker" width="8" height="8" rgb1="1 0 0" rgb2="0 1 0"/>
  <texture name="sky" type="skybox" builtin="gradient" width="4" height="4" rgb1=".1 .2 .3" rgb2="0 0 0"/>
  <material name="mat" texture="flat" rgba=".1 .2 .3 1"/></asset>
  <worldbody><light name="sun" pos="0 0 3"/><light name="spot" type="spot" mode="targetbody" target="a" pos="1 0 3"/>
  <camera name="cam" pos="0 -2 1" mode="targetbody" target="b"/><camera name="lens" sensorsize=".1 .1" focal=".1 .1" resolution="10 20"/>
  <geom name="floor" type="plane" size="1 1 .1" material="mat"/><geom name="land" type="hfield" hfield="hf" pos="3 0 0"/>
  <frame name="f" pos=".1 .2 .3" euler="10 20 30"><body name="a" pos="0 0 1"><joint name="hinge" range="-30 60" damping=".1" stiffness="2"/>
  <geom name="ball" size=".1"/><geom name="cap" type="capsule" fromto="0 0 0 .1 .2 .3" size=".05"/><site name="s"/><site name="t" type="box" size=".1 .2 .3" pos=".1 0 0"/>
  <body name="b" pos="0 0 .4"><inertial pos=".1 0 0" mass="2" diaginertia=".1 .2 .25"/><joint name="slide" type="slide" frictionloss=".1" axis="1 1 0"/>
  <geom name="box" type="box" size=".1 .2 .3" mass="1"/><body name="c" pos=".2 0 .1"><joint name="bj" type="ball" range="0 50"/><geom name="shape" type="mesh" mesh="mesh"/>
  <geom name="egg" type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid"/></body></body></body></frame>
  <body name="free" pos="2 0 1"><freejoint name="fj"/><geom name="cyl" type="cylinder" size=".1 .2"/></body>
  <body name="mo" mocap="true" pos="0 3 0"/><body name="idle" pos="0 4 0"/></worldbody>
  <contact><pair name="pair" geom1="ball" geom2="box"/><exclude name="ex" body1="a" body2="free"/></contact>
  <equality><connect name="con" body1="a" body2="free" anchor="0 0 .1"/><weld name="weld" body1="b" body2="free"/>
  <joint name="jeq" joint1="hinge" joint2="slide" polycoef="0 1 2 0 0"/></equality>
  <tendon><fixed name="fix"><joint joint="hinge" coef="1.5"/></fixed><spatial name="path" range=".1 3"><site site="s"/><site site="t"/></spatial></tendon>
  <actuator><motor name="mot" joint="hinge" ctrlrange="-1 2"/><position name="pos" joint="slide" kp="3" kv="1"/><muscle name="mus" tendon="path" lengthrange=".1 1"/>
  <general name="gen" joint="hinge" dyntype="filterexact" dynprm=".2" actrange="-1 1" biastype="affine" biasprm="0 -1 -2"/><adhesion name="adh" body="a" ctrlrange="0 1"/></actuator>
  <sensor><jointpos name="jp" joint="hinge"/><framepos name="fp" objtype="site" objname="s" reftype="body" refname="free"/>
  <contact name="ct" geom1="ball" num="2" data="found force"/><rangefinder name="rf" site="t"/><user name="us" dim="2"/></sensor>
  <deformable><skin name="skin" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin>
  <flex name="flex" body="a b c" dim="2" vertex="0 0 0 .1 0 0 0 .1 0" element="0 1 2"/></deformable>
  <custom><numeric name="num" data="1 2"/><text name="txt" data="x"/><tuple name="tup"><element objtype="body" objname="a" prm="2"/></tuple></custom>
  <keyframe><key name="key" time="1"/></keyframe></mujoco>"""

NUMBERS = (math.nan, -1, 0, 0.3, 1, 3, math.inf)
INTEGERS = (-1, 0, 1, 2, 3, 7, 100)
TEXTS = ("", "nothing", "a", "k", "mat")
LISTS = ((), (0.5,), (math.nan,), (-1,), (1, 2, 3, 4, 5, 6, 7))
CHARACTERS = (b"\0", b"x", b"Z", b"R", b".")

STRIDE = 1 if os.environ.get("SINEW_SPEC_SWEEP") == "all" or "--list" in sys.argv else 2  # half of the cases take 40 s
rounded = None  # bytes in which the models of the base differ
ENDS = "ends the process"  # a library, in a case

# What departs, each with its reason: patterns of "element.field = value".
DEPARTING: dict[str, str] = {
    r"= (nan|-?inf)$": "numbers that are none are refused, or are ours to lay out: no model with them can be simulated",
    r"(Body|Geom|Site|Camera|Frame) .*alt\.type =|added (Body|Geom|Site|Camera|Frame)\.i?alt\.type =": "kinds of orientation that do not exist, and directions without length, are refused; those of the world and of frames without children are not looked at",
    r"Body world\.|Frame f\.alt": "the world has no mass, no pose and no inertia of its own: numbers for them are not looked at",
    r"(Body|Geom|Site|Camera|added \w+).*\.i?quat": "quaternions without length are no rotation, and what is in them counts as the unit one",
    r"slidersite": "a slider site without a crank site has no use: an error",
    r"Camera lens\.focal_length|Camera .*\.intrinsic|added Camera\.intrinsic": "numbers of a lens that is not given by a sensor are not kept",
    r"(Flex|added Flex).*elemtexcoord|(Mesh|added Mesh).*userface": "arrays whose length does not fit are refused",
    r"(Geom .*|added Geom)\.(density|mass) = -1": "negative masses are refused",
    r"(Geom .*|added Geom)\.typeinertia": "kinds of inertia that do not exist count as the volume; 3.8.0 gives the geom no mass",
    r"HField .*userdata": "a height field without data is flat",
    r"Key .*\.m(pos|quat)|added Key\.m(pos|quat)": "a length that does not fit is an error",
    r"Material mat\.textures": "an empty text empties the list",
    r"maxhullvert|objtype|reftype|nchannel|Tuple": "3.8.0 ends the process, or writes beyond the picture",
    r"needsdf": "the octree is built by another method (docs/how/sdf.md)",
    r"Skin .*\.group|added Skin\.group": "groups are 0 to 5",
    r"Tendon .*armature = -1|added Tendon\.armature": "a negative armature is refused",
    r"Texture .*\.(builtin|rgb[12])|added Texture\.(builtin|rgb[12])": "kinds that do not exist, and colours that are out of range: 3.8.0 wraps around",
    r"spec\.memory": "an arena that is too small for a step has a reserve",
    r"spec\.nemax": "the size is computed",
    r"spec\.option\.(integrator|solver)": "is refused by the step, as for models without flexes in 3.8.0",
}

KINDS = {
    "Body": 1, "Joint": 3, "Geom": 5, "Site": 6, "Camera": 7, "Light": 8, "Flex": 9, "Mesh": 10, "Skin": 11, "HField": 12, "Texture": 13, "Material": 14,
    "Pair": 15, "Exclude": 16, "Equality": 17, "Tendon": 18, "Actuator": 19, "Sensor": 20, "Numeric": 21, "Text": 22, "Tuple": 23, "Key": 24,
    "Plugin": 25, "Frame": 100,
}  # fmt: skip
IN_BODY, OF_DEFAULT = ("Body", "Joint", "Geom", "Site", "Camera", "Light", "Frame"), ("Pair", "Equality", "Tendon", "Actuator", "Mesh", "Material")
# What an added element needs to compile: fields, and texts.
ADDED = {
    "Geom": {"size[0]": 0.1}, "Pair": {"geomname1": "ball", "geomname2": "cyl"}, "Exclude": {"bodyname1": "b", "bodyname2": "free"},
    "Equality": {"type": 1, "objtype": 1, "name1": "a", "name2": "free"}, "Actuator": {"trntype": 0, "target": "hinge"},
    "Sensor": {"type": 9, "objtype": 3, "objname": "hinge"}, "Body": {"mass": 1, "inertia[0]": 1, "inertia[1]": 1, "inertia[2]": 1},
    "Texture": {"type": 0, "builtin": 1, "width": 4, "height": 4}, "Numeric": {"size": 2}, "Text": {"data": "x"},
}  # fmt: skip
NOT_SET = re.compile(r"element$|signature$|info$|plugin\.|LRopt|hasImplicit|filename|content_type$|file$")


class Library:
    """One of the libraries, with the base model."""

    def __init__(self, path):
        self.c = ctypes.CDLL(str(path))
        for name in ("mj_parseXMLString mj_copySpec mj_compile mjs_firstElement mjs_nextElement mjs_getName mjs_findElement mjs_getSpecDefault "
                     "mjs_findBody " + " ".join(f"mjs_as{k} mjs_add{k}" for k in KINDS)).split():  # fmt: skip
            getattr(self.c, name).restype = ctypes.c_void_p
        self.c.mjs_getString.restype = self.c.mjs_getError.restype = ctypes.c_char_p
        self.c.mj_sizeModel.restype = ctypes.c_int64
        quiet = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
        self._ignore = quiet(lambda text: None)
        ctypes.c_void_p.in_dll(self.c, "mju_user_warning").value = ctypes.cast(self._ignore, ctypes.c_void_p).value
        error = ctypes.create_string_buffer(1000)
        self.base = self.call("mj_parseXMLString", BASE, None, error, 1000)
        assert self.base, error.value

    def call(self, function: str, *args):
        converted = [ctypes.c_void_p(a) if isinstance(a, int) and a > 1 << 20 else a.encode() if isinstance(a, str) else a for a in args]
        return getattr(self.c, function)(*converted)

    def names(self, kind: str):
        """Yields the names of all elements of a kind."""
        element = self.call("mjs_firstElement", self.base, KINDS[kind])
        while element:
            if name := self.call("mjs_getString", self.call("mjs_getName", element)).decode():
                yield name
            element = self.call("mjs_nextElement", self.base, element)

    def find(self, spec: int, kind: str, name: str) -> int:
        """Returns the structure of an element."""
        return self.call(f"mjs_as{kind}", self.call("mjs_findElement", spec, KINDS[kind], name))

    def add(self, spec: int, kind: str) -> int:
        """Adds an element that compiles; returns its structure."""
        if kind in IN_BODY:
            body = self.call("mjs_findBody", spec, "c" if kind != "Joint" else "idle")
            made = self.call(f"mjs_add{kind}", body, None)
        else:
            made = self.call(f"mjs_add{kind}", spec, *([None] if kind in OF_DEFAULT else []))
        fields = {path: (offset, ctype, name) for path, offset, ctype, name in spec_structs.numbers(spec_structs.struct(f"mjs{kind}"))}
        for path, value in ADDED.get(kind, {}).items():
            self.set(made, *fields[path], value)
        return made

    def set(self, address: int, offset: int, ctype, kind: str, value) -> None:
        """Writes a field: a number in place, texts and lists by the functions of the interface."""
        if ctype is not ctypes.c_void_p:
            ctype.from_address(address + offset).value = value
            return
        target = ctypes.c_void_p.from_address(address + offset).value
        if kind == "mjString":
            self.call("mjs_setString", target, value)
        elif kind == "mjStringVec":
            self.call("mjs_setStringVec", target, value)
        elif kind in ("mjDoubleVec", "mjFloatVec", "mjIntVec"):
            number = {"mjDoubleVec": ctypes.c_double, "mjFloatVec": ctypes.c_float, "mjIntVec": ctypes.c_int}[kind]
            array = (number * len(value))(*[int(v) if number is ctypes.c_int and v == v else (0 if number is ctypes.c_int else v) for v in value])
            self.call(f"mjs_set{kind[2:-3]}", target, array, len(value))

    def compiled(self, spec: int) -> bytes | str:
        """Returns the model as its file, or the error."""
        model = self.call("mj_compile", spec, None)
        if not model:
            return self.call("mjs_getError", spec).decode(errors="replace")
        buffer = ctypes.create_string_buffer(self.call("mj_sizeModel", model))
        self.call("mj_saveModel", model, None, buffer, len(buffer))
        self.call("mj_deleteModel", model)
        return buffer.raw


def values_of(ctype, kind: str) -> tuple:
    if ctype is ctypes.c_void_p:
        return {"mjString": TEXTS, "mjStringVec": TEXTS}.get(kind, LISTS if kind in ("mjDoubleVec", "mjFloatVec", "mjIntVec") else ())
    if ctype is ctypes.c_char:
        return CHARACTERS
    if ctype in (ctypes.c_double, ctypes.c_float):
        return NUMBERS
    return tuple(v for v in INTEGERS if v >= 0 or ctype is not ctypes.c_ubyte)


def cases(kind: str):
    """Yields (path, offset, ctype, kind of the field, value); of arrays the first number and the last."""
    fields = [entry for entry in spec_structs.numbers(spec_structs.struct(kind)) if not NOT_SET.search(entry[0])]
    last = {path.partition("[")[0]: path for path, *_ in fields}
    for path, offset, ctype, field in fields:
        if "[" not in path or path.endswith("[0]") or path == last[path.partition("[")[0]]:
            for value in values_of(ctype, field):
                yield path, offset, ctype, field, value


def equal(x, y) -> bool:
    """Compares arrays to rounding. What 3.8.0 makes of numbers that are none is nothing to compare with."""
    if x.shape != y.shape:
        return False
    if y.dtype.kind not in "f":
        return np.array_equal(x, y)
    relative, absolute = (1e-7, 1e-10) if y.dtype == np.float64 else (1e-5, 1e-6)
    return not np.isfinite(y).all() or np.allclose(x, y, relative, absolute)


def equal_structs(x, y) -> bool:
    members = [name for name in dir(y) if not name.startswith("_")]
    pairs = [(getattr(x, name), getattr(y, name)) for name in members]
    numbers = [(np.asarray(a), np.asarray(b)) for a, b in pairs if isinstance(b, int | float | np.ndarray)]
    return all(equal(a.astype(float), b.astype(float)) for a, b in numbers)


def differ_as_base(own: bytes, reference: bytes) -> bool:
    """Whether two models differ in no other byte than those of the base do, where both round: most cases."""
    if len(own) != len(reference):
        return False
    x, y = (np.frombuffer(raw, np.uint8) for raw in (own, reference))
    return bool(np.isin(np.nonzero(x != y)[0], rounded).all())


def difference(own: bytes, reference: bytes) -> str:
    """Returns the names of what differs between two models."""
    if own == reference or differ_as_base(own, reference):
        return ""
    a, b = (mujoco.MjModel.from_binary_path("m.mjb", {"m.mjb": raw}) for raw in (own, reference))
    names = []
    for name in dir(b):
        if name.startswith("_") or name == "signature":
            continue
        x, y = getattr(a, name), getattr(b, name)
        if isinstance(y, int | float):
            same = x == y
        elif isinstance(y, np.ndarray):
            same = equal(x, y)
        else:
            same = name not in ("opt", "vis", "stat") or equal_structs(x, y)
        if not same:
            names.append(name)
    return ", ".join(names)


class Sweep:
    """All cases, each tried in a child process, since MuJoCo 3.8.0 ends the process for some."""

    def __init__(self):
        self._own, self._reference = Library(OWN), Library(REFERENCE)
        base = [np.frombuffer(library.compiled(library.call("mj_copySpec", library.base)), np.uint8) for library in (self._own, self._reference)]
        global rounded
        rounded = np.nonzero(base[0] != base[1])[0]
        labels = [("spec", "mjSpec"), *((f"{k} {name}", f"mjs{k}") for k in KINDS for name in self._reference.names(k))]
        labels += [(f"added {kind}", f"mjs{kind}") for kind in KINDS if kind != "Plugin"]
        self.cases = [(label, kind, *case) for label, kind in labels for case in cases(kind)][::STRIDE]

    def run(self, first: int):
        """Yields (index of the case, what differs) from a case on, until the process that tries them ends."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            self._try_all(first, writer)
        os.close(writer)
        with os.fdopen(reader) as lines:
            for line in lines:
                index, _, differs = line.rstrip("\n").partition(" ")
                yield int(index), differs
        os.waitpid(child, 0)

    def __iter__(self):
        """Yields (label of the case, what differs), "" where nothing does."""
        at = 0
        while at < len(self.cases):
            for index, differs in self.run(at):
                at = index + 1
                yield self.label(index), differs
            if at < len(self.cases):
                yield self.label(at), ENDS
                at += 1

    def label(self, index: int) -> str:
        label, _, path, _, _, _, value = self.cases[index]
        return f"{label}.{path} = {value!r}"

    def _try_all(self, first: int, writer: int):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        for index in range(first, len(self.cases)):
            signal.alarm(10)
            differs = told(*(self._result(library, self.cases[index]) for library in (self._own, self._reference)))
            os.write(writer, f"{index} {' '.join(differs.split())}\n".encode())
        os._exit(0)

    def _result(self, library, case):
        label, kind, _, offset, ctype, field, value = case
        spec = library.call("mj_copySpec", library.base)
        address = spec
        if label.startswith("added "):
            address = library.add(spec, kind[3:])
        elif kind != "mjSpec":
            address = library.find(spec, kind[3:], label.split()[1])
        library.set(address, offset, ctype, field, value)
        result = library.compiled(spec)
        library.call("mj_deleteSpec", spec)
        return result


def told(own: bytes | str, reference: bytes | str) -> str:
    if isinstance(own, str) and isinstance(reference, str):
        return ""
    if isinstance(own, str):
        return f"refused: {own}"
    if isinstance(reference, str):
        return f"not refused: {reference}"
    return difference(own, reference)


def reason(case: str) -> str | None:
    return next((why for pattern, why in DEPARTING.items() if re.search(pattern, case)), None)


@unittest.skipUnless(AVAILABLE and mujoco, NEEDS)
class SpecSweepTest(unittest.TestCase):
    def test_fields(self):
        count = 0
        for case, differs in Sweep():
            count += 1
            if differs and not reason(case):
                with self.subTest(case=case):
                    self.fail(differs)
        self.assertGreater(count, 5000)


if __name__ == "__main__":
    if "--list" in sys.argv:
        total = 0
        for case, differs in Sweep():
            total += 1
            if differs:
                print(f"{case}: {differs[:150]}" + (f"  [{reason(case)}]" if reason(case) else ""))
        print(total, "cases", file=sys.stderr)
    else:
        unittest.main()
