"""Structs of the engine, other than those of specifications."""

import io

import numpy as np

from mujoco import _core, _enums

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


# ---- what structs look like, and when they are equal


def _attributes(cls):
    """Names of what belongs to the object, as `dir` has them."""
    return [name for name in dir(cls) if not name.startswith("_") and type(getattr(cls, name)).__name__ == "getset_descriptor"]


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
_rect.__repr__ = lambda self: f"MjrRect(left={self.left}, bottom={self.bottom}, width={self.width}, height={self.height})"


# ---- models


def _no_constructor(cls, *args, **kwargs):
    raise TypeError("mujoco._structs.MjModel: No constructor defined!")


def _path(path):
    return path if isinstance(path, str) else path.__fspath__()


def _from_xml_path(filename, assets=None):
    """A model of an MJCF or URDF file; `assets`: files in memory by name."""
    return _core.load_xml(_path(filename), assets)


def _from_xml_string(xml, assets=None):
    """A model of a text; `assets`: files in memory by name."""
    return _core.load_xml_string(xml, assets)


def _from_binary_path(filename, assets=None):
    """A model of a binary file."""
    return _core.load_binary(_path(filename), assets)


MjModel.__new__ = _no_constructor
MjModel.from_xml_path = staticmethod(_from_xml_path)
MjModel.from_xml_string = staticmethod(_from_xml_string)
MjModel.from_binary_path = staticmethod(_from_binary_path)
MjModel.__copy__ = _core.copy_model.__get__ if False else lambda self: _core.copy_model(self)
MjModel.__deepcopy__ = lambda self, memo: memo.setdefault(id(self), _core.copy_model(self))
MjModel.__reduce__ = lambda self: (_core.load_buffer, (_core.save_buffer(self),))
MjModel._size_names = tuple(name for name in _core.field_names("mjModel") if name.startswith("n") and isinstance(name, str))


# ---- worlds


def _make_data(cls, model):
    if not isinstance(model, MjModel):
        raise TypeError(f"__init__(): incompatible constructor arguments. MjData takes an MjModel, not {model!r}")
    return _core.make_data(model)


def _deepcopy_data(self, memo):
    model = self._extra.__deepcopy__(memo)
    return _core.copy_data(self, model)


def _state_of(self):
    return _core.save_data(self)


def _restore_data(model, state):
    data = _core.make_data(model)
    _core.load_data(data, state)
    return data


MjData.__new__ = _make_data
MjData.model = property(lambda self: self._extra, doc="The model of this world.")
MjData.__copy__ = lambda self: _core.copy_data(self, self._extra)
MjData.__deepcopy__ = _deepcopy_data
MjData.__reduce__ = lambda self: (_restore_data, (self._extra, _core.save_data(self)))


# ---- scenes


def _make_scene(cls, model=None, maxgeom=0):
    if (model is None) != (maxgeom == 0) and model is None:
        raise TypeError("MjvScene takes a model and the number of geoms, or nothing")
    return _core.make_scene(model, maxgeom)


MjvScene = _core.classes["mjvScene"]
MjvScene.__new__ = _make_scene
MjvScene.__copy__ = lambda self: _core.copy_scene(self)
MjvScene.__deepcopy__ = lambda self, memo: _core.copy_scene(self)

del io
