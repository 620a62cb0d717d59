"""Shapes by signed distance against the release whose interface this is: values and gradients of our plugins
mujoco.sdf.*, the meshes that are made of them, octrees of meshes, and steps of shapes that touch.

Needs what libraries.py says, and the package mujoco.
"""

import ctypes
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import mujoco
    import numpy as np
except ImportError:
    mujoco = None

from first_party_test import World, bind
from libraries import AVAILABLE, NEEDS, OWN, REFERENCE, ROOT

POINTS = 500

SHAPES = {
    "torus": [{}, {"radius1": 0.2, "radius2": 0.07}],
    "bowl": [{}, {"height": -0.2, "radius": 0.8, "thickness": 0.05}],
    "bolt": [{}, {"radius": 0.2}],
    "nut": [{}, {"radius": 0.3}],
    "gear": [{}, {"alpha": 0.3, "teeth": 17, "diameter": 2, "innerdiameter": 0.4, "thickness": 0.3}],
}
MESHES = (
    'builtin="sphere" params="2"',
    'builtin="supertorus" params="20 .3 .9 .7"',
    'builtin="supersphere" params="11 .4 .7" scale="1 2 .3"',
    'vertex="0 0 0 1 0 0 0 1.3 0 1.1 1.2 0 0 0 2 1 0 2 0 1.3 2 1.1 1.2 2"',
)
ARRAYS = ("mesh_vert", "mesh_face", "mesh_normal", "mesh_graph", "mesh_polyvert", "bvh_aabb", "oct_depth", "oct_child",
          "oct_aabb", "oct_coeff", "geom_size", "geom_aabb", "body_inertia")


def shape(name: str, config: dict) -> str:
    """Returns a model of one geom whose shape a plugin says."""
    values = "".join(f'<config key="{key}" value="{value}"/>' for key, value in config.items())
    return f"""<mujoco><extension><plugin plugin="mujoco.sdf.{name}"><instance name="i">{values}</instance></plugin></extension>
      <asset><mesh name="m"><plugin instance="i"/></mesh></asset>
      <worldbody><body><freejoint/><geom type="sdf" mesh="m"><plugin instance="i"/></geom></body></worldbody></mujoco>"""


def octree(mesh: str) -> str:
    """Returns a model of one geom that collides by the octree of its mesh."""
    return f"""<mujoco><asset><mesh name="m" {mesh}/></asset>
      <worldbody><body><freejoint/><geom type="sdf" mesh="m"/></body></worldbody></mujoco>"""


def touching(name: str, config: dict, pose: str) -> str:
    """Returns a model in which a shape falls on another one of its kind."""
    values = "".join(f'<config key="{key}" value="{value}"/>' for key, value in config.items())
    geom = '<geom type="sdf" mesh="m"><plugin instance="i"/></geom>'
    return f"""<mujoco><extension><plugin plugin="mujoco.sdf.{name}"><instance name="i">{values}</instance></plugin></extension>
      <asset><mesh name="m"><plugin instance="i"/></mesh></asset>
      <worldbody>{geom}<body {pose}><freejoint/>{geom}</body></worldbody></mujoco>"""


# Largest errors of one step, in qvel [m/s, rad/s]. Gradients that are forward differences have 1e-8 of noise.
STEPS = {
    "nut and bolt": ((ROOT / "models/sdf/nut_bolt.xml").read_text(), 1e-5),
    "tori": (touching("torus", {"radius1": 0.3, "radius2": 0.1}, 'pos=".1 .05 .2" euler="20 10 0"'), 1e-12),
    "gears": (touching("gear", {"teeth": 20}, 'pos="2.85 0 .1" euler="0 3 0"'), 1e-4),
}


class Sdf(ctypes.Structure):
    _fields_ = [("plugin", ctypes.c_void_p), ("id", ctypes.c_void_p), ("type", ctypes.c_int),
                ("relpos", ctypes.c_void_p), ("relmat", ctypes.c_void_p), ("geomtype", ctypes.c_void_p)]


def worker(library: str, wheel: str, path: str, out: str) -> None:
    """Loads a model in a library: values and gradients at points of its first geom, and the compiled model."""
    lib = ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
    pointer = ctypes.c_void_p
    lib.mj_loadXML.restype = lib.mj_makeData.restype = lib.mjc_getSDF.restype = pointer
    lib.mjc_distance.restype = ctypes.c_double
    if wheel:
        lib.mj_loadPluginLibrary(wheel.encode())
    error = ctypes.create_string_buffer(1000)
    model = pointer(lib.mj_loadXML(path.encode(), None, error, 1000))
    assert model.value, error.value
    data = pointer(lib.mj_makeData(model))
    lib.mj_forward(model, data)
    plugin = np.array([lib.mjc_getSDF(model, 0) if "plugin" in open(path).read() else 0], np.uint64)
    ids, types = np.zeros(1, np.int32), np.full(1, 8, np.int32)
    sdf = Sdf(plugin.ctypes.data, ids.ctypes.data, 0, None, None, types.ctypes.data)
    points = np.random.default_rng(1).uniform(-1.6, 1.6, (POINTS, 3))
    values = np.zeros((POINTS, 4))
    for x, value in zip(points, values):
        value[0] = lib.mjc_distance(model, data, ctypes.byref(sdf), pointer(x.ctypes.data))
        lib.mjc_gradient(model, data, ctypes.byref(sdf), pointer(value[1:].ctypes.data), pointer(x.ctypes.data))
    np.save(out + ".npy", values)
    lib.mj_saveModel(model, (out + ".mjb").encode(), None, 0)


@unittest.skipUnless(AVAILABLE, NEEDS)
class SdfShapes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.wheel = str(pathlib.Path(mujoco.__file__).parent / "plugin/libsdf_plugin.so")
        mujoco.mj_loadPluginLibrary(cls.wheel)

    def run_both(self, text: str, folder: str):
        """Returns ours and theirs: values, and models."""
        path = pathlib.Path(folder) / "model.xml"
        path.write_text(text)
        results = []
        for name, library, wheel in (("own", str(OWN), ""), ("reference", str(REFERENCE), self.wheel)):
            out = str(pathlib.Path(folder) / name)
            subprocess.run([sys.executable, __file__, "--worker", library, wheel, str(path), out], check=True)
            results.append((np.load(out + ".npy"), mujoco.MjModel.from_binary_path(out + ".mjb")))
        return results

    def check(self, text: str):
        with tempfile.TemporaryDirectory() as folder:
            (ours, model), (theirs, reference) = self.run_both(text, folder)
        self.assertLess(np.abs(ours[:, 0] - theirs[:, 0]).max(), 1e-12)
        # forward differences divide rounding by 1e-8; at most one point in a hundred is on a kink
        gradients = np.abs(ours[:, 1:] - theirs[:, 1:]).max(axis=1)
        self.assertLess(np.quantile(gradients, 0.99), 1e-6)
        for name in ARRAYS:
            a, b = getattr(model, name), getattr(reference, name)
            self.assertEqual(a.shape, b.shape, name)
            if a.size and np.issubdtype(a.dtype, np.integer):
                self.assertTrue((a == b).all(), name)
            elif a.size:
                self.assertLess(np.abs(a - b).max(), 1e-6 * np.abs(b).max(), name)  # normals are floats

    def test_plugins(self):
        for name, configs in SHAPES.items():
            for config in configs:
                with self.subTest(shape=name, config=config):
                    self.check(shape(name, config))

    def test_octrees(self):
        for mesh in MESHES:
            with self.subTest(mesh=mesh):
                self.check(octree(mesh))

    def test_steps(self):
        library = bind(ctypes.CDLL(str(OWN)))
        for name, (text, tolerance) in STEPS.items():
            with self.subTest(model=name), tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
                file.write(text)
                file.flush()
                model = mujoco.MjModel.from_xml_path(file.name)
                data = mujoco.MjData(model)
                world = World(library, file.name)
                contacts = 0
                for _ in range(200):
                    mujoco.mj_step(model, data)
                    library.mj_step(world.model, world.data)
                    contacts += data.ncon
                    self.assertLess(np.abs(data.qvel - world.array(data, "qvel")).max(), tolerance)
                    for field in ("qpos", "qvel"):  # errors of one step, not of a trajectory
                        world.array(data, field)[:] = getattr(data, field)
                self.assertGreater(contacts, 200)
                world.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        worker(*sys.argv[2:])
    else:
        unittest.main()
