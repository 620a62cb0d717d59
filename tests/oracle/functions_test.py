"""Functions of the C interface that work on a world, one by one, against those of the release whose interface it is.

Both libraries get the same compiled model and the same state, and must return the same, write the same into the arrays
they are given, and leave the same in model and data. Needs what libraries.py says, and the package mujoco.
"""

import copy
import ctypes
import unittest

from calls import Library, difference, fields, functions
from libraries import AVAILABLE, NEEDS, OWN, REFERENCE, ROOT

if AVAILABLE:
    import mujoco
    import numpy as np

SECTIONS = ("Main simulation", "Initialization", "Components", "Sub components", "Support", "Ray casting",
            "Derivatives")

# Functions of these sections with tests of their own: what makes and frees, files, specifications, plugins, printing.
ELSEWHERE = {
    "mj_copyModel", "mj_saveModel", "mj_loadModel", "mj_loadModelBuffer", "mj_deleteModel", "mj_sizeModel",
    "mj_makeData", "mj_deleteData", "mjv_copyData", "mj_makeSpec", "mj_copySpec", "mj_deleteSpec", "mjs_activatePlugin",
    "mjs_setDeepCopy", "mj_resetCallbacks", "mj_addContact", "mj_getPluginConfig", "mj_loadPluginLibrary",
    "mj_loadAllPluginLibraries", "mju_rayGeom", "mju_raySkin", "mj_markStack", "mj_freeStack", "mj_stackAllocByte",
    "mj_stackAllocNum", "mj_stackAllocInt"}

# Forces of contacts are of the order of 100, accelerations of 1e4: rounding, relative to the largest number of a field.
# Finite differences divide the rounding of a step, 1e-13, by their step of 1e-6.
TOLERANCE = 1e-9
TOLERANCES = {"mjd_transitionFD": 1e-5, "mjd_inverseFD": 1e-5}

# What departs on purpose (docs/from-mujoco/departures.md): forces of the medium, of tendons and of gravity compensation are
# among those on bodies.
DEPARTING = ("cfrc_ext", "cfrc_int")

# Counts of rows, which mj_collision takes from a world: that release leaves some behind. Entries of moments of sites that
# are zero but for rounding: they are kept or dropped.
EXCEPT = {"mj_collision": ("ne", "nf", "nl", "nJ"),
          "mj_RungeKutta": ("actuator_moment", "moment_rownnz", "moment_rowadr", "moment_colind")}

# What moves in every way: free, ball, hinge and slide joints, tendons, delays, a mesh, a height field, a cloth.
WORLD = """<mujoco><size memory="1M"/><option timestep=".002" {options}><flag energy="enable" {flags}/></option>
  <asset><mesh name="tet" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/>
    <hfield name="hills" nrow="3" ncol="3" size="1 1 .2 .1" elevation="0 1 0 1 .5 1 0 1 0"/></asset>
  <worldbody><geom name="floor" type="plane" size="3 3 .1"/>
    <geom name="hills" type="hfield" hfield="hills" pos="4 0 0"/>
    <site name="anchor" pos="0 0 1.5"/><camera name="eye" pos="0 -3 1"/>
    <body name="box" pos="0 0 .099"><freejoint/><geom type="box" size=".1 .2 .1"/><site name="top" pos="0 0 .1"/></body>
    <body name="mesh" pos="1 0 .195" euler="180 0 0"><freejoint/><geom name="tet" type="mesh" mesh="tet"/></body>
    <body name="arm" pos="0 1 1"><joint name="shoulder" type="ball" damping=".2"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/><site name="elbow" pos=".3 0 0"/>
      <body name="hand" pos=".3 0 0" gravcomp=".5">
        <joint name="elbow" axis="0 1 0" range="-1 1" limited="true" stiffness="3"/>
        <joint name="reach" type="slide" axis="1 0 0" armature=".1" frictionloss=".2"/>
        <geom name="hand" size=".05" pos=".1 0 0"/><site name="hand" pos=".1 0 0"/></body></body>
    <body name="target" mocap="true" pos="1 1 1"><geom size=".02" contype="0" conaffinity="0"/></body>
    <flexcomp name="cloth" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" radius=".01" pos="-1 0 1" mass=".1">
      <contact contype="0" conaffinity="0" selfcollide="none"/><edge equality="true"/></flexcomp>
  </worldbody>
  <tendon><spatial name="string" range="0 1.1" limited="true"><site site="anchor"/><site site="hand"/></spatial>
    <fixed name="mix"><joint joint="elbow" coef="1"/><joint joint="reach" coef="2"/></fixed></tendon>
  <equality><connect body1="mesh" body2="box" anchor="0 0 .1" active="false"/>
    <joint joint1="elbow" joint2="reach"/></equality>
  <actuator><motor joint="elbow" {history}/><position tendon="mix" kp="5"/>
    <general site="hand" refsite="top" gear="0 0 1 0 0 0" dyntype="filter" dynprm=".1"/></actuator>
  <sensor><gyro site="hand" {history}/><framepos objtype="site" objname="hand"/>
    <accelerometer site="top"/><touch site="top"/><rangefinder site="hand"/></sensor>
  <keyframe><key name="start"/><key name="thrown" time="1" ctrl=".1 .2 .3"/></keyframe></mujoco>"""

# Worlds with delays, and without, which finite differences ask for. Under implicitfast equalities depart on purpose.
WORLDS = (
    WORLD.format(history='delay=".01" nsample="6" interp="linear"', flags="", options='jacobian="dense"'),
    WORLD.format(history="", flags="", options='cone="elliptic" jacobian="sparse"'),
    WORLD.format(history="", flags='equality="disable"', options='cone="elliptic" jacobian="sparse" integrator="implicitfast"'))


class Cases:
    """Arguments for every function: `name` -> list of argument lists; "m", "d" and "e" stand for a model and data."""

    def __init__(self, model, data):
        self._model, self._data, self._random = model, data, np.random.default_rng(1)
        self.all: dict[str, list[list]] = {}
        for family in (self._pipeline, self._states, self._products, self._jacobians, self._motions, self._histories,
                       self._rays, self._derivatives, self._questions):
            family()

    def _add(self, name: str, *args):
        self.all.setdefault(name, []).append(list(args))

    def _normal(self, *shape):
        return self._random.normal(size=shape)

    def _pipeline(self):
        worlds = (["const mjModel* m", "mjData* d"], ["mjModel* m", "mjData* d"])
        for name, function in functions().items():
            if name == "mj_implicit" and not self._implicit():
                continue  # an error
            if function["section"] in SECTIONS and function["params"] in worlds:
                self._add(name, "m", "d")
        for stage in (0, 1, 2):
            for skip in (0, 1):
                self._add("mj_forwardSkip", "m", "d", stage, skip)
                self._add("mj_inverseSkip", "m", "d", stage, skip)
        self._add("mj_RungeKutta", "m", "d", 4)
        self._add("mj_resetDataKeyframe", "m", "d", 1)
        self._add("mj_resetDataDebug", "m", "d", 0)
        self._add("mj_setKeyframe", "m", "d", 1)
        self._add("mj_setTotalmass", "m", 12.0)
        for flag in (0, 1):
            self._add("mj_rne", "m", "d", flag, np.zeros(self._model.nv))
            self._add("mj_constraintUpdate", "m", "d", self._normal(self._data.nefc), np.zeros(1), flag)

    def _implicit(self) -> bool:
        kinds = mujoco.mjtIntegrator
        return self._model.opt.integrator in (kinds.mjINT_IMPLICIT, kinds.mjINT_IMPLICITFAST)

    def _states(self):
        full = int(mujoco.mjtState.mjSTATE_INTEGRATION)
        for sig in (full, 1, 1 << 3, (1 << 1) + (1 << 2), int(mujoco.mjtState.mjSTATE_PHYSICS)):
            size = mujoco.mj_stateSize(self._model, sig)
            self._add("mj_stateSize", "m", sig)
            self._add("mj_getState", "m", "d", np.full(size, 7.0), sig)
            self._add("mj_setState", "m", "d", self._normal(size), sig)
            self._add("mj_copyState", "m", "e", "d", sig)
            source = self._normal(mujoco.mj_stateSize(self._model, full))
            self._add("mj_extractState", "m", source, full, np.full(size, 7.0), sig)
        self._add("mj_copyData", "e", "m", "d")

    def _products(self):
        m, d = self._model, self._data
        x = self._normal(m.nv)
        for name in ("mulM", "mulM2"):
            self._add("mj_" + name, "m", "d", np.zeros(m.nv), x)
        self._add("mj_solveM", "m", "d", np.zeros(3 * m.nv), self._normal(3 * m.nv), 3)
        root = np.sqrt(d.qLDiagInv)
        self._add("mj_solveM2", "m", "d", np.zeros(2 * m.nv), self._normal(2 * m.nv), root, 2)
        self._add("mj_fullM", "m", np.zeros(m.nv * m.nv), d.qM.copy())
        self._add("mj_addM", "m", "d", np.zeros(m.nv * m.nv), None, None, None)
        self._add("mj_addM", "m", "d", self._normal(m.nC), m.M_rownnz.copy(), m.M_rowadr.copy(), m.M_colind.copy())
        self._add("mj_mulJacVec", "m", "d", np.zeros(d.nefc), x)
        self._add("mj_mulJacTVec", "m", "d", np.zeros(m.nv), self._normal(d.nefc))

    def _jacobians(self):
        nv = self._model.nv
        for body in range(self._model.nbody):
            p, r, point = np.zeros(3 * nv), np.zeros(3 * nv), self._normal(3)
            for name in ("jacBody", "jacBodyCom"):
                self._add("mj_" + name, "m", "d", p, r, body)
            self._add("mj_jacSubtreeCom", "m", "d", p, body)
            self._add("mj_angmomMat", "m", "d", p, body)
            for first, second in ((p, r), (p, None), (None, r)):
                self._add("mj_jac", "m", "d", first, second, point, body)
                self._add("mj_jacDot", "m", "d", first, second, point, body)
                self._add("mj_jacPointAxis", "m", "d", first, second, point, self._normal(3), body)
            self._add("mj_applyFT", "m", "d", self._normal(3), self._normal(3), point, body, self._normal(nv))
        for geom in range(self._model.ngeom):
            self._add("mj_jacGeom", "m", "d", p, r, geom)
        for site in range(self._model.nsite):
            self._add("mj_jacSite", "m", "d", p, r, site)

    def _motions(self):
        m, d = self._model, self._data
        for kind, count in ((1, m.nbody), (2, m.nbody), (5, m.ngeom), (6, m.nsite)):
            for i in range(count):
                for local in (0, 1):
                    self._add("mj_objectVelocity", "m", "d", kind, i, np.zeros(6), local)
                    if not self._stands(kind, i):
                        self._add("mj_objectAcceleration", "m", "d", kind, i, np.zeros(6), local)
        other = d.qpos + 0.3 * self._normal(m.nq)
        self._add("mj_differentiatePos", "m", np.zeros(m.nv), 0.1, d.qpos.copy(), other)
        self._add("mj_integratePos", "m", d.qpos.copy(), self._normal(m.nv), 0.2)
        self._add("mj_normalizeQuat", "m", other)
        for body in range(4):
            for same in range(5):
                self._add("mj_local2Global", "d", np.zeros(3), np.zeros(9), self._normal(3), self._normal(4), body,
                          same)
        for i in range(d.ncon):
            self._add("mj_contactForce", "m", "d", i, np.zeros(6))
        for a, b in ((2, 4), (2, 3), (4, 5), (0, 2), (3, 5)):
            self._add("mj_geomDistance", "m", "d", a, b, 10.0, np.zeros(6))

    def _stands(self, kind: int, i: int) -> bool:
        """Returns whether nothing moves an object: then its acceleration is minus gravity, where that release has none."""
        m = self._model
        body = {1: lambda: i, 2: lambda: i, 5: lambda: m.geom_bodyid[i], 6: lambda: m.site_bodyid[i]}[kind]()
        return m.body_weldid[body] == 0

    def _histories(self):
        if not self._model.nhistory:
            return
        times = np.linspace(-0.01, 0, 6)
        for order in (-1, 0, 1, 2):
            for time in (self._data.time, self._data.time - 0.003, self._data.time - 1, self._data.time + 1):
                self._add("mj_readCtrl", "m", "d", 0, time, order)
                self._add("mj_readSensor", "m", "d", 0, time, np.zeros(3), order)
        self._add("mj_initCtrlHistory", "m", "d", 0, times, self._normal(6))
        self._add("mj_initCtrlHistory", "m", "d", 0, None, self._normal(6))
        self._add("mj_initSensorHistory", "m", "d", 0, times, self._normal(18), 0.001)
        self._add("mj_initSensorHistory", "m", "d", 0, None, self._normal(18), 0.0)

    def _rays(self):
        groups = np.array([1, 0, 0, 0, 0, 0], np.uint8)
        for _ in range(20):
            start, target = 2 * self._normal(3), self._data.geom_xpos[self._random.integers(self._model.ngeom)]
            way = target + 0.05 * self._normal(3) - start
            hit, normal, aim = np.full(1, 7, np.int32), np.zeros(3), 0.02 * self._normal(3)
            self._add("mj_ray", "m", "d", start, way, None, 1, -1, hit, normal)
            self._add("mj_ray", "m", "d", start, way, groups, 0, 1, hit, None)
            self._add("mj_rayHfield", "m", "d", 1, start, np.array([4.0, 0, 0]) - start, normal)
            self._add("mj_rayMesh", "m", "d", 3, start, self._data.geom_xpos[3] - start, normal)
            for layer in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 1, 1, 1)):
                to_cloth = aim + self._data.flexvert_xpos[4] - start
                self._add("mj_rayFlex", "m", "d", 0, *layer, 0, start, to_cloth, hit, normal)
        ways = self._normal(30)
        self._add("mj_multiRay", "m", "d", np.array([0, 0, 2.0]), ways, None, 1, -1, np.zeros(10, np.int32),
                  np.zeros(10), np.zeros(30), 10, 5.0)

    def _derivatives(self):
        m = self._model
        if m.nhistory:
            return
        nx = 2 * m.nv + m.na
        for centered in (0, 1):
            self._add("mjd_transitionFD", "m", "d", 1e-6, centered, np.zeros(nx * nx), np.zeros(nx * m.nu),
                      np.zeros(m.nsensordata * nx), np.zeros(m.nsensordata * m.nu))
        squares = [np.zeros(m.nv * m.nv) for _ in range(3)]
        self._add("mjd_inverseFD", "m", "d", 1e-6, 1, *squares, None, None, None, np.zeros(m.nv * m.nM))
        for _ in range(10):
            a, b = self._normal(4), self._normal(4)
            self._add("mjd_subQuat", a / np.linalg.norm(a), b / np.linalg.norm(b), np.zeros(9), np.zeros(9))
            self._add("mjd_quatIntegrate", self._normal(3), 0.3, np.zeros(9), np.zeros(9), np.zeros(3))

    def _questions(self):
        for name in ("isPyramidal", "isSparse", "isDual", "getTotalmass"):
            self._add("mj_" + name, "m")
        self._add("mj_version")
        self._add("mj_versionString")
        self._add("mj_defaultSolRefImp", np.zeros(2), np.zeros(5))
        for struct in ("mjLROpt", "mjOption", "mjVisual"):
            self._add("mj_default" + struct[2:], np.zeros(2000, np.uint8))
        for a, b in ((0, 2), (2, 4), (1, 3), (4, 5), (2, 2)):
            for margin in (0, 1):
                self._add("mj_maxContact", "m", a, b, margin)
        for actuator in range(self._model.nu):
            options = np.frombuffer(_defaults("mj_defaultLROpt"), np.uint8).copy()
            self._add("mj_setLengthRange", "m", "d", actuator, options, np.zeros(1000, np.uint8), 1000)
        for kind, names in ((1, (b"arm", b"nobody")), (5, (b"floor",)), (3, (b"elbow",)), (99, (b"arm",))):
            for name in names:
                self._add("mj_name2id", "m", kind, name)
            for i in (-1, 0, 1, 1000):
                self._add("mj_id2name", "m", kind, i)


def _defaults(function: str) -> bytes:
    """Returns the bytes that a function of the release fills a struct with."""
    buffer = ctypes.create_string_buffer(2000)
    getattr(ctypes.CDLL(str(REFERENCE)), function)(buffer)
    return buffer.raw


def _settled(world: str):
    """Returns a model, and data after some steps with controls, with all stages computed."""
    model = mujoco.MjModel.from_xml_string(world)
    data = mujoco.MjData(model)
    for i in range(60):
        data.ctrl[:] = np.sin(0.1 * i + np.arange(model.nu))
        mujoco.mj_step(model, data)
    data.qfrc_applied[:] = 0.1
    mujoco.mj_forward(model, data)
    mujoco.mj_rnePostConstraint(model, data)
    return model, data


class Side:
    """A library with a model and data of its own, which begin every call as the common ones."""

    def __init__(self, path, model, data):
        self._library, self._start, self._table = Library(path), (model, data), functions()
        self._model, self.data, self._other = copy.copy(model), copy.copy(data), copy.copy(data)
        self._other.qpos[:] += 0.1

    def call(self, name: str, args: list) -> list:
        """Returns what a call returns and writes."""
        model, data = self._start
        function = self._table[name]
        self.model = copy.copy(model) if "mjModel* m" in function["params"] else self._model
        mujoco.mj_copyData(self.data, model, data)
        places = {"m": self.model._address, "d": self.data._address, "e": self._other._address}
        values = [ctypes.c_void_p(places[arg]) if isinstance(arg, str) else arg for arg in args]
        result = self._library.call(name, values)
        if name == "mj_readSensor" and result[0]:  # the value itself, in the history
            result[1] = np.array((ctypes.c_double * 3).from_address(result[0]))
        return result[1:] if function["returns"] in ("const mjtNum*", "mjData*") else result


@unittest.skipUnless(AVAILABLE, NEEDS)
class FunctionsTest(unittest.TestCase):
    def test_every_function_of_the_sections_is_compared(self):
        expected = {name for name, f in functions().items() if f["section"] in SECTIONS}
        compared = {name for world in WORLDS for name in Cases(*_settled(world)).all}
        self.assertEqual(expected - ELSEWHERE - compared, set())

    def test_results_are_equal(self):
        table = functions()
        for world in WORLDS:
            model, data = _settled(world)
            sides = [Side(path, model, data) for path in (OWN, REFERENCE)]
            for name, cases in Cases(model, data).all.items():
                changes = {"mjData* d": "data", "mjData* dst": "data", "mjModel* m": "model"}
                changed = [changes[p] for p in table[name]["params"] if p in changes]
                with self.subTest(function=name, cone=model.opt.cone, integrator=model.opt.integrator):
                    for args in cases:
                        self._compare(sides, name, args, changed)

    def _compare(self, sides: list, name: str, args: list, changed: list):
        """Compares results, and then what may have changed of data and model."""
        tolerance = TOLERANCES.get(name, TOLERANCE)
        ours, theirs = (side.call(name, args) for side in sides)
        for a, b in zip(ours, theirs, strict=True):
            self.assertLessEqual(difference(a, b), tolerance, f"{name}{tuple(args)}: {a} instead of {b}")
        for part in changed:
            own, other = (fields(getattr(side, part)) for side in sides)
            for field, value in other.items():
                if field in DEPARTING or field in EXCEPT.get(name, ()):
                    continue
                self.assertLessEqual(difference(own[field], value), tolerance, f"{field} after {name}{tuple(args)}")


if __name__ == "__main__":
    unittest.main()
