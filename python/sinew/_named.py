"""Access by name, contacts as a structured array, and what else the classes have beside their fields."""

import copy
import operator

import numpy as np

from sinew import _sinew, enums

# Kinds of elements: method, object type, rows of their fields, prefixes in the model and in the data; none: the data
# have no fields of it.
KINDS = (
    ("body", enums.mjtObj.mjOBJ_BODY, "nbody", ("body_",), ("body_",)),
    ("joint", enums.mjtObj.mjOBJ_JOINT, "njnt", ("jnt_",), ("jnt_",)),
    ("geom", enums.mjtObj.mjOBJ_GEOM, "ngeom", ("geom_",), ("geom_",)),
    ("site", enums.mjtObj.mjOBJ_SITE, "nsite", ("site_",), ("site_",)),
    ("camera", enums.mjtObj.mjOBJ_CAMERA, "ncam", ("cam_",), ("cam_",)),
    ("light", enums.mjtObj.mjOBJ_LIGHT, "nlight", ("light_",), ("light_",)),
    ("tendon", enums.mjtObj.mjOBJ_TENDON, "ntendon", ("tendon_",), ("ten_", "tendon_")),
    ("actuator", enums.mjtObj.mjOBJ_ACTUATOR, "nu", ("actuator_",), ("actuator_",)),
    ("sensor", enums.mjtObj.mjOBJ_SENSOR, "nsensor", ("sensor_",), ()),
    ("equality", enums.mjtObj.mjOBJ_EQUALITY, "neq", ("eq_",), ("eq_",)),
    ("flex", enums.mjtObj.mjOBJ_FLEX, "nflex", ("flex_",), ("flex_",)),
    ("mesh", enums.mjtObj.mjOBJ_MESH, "nmesh", ("mesh_",), ()),
    ("skin", enums.mjtObj.mjOBJ_SKIN, "nskin", ("skin_",), ()),
    ("hfield", enums.mjtObj.mjOBJ_HFIELD, "nhfield", ("hfield_",), ()),
    ("texture", enums.mjtObj.mjOBJ_TEXTURE, "ntex", ("tex_",), ()),
    ("material", enums.mjtObj.mjOBJ_MATERIAL, "nmat", ("mat_",), ()),
    ("pair", enums.mjtObj.mjOBJ_PAIR, "npair", ("pair_",), ()),
    ("exclude", enums.mjtObj.mjOBJ_EXCLUDE, "nexclude", ("exclude_",), ()),
    ("numeric", enums.mjtObj.mjOBJ_NUMERIC, "nnumeric", ("numeric_",), ()),
    ("text", enums.mjtObj.mjOBJ_TEXT, "ntext", ("text_",), ()),
    ("tuple", enums.mjtObj.mjOBJ_TUPLE, "ntuple", ("tuple_",), ()),
    ("keyframe", enums.mjtObj.mjOBJ_KEY, "nkey", ("key_",), ()),
)

# Short names that programs for the package mujoco use.
_SHORT = {
    "jnt": "joint", "cam": "camera", "ten": "tendon", "eq": "equality", "tex": "texture", "mat": "material",
    "key": "keyframe",
}  # fmt: skip

# Fields by coordinate or degree of freedom belong to joints.
_SPANS = {"nq": ("jnt_qposadr", (7, 4, 1, 1)), "nv": ("jnt_dofadr", (6, 3, 1, 1))}


def _short(name, prefixes):
    for prefix in prefixes:
        if name.startswith(prefix):
            return name[len(prefix) :]
    return name


def members_of(fields, rows, prefixes, spans=False):
    """Fields of an element by the name that it has there: (field, rows)."""
    found = {_short(name, prefixes): (name, rows) for name, of in fields if of == rows}
    if spans:
        for name, of in fields:
            if of in _SPANS:
                found.setdefault(_short(name, ("dof_",)), (name, of))
    return found


def rows_of(model, index, rows):
    """Where the rows of an element are: its number, or the coordinates or degrees of freedom of a joint."""
    if rows not in _SPANS:
        return index
    addresses, sizes = _SPANS[rows]
    begin = int(getattr(model, addresses)[index])
    return slice(begin, begin + sizes[int(model.jnt_type[index])])


class Named:
    """An element of a model or world: its fields are numbers and views of the element's rows."""

    __slots__ = ("_of", "_model", "_kind", "_members", "id")

    def __init__(self, of, model, kind, members, index):
        for slot, value in zip(Named.__slots__, (of, model, kind, members, index)):
            object.__setattr__(self, slot, value)

    @property
    def name(self):
        return self._model.name_of(self._kind, self.id)

    def _row(self, name):
        try:
            field, rows = self._members[name]
        except KeyError:
            raise AttributeError(f"there is no '{name}'; there are: {', '.join(sorted(self._members))}") from None
        return getattr(self._of, field), rows_of(self._model, self.id, rows)

    def __getattr__(self, name):
        array, row = self._row(name)
        return array[row]

    def __setattr__(self, name, value):
        array, row = self._row(name)
        array[row] = value

    def __dir__(self):
        return [*self._members, "id", "name"]

    def __repr__(self):
        return f"<{enums.mjtObj(self._kind).name[6:].lower()} {self.name!r} ({self.id})>"


def find(model, kind, method, key):
    if isinstance(key, str):
        index = model.find(kind, key)
        if index < 0:
            rows = next(entry[2] for entry in KINDS if entry[0] == method)
            names = [model.name_of(kind, i) for i in range(getattr(model, rows))]
            known = ", ".join(repr(name) for name in names if name)
            raise KeyError(f"no {method} {key!r}; " + (f"there are: {known}" if known else "none has a name"))
        return index
    try:
        index = operator.index(key)
    except TypeError:
        raise TypeError(f"{method} takes a name or a number, not {key!r}") from None
    rows = next(entry[2] for entry in KINDS if entry[0] == method)
    if not 0 <= index < getattr(model, rows):
        raise IndexError(f"there is no {method} {index}; there are {getattr(model, rows)}")
    return index


def _accessor(method, kind, members, model_of):
    def access(self, key):
        model = model_of(self)
        return Named(self, model, int(kind), members, find(model, kind, method, key))

    access.__name__ = method
    access.__doc__ = f"The {method} of this name or number."
    return access


_CONTACT = np.dtype(
    {
        "names": [name for name, *_ in _sinew.CONTACT_MEMBERS],
        "formats": [(dtype, (count,)) if count > 1 else dtype for _, dtype, count, _ in _sinew.CONTACT_MEMBERS],
        "offsets": [offset for *_, offset in _sinew.CONTACT_MEMBERS],
        "itemsize": _sinew.CONTACT_SIZE,
    }
)


def _contact(data):
    """The contacts, as a structured array over the engine's memory; it is valid until the next step."""
    return data._contact.view(_CONTACT)


def _sensor(data, key):
    """What a sensor measured."""
    model = data.model
    index = find(model, enums.mjtObj.mjOBJ_SENSOR, "sensor", key)
    begin = int(model.sensor_adr[index])
    return data.sensordata[begin : begin + int(model.sensor_dim[index])]


def _number(model, method, key):
    return find(model, next(entry[1] for entry in KINDS if entry[0] == method), method, key)


def _jacobian(method):
    def jacobian(data, key):
        return getattr(data, "_jac_" + method)(_number(data.model, method, key))

    jacobian.__name__ = "jac_" + method
    jacobian.__doc__ = f"Jacobians (3 x nv) of the position and the rotation of the {method} of this name or number."
    return jacobian


def _reset(data, keyframe=-1):
    """Back to the state of the model, or to a keyframe, by name or number."""
    data._reset(_number(data.model, "keyframe", keyframe) if isinstance(keyframe, str) else operator.index(keyframe))


def _use(renderer, camera):
    """Looks through a camera of the model, by name or number."""
    renderer.use_camera(find(renderer.model, enums.mjtObj.mjOBJ_CAMERA, "camera", camera))


def _clone(self):
    return self.copy()


def _deepclone(self, memo):
    return self.copy()


def _model_repr(model):
    return f"<sinew.Model with {model.nbody} bodies, {model.nv} degrees of freedom, {model.nu} actuators>"


def _data_repr(data):
    return f"<sinew.Data at t = {data.time:g} s, {data.ncon} contacts>"


def _deep_data(data, memo):
    model = copy.deepcopy(data.model, memo)
    other = type(data)(model)
    other.restore(data.snapshot())
    other.forward()
    other.restore(data.snapshot())
    return other


def add_to(model, data, batch, renderer):
    """Adds to the classes what they have beside their fields."""
    for method, kind, rows, of_model, of_data in KINDS:
        joint = method == "joint"
        members = members_of(_sinew.MODEL_FIELDS, rows, of_model, joint)
        setattr(model, method, _accessor(method, kind, members, lambda self: self))
        if of_data:
            members = members_of(_sinew.DATA_FIELDS, rows, of_data, joint)
            if method == "actuator":
                members["ctrl"] = ("ctrl", "nu")
            setattr(data, method, _accessor(method, kind, members, lambda self: self.model))
    for short, method in _SHORT.items():
        for cls in (model, data):
            if hasattr(cls, method):
                setattr(cls, short, getattr(cls, method))
    data.jac_body, data.jac_site, data.jac_geom = map(_jacobian, ("body", "site", "geom"))
    data.reset = _reset
    data.sensor = _sensor
    data.contact = property(_contact)
    model.__copy__ = data.__copy__ = _clone
    model.__deepcopy__ = _deepclone
    data.__deepcopy__ = _deep_data
    model.__repr__, data.__repr__ = _model_repr, _data_repr
    batch.__repr__ = lambda self: f"<sinew.Batch of {self.count} worlds on {self.threads} threads>"
    batch.render = _render_batch
    renderer.use = _use


def _render_batch(batch, renderer, worlds=None, depth=False, segmentation=False):
    """Pictures of these worlds (None: all), in this order."""
    if worlds is None:
        return renderer._render_batch(batch, list(range(batch.count)), depth, segmentation)
    chosen = [operator.index(world) for world in worlds]
    drawn = sorted(set(chosen))
    pictures = renderer._render_batch(batch, drawn, depth, segmentation)
    return pictures if drawn == chosen else pictures[[drawn.index(world) for world in chosen]]
