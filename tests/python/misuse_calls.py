"""Calls everything that the module mujoco has with wrong arguments: misuse_calls.py FOLDER PART SEED

FOLDER contains the package. What is about to be called is written to the file descriptor 3, so that whoever started the process can say what
has ended it. An exception is right, whichever; so is a call that accepts what it was given. PART is `functions`, `attributes`,
`methods`, `dead`, `classes` or `threads`.
"""

import copy
import faulthandler
import gc
import inspect
import os
import pathlib
import random
import re
import resource
import sys
import threading
import warnings

folder, part, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
sys.path.insert(0, folder)
faulthandler.enable()
if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # which takes terabytes of addresses
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))  # what asks for too much is refused, as on a small machine
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
warnings.simplefilter("ignore")

import numpy as np  # noqa: E402

import mujoco  # noqa: E402

ARM = """
<mujoco>
  <option><flag energy="enable"/></option>
  <asset><texture name="grid" type="2d" builtin="checker" width="8" height="8"/><material name="tiles" texture="grid"/>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/><hfield name="hills" nrow="3" ncol="3" size="1 1 .1 .1"/></asset>
  <worldbody>
    <camera name="eye" pos="0 -3 1"/><light name="sun" pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 .1" material="tiles"/><geom type="hfield" hfield="hills" pos="5 0 0"/>
    <body name="box" pos="0 0 .09"><freejoint name="free"/><geom name="cube" type="box" size=".1 .1 .1"/><site name="tip"/></body>
    <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom name="rod" type="mesh" mesh="wedge"/><site name="end"/></body>
    <body name="aim" mocap="true"><geom size=".01" contype="0"/></body>
    <flexcomp name="rope" type="grid" dim="1" count="3 1 1" spacing=".1 .1 .1" pos="-1 0 1" radius=".01"><edge equality="true"/></flexcomp>
  </worldbody>
  <tendon><spatial name="path"><site site="tip"/><site site="end"/></spatial></tendon>
  <equality><weld name="hold" body1="arm" body2="aim" active="false"/></equality>
  <actuator><motor name="motor" joint="hinge"/><intvelocity name="servo" joint="hinge" actrange="-1 1"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><rangefinder name="range" site="tip"/></sensor>
  <keyframe><key name="home"/></keyframe>
</mujoco>
"""
SMALL = "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>"

# Functions that end the process or wait by design, or write where they are told to.
LEFT_OUT = {"mju_error", "mju_error_i", "mju_error_s", "mj_loadAllPluginLibraries", "mj_loadPluginLibrary"}


class Strange:
    """Looks like an array and a number, and is neither."""

    __array_interface__ = {"version": 3, "shape": (3,), "typestr": "<f8", "data": None}

    def __index__(self):
        raise LookupError("no number")

    __float__ = __index__
    __len__ = __index__

    def __repr__(self):
        return "<strange>"


class Pool:
    """Objects of every kind: living ones, those of another model, dead ones and empty ones."""

    def __init__(self):
        self.model, self.other = mujoco.MjModel.from_xml_string(ARM), mujoco.MjModel.from_xml_string(SMALL)
        self.data, self.strange = mujoco.MjData(self.model), mujoco.MjData(self.other)
        mujoco.mj_forward(self.model, self.data)
        mujoco.mj_forward(self.other, self.strange)
        self.spec, spec = mujoco.MjSpec.from_string(ARM), mujoco.MjSpec.from_string(SMALL)
        self.scene, self.option, self.camera = mujoco.MjvScene(self.model, 50), mujoco.MjvOption(), mujoco.MjvCamera()
        lists = ("bodies", "geoms", "joints", "sites", "cameras", "lights", "meshes", "textures", "materials", "actuators", "sensors", "tendons", "equalities", "keys", "flexes", "hfields")
        elements = [getattr(self.spec, name)[-1] for name in lists] + [self.spec.worldbody, self.spec.default, self.spec.worldbody.add_frame()]
        dead = spec.worldbody.add_body(name="gone").add_geom(size=[1, 0, 0])
        spec.delete(spec.body("gone"))
        structs = [cls() for name, cls in vars(mujoco).items() if isinstance(cls, type) and re.match("Mj(v(?!Scene)|Option|LROpt|Statistic|Visual$|Vfs|Contact|rRect)", name) and _makes(cls)]
        named = [self.model.geom("cube"), self.data.body("box"), self.model.joint("free"), self.data.sensor("angle")]
        empty = [made for made in (_empty(cls) for cls in (mujoco.MjData, mujoco.MjModel, mujoco.MjSpec, mujoco.MjvScene, mujoco.MjsGeom)) if made is not None]
        self.objects = [self.model, self.data, self.spec, self.scene, self.option, self.camera, self.data.contact, self.model.opt, self.model.vis, *elements, *structs, *named]
        self.odd = [self.other, self.strange, spec, dead, *empty, None, Strange(), object(), "cube", "", "\ud800", b"cube", b"\xff", [], {}, (), True, lambda *_: None, int, 3 + 2j]
        self.numbers = [0, -1, 1, 2, 7, 10**6, 2**31 - 1, -(2**31), 2**31, 2**63 - 1, 2**64, -(10**30), 0.5, np.nan, np.inf, -1e300, np.int8(-1), np.float32(2), np.uint64(2**63), mujoco.mjtObj.mjOBJ_GEOM]
        self.arrays = [np.zeros(n) for n in (0, 1, 2, 3, 4, 6, 9, 10, 1000)]
        self.arrays += [np.full(3, np.nan), np.zeros((3, self.model.nv)), np.zeros((2, 3)), np.zeros((3, 3))[:, ::2], np.zeros((2, 2, 2)), np.zeros((0, 3)), np.zeros(())]
        self.arrays += [np.zeros(3, kind) for kind in ("f4", "i4", "i8", "u1", "?", "c16", "O", "U3", ">f8", "M8[s]")]
        self.arrays += [np.full(10, 10**9, np.int32), np.full(self.model.nv, -1, np.int32), np.zeros(1000, np.uint8), [1.0, "a"], [[1], [2, 3]], ["a", "b"], range(3)]
        locked = np.zeros(3)
        locked.flags.writeable = False
        self.arrays += [locked, self.data.qpos, self.data.xpos, self.model.geom_size]

    def wrong(self, rng):
        return rng.choice(rng.choice([self.objects, self.odd, self.numbers, self.numbers, self.arrays]))

    def right(self, text, rng):
        """A value of the kind that a signature names, or nothing."""
        found = re.search(r"Mj\w+", text)
        if found:
            cls = getattr(mujoco, found[0], None)
            fitting = [value for value in self.objects if cls and isinstance(value, cls)]
            return rng.choice(fitting) if fitting else self.wrong(rng)
        if "ndarray" in text:
            kind = next((kind for kind in ("float32", "int32", "int64", "uint8") if kind in text), "float64")
            sizes = {"nv": self.model.nv, "nq": self.model.nq, "nu": self.model.nu, "nbody": self.model.nbody}
            inside = re.search(r"\[\(([^)]*)\)", text)
            shape = [int(size) if size.strip().isdigit() else sizes.get(size.strip(), rng.choice([1, 3, 10])) for size in inside[1].split(",") if size.strip()] if inside else rng.choice([[3], [1], [4], [9]])
            return np.zeros(shape, kind) if rng.random() < 0.8 else np.full(shape, rng.choice([1, 2, 1 << 20, -3]) % 256 if kind == "uint8" else rng.choice([1, 1 << 20, -3]), kind)
        if "int" in text:
            return rng.choice([0, 1, 2, 3, 5])
        if "float" in text:
            return rng.choice([0.0, 1.0, 0.3])
        if "str" in text:
            return rng.choice(["cube", "box", "none"])
        return self.wrong(rng)


def _makes(cls):
    try:
        cls()
        return True
    except Exception:  # noqa: BLE001  abstract ones, and those that need arguments
        return False


def _empty(cls):
    try:
        return cls.__new__(cls)
    except TypeError:
        return None


def show(value):
    text = f"array{value.shape} {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__ if isinstance(value, tuple(TYPES)) else repr(value)
    return text[:80].encode("ascii", "replace").decode()


TYPES = [value for value in vars(mujoco).values() if isinstance(value, type) and not issubclass(value, (int, BaseException))]


def attempt(words, call):
    """Runs a call that may raise anything but what means that the interpreter is broken."""
    os.write(3, (words.encode("ascii", "replace") + b"\n"))
    try:
        return call()
    except (SystemError, SystemExit) as error:
        os.write(3, f"raised {error!r}\n".encode("ascii", "replace"))
        os._exit(3)
    except BaseException:  # noqa: BLE001
        return None


def parameters_of(function):
    """Texts of what a function takes, from its first line of documentation or its signature in Python."""
    text = (function.__doc__ or "").split("\n")[0]
    if re.match(r"\w+\(", text) and ") ->" in text:
        inside = text[text.index("(") + 1 : text.rindex(") ->")]
        return [part for part in re.split(r", (?=\w+: )", inside) if part]
    try:
        return [f"{name}: {'MjModel' if name in ('m', 'model') else 'MjData' if name in ('d', 'data') else 'object'}" for name in inspect.signature(function).parameters]
    except (TypeError, ValueError):
        return ["object"] * 3


def misuse_call(name, function, rng, pool, count):
    kinds = parameters_of(function)
    for _ in range(count):
        given = [pool.right(kind, rng) for kind in kinds]
        for _ in range(rng.choice([0, 1, 1, 2])):
            if given:
                given[rng.randrange(len(given))] = pool.wrong(rng)
        if rng.random() < 0.1:
            given = given[:-1] if rng.random() < 0.5 else [*given, pool.wrong(rng)]
        attempt(f"{name}({', '.join(map(show, given))})", lambda given=given: function(*given))


def public(of):
    names = [name for name in dir(of) if not name.startswith("_")]
    return [name for name in names if name not in LEFT_OUT and not isinstance(inspect.getattr_static(of, name, None), type(os))]


def functions(rng):
    names = [name for name in public(mujoco) if callable(getattr(mujoco, name)) and not isinstance(getattr(mujoco, name), type)]
    for name in names:
        pool = Pool()
        misuse_call(name, getattr(mujoco, name), rng, pool, 40)
        for call in ("mjcb_control", "mjcb_passive", "mjcb_sensor", "mjcb_time", "mjcb_act_dyn", "mjcb_act_gain", "mjcb_act_bias", "mjcb_contactfilter", "mju_user_warning"):
            if name.endswith(call):
                attempt("mj_step with " + name, lambda pool=pool: mujoco.mj_step(pool.model, pool.data))
                getattr(mujoco, "set_" + call)(None)
        del pool


def classes(rng):
    for name in public(mujoco):
        if not isinstance(getattr(mujoco, name), type) or issubclass(getattr(mujoco, name), int):
            continue
        pool, cls = Pool(), getattr(mujoco, name)
        for _ in range(20):
            given = [pool.wrong(rng) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
            made = attempt(f"{name}({', '.join(map(show, given))})", lambda given=given, cls=cls: cls(*given))
            if made is not None:
                touch(name, made)
        empty = attempt(name + ".__new__", lambda cls=cls: cls.__new__(cls))
        if empty is not None:
            touch(name + " (empty)", empty)


def touch(name, value):
    """Reads all of an object."""
    attempt(f"repr({name})", lambda: repr(value))
    for attribute in public(value):
        part = attempt(f"{name}.{attribute}", lambda attribute=attribute: getattr(value, attribute))
        attempt("repr of it", lambda part=part: repr(part)[:1000])
        if isinstance(part, tuple(TYPES)):
            for inner in public(part):
                attempt(f"{name}.{attribute}.{inner}", lambda part=part, inner=inner: repr(getattr(part, inner))[:1000])


def attributes(rng):
    """Everything is set to what does not fit, then read. Numbers that were taken are put back: a model whose addresses are nonsense is no
    longer one, in C as well."""
    for place in range(len(Pool().objects)):
        pool = Pool()
        value = pool.objects[place]
        name = type(value).__name__
        for attribute in public(value):
            before = attempt("before", lambda attribute=attribute: copy.copy(getattr(value, attribute)))
            for _ in range(8):
                wrong = pool.wrong(rng)
                attempt(f"{name}.{attribute} = {show(wrong)}", lambda wrong=wrong, attribute=attribute: setattr(value, attribute, wrong))
                attempt("put back", lambda before=before, attribute=attribute: setattr(value, attribute, before))
            attempt(f"del {name}.{attribute}", lambda attribute=attribute: delattr(value, attribute))
            attempt(f"{name}.{attribute}", lambda attribute=attribute: repr(getattr(value, attribute))[:1000])
        for index in [*pool.numbers, *pool.odd, slice(None), slice(3, 1, -1), (1, 2), Ellipsis]:
            attempt(f"{name}[{show(index)}]", lambda index=index: value[index])
            attempt(f"{name}[{show(index)}] = 1", lambda index=index: value.__setitem__(index, 1))


def methods(rng):
    for place in range(len(Pool().objects)):
        value = Pool().objects[place]
        for method in public(value):
            pool = Pool()
            value = pool.objects[place]
            found = attempt(method, lambda method=method, value=value: getattr(value, method))
            if callable(found):
                misuse_call(f"{type(value).__name__}.{method}", found, rng, pool, 12)
                attempt("compile", lambda pool=pool: pool.spec.compile())
        for method in ("__copy__", "__deepcopy__", "__reduce__", "__eq__", "__hash__", "__len__", "__iter__", "__setstate__", "_assign", "_share", "__getitem__"):
            found = getattr(value, method, None)
            if found is not None:
                misuse_call(f"{type(value).__name__}.{method}", found, rng, Pool(), 12)


def dead(rng):
    """What belongs to objects that are gone, in every order of going."""
    for place in range(len(Pool().objects)):
        pool = Pool()
        value = pool.objects[place]
        kept = [attempt(f"{type(value).__name__}.{name}", lambda name=name, value=value: getattr(value, name)) for name in public(value)]
        rng.shuffle(kept)
        spec = pool.spec
        del pool, value
        gc.collect()
        if rng.random() < 0.5:
            for of in ("bodies", "geoms", "tendons", "meshes", "textures", "actuators", "keys"):
                attempt("delete " + of, lambda of=of, spec=spec: [spec.delete(element) for element in getattr(spec, of)])
        del spec
        gc.collect()
        rubbish = [np.full(5000, 7.0) for _ in range(200)]  # noqa: F841  memory is used again
        for left in kept:
            attempt("repr of " + type(left).__name__, lambda left=left: repr(left)[:1000])
            if isinstance(left, np.ndarray):
                attempt("sum", lambda left=left: (left.sum(), left.__setitem__(Ellipsis, 0)))
            elif callable(left):
                misuse_call("a method of something gone", left, rng, Pool(), 3)
            else:
                touch(type(left).__name__ + " of something gone", left)


def threads(rng):
    """One world, scene and specification in four threads at once; and worlds that are made anew while others step."""
    pool = Pool()
    calls = [
        lambda: repr(pool.data)[:10], lambda: pool.data.contact[0], lambda: pool.data.efc_J.sum(), lambda: [repr(c.pos) for c in pool.data.contact],
        lambda: mujoco.MjData(pool.model), lambda: pool.model.geom("cube").size, lambda: pool.data.body("box").xpos.copy(), lambda: pool.spec.worldbody.add_body(),
        lambda: pool.spec.geoms[-1].name, lambda: pool.spec.copy(), lambda: mujoco.MjModel.from_xml_string(ARM), lambda: pool.data.qpos.copy(),
    ]  # fmt: skip

    def run(number):
        own, data = random.Random(seed * 10 + number), mujoco.MjData(pool.model)
        for _ in range(300):
            attempt("a thread", own.choice(calls))
            attempt("a thread steps", lambda: mujoco.mj_step(pool.model, data, 3))

    started = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()


os.chdir(pathlib.Path(os.environ["MISUSE_FOLDER"]))
{"functions": functions, "attributes": attributes, "methods": methods, "dead": dead, "classes": classes, "threads": threads}[part](random.Random(seed))
gc.collect()
os.write(3, b"end\n")
