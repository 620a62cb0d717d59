"""What single kinds of elements have beside their fields: actuators, tendons, meshes, sensors, plugins."""

import collections.abc

import numpy as np

from mujoco import _core, _enums



def _expect(problem):
    if problem:
        raise ValueError(problem)


def _one(value):
    """A number that the engine takes as a pointer, None below zero."""
    return None if value is None or value < 0 else np.array([value], dtype=float)


def _numbers(values, count):
    array = np.full(count, -1.0) if values is None else np.zeros(count)
    if values is not None:
        flat = np.ravel(np.asarray(values, dtype=float))
        if flat.size > count:
            raise TypeError(f"at most {count} numbers are needed, not {flat.size}")
        array[: flat.size] = flat
    return array


def _set_to_position(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False):
    _expect(_core.mjs_setToPosition(self, kp, _one(kv), _one(dampratio), _one(timeconst), float(inheritrange)))


def _set_to_intvelocity(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False):
    _expect(_core.mjs_setToIntVelocity(self, kp, _one(kv), _one(dampratio), _one(timeconst), float(inheritrange)))


def _set_to_muscle(self, timeconst=-1, tausmooth=0, range=(-1.0, -1.0), force=-1, scale=-1, lmin=-1, lmax=-1, vmax=-1, fpmax=-1, fvmax=-1):
    times = np.array([timeconst, timeconst], dtype=float) if np.ndim(timeconst) == 0 else _numbers(timeconst, 2)
    _expect(_core.mjs_setToMuscle(self, times, tausmooth, _numbers(range, 2), force, scale, lmin, lmax, vmax, fpmax, fvmax))


def _set_to_dcmotor(self, motorconst, resistance, nominal=(0, 0, 0), saturation=(0, 0, 0), inductance=(0, 0), cogging=(0, 0, 0), controller=(0,) * 6, thermal=(0,) * 6, lugre=(0,) * 5, input_mode=0):
    _expect(_core.mjs_setToDCMotor(
        self, _numbers(motorconst, 2), resistance, _numbers(nominal, 3), _numbers(saturation, 3), _numbers(inductance, 2),
        _numbers(cogging, 3), _numbers(controller, 6), _numbers(thermal, 6), _numbers(lugre, 5), input_mode))  # fmt: skip


def _actuators():
    cls = _core.classes["mjsActuator"]
    cls.set_to_motor = lambda self: _expect(_core.mjs_setToMotor(self))
    cls.set_to_position = _set_to_position
    cls.set_to_intvelocity = _set_to_intvelocity
    cls.set_to_velocity = lambda self, kv: _expect(_core.mjs_setToVelocity(self, kv))
    cls.set_to_damper = lambda self, kv: _expect(_core.mjs_setToDamper(self, kv))
    cls.set_to_cylinder = lambda self, timeconst, bias, area, diameter=-1: _expect(_core.mjs_setToCylinder(self, timeconst, bias, area, diameter))
    cls.set_to_muscle = _set_to_muscle
    cls.set_to_adhesion = lambda self, gain: _expect(_core.mjs_setToAdhesion(self, gain))
    cls.set_to_dcmotor = _set_to_dcmotor


class MjsTendonPath(collections.abc.Sequence):
    """The steps of a tendon."""

    def __init__(self, tendon):
        self._tendon = tendon

    def __len__(self):
        return _core.mjs_getWrapNum(self._tendon)

    def __getitem__(self, i):
        if not -len(self) <= i < len(self):
            raise IndexError("Index out of range.")
        return _core.mjs_getWrap(self._tendon, i % len(self))


def _wrap_value(function, *types):
    def getter(self):
        return function(self) if self.type in types else None

    return property(getter)


def _tendons():
    cls = _core.classes["mjsTendon"]
    cls.wrap_site = lambda self, name: _core.mjs_wrapSite(self, name)
    cls.wrap_geom = lambda self, name, sidesite="": _core.mjs_wrapGeom(self, name, sidesite)
    cls.wrap_joint = lambda self, name, coef: _core.mjs_wrapJoint(self, name, coef)
    cls.wrap_pulley = lambda self, divisor: _core.mjs_wrapPulley(self, divisor)
    cls.path = property(MjsTendonPath)
    wrap, of = _core.classes["mjsWrap"], _enums.mjtWrap
    wrap.target = property(lambda self: _core.mjs_getWrapTarget(self))
    wrap.sidesite = _wrap_value(_core.mjs_getWrapSideSite, of.mjWRAP_SPHERE, of.mjWRAP_CYLINDER)
    wrap.coef = _wrap_value(_core.mjs_getWrapCoef, of.mjWRAP_JOINT)
    wrap.divisor = _wrap_value(_core.mjs_getWrapDivisor, of.mjWRAP_PULLEY)


def _make_mesh(self, builtin, values):
    params = np.ravel(np.asarray(values, dtype=float)).copy()
    if _core.mjs_makeMesh(self, getattr(_enums.mjtMeshBuiltin, f"mjMESH_BUILTIN_{builtin}"), params, len(params)) != 0:
        raise ValueError(_core.mjs_getError(_core.mjs_getSpec(self)))


def _meshes():
    cls = _core.classes["mjsMesh"]
    cls.make_sphere = lambda self, subdivision: _make_mesh(self, "SPHERE", [subdivision])
    cls.make_hemisphere = lambda self, resolution: _make_mesh(self, "HEMISPHERE", [resolution])
    cls.make_cone = lambda self, nedge, radius: _make_mesh(self, "CONE", [nedge, radius])
    cls.make_plate = lambda self, resolution=(0, 0): _make_mesh(self, "PLATE", [*resolution])
    cls.make_wedge = lambda self, resolution=(0, 0), fov=(0.0, 0.0), gamma=0: _make_mesh(self, "WEDGE", [*resolution, *fov, gamma])
    cls.make_supersphere = lambda self, resolution, e, n: _make_mesh(self, "SUPERSPHERE", [resolution, e, n])
    cls.make_supertorus = lambda self, resolution, radius, s, t: _make_mesh(self, "SUPERTORUS", [resolution, radius, s, t])


def _get_config(self):
    return _core.get_plugin_attributes(self)


def _set_config(self, config):
    _core.set_plugin_attributes(self, {str(key): str(value) for key, value in config.items()})


def add_methods():
    """Adds the methods to the classes of elements."""
    _actuators()
    _tendons()
    _meshes()
    _core.classes["mjsSensor"].get_data_size = lambda self: _core.mjs_sensorDim(self)
    _core.classes["mjsPlugin"].config = property(_get_config, _set_config)
