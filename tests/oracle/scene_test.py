"""Scenes, geom by geom, against those of the release whose interface this is, field by field.

Both libraries read the same model and state and fill an mjvScene, once as it is and once for every visualization flag,
label and frame; then the mouse selects and pulls bodies. All numbers of scenes are in single precision.

Needs what libraries.py says, and the package mujoco.
"""

import ctypes
import os
import pathlib
import tempfile
import unittest

try:
    import mujoco
    import numpy as np
except ImportError:
    mujoco = None

from libraries import AVAILABLE, NEEDS, OWN, REFERENCE

TOLERANCE = 2e-6  # of numbers in single precision, a few units in the last place
MAXGEOM = 2000
ALL = 7           # mjCAT_ALL

GEOM = np.dtype([("type", "i4"), ("dataid", "i4"), ("objtype", "i4"), ("objid", "i4"), ("category", "i4"),
                 ("matid", "i4"), ("texcoord", "i4"), ("segid", "i4"), ("size", "f4", 3), ("pos", "f4", 3),
                 ("mat", "f4", 9), ("rgba", "f4", 4), ("emission", "f4"), ("specular", "f4"), ("shininess", "f4"),
                 ("reflectance", "f4"), ("label", "S100"), ("camdist", "f4"), ("modelrbound", "f4"),
                 ("transparent", "u1"), ("pad", "u1", 3)])
NOT_COMPARED = {"pad", "camdist", "transparent"}  # of the renderer
FLAG_OFFSET, NFLAG, NLABEL, NFRAME = 8 + 7 * 6, 31, 17, 8
FLEX_FACES_USED, FLEX_FACE = 32 + 6 * 8, 32 + 9 * 8  # offsets in mjvScene; normals and texture coordinates follow
SKIN_VERT = 32 + 12 * 8 + 8 + 3 * 8  # offset of mjvScene.skinvert; skinnormal follows
PERTURB = np.dtype([("select", "i4"), ("flexselect", "i4"), ("skinselect", "i4"), ("active", "i4"), ("active2", "i4"),
                    ("pad", "i4"), ("refpos", "f8", 3), ("refquat", "f8", 4), ("refselpos", "f8", 3),
                    ("localpos", "f8", 3), ("localmass", "f8"), ("scale", "f8")])

WORLD = """
<mujoco><compiler autolimits="true"/><option timestep="0.002"/>
 <asset><material name="m" rgba=".2 .4 .6 .8" reflectance=".3" emission=".1"/>
  <mesh name="tet" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/></asset>
 <worldbody><light name="L" pos="0 0 3" dir="0 0 -1"/><light pos="1 0 2" dir="-1 0 -2" mode="fixed"/>
  <geom name="fl" type="plane" size="2 2 .1"/><geom type="plane" size="0 0 .1" pos="0 0 -3" material="m"/>
  <camera name="c" pos="0 -3 1" euler="80 0 0" fovy="40"/>
  <camera pos="1 -3 1" euler="70 0 0" resolution="4 3" fovy="50"/>
  <camera pos="1 -2 1" euler="70 0 0" resolution="4 3" projection="orthographic" fovy="1"/>
  <site name="s0" pos="-1 0 1"/>
  <body name="A" pos="0 0 .19"><joint name="h" axis="0 1 0" range="-10 10"/><joint type="slide" axis="1 0 0"/>
   <geom type="box" size=".2 .1 .2" mass="1"/><site name="s1" size=".03"/>
   <body name="B" pos=".5 0 0"><joint name="b" type="ball"/><geom size=".1" mass="2" material="m"/>
    <site name="s2" pos="0 0 .1" type="capsule" size=".01 .02"/></body></body>
  <body name="F" pos="2 0 .25"><freejoint/><geom name="cap" type="capsule" size=".1 .2" euler="90 0 0"/>
   <geom type="mesh" mesh="tet" pos="0 0 .2"/><body pos="0 0 .5"><geom name="cyl" type="cylinder" size=".05 .1"/>
   <joint type="hinge"/></body></body>
  <body pos="2.05 .1 .6"><freejoint/><geom type="ellipsoid" size=".1 .2 .15"/><site name="ray" zaxis="0 1 -1"/></body>
  <body name="M" mocap="true" pos="0 2 1"><geom size=".1" contype="0" conaffinity="0"/></body>
  <body name="K" pos="-2 0 1"><joint name="kh" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
   <site name="crank" pos=".3 0 0"/></body>
  <body name="P" pos="-2 0 2"><joint name="ks" type="slide" axis="0 0 1"/><geom type="box" size=".05 .05 .05"/>
   <site name="slider" zaxis="0 0 -1"/></body>
 </worldbody>
 <tendon><spatial name="t" width=".01" range="0 .4"><site site="s1"/><geom geom="cyl" sidesite="s0"/><site site="s2"/></spatial>
  <spatial rgba="1 0 0 .5"><site site="s0"/><site site="s1"/><pulley divisor="2"/><site site="s1"/>
   <site site="s2"/></spatial></tendon>
 <equality><connect body1="A" body2="F" anchor="0 0 .1"/><weld name="w" body1="F" body2="M"/></equality>
 <actuator><motor name="a" joint="h" ctrlrange="-1 1"/><motor tendon="t"/><motor site="s2"/><motor joint="b"/>
  <general cranksite="crank" slidersite="slider" cranklength=".8"/>
  <general joint="kh" dyntype="integrator" actrange="0 2" ctrlrange="0 4"/><general joint="ks" dyntype="integrator" actrange="0 2"/><adhesion body="A" ctrlrange="0 1"/>
  </actuator>
 <sensor><rangefinder site="ray"/><rangefinder site="ray" data="dist point normal"/>
  <fromto geom1="cap" geom2="fl" cutoff="10"/></sensor>
</mujoco>"""


SKIN = """
<mujoco><worldbody><body name="b0" pos="0 0 1"><joint axis="0 1 0"/>
  <geom type="capsule" size=".1" fromto="0 0 0 .5 0 0"/>
  <body name="b1" pos=".5 0 0" euler="10 20 0"><joint axis="0 1 0"/>
   <geom type="capsule" size=".1" fromto="0 0 0 .5 0 0"/></body></body></worldbody>
 <deformable><skin name="s" rgba="1 0 0 1" inflate=".02" face="0 1 3 1 4 3 1 2 4 2 5 4"
   vertex="0 0 1.1 .5 0 1.1 1 0 1.1 0 .2 1 .5 .2 1 1 .2 1">
  <bone body="b0" bindpos="0 0 1" bindquat="1 0 0 0" vertid="0 1 3 4" vertweight="1 .5 1 .5"/>
  <bone body="b1" bindpos=".5 0 1" bindquat="1 0 0 0" vertid="1 2 4 5" vertweight=".5 1 .5 1"/></skin></deformable>
</mujoco>"""


FLEXES = """
<mujoco><asset><texture name="t" type="2d" builtin="checker" width="32" height="32"/>
  <material name="m" texture="t"/></asset>
 <worldbody>
  <flexcomp name="cloth" type="grid" count="4 3 1" spacing=".1 .1 .1" radius=".01" dim="2" material="m"/>
  <flexcomp name="flat" type="grid" count="3 3 1" spacing=".1 .1 .1" radius=".02" dim="2" flatskin="true" pos="1 0 0"/>
  <flexcomp name="solid" type="grid" count="4 3 3" spacing=".1 .1 .1" radius=".01" dim="3" material="m" pos="0 1 0"/>
  <flexcomp name="cable" type="grid" count="5 1 1" spacing=".1 .1 .1" radius=".01" dim="1" pos="0 2 0"/>
 </worldbody></mujoco>"""


def skinned_cloth(side: int = 4, spacing: float = .1) -> str:
    """A cloth with a skin whose bones are the vertices of the cloth."""
    points = [((i // side - (side - 1) / 2) * spacing, (i % side - (side - 1) / 2) * spacing) for i in range(side**2)]
    bones = "".join(f'<bone body="cloth_{i}" bindpos="{x} {y} 1" bindquat="1 0 0 0" vertid="{i}" vertweight="1"/>'
                    for i, (x, y) in enumerate(points))
    corners = [row * side + column for row in range(side - 1) for column in range(side - 1)]
    faces = " ".join(f"{a} {a + 1} {a + side} {a + 1} {a + side + 1} {a + side}" for a in corners)
    vertices = " ".join(f"{x} {y} 1" for x, y in points)
    return f"""<mujoco><worldbody>
      <flexcomp name="cloth" type="grid" dim="2" count="{side} {side} 1" spacing="{spacing} {spacing} .1" pos="0 0 1"
        radius=".01" mass=".1"/></worldbody>
      <deformable><skin name="s" vertex="{vertices}" face="{faces}" inflate=".005">{bones}</skin></deformable></mujoco>"""


class Library:
    """The functions of a library that fill scenes."""

    def __init__(self, path: pathlib.Path, model_file: bytes):
        self.c = ctypes.CDLL(str(path))
        for name in ("mj_loadModel", "mj_makeData", "mju_malloc"):
            getattr(self.c, name).restype = ctypes.c_void_p
        self.c.mj_stateSize.restype = ctypes.c_int
        self.m = ctypes.c_void_p(self.c.mj_loadModel(model_file, None))
        self.d = ctypes.c_void_p(self.c.mj_makeData(self.m))
        self.scene = (ctypes.c_char * 40000)()
        self.option = (ctypes.c_uint8 * 128)()
        self.camera = (ctypes.c_char * 128)()
        self.perturb = np.zeros(1, PERTURB)
        self.c.mjv_defaultScene(self.scene)
        self.c.mjv_makeScene(self.m, self.scene, MAXGEOM)
        self.c.mjv_defaultFreeCamera(self.m, self.camera)
        self.c.mjv_defaultPerturb(self.pert())

    def pert(self):
        return ctypes.c_void_p(self.perturb.ctypes.data)

    def set_state(self, state: np.ndarray, spec: int) -> None:
        self.c.mj_setState(self.m, self.d, state.ctypes.data_as(ctypes.c_void_p), spec)
        self.c.mj_forward(self.m, self.d)

    def get_state(self, spec: int) -> np.ndarray:
        out = np.zeros(self.c.mj_stateSize(self.m, spec))
        self.c.mj_getState(self.m, self.d, out.ctypes.data_as(ctypes.c_void_p), spec)
        return out

    def floats(self, offset: int, count: int) -> np.ndarray:
        """An array that mjvScene has a pointer to at this offset."""
        address = ctypes.c_void_p.from_buffer(self.scene, offset).value
        return np.frombuffer((ctypes.c_char * (4 * count)).from_address(address), "f4").copy()

    def ints(self, offset: int, count: int) -> np.ndarray:
        return self.floats(offset, count).view("i4")

    def geoms(self, change, categories: int = ALL) -> np.ndarray:
        """The geoms of a scene with default options, changed by change(bytes of mjvOption)."""
        self.c.mjv_defaultOption(self.option)
        change(self.option)
        self.c.mjv_updateScene(self.m, self.d, self.option, self.pert(), self.camera, categories, self.scene)
        count = ctypes.c_int.from_buffer(self.scene, 4).value
        address = ctypes.c_void_p.from_buffer(self.scene, 8).value
        return np.frombuffer((ctypes.c_char * (count * GEOM.itemsize)).from_address(address), GEOM).copy()


def mujoco_option_layer() -> int:
    """Offset of mjvOption.flex_layer: the last of its fields, behind the flags and bvh_depth."""
    return (FLAG_OFFSET + NFLAG + 3) // 4 * 4 + 4


def differences(own: np.ndarray, other: np.ndarray) -> list[str]:
    """Describes what differs between two lists of geoms."""
    found = []
    if len(own) != len(other):
        found.append(f"{len(own)} geoms, not {len(other)}")
    for i, (a, b) in enumerate(zip(own, other)):
        for field in GEOM.names:
            if field in NOT_COMPARED:
                continue
            same = np.allclose(a[field], b[field], rtol=TOLERANCE, atol=TOLERANCE) \
                if GEOM[field].base.kind == "f" else a[field] == b[field]
            if not same:
                found.append(f"geom {i} (type {b['type']}, {b['objtype']} {b['objid']}) {field}: "
                             f"{a[field]}, not {b[field]}")
    return found


def options() -> dict:
    """Name -> change of mjvOption: every flag, label and frame, alone and without static objects."""
    def flip(*flags):
        def change(option):
            for flag in flags:
                option[FLAG_OFFSET + flag] ^= 1
        return change

    def put(offset, value, *flags):
        def change(option):
            option[offset] = value
            flip(*flags)(option)
        return change

    vis = [entry[0] for entry in mujoco.mjVISSTRING]
    static, inertia = vis.index("Static Body"), vis.index("Inertia")
    point, force = vis.index("Contact Point"), vis.index("Contact Force")
    changes = {"as it is": flip()}
    changes |= {f"flag {name}": flip(i) for i, name in enumerate(vis)}
    changes |= {f"flag {name}, not static": flip(i, static) for i, name in enumerate(vis) if i != static}
    changes |= {f"label {name}": put(0, i, 2, 3, 4, 6, 9, point, force, 21) for i, name in enumerate(mujoco.mjLABELSTRING)}
    changes |= {f"label {name}, inertia": put(0, i, inertia) for i, name in enumerate(mujoco.mjLABELSTRING)}
    changes |= {f"frame {name}": put(4, i) for i, name in enumerate(mujoco.mjFRAMESTRING)}
    changes |= {f"frame {name}, inertia, not static": put(4, i, inertia, static)
                for i, name in enumerate(mujoco.mjFRAMESTRING)}
    changes["inertia, scaled"] = flip(inertia, inertia + 1)
    changes["force, split"] = flip(force, force + 1)
    changes["actuator, activation"] = flip(4, 5)
    return changes


def load(model) -> tuple[Library, Library]:
    """Opens our library and the release's with one compiled model."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "world.mjb")
        mujoco.mj_saveModel(model, file, None)
        return Library(OWN, file.encode()), Library(REFERENCE, file.encode())


@unittest.skipUnless(AVAILABLE, NEEDS)
class Scenes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        model = mujoco.MjModel.from_xml_string(WORLD)
        cls.own, cls.other = load(model)
        data = mujoco.MjData(model)
        data.ctrl[:] = np.linspace(-.7, .9, model.nu)
        mujoco.mj_step(model, data, 30)
        spec = int(mujoco.mjtState.mjSTATE_INTEGRATION)
        state = np.zeros(mujoco.mj_stateSize(model, spec))
        mujoco.mj_getState(model, data, state, spec)
        cls.spec = spec
        for library in (cls.own, cls.other):
            library.set_state(state, spec)

    def compare(self, select: int, active: int, active2: int) -> None:
        compared = 0
        for library in (self.own, self.other):
            pert = library.perturb[0]
            pert["select"], pert["active"], pert["active2"] = select, active, active2
            pert["localpos"], pert["refpos"], pert["refselpos"] = (.1, 0, 0), (.3, .2, 1), (.4, .2, 1)
        for name, change in options().items():
            with self.subTest(name):
                own, other = self.own.geoms(change), self.other.geoms(change)
                found = differences(own, other)
                compared += len(other)
                if found:
                    self.fail(f"{name}: {len(found)} differences\n  " + "\n  ".join(found[:8]))
        print(f"{compared} geoms compared, {len(options())} options")

    def test_nothing_selected(self):
        self.compare(0, 0, 0)

    def test_pull(self):
        self.compare(1, 1, 2)

    def test_turn(self):
        self.compare(3, 2, 0)

    def test_categories(self):
        for categories in range(8):
            with self.subTest(categories):
                flags = lambda option: option.__setitem__(FLAG_OFFSET + 10, 1)
                self.assertEqual(differences(self.own.geoms(flags, categories), self.other.geoms(flags, categories)), [])

    def test_mouse(self):
        dx, dy = ctypes.c_double(.1), ctypes.c_double(-.05)
        up = (ctypes.c_double * 3)(0, 0, 1)
        for select in (1, 2, 4):
            for action in range(1, 8):
                with self.subTest(select=select, action=action):
                    for library in (self.own, self.other):
                        library.geoms(lambda option: None)
                        library.perturb["select"] = select
                        library.perturb["localpos"] = (.1, 0, 0)
                        library.c.mjv_initPerturb(library.m, library.d, library.scene, library.pert())
                        library.c.mjv_movePerturb(library.m, library.d, action, dx, dy, library.scene, library.pert())
                        library.perturb["active"] = 3
                        library.c.mjv_applyPerturbForce(library.m, library.d, library.pert())
                    for field in PERTURB.names:
                        np.testing.assert_allclose(self.own.perturb[field], self.other.perturb[field], rtol=1e-6,
                                                   atol=1e-9, err_msg=field)
                    np.testing.assert_allclose(self.own.get_state(self.spec), self.other.get_state(self.spec),
                                               rtol=1e-6, atol=1e-7)

    def compare_skins(self, model, qpos) -> None:
        data = mujoco.MjData(model)
        data.qpos[:] = qpos
        state = np.zeros(mujoco.mj_stateSize(model, self.spec))
        mujoco.mj_getState(model, data, state, self.spec)
        lists, surfaces = [], []
        for library in load(model):
            library.set_state(state, self.spec)
            lists.append(library.geoms(lambda option: None))
            surfaces.append([library.floats(offset, 3 * model.nskinvert) for offset in (SKIN_VERT, SKIN_VERT + 8)])
        self.assertEqual(differences(*lists), [])
        np.testing.assert_allclose(surfaces[0], surfaces[1], atol=TOLERANCE)

    def test_skin(self):
        self.compare_skins(mujoco.MjModel.from_xml_string(SKIN), (.3, .4))

    def test_skin_of_a_flex(self):
        model = mujoco.MjModel.from_xml_string(skinned_cloth())
        self.compare_skins(model, .02 * np.random.default_rng(2).standard_normal(model.nq))

    def test_flexes(self):
        model = mujoco.MjModel.from_xml_string(FLEXES)
        data = mujoco.MjData(model)
        data.qpos[:] += .02 * np.random.default_rng(1).standard_normal(model.nq)
        state = np.zeros(mujoco.mj_stateSize(model, self.spec))
        mujoco.mj_getState(model, data, state, self.spec)
        libraries = load(model)
        for library in libraries:
            library.set_state(state, self.spec)
        flags = [int(getattr(mujoco.mjtVisFlag, "mjVIS_FLEX" + name)) for name in ("FACE", "SKIN")]
        layer = mujoco_option_layer()
        textured = [True, False, True, False]
        for face, skin, depth in ((0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 0, 2), (1, 0, 9), (0, 1, 0), (1, 1, 1)):
            def change(option):
                option[FLAG_OFFSET + flags[0]], option[FLAG_OFFSET + flags[1]] = face, skin
                option[layer] = depth

            with self.subTest(face=face, skin=skin, layer=depth):
                for library in libraries:
                    library.geoms(change)
                starts, room = (libraries[1].ints(FLEX_FACES_USED - back, model.nflex) for back in (16, 8))
                used = [library.ints(FLEX_FACES_USED, model.nflex) for library in libraries]
                np.testing.assert_array_equal(used[0], used[1])
                for flex in range(model.nflex):
                    kinds = 3 if textured[flex] else 2
                    for kind, each in list(enumerate((9, 9, 6)))[:kinds]:
                        total = int(starts[-1] + room[-1])
                        part = slice(each * starts[flex], each * (starts[flex] + used[0][flex]))
                        own, other = (library.floats(FLEX_FACE + 8 * kind, each * total)[part] for library in libraries)
                        np.testing.assert_allclose(own, other, atol=TOLERANCE, err_msg=f"flex {flex}, array {kind}")

    def test_select(self):
        hits = 0
        for x in np.linspace(.02, .98, 15):
            for y in np.linspace(.02, .98, 15):
                found = []
                for library in (self.own, self.other):
                    library.geoms(lambda option: None)
                    point, ids = (ctypes.c_double * 3)(), [ctypes.c_int(7) for _ in range(3)]
                    body = library.c.mjv_select(library.m, library.d, library.option, ctypes.c_double(1.5),
                                                ctypes.c_double(x), ctypes.c_double(y), library.scene, point,
                                                *map(ctypes.byref, ids))
                    found.append((body, [i.value for i in ids], np.round(point, 5).tolist() if body >= 0 else None))
                hits += found[0][0] > 0
                self.assertEqual(found[0][0], found[1][0], f"at {x} {y}")
                if found[0][0] >= 0:
                    self.assertEqual(found[0][1], found[1][1])
                    np.testing.assert_allclose(found[0][2], found[1][2], atol=1e-4)
        self.assertGreater(hits, 1)


if __name__ == "__main__":
    unittest.main()
