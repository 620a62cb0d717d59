"""Our own plugins of the names mujoco.pid, mujoco.elasticity.cable and mujoco.sensor.touch_grid, against those that come
with the release whose interface this is: the same models, step by step. Then the release's own plugin libraries are
loaded into our library, before and after ours were used.

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

from libraries import AVAILABLE, NEEDS, OWN

STEPS = 200
TOLERANCE = 1e-9  # relative: rounding, over the steps
FIELDS = ("qpos", "qvel", "act", "sensordata", "actuator_force", "act_dot", "qfrc_passive")


def config(**values) -> str:
    """Returns the config elements of a plugin."""
    return "".join(f'<config key="{key}" value="{value}"/>' for key, value in values.items())


def pid(attributes: str, **values) -> str:
    """Returns a model with two servos of one instance, on a joint and on a tendon."""
    servo = f'<plugin plugin="mujoco.pid" instance="pid" {attributes}'
    return f"""<mujoco><option timestep=".01"/>
      <extension><plugin plugin="mujoco.pid"><instance name="pid">{config(**values)}</instance></plugin></extension>
      <worldbody><body><joint name="a" axis="0 1 0" damping=".1"/><geom size=".1" pos=".3 0 0" mass="1"/>
        <body pos=".3 0 0"><joint name="b" type="slide"/><geom size=".05" mass=".5"/></body></body></worldbody>
      <tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed></tendon>
      <actuator>{servo} joint="a" gear="2"/>{servo} tendon="t" ctrlrange="-.5 .5" forcerange="-3 3"/></actuator></mujoco>"""


def cable(geom: str, quats=(), joint='<joint type="ball" damping=".01"/>', **values) -> str:
    """Returns a model of a cable that hangs from the world."""
    bodies = "".join(
        f'<body pos="{0.1 if i else 0} 0 0" quat="{quats[i] if i < len(quats) else "1 0 0 0"}">'
        f'{joint}<geom {geom}/><plugin instance="c"/>' for i in range(8))
    return f"""<mujoco><option timestep=".001"/>
      <extension><plugin plugin="mujoco.elasticity.cable"><instance name="c">{config(**values)}</instance></plugin></extension>
      <worldbody>{bodies}{"</body>" * 8}</worldbody></mujoco>"""


def grid(site: str = "", **values) -> str:
    """Returns a model of a hand with a grid on which balls and a box rain."""
    rain = "".join(f'<body pos="{0.05 * i - 0.1} {0.03 * i - 0.05} {0.35 + 0.1 * i}"><freejoint/><geom {shape}/></body>'
                   for i, shape in enumerate(('size=".04"', 'type="box" size=".05 .04 .03"', 'size=".03" condim="6"',
                                              'type="capsule" size=".03 .05"')))
    return f"""<mujoco><option timestep=".004"/>
      <extension><plugin plugin="mujoco.sensor.touch_grid"/></extension>
      <worldbody><body pos="0 0 .1"><joint axis="1 0 0" stiffness="50" damping="3"/><geom type="box" size=".3 .3 .02"/>
        <body><geom size=".02" pos="0 0 .03"/><site name="eye" pos="0 0 -.2" euler="180 10 20" {site}/></body></body>{rain}</worldbody>
      <sensor><plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="eye">{config(**values)}</plugin></sensor></mujoco>"""


CAPSULE = 'type="capsule" size=".005" fromto="0 0 0 .1 0 0" density="1000"'
BENT = ("1 0 0 0", ".99 .1 0 0", ".98 0 .1 .1", ".97 .1 .2 0")
MODELS = {
    "p": pid("", kp=20),
    "pd": pid("", kp=20, kd=1.5),
    "pid": pid('actdim="1"', kp=20, ki=30, kd=1.5),
    "negative ki": pid('actdim="1"', kp=20, ki=-3),
    "imax": pid('actdim="1"', kp=20, ki=30, kd=1, imax=.4),
    "slewmax": pid('actdim="1"', kp=20, kd=1, slewmax=2),
    "slewmax, ki": pid('actdim="2"', kp=20, ki=5, kd=1, slewmax=2, imax=1),
    "filter": pid('actdim="2" dyntype="filter" dynprm=".1"', kp=20, ki=5, kd=1),
    "filter, actearly": pid('actdim="3" dyntype="filter" dynprm=".1" actearly="true"', kp=20, ki=5, kd=1, slewmax=3),
    "filterexact, actearly": pid('actdim="1" dyntype="filterexact" dynprm=".1" actearly="true"', kp=20, kd=1),
    "integrator, actrange": pid(
        'actdim="2" dyntype="integrator" actlimited="true" actrange="-.2 .3" actearly="true"', kp=20, ki=5),
    "cable": cable(CAPSULE, twist=1e7, bend=4e7),
    "bent cable": cable(CAPSULE, quats=BENT, twist=1e7, bend=4e7),
    "bent cable, flat": cable(CAPSULE, quats=BENT, twist=1e7, bend=4e7, flat="true"),
    "band": cable('type="box" size=".05 .01 .002" pos=".05 0 0"', quats=BENT, twist=1e7, bend=4e7),
    "square band": cable('type="box" size=".05 .004 .004" pos=".05 0 0"', twist=1e7, bend=4e7),
    "rod": cable('type="cylinder" size=".005 .05" pos=".05 0 0" euler="0 90 0"', twist=1e7, bend=1e7),
    "no section": cable('type="ellipsoid" size=".05 .005 .005" pos=".05 0 0"', twist=1e7, bend=1e7),
    "grid": grid(size="5 4", fov="60 50"),
    "grid, foveated": grid(size="6 5", fov="80 70", gamma=.7, nchannel=3),
    "grid, all channels": grid(size="3 3", fov="180 90", gamma=0, nchannel=6),
}

LOAD = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
library.mj_loadXML.restype = library.mj_makeData.restype = ctypes.c_void_p
library.mjp_getPlugin.restype = ctypes.c_void_p
def run(path):
    error = ctypes.create_string_buffer(1000)
    model = library.mj_loadXML(path.encode(), None, error, 1000)
    assert model, error.value
    data = library.mj_makeData(ctypes.c_void_p(model))
    for _ in range(10):
        library.mj_step(ctypes.c_void_p(model), ctypes.c_void_p(data))
    return model, data
order, models, folder = sys.argv[2], sys.argv[3:-1], sys.argv[-1]
worlds = [run(path) for path in models] if order == "after" else []
mine = library.mjp_getPlugin(b"mujoco.pid", None) if order == "after" else None
library.mj_loadAllPluginLibraries(folder.encode(), None)
assert library.mjp_getPlugin(b"mujoco.sdf.bolt", None)
assert mine is None or mine == library.mjp_getPlugin(b"mujoco.pid", None)
for model, data in worlds + [run(path) for path in models]:
    library.mj_step(ctypes.c_void_p(model), ctypes.c_void_p(data))
print("fine")
"""


class World:
    """A model and its data in our library, whose structs have the layout of the release's."""

    offsets = {}  # of fields in mjData

    def __init__(self, library, path: str):
        self.library = library
        error = ctypes.create_string_buffer(1000)
        self.model = library.mj_loadXML(path.encode(), None, error, 1000)
        if not self.model:
            raise ValueError(error.value.decode())
        self.data = library.mj_makeData(self.model)

    def array(self, like, field: str):
        """Returns a field of our data, given the release's data: there, the struct holds the array's address."""
        theirs = getattr(like, field)
        if theirs.size == 0:
            return theirs
        offset = self.offsets.get(field, 0)
        while ctypes.c_uint64.from_address(like._address + offset).value != theirs.ctypes.data:
            offset += 8
        self.offsets[field] = offset
        address = ctypes.c_uint64.from_address(self.data + offset).value
        return np.ctypeslib.as_array((ctypes.c_double * theirs.size).from_address(address)).reshape(theirs.shape)

    def close(self) -> None:
        self.library.mj_deleteData(self.data)
        self.library.mj_deleteModel(self.model)


def bind(library):
    """Declares the functions that are used."""
    pointer = ctypes.c_void_p
    library.mj_loadXML.argtypes = [ctypes.c_char_p, pointer, ctypes.c_char_p, ctypes.c_int]
    library.mj_loadXML.restype = library.mj_makeData.restype = pointer
    library.mj_makeData.argtypes = library.mj_deleteModel.argtypes = library.mj_deleteData.argtypes = [pointer]
    library.mj_step.argtypes = [pointer, pointer]
    return library


@unittest.skipUnless(AVAILABLE, NEEDS)
class FirstParty(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.library = bind(ctypes.CDLL(str(OWN)))

    def test_models(self):
        for name, text in MODELS.items():
            with self.subTest(model=name), tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
                file.write(text)
                file.flush()
                model = mujoco.MjModel.from_xml_path(file.name)
                data = mujoco.MjData(model)
                world = World(self.library, file.name)
                rng = np.random.default_rng(1)
                ctrl = world.array(data, "ctrl")
                largest = {field: 1e-6 for field in FIELDS}  # at rest, forces are rounding
                for step in range(STEPS):
                    if step % 20 == 0:
                        data.ctrl[:] = rng.uniform(-1, 1, model.nu)
                    ctrl[:] = data.ctrl
                    mujoco.mj_step(model, data)
                    self.library.mj_step(world.model, world.data)
                    for field in FIELDS:
                        theirs, ours = getattr(data, field), world.array(data, field)
                        if theirs.size:
                            largest[field] = max(largest[field], np.abs(theirs).max())
                            error = np.abs(theirs - ours).max() / largest[field]
                            self.assertLess(error, TOLERANCE, f"{field} at step {step}: {theirs} and {ours}")
                    for field in ("qpos", "qvel", "act"):  # errors of one step, not of a trajectory
                        world.array(data, field)[:] = getattr(data, field)
                if model.nsensordata:
                    self.assertGreater(largest["sensordata"], 0.1)  # something was touched
                world.close()

    def test_libraries_of_the_release(self):
        folder = str(pathlib.Path(mujoco.__file__).parent / "plugin")
        with tempfile.TemporaryDirectory() as temporary:
            paths = []
            for name in ("pid", "cable", "grid"):
                path = pathlib.Path(temporary) / f"{name}.xml"
                path.write_text(MODELS[name])
                paths.append(str(path))
            for order in ("before", "after"):
                with self.subTest(order=order):
                    run = subprocess.run([sys.executable, "-c", LOAD, str(OWN), order, *paths, folder],
                                         capture_output=True, text=True, cwd=temporary, check=False)
                    self.assertEqual(run.stdout.strip(), "fine", run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
