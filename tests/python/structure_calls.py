"""Overwrites what says where things are in a model, and reads the model by all that reads it by name: structure_calls.py FOLDER SEED

FOLDER contains the package mujoco. What is about to be called is written to the file descriptor 3, as in misuse_calls.py. An exception is
right, whichever; so is a call that goes through. Steps are not made: a step follows these arrays without looking at them.
"""

import copy
import faulthandler
import os
import pickle
import random
import sys
import warnings

folder, seed = sys.argv[1], int(sys.argv[2])
sys.path.insert(0, folder)
faulthandler.enable()
warnings.simplefilter("ignore")

import numpy as np  # noqa: E402

import mujoco  # noqa: E402
import sinew  # noqa: E402

MODEL = """
<mujoco>
  <asset><texture name="grid" type="2d" builtin="checker" width="8" height="8"/><material name="tiles" texture="grid"/>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/><hfield name="hills" nrow="3" ncol="3" size="1 1 .1 .1"/></asset>
  <worldbody>
    <camera name="eye" pos="0 -3 1"/><light name="sun" pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 .1" material="tiles" surfacevel="1 0 0 0 0 0"/><geom type="hfield" hfield="hills" pos="5 0 0"/>
    <body name="box" pos="0 0 .09"><freejoint name="free"/><geom name="cube" type="box" size=".1 .1 .1"/><site name="tip"/></body>
    <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom name="rod" type="mesh" mesh="wedge"/><site name="end"/></body>
    <body name="aim" mocap="true"><geom size=".01" contype="0"/></body>
    <flexcomp name="rope" type="grid" dim="1" count="3 1 1" spacing=".1 .1 .1" pos="-1 0 1" radius=".01"><edge equality="true"/></flexcomp>
  </worldbody>
  <tendon><spatial name="path"><site site="tip"/><site site="end"/></spatial></tendon>
  <equality><weld name="hold" body1="arm" body2="aim" active="false"/></equality>
  <contact><pair name="both" geom1="floor" geom2="cube"/><exclude name="none" body1="box" body2="arm"/></contact>
  <actuator><motor name="motor" joint="hinge" delay=".004" nsample="3"/><intvelocity name="servo" joint="hinge" actrange="-1 1"/></actuator>
  <sensor><jointpos name="angle" joint="hinge" nsample="3"/><rangefinder name="range" site="tip"/></sensor>
  <custom><numeric name="gains" data="1 2 3"/><text name="note" data="word"/><tuple name="pair"><element objtype="body" objname="arm" prm="2"/></tuple></custom>
  <keyframe><key name="home"/></keyframe>
</mujoco>
"""
KINDS = ("body", "jnt", "geom", "site", "cam", "light", "mesh", "skin", "hfield", "tex", "mat", "pair", "exclude", "eq", "tendon", "actuator", "sensor", "numeric", "text", "tuple", "key")
VALUES = (10**9, 2**31 - 1, -1, -(10**9), -(2**31), 3)


def attempt(words, call):
    os.write(3, words.encode() + b"\n")
    try:
        return call()
    except (SystemError, SystemExit, MemoryError) as error:
        os.write(3, f"raised {error!r}\n".encode())
        os._exit(3)
    except Exception:  # noqa: BLE001
        return None


def read_by_name(of, names):
    """Of each kind two objects by their numbers, and those that are found by name."""
    for kind in KINDS:
        method = getattr(of, kind, None)
        for key in (0, 2, *names) if method else ():
            view = attempt(f"{kind}({key!r})", lambda method=method, key=key: method(key))
            for name in dir(view) if view is not None else ():
                if not name.startswith("_"):
                    attempt(f"{kind}({key!r}).{name}", lambda view=view, name=name: repr(getattr(view, name)))


def read(model, data, names):
    attempt("repr", lambda: (repr(model), repr(data)))
    for kind in range(-1, 30):
        attempt(f"names of {kind}", lambda kind=kind: [mujoco.mj_id2name(model, kind, i) for i in range(-1, 10)])
        attempt(f"ids of {kind}", lambda kind=kind: [mujoco.mj_name2id(model, kind, name) for name in names])
    ours = sinew.Model(model), sinew.Data(data)
    for of in (model, data, *ours):
        read_by_name(of, names)
    for name in ("geom_surfacevel", "mesh_extrema", "tendon_type", "flg_surfacevel"):
        attempt(name, lambda name=name: getattr(model, name))
    made = attempt("copy", lambda: copy.copy(model))
    attempt("deepcopy", lambda: copy.deepcopy(model))
    attempt("repr of the copy", lambda: repr(made))
    attempt("pickle", lambda: pickle.loads(pickle.dumps(model)))
    attempt("copy of sinew's", lambda: ours[0].copy())
    attempt("pickle of sinew's", lambda: pickle.loads(pickle.dumps(ours[0])))
    attempt("save", lambda: mujoco.mj_saveModel(model, "model.mjb"))
    attempt("load", lambda: mujoco.MjModel.from_binary_path("model.mjb"))
    attempt("print", lambda: mujoco.mj_printModel(model, "model.txt"))
    attempt("print data", lambda: mujoco.mj_printData(model, data, "data.txt"))
    attempt("reset", lambda: mujoco.mj_resetData(model, data))
    attempt("a world", lambda: mujoco.MjData(model))
    attempt("sinew's world", lambda: sinew.Data(ours[0]))
    attempt("a copy of the world", lambda: copy.copy(data))


def structure(model):
    """Names of the arrays of whole numbers."""
    fields = [name for name in dir(model) if not name.startswith("_")]
    arrays = {name: attempt(name, lambda name=name: getattr(model, name)) for name in fields}
    return [name for name, value in arrays.items() if isinstance(value, np.ndarray) and value.dtype.kind in "iub" and value.size and value.flags.writeable]


def main():
    rng = random.Random(seed)
    whole = mujoco.MjModel.from_xml_string(MODEL)
    names = ["arm", "cube", "note", "hills", "nothing"]
    for name in structure(whole):
        for value in rng.sample(VALUES, 1):
            model = copy.copy(whole)
            data = mujoco.MjData(model)
            array = getattr(model, name)
            alone = rng.random() < 0.5
            place = np.unravel_index(rng.randrange(array.size), array.shape) if alone else Ellipsis
            os.write(3, f"{name}[{place}] = {value}\n".encode())
            array[place] = np.clip(value, np.iinfo(array.dtype).min, np.iinfo(array.dtype).max) if array.dtype.kind != "b" else bool(value)
            read(model, data, names)


os.chdir(os.environ["MISUSE_FOLDER"])
main()
os.write(3, b"end\n")
