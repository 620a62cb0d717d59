"""Structs of the engine, other than those of specifications."""

import functools

import numpy as np

from mujoco import _core, _files, _grammar

_NO_SPEC = "mjs", "mjSpec"
_NESTED = ("Global", "Quality", "Headlight", "Map", "Scale", "Rgba")

for _name, _class in _core.classes.items():
    if not _name.startswith(_NO_SPEC):
        globals()["M" + _name[1:]] = _class
for _class in (*_core.list_classes.values(), *_core.view_classes.values()):
    globals()[_class.__name__] = _class
MjModel, MjData, MjVisual = (_core.classes[name] for name in ("mjModel", "mjData", "mjVisual"))
for _name in _NESTED:
    _class = _core.classes["mjVisual" + _name]
    _class.__name__, _class.__qualname__ = _name, "MjVisual." + _name
    setattr(MjVisual, _name, _class)
MjVisualHeadlight, MjVisualRgba = MjVisual.Headlight, MjVisual.Rgba
setattr(MjVisual, "global", MjVisual.global_)


# ---- what structs look like, and when they are equal


def _attributes(cls):
    """Names of what belongs to the object, as `dir` has them."""
    return [name for name in dir(cls) if not name.startswith("_") and name != "global" and type(getattr(cls, name)).__name__ == "getset_descriptor"]


def _repr(self):
    lines = []
    for name in _attributes(type(self)):
        lines.append(f"  {name}: " + repr(getattr(self, name)).replace("\n", "\n  " if isinstance(getattr(self, name), _core.Object) else "\n"))
    return "\n".join([f"<{type(self).__name__}", *lines, ">"])


def _equal(self, other):
    if type(self) is not type(other):
        return NotImplemented
    for name in _attributes(type(self)):
        mine, theirs = getattr(self, name), getattr(other, name)
        same = np.array_equal(mine, theirs) if isinstance(mine, np.ndarray) else mine == theirs
        if not same:
            return False
    return True


def _copy(self):
    made = type(self)()
    made._assign(self)
    return made


def _restore(cls, values):
    made = cls()
    for name, value in values.items():
        if isinstance(value, dict):
            _fill(getattr(made, name), value)
        else:
            setattr(made, name, value)
    return made


def _fill(part, values):
    for name, value in values.items():
        setattr(part, name, value)


def _values(self):
    values = {}
    for name in _attributes(type(self)):
        value = getattr(self, name)
        values[name] = _values(value) if isinstance(value, _core.Object) else value
    return values


def _reduce(self):
    return _restore, (type(self), _values(self))


def _add_behaviour():
    plain = (name for name in _core.classes if not name.startswith(_NO_SPEC) and name not in ("mjModel", "mjData", "mjvScene", "mjrContext"))
    for name in plain:
        cls = _core.classes[name]
        cls.__copy__ = _copy
        cls.__deepcopy__ = lambda self, memo: _copy(self)
        cls.__reduce__ = _reduce
        if name != "mjvFigure":
            cls.__repr__, cls.__eq__, cls.__hash__ = _repr, _equal, None
    for cls in _core.list_classes.values():
        cls.__repr__, cls.__eq__, cls.__hash__ = _repr, _equal, None
    for cls in set(_core.view_classes.values()):
        cls.__repr__ = _repr


def _add_defaults():
    """New structs have the defaults of the engine."""
    for name, default in (
        ("mjOption", "mj_defaultOption"), ("mjVisual", "mj_defaultVisual"), ("mjLROpt", "mj_defaultLROpt"),
        ("mjvCamera", "mjv_defaultCamera"), ("mjvOption", "mjv_defaultOption"), ("mjvPerturb", "mjv_defaultPerturb"),
        ("mjvFigure", "mjv_defaultFigure"),
    ):  # fmt: skip
        function = getattr(_core, default)
        _core.classes[name].__init__ = lambda self, function=function: function(self)


def _init_rect(self, left, bottom, width, height):
    self.left, self.bottom, self.width, self.height = left, bottom, width, height


_add_behaviour()
_add_defaults()
_rect = _core.classes["mjrRect"]
_rect.__init__ = _init_rect
_rect.__copy__ = lambda self: _rect(self.left, self.bottom, self.width, self.height)
_rect.__deepcopy__ = lambda self, memo: _rect(self.left, self.bottom, self.width, self.height)
_rect.__reduce__ = lambda self: (_rect, (self.left, self.bottom, self.width, self.height))


# ---- models


def _model_over(cls, shared=None, *args, **kwargs):
    """An object over the model that another one shares: a `sinew.Model`, say."""
    made = None if shared is None or args or kwargs else _core.shared(shared, "mjModel")
    if made is None:
        raise TypeError("mujoco._structs.MjModel: No constructor defined!")
    return made


def _share(self):
    """A capsule that shares the struct with other packages."""
    return _core.share_of(self)


MjModel._share = MjData._share = _share


def _path(path):
    return path if isinstance(path, str) else path.__fspath__()


def _from_xml_path(filename, assets=None, vfs=None):
    """A model of an MJCF or URDF file; `assets`: files in memory by name."""
    return _grammar.read_path(_core.load_xml, _path(filename), _files.merged(assets, vfs))


def _from_xml_string(xml, assets=None, vfs=None):
    """A model of a text; `assets`: files in memory by name."""
    return _grammar.read_text(_core.load_xml_string, xml, _files.merged(assets, vfs))


def _from_binary_path(filename, assets=None, vfs=None):
    """A model of a binary file."""
    return _core.load_binary(_path(filename), _files.merged(assets, vfs))


MjModel.__new__ = _model_over
MjModel.from_xml_path = staticmethod(_from_xml_path)
MjModel.from_xml_string = staticmethod(_from_xml_string)
MjModel.from_binary_path = staticmethod(_from_binary_path)
MjModel.__copy__ = lambda self: _core.copy_model(self)
MjModel.__deepcopy__ = lambda self, memo: memo.setdefault(id(self), _core.copy_model(self))
MjModel.__reduce__ = lambda self: (_core.load_buffer, (_core.save_buffer(self),))


# ---- worlds


def _is_own(value):
    """Whether an object is one of this package, and of no class of the package sinew, which derives from those here."""
    return isinstance(value, (MjModel, MjData)) and not hasattr(type(value), "_of_sinew")


def _data_over(cls, *args, **kwargs):
    """A new object, or the one that there is over the world that another object shares."""
    given = args[0] if args else kwargs.get("model")
    known = None if cls is not MjData or given is None or _is_own(given) else _core.shared(given, "mjData")
    return _core.Object.__new__(cls) if known is None else known


def _init_data(self, model):
    """A world of a model, or the one that another object shares: a `sinew.Data`, say."""
    if not (_is_own(model) and isinstance(model, MjModel)):
        made = None if _is_own(model) else _core.shared(model, "mjData", True)
        if made is not None:
            if made._address != self._address:
                self._adopt(made)
            return
        given, model = model, _core.shared(model, "mjModel")
        if model is None:
            raise TypeError(f"__init__(): incompatible constructor arguments. MjData takes an MjModel, not {given!r}")
    self._adopt(_core.make_data(model))


def model_of(value):
    """The MjModel of what a function was given, which may be of the package sinew; other things stay what they are."""
    return value if _is_own(value) else _core.shared(value, "mjModel") or value


def data_of(value):
    """The MjData of what a function was given, likewise."""
    return value if _is_own(value) else _core.shared(value, "mjData") or value


def takes_shared(function):
    """The function, which then gets an MjModel and an MjData for those of the package sinew."""

    def own(value):
        return data_of(model_of(value)) if hasattr(value, "_share") else value

    @functools.wraps(function)
    def call(*arguments, **named):
        return function(*map(own, arguments), **{name: own(value) for name, value in named.items()})

    return call


def _deepcopy_data(self, memo):
    model = self._extra.__deepcopy__(memo)
    return _core.copy_data(self, model)


def _restore_data(model, state):
    data = _core.make_data(model)
    _core.load_data(data, state)
    return data


MjData.__new__ = staticmethod(_data_over)
MjData.__init__ = _init_data
MjData.model = property(lambda self: self._extra, doc="The model of this world.")
MjData.__copy__ = lambda self: _core.copy_data(self, self._extra)
MjData.__deepcopy__ = _deepcopy_data
MjData.__reduce__ = lambda self: (_restore_data, (self._extra, _core.save_data(self)))


# ---- objects of models and worlds by elements of specifications

_METHODS = {
    "mjsBody": "body", "mjsJoint": "joint", "mjsGeom": "geom", "mjsSite": "site", "mjsCamera": "camera", "mjsLight": "light",
    "mjsMesh": "mesh", "mjsSkin": "skin", "mjsHField": "hfield", "mjsTexture": "texture", "mjsMaterial": "material",
    "mjsPair": "pair", "mjsExclude": "exclude", "mjsEquality": "equality", "mjsTendon": "tendon",
    "mjsActuator": "actuator", "mjsSensor": "sensor", "mjsNumeric": "numeric", "mjsTuple": "tuple", "mjsKey": "key",
}  # fmt: skip
_METHOD_OF = {_core.classes[struct]: method for struct, method in _METHODS.items()}


def _bind_scalar(self, spec):
    """The object of an element of the specification that was compiled."""
    method = getattr(self, _METHOD_OF.get(type(spec), ""), None)
    if method is None:
        raise TypeError(f"bind_scalar(): incompatible function arguments: {spec!r}")
    # elements that came after the compilation have no number, and deleted ones no address
    if not spec._address or spec.id < 0 or spec.signature != self.signature:
        raise ValueError(f"The mjSpec does not match mj{type(self).__name__[2:]}. Please recompile the mjSpec.")
    return method(spec.id)


class _Bound:
    """Several objects; an attribute is that of all of them, one after the other."""

    def __init__(self, views):
        object.__setattr__(self, "_views", views)

    def __getattr__(self, name):
        values = []
        for view in self._views:
            value = getattr(view, name)
            values.extend(np.ravel(value)) if isinstance(value, np.ndarray) else values.append(value)
        return values

    def __setattr__(self, name, value):
        parts = [getattr(view, name) for view in self._views]
        flat = np.broadcast_to(value, sum(part.size for part in parts)) if np.ndim(value) == 0 else np.ravel(value)
        if flat.size != sum(part.size for part in parts):
            raise ValueError(f"{name} takes {sum(part.size for part in parts)} numbers, not {flat.size}")
        begin = 0
        for part in parts:
            part[...] = flat[begin : begin + part.size].reshape(part.shape)
            begin += part.size


def _bind(self, specs):
    """The objects of one element of a specification, or of several."""
    if isinstance(specs, _core.Object) or not hasattr(specs, "__iter__"):
        return _bind_scalar(self, specs)
    return _Bound([_bind_scalar(self, spec) for spec in specs])


for _class in (MjModel, MjData):
    _class.bind_scalar, _class.bind = _bind_scalar, _bind


# ---- scenes


def _init_scene(self, model=None, maxgeom=0):
    if model is None and maxgeom:
        raise TypeError("MjvScene takes a model and the number of geoms, or nothing")
    self._adopt(_core.make_scene(model_of(model), maxgeom))


MjvScene = _core.classes["mjvScene"]
MjvScene.__init__ = _init_scene
MjvScene.__copy__ = lambda self: _core.copy_scene(self)
MjvScene.__deepcopy__ = lambda self, memo: _core.copy_scene(self)
