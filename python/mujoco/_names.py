"""Names of other releases than 3.8.0, all at once: what the table says of each (docs/how/module.md)."""

import weakref

import numpy as np

from mujoco import _core, _enums, _names_table, _older, _shapes

# Arrays that have no counterpart in the engine, of the models and worlds that were asked for them.
_kept: "weakref.WeakKeyDictionary[_core.Object, dict[str, np.ndarray]]" = weakref.WeakKeyDictionary()


def _size(owner, extent):
    if isinstance(extent, int):
        return extent
    factor, _, name = extent.rpartition("*")
    of = owner if hasattr(type(owner), name) else owner.model
    return getattr(of, name) * (int(factor) if factor else 1)


def _make(owner, kind, rest):
    shape = tuple(_size(owner, extent) for extent in rest["shape"])
    if kind == "range":
        return np.arange(shape[0], dtype=rest["dtype"])
    return np.full(shape, 1 if kind == "ones" else 0, dtype=rest["dtype"])


def _array(name, kind, rest):
    def getter(self):
        arrays = _kept.setdefault(self, {})
        shape = tuple(_size(self, extent) for extent in rest["shape"])
        if name not in arrays or arrays[name].shape != shape:
            arrays[name] = _make(self, kind, rest)
        return arrays[name]

    def setter(self, value):
        getter(self)[...] = value

    return property(getter, setter, doc=f"Not in the engine ({kind}).")


def _alias(of):
    first, _, second = of.rpartition(".")
    if not first:
        return property(lambda self: getattr(self, second), lambda self, value: setattr(self, second, value))
    return property(lambda self: getattr(self.model, second), doc=f"That of the model: {second}.")


def _inert(name, default):
    """An attribute that has one value here."""

    def getter(self):
        return np.array(default) if isinstance(default, list) else default

    def setter(self, value):
        if not np.array_equal(np.asarray(value), np.asarray(default)):
            raise ValueError(f"{name} can only be {default!r}: the engine has no other")

    return property(getter, setter)


def _quaternions(matrices):
    def getter(self):
        flat = getattr(self, matrices)
        quaternions = np.empty((len(flat), 4))
        for matrix, quaternion in zip(flat, quaternions):
            _core.mju_mat2Quat(quaternion, matrix)
        return quaternions

    return property(getter)


def _mesh_extrema(self):
    """Lowest and highest vertices of meshes along the axes, in their frames."""
    extrema = np.zeros((self.nmesh, 6), np.int32)
    for i, (begin, count) in enumerate(zip(self.mesh_vertadr, self.mesh_vertnum)):
        vertices = self.mesh_vert[begin : begin + count]
        extrema[i] = np.concatenate([vertices.argmin(axis=0), vertices.argmax(axis=0)])
    return extrema


def _tendon_types(self):
    first = self.wrap_type[self.tendon_adr] if self.ntendon else np.zeros(0, np.int32)
    return np.where(first == _enums.mjtWrap.mjWRAP_JOINT, 0, 1).astype(np.int32)


_DIRECTIONAL = int(_enums.mjtLightType.mjLIGHT_DIRECTIONAL)


def _set_directional(self, value):
    self.type = _enums.mjtLightType.mjLIGHT_DIRECTIONAL if value else _enums.mjtLightType.mjLIGHT_SPOT


# Numbers of a geom in the array of surfaces (docs/how/surfaces.md): the velocity, then the adhesion.
_SURFACE_ARRAY, _SURFACE_NUMBERS, _VELOCITY, _ADHESION = "sinew/surfaces", 7, slice(0, 6), 6


def _surfaces(self):
    """The rows of geoms and the numbers of pairs, as views; zeros that cannot be written to where a model has none."""
    array = _core.mj_name2id(self, int(_enums.mjtObj.mjOBJ_NUMERIC), _SURFACE_ARRAY)
    if array < 0:
        numbers = np.zeros(_SURFACE_NUMBERS * self.ngeom + self.npair)
        numbers.flags.writeable = False
    else:
        begin = self.numeric_adr[array]
        numbers = self.numeric_data[begin : begin + self.numeric_size[array]]
    of_geoms, of_pairs = np.split(numbers, [_SURFACE_NUMBERS * self.ngeom])
    return of_geoms.reshape(-1, _SURFACE_NUMBERS), of_pairs


def _surface_view(doc, take):
    def setter(self, value):
        take(*_surfaces(self))[...] = value

    return property(lambda self: take(*_surfaces(self)), setter, doc=doc)


def _surface_flag(doc, take):
    """Whether any number of a view is not zero. The engine looks for itself: setting it has no effect."""
    return property(lambda self: any(bool(np.any(part)) for part in take(*_surfaces(self))), lambda self, value: None, doc=doc)


def _element_surface(doc, part):
    """Numbers of a geom or pair in a specification; they are set as a whole, since those that are not given are zero."""

    def getter(self):
        numbers = np.nan_to_num(_core.element_surface(self)[part])
        if isinstance(part, slice):
            numbers.flags.writeable = False
            return numbers
        return float(numbers)

    def setter(self, value):
        _core.element_surface(self)[part] = value

    return property(getter, setter, doc=doc)


_COMPUTED = {
    "MjData.geom_xquat": _quaternions("geom_xmat"),
    "MjData.site_xquat": _quaternions("site_xmat"),
    "MjData.xiquat": _quaternions("ximat"),
    "MjModel.cam_orthographic": property(lambda self: self.cam_projection),
    "MjModel.flg_adhesion": _surface_flag("Whether any geom or pair sticks.", lambda geoms, pairs: (geoms[:, _ADHESION], pairs)),
    "MjModel.flg_surfacevel": _surface_flag("Whether any surface moves.", lambda geoms, pairs: (geoms[:, _VELOCITY],)),
    "MjModel.flg_gravcomp": property(lambda self: bool(np.any(self.body_gravcomp)), doc="Whether any body has gravity compensation."),
    "MjModel.geom_adhesion": _surface_view("Adhesion of geoms [N].", lambda geoms, pairs: geoms[:, _ADHESION]),
    "MjModel.geom_surfacevel": _surface_view("Velocity of the surface [m/s, rad/s].", lambda geoms, pairs: geoms[:, _VELOCITY]),
    "MjModel.pair_adhesion": _surface_view("Adhesion of pairs [N].", lambda geoms, pairs: pairs),
    "MjModel.light_directional": property(lambda self: (self.light_type == _DIRECTIONAL).astype(np.uint8)),
    "MjModel.light_softness": property(lambda self: np.zeros(self.nlight, np.float32)),
    "MjModel.mesh_extrema": property(_mesh_extrema),
    "MjModel.site_dataid": property(lambda self: np.full(self.nsite, -1, np.int32)),
    "MjModel.tendon_type": property(_tendon_types),
    "MjsCamera.orthographic": property(lambda self: int(self.proj), lambda self, value: setattr(self, "proj", int(value))),
    "MjsGeom.adhesion": _element_surface("Adhesion of contacts [N].", _ADHESION),
    "MjsGeom.surfacevel": _element_surface("Velocity of the surface [m/s, rad/s].", _VELOCITY),
    "MjsPair.adhesion": _element_surface("Adhesion of contacts [N].", 0),
    "MjsLight.directional": property(lambda self: int(self.type == _DIRECTIONAL), _set_directional),
    "MjvLight.directional": property(lambda self: int(self.type == _DIRECTIONAL), _set_directional),
}


def _delete(self):
    _core.delete_element(_core.mjs_getSpec(self), self)


def _set_to_pid(self, kp, kv=-1, dampratio=-1, ki=-1, imax=-1, slewmax=-1, inheritrange=0, ctrlspec=0):
    """A servo with position and velocity feedback; the engine has no integral in a servo, which would be another one."""
    if ki > 0 or slewmax > 0 or int(ctrlspec) not in (0, int(_enums.mjtCtrlInput.mjINPUT_POS)):
        raise ValueError("set_to_pid: integrals, slew limits and other inputs than the position are not in the engine; set_to_dcmotor has a controller with an integral")
    del imax
    self.set_to_position(kp, kv=kv, dampratio=dampratio, inheritrange=inheritrange)


def _set_to_orientation(self, kp, kv=-1, dampratio=-1, ctrlspec=0):
    """Servos of orientations have three inputs, and actuators of the engine have one."""
    raise ValueError("set_to_orientation: an actuator has one input here: use three position servos with gears along the axes")


_METHODS = {"MjsActuator.set_to_pid": _set_to_pid, "MjsActuator.set_to_orientation": _set_to_orientation}

# Textures have no classes in the engine: what a class says of them, of the classes that were asked.
_textures: "weakref.WeakKeyDictionary[_core.Object, _core.Object]" = weakref.WeakKeyDictionary()


def _default_texture(self):
    if self not in _textures:
        _textures[self] = _core.mjs_addTexture(_core.make_spec())
    return _textures[self]


# Whether the inertia of a body may be kept in short where that is possible. It is a matter of speed, which the engine decides: the
# value of the elements that were given one.
_simple: "weakref.WeakKeyDictionary[_core.Object, int]" = weakref.WeakKeyDictionary()


def _set_simple(self, value):
    if value not in (0, 1):
        raise ValueError(f"simple is 0 or 1, not {value!r}")
    _simple[self] = int(value)


_COMPUTED["MjsBody.simple"] = property(lambda self: _simple.get(self, 1), _set_simple, doc="0: the engine is not to look for a simple inertia. It changes nothing here.")
_COMPUTED.update(_older.MEMBERS)
_COMPUTED.update(_shapes.MEMBERS)
_COMPUTED["MjsDefault.texture"] = property(_default_texture)
_COMPUTED["MjsTexture.classname"] = property(lambda self: _core.mjs_getSpecDefault(_core.mjs_getSpec(self)))


def _member(name, kind, rest):
    if kind in ("zeros", "ones", "range"):
        return _array(name, kind, rest)
    if kind == "alias":
        return _alias(rest["of"])
    if kind == "constant":
        return property(lambda self: rest["value"])
    if kind == "inert":
        return _inert(name, rest["value"])
    if kind == "method":
        return _delete if name.endswith(".delete") else _METHODS.get(name) or _COMPUTED.get(name)
    return _COMPUTED[name] if kind == "computed" else None


def _classes():
    return {"M" + name[1:]: cls for name, cls in _core.classes.items()}


def add() -> None:
    """Adds all names to the classes."""
    classes = _classes()
    for name, (_, _, kind, rest) in _names_table.ATTRIBUTES.items():
        cls, _, attribute = name.partition(".")
        member = _member(name, kind, rest)
        if member is not None and cls in classes:
            setattr(classes[cls], attribute, member)
    _add_to_views()
    _add_lists(classes)


# Kinds of views by the number of their rows, and what names of their arrays begin with.
_VIEWS = {
    "nbody": ("Body", "body_"), "njnt": ("Joint", "jnt_"), "ngeom": ("Geom", "geom_"), "nsite": ("Site", "site_"), "ncam": ("Camera", "cam_"),
    "nlight": ("Light", "light_"), "nmesh": ("Mesh", "mesh_"), "nmat": ("Material", "mat_"), "neq": ("Equality", "eq_"),
    "ntendon": ("Tendon", "tendon_"), "nu": ("Actuator", "actuator_"), "nsensor": ("Sensor", "sensor_"),
}  # fmt: skip


def _row(name):
    """The rows of an object in an array that the engine does not have."""

    def getter(self):
        array = getattr(self._owner, name)
        return array[self.id] if array.ndim > 1 else array[self.id : self.id + 1]

    def setter(self, value):
        getter(self)[...] = value

    return property(getter, setter)


def _add_arrays_to_views():
    """Arrays that have no counterpart in the engine, by the names of their objects."""
    for name, (_, _, kind, rest) in _names_table.ATTRIBUTES.items():
        cls, _, field = name.partition(".")
        view, prefix = _VIEWS.get(rest["shape"][0], ("", "")) if kind in ("zeros", "ones") else ("", "")
        views = _core.view_classes.get(f"_{cls}{view}Views")
        short = field[len(prefix) :]
        if view and views and field.startswith(prefix) and not hasattr(views, short):
            setattr(views, short, _row(field))


def _add_to_views():
    """Quaternions of bodies, geoms and sites by their names, too; and limits of tendons by the name that later releases have as well."""
    _add_arrays_to_views()
    tendon = _core.view_classes["_MjModelTendonViews"]
    tendon._limited = tendon.limited

    def columns(self):
        """The columns of the row of the tendon's Jacobian."""
        begin = self._owner.ten_J_rowadr[self.id]
        return self._owner.ten_J_colind[begin : begin + self._owner.ten_J_rownnz[self.id]]

    tendon.J_colind = property(columns)
    for kind, name, matrix in (("Body", "xiquat", "ximat"), ("Geom", "xquat", "xmat"), ("Site", "xquat", "xmat")):

        def quaternion(self, matrix=matrix):
            result = np.empty(4)
            _core.mju_mat2Quat(result, np.ravel(getattr(self, matrix)))
            return result

        setattr(_core.view_classes[f"_MjData{kind}Views"], name, property(quaternion))


def _add_lists(classes):
    """Lists of the names of fields, as the classes have had them since 3.3.7."""
    for cls in ("MjModel", "MjData", "MjOption", "MjStatistic"):
        setattr(classes[cls], "_all_fields", _core.field_names("m" + cls[1:]))
    model, option = classes["MjModel"], classes["MjOption"]
    sizes = tuple(name for name in model._all_fields if name.startswith("n") and name not in ("names", "name_bodyadr", "names_map"))
    numeric = tuple(name for name in sizes if not name.startswith(("name", "numeric")))
    model._size_fields = numeric
    model._sizes = property(lambda self: np.array([getattr(self, name) for name in numeric], np.int64))
    sample = option()
    option._int_fields = tuple(name for name in option._all_fields if isinstance(getattr(sample, name), int))
    option._float_fields = tuple(name for name in option._all_fields if isinstance(getattr(sample, name), float))
    option._floatarray_fields = tuple(name for name in option._all_fields if isinstance(getattr(sample, name), np.ndarray))
