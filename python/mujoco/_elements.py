"""Elements of specifications: how each kind is made and found, and methods of their classes."""

import functools

import numpy as np

from mujoco import _core, _element_kinds, _enums, _names_table

_ORIENTATIONS = ("axisangle", "xyaxes", "zaxis", "euler")
_IN_BODY = ("body", "joint", "geom", "site", "camera", "light", "frame")


class Kind:
    """A kind of elements; `add` is the name of the function of C that makes one."""

    def __init__(self, name, plural, struct, type, add, has_default, in_body):
        self.name, self.plural, self.struct, self.type = name, plural, struct, type
        self.add, self.has_default, self.in_body = add, has_default, in_body

    def all(self, raw):
        """All elements of the kind in a specification."""
        elements, element = [], _core.mjs_firstElement(raw, self.type)
        while element is not None:
            elements.append(element)
            element = _core.mjs_nextElement(raw, element)
        return elements


def _kinds():
    obj = _enums.mjtObj
    rows = (
        ("body", "bodies", "Body", obj.mjOBJ_BODY), ("joint", "joints", "Joint", obj.mjOBJ_JOINT),
        ("geom", "geoms", "Geom", obj.mjOBJ_GEOM), ("site", "sites", "Site", obj.mjOBJ_SITE),
        ("camera", "cameras", "Camera", obj.mjOBJ_CAMERA), ("light", "lights", "Light", obj.mjOBJ_LIGHT),
        ("frame", "frames", "Frame", obj.mjOBJ_FRAME), ("actuator", "actuators", "Actuator", obj.mjOBJ_ACTUATOR),
        ("sensor", "sensors", "Sensor", obj.mjOBJ_SENSOR), ("flex", "flexes", "Flex", obj.mjOBJ_FLEX),
        ("pair", "pairs", "Pair", obj.mjOBJ_PAIR), ("exclude", "excludes", "Exclude", obj.mjOBJ_EXCLUDE),
        ("equality", "equalities", "Equality", obj.mjOBJ_EQUALITY), ("tendon", "tendons", "Tendon", obj.mjOBJ_TENDON),
        ("numeric", "numerics", "Numeric", obj.mjOBJ_NUMERIC), ("text", "texts", "Text", obj.mjOBJ_TEXT),
        ("tuple", "tuples", "Tuple", obj.mjOBJ_TUPLE), ("key", "keys", "Key", obj.mjOBJ_KEY),
        ("mesh", "meshes", "Mesh", obj.mjOBJ_MESH), ("hfield", "hfields", "HField", obj.mjOBJ_HFIELD),
        ("skin", "skins", "Skin", obj.mjOBJ_SKIN), ("texture", "textures", "Texture", obj.mjOBJ_TEXTURE),
        ("material", "materials", "Material", obj.mjOBJ_MATERIAL), ("plugin", "plugins", "Plugin", obj.mjOBJ_PLUGIN),
    )  # fmt: skip
    with_default = {"body", "joint", "geom", "site", "camera", "light", "actuator", "pair", "equality", "tendon", "mesh", "material"}
    return tuple(
        Kind(name, plural, "mjs" + struct, int(of), "mjs_add" + struct, name in with_default, name in _IN_BODY)
        for name, plural, struct, of in rows
    )


ELEMENTS = _kinds()
_BY_NAME = {kind.name: kind for kind in ELEMENTS}
_BY_STRUCT = {kind.struct: kind for kind in ELEMENTS}


def element_class(kind):
    return _core.classes[kind.struct]


def find(raw, kind, name):
    """The element of a name; None when there is none."""
    if not isinstance(name, str):
        raise TypeError(f"{kind.name}() takes a name, not {name!r}")
    return _core.mjs_findElement(raw, kind.type, name)


# ---- making elements


def _incompatible(kind, problem):
    return TypeError(f"add_{kind.name}(): incompatible function arguments: {problem}")


def _set_orientation(element, values, prefix, part):
    given = [name for name in _ORIENTATIONS if values.get(prefix + name) is not None]
    if len(given) > 1:
        *others, last = (prefix + name for name in _ORIENTATIONS)
        raise ValueError(f"Only one of: {', '.join(others)}, or {last} can be set.")
    for name in given:
        orientation = getattr(element, part)
        orientation.type = getattr(_enums.mjtOrientation, f"mjORIENTATION_{name.upper()}")
        _set_array(name, getattr(orientation, name), values[prefix + name])


def _set_array(name, array, value):
    """Numbers for the first elements of an array; the others keep their defaults."""
    if isinstance(value, str):
        raise TypeError(f"{name} takes numbers")
    flat = np.ravel(np.asarray(value, dtype=array.dtype))
    in_part = name in ("size", "stiffness", "damping")
    if flat.size != array.size and not (in_part and 0 < flat.size < array.size):
        raise ValueError(f"{name} should be a list/array of size {'1 to ' if in_part else ''}{array.size}.")
    array.ravel()[: flat.size] = flat


def _set(element, kind, name, value):
    if name == "gridlayout":
        if len(value) != 12:
            raise ValueError(f"gridlayout should have length 12, got {len(value)}.")
        if any(not isinstance(letter, str) or len(letter) != 1 for letter in value):
            raise ValueError("gridlayout list elements must be single characters.")
    current = getattr(element, name)
    if isinstance(current, np.ndarray) and name not in _newer_names("M" + kind.struct[1:]):
        if name == "size" or (name in ("stiffness", "damping") and np.ndim(value) == 0):
            current[:] = 0
        _set_array(name, current, value)
    else:
        setattr(element, name, value)


def fill(element, kind, values):
    """Sets attributes of a new element."""
    names = _attribute_names(kind)
    for name in values:
        if name not in names:
            raise _incompatible(kind, f"there is no '{name}'")
    _set_orientation(element, values, "", "alt")
    _set_orientation(element, values, "i", "ialt")
    for name, value in values.items():
        if value is None or name in _ORIENTATIONS or name[1:] in _ORIENTATIONS:
            continue
        try:
            _set(element, kind, name, value)
        except (TypeError, AttributeError) as error:
            raise _incompatible(kind, f"{name}={value!r}: {error}") from error


@functools.lru_cache(maxsize=None)
def _newer_names(cls):
    """Attributes of other releases (python/mujoco/_names.py)."""
    named = (name.partition(".") for name, (_, _, kind, _) in _names_table.ATTRIBUTES.items() if kind not in ("absent", "method"))
    return frozenset(name for owner, _, name in named if owner == cls)


def _attribute_names(kind):
    names = {"name", *_core.field_names(kind.struct), *_newer_names("M" + kind.struct[1:])} - {"element"}
    if "alt" in names:
        names |= set(_ORIENTATIONS)
    if "ialt" in names:
        names |= {"i" + name for name in _ORIENTATIONS}
    return names


def _core_values(texture):
    """What a class says of textures (python/mujoco/_names.py)."""
    names = set(_core.field_names("mjsTexture")) - {"element", "info", "data"}
    return {name: getattr(texture, name) for name in names if not isinstance(getattr(texture, name), _core.Vector)}


def add(kind, place, default, values):
    """Makes an element in a body or specification."""
    function = getattr(_core, kind.add)
    of = _core.classes["mjsFrame" if kind.name == "frame" else "mjsDefault"]
    if default is not None and not isinstance(default, of):
        raise _incompatible(kind, f"default={default!r}")
    takes_default = kind.has_default or kind.name == "frame"
    of_texture = default is not None and kind.name == "texture"
    if default is not None and not takes_default and not of_texture:
        raise _incompatible(kind, f"default={default!r}")
    element = function(place, default) if takes_default else function(place)
    try:
        if of_texture:
            fill(element, kind, _core_values(default.texture))
        fill(element, kind, values)
    except Exception:
        _core.delete_element(_core.mjs_getSpec(place) if kind.in_body else place, element)
        raise
    return element


def _add_in_body(kind):
    def method(self, default=None, **values):
        return add(kind, self, default, values)

    method.__name__ = f"add_{kind.name}"
    return method


def _add_in_frame(kind):
    """Elements of a frame are elements of its body, in the frame."""

    def method(self, default=None, **values):
        body = _core.mjs_getParent(self)
        element = add(kind, body, self if kind.name == "frame" else default, values)
        if _core.mjs_setFrame(element, self) != 0:
            raise ValueError(_core.mjs_getError(_core.mjs_getSpec(self)))
        return element

    method.__name__ = f"add_{kind.name}"
    return method


def _add_freejoint(self, **values):
    for name in values:
        if name not in ("name", "group", "align"):
            raise TypeError(f"Invalid {name} keyword argument. Valid options are: align, group, name.")
    joint = _core.mjs_addFreeJoint(self)
    try:
        fill(joint, _BY_NAME["joint"], values)
    except Exception:
        _core.delete_element(_core.mjs_getSpec(self), joint)
        raise
    return joint


# ---- children


def _children(body, kind, recurse=0):
    children, child = [], _core.mjs_firstChild(body, kind.type, recurse)
    while child is not None:
        children.append(child)
        child = _core.mjs_nextChild(body, child, recurse)
    return children


def _find_all(self, what):
    """All elements of a kind in the subtree of the body."""
    if isinstance(what, str):
        kind = _BY_NAME.get(what)
    elif isinstance(what, int):
        kind = next((kind for kind in ELEMENTS if kind.type == what), None)
    else:
        raise TypeError(f"find_all(): incompatible function arguments: {what!r}")
    if kind is None or not kind.in_body:
        raise ValueError("body.find_all supports the types: body, frame, geom, site, joint, light, camera.")
    return _children(self, kind, 1)


def _children_of_body():
    body = _core.classes["mjsBody"]
    for name in _IN_BODY:
        kind = _BY_NAME[name]
        setattr(body, kind.plural, property(lambda self, kind=kind: _children(self, kind)))
        setattr(body, f"first_{name}", lambda self, kind=kind: _core.mjs_firstChild(self, kind.type, 0))
        setattr(body, f"next_{name}", lambda self, child: _core.mjs_nextChild(self, child, 0))
        setattr(body, f"add_{name}", _add_in_body(kind))
        setattr(_core.classes["mjsFrame"], f"add_{name}", _add_in_frame(kind))
    body.add_freejoint = _add_freejoint
    body.find_all = _find_all
    body.find_child = lambda self, name: _core.mjs_findChild(self, name)
    body.to_frame = lambda self: _core.body_to_frame(_core.mjs_getSpec(self), self)


# ---- what all elements have


def _get_name(self):
    return _core.mjs_getName(self) or ""


def _set_name(self, name):
    if not isinstance(name, str):
        raise TypeError(f"name takes a text, not {name!r}")
    if _core.mjs_setName(self, name) != 0:
        raise ValueError(_core.mjs_getError(_core.mjs_getSpec(self)))


def _set_frame(self, frame):
    if _core.mjs_setFrame(self, frame) != 0:
        raise ValueError(_core.mjs_getError(_core.mjs_getSpec(self)))


def _common():
    for kind in ELEMENTS:
        cls = element_class(kind)
        cls.name = property(_get_name, _set_name)
        cls.id = property(lambda self: _core.mjs_getId(self))
        cls.signature = property(lambda self: _core.spec_signature(self))
        cls.compiler = property(lambda self: _core.mjs_getCompiler(self))
        if kind.in_body:
            cls.parent = property(lambda self: _core.mjs_getParent(self))
            cls.frame = property(lambda self: _core.mjs_getFrame(self))
            cls.set_frame = _set_frame
        if kind.has_default:
            cls.classname = property(lambda self: _core.mjs_getDefault(self), lambda self, default: _core.mjs_setDefault(self, default))
            cls.default = lambda self: _core.mjs_getDefault(self)
    _core.classes["mjsDefault"].name = property(_get_name, _set_name)


def add_methods(attach_to):
    """Adds all methods to the classes of elements."""
    _common()
    _children_of_body()
    _element_kinds.add_methods()
    _core.classes["mjsBody"].attach_frame = lambda self, frame, prefix=None, suffix=None: attach_to(self, frame, prefix, suffix)
    for name in ("mjsFrame", "mjsSite"):
        _core.classes[name].attach_body = lambda self, body, prefix=None, suffix=None: attach_to(self, body, prefix, suffix)
