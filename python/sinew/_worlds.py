"""Elements of all worlds of a batch by name: `batch.body("pole").mass` is an array with a row for each world."""

import fnmatch
from typing import NamedTuple

import numpy as np

from sinew import _named, _sinew, enums

# Parts of the state, which are written as well as read. All other fields of Data are outputs.
_STATE = ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "eq_active", "mocap_pos", "mocap_quat")


# All parts of the state.
_PARTS = ("time", *_STATE, "history", "qacc_warmstart", "userdata", "plugin_state")


class Contacts(NamedTuple):
    """Contacts of worlds, padded: rows behind the `count` of a world are zero, and -1 in `geom` and `flex`."""

    count: np.ndarray  # worlds; all contacts, also those beyond the capacity
    geom: np.ndarray  # worlds x rows x 2; -1: a flex
    flex: np.ndarray  # worlds x rows x 2; -1: a geom
    dim: np.ndarray  # worlds x rows: 1, 3, 4 or 6
    dist: np.ndarray  # worlds x rows, metres; negative: overlap
    pos: np.ndarray  # worlds x rows x 3
    frame: np.ndarray  # worlds x rows x 3 x 3: the normal, from the first geom to the second, and two tangents
    friction: np.ndarray  # worlds x rows x 5
    force: np.ndarray  # worlds x rows x 6: force and torque on the second geom in that frame, normal first


class WorldsElement:
    """An element of the model in all worlds of a batch. Its attributes are views, worlds first: parts of the state
    (`joint.qpos`, `actuator.ctrl`), outputs, which the next call fills (`body.xpos`), and parameters, which each world
    then has for itself (`body.mass`, `geom.friction`).

        batch.body("pole").mass = np.linspace(0.5, 2, len(batch))
        batch.set_const()
        batch.joint("hinge").qvel[:] = 0.1
    """

    __slots__ = ("_batch", "_kind", "_members", "id")

    def __init__(self, batch, kind, members, index):
        for slot, value in zip(WorldsElement.__slots__, (batch, kind, members, index)):
            object.__setattr__(self, slot, value)

    @property
    def name(self):
        return self._batch.model.name_of(self._kind, self.id)

    def _of_worlds(self, name):
        try:
            field, rows, find = self._members[name]
        except KeyError:
            raise AttributeError(f"there is no '{name}'; there are: {', '.join(sorted(self._members))}") from None
        array = getattr(self._batch, find)(field)
        return array, _named.rows_of(self._batch.model, self.id, rows)

    def __getattr__(self, name):
        array, row = self._of_worlds(name)
        return array[:, row]

    def __setattr__(self, name, value):
        array, row = self._of_worlds(name)
        array[:, row] = value

    def __dir__(self):
        return [*self._members, "id", "name"]

    def __repr__(self):
        return f"<{enums.mjtObj(self._kind).name[6:].lower()} {self.name!r} ({self.id}) of {len(self._batch)} worlds>"


def _members_of(method, rows, of_model, of_data):
    """Attributes of a kind of elements: (field, rows, method of the batch that finds it), data before parameters."""
    joint = method == "joint"
    of_models = _named.members_of(_sinew.MODEL_FIELDS, rows, of_model, joint)
    members = {name: (field, of, "parameter") for name, (field, of) in of_models.items()}
    of_worlds = _named.members_of(_sinew.DATA_FIELDS, rows, of_data, joint) if of_data else {}
    if method == "actuator":
        of_worlds["ctrl"] = ("ctrl", "nu")
    for name, (field, of) in of_worlds.items():
        members[name] = (field, of, "state" if field in _STATE else "output")
    return members


def _accessor(method, kind, members):
    def access(batch, key):
        return WorldsElement(batch, int(kind), members, _named.find(batch.model, kind, method, key))

    access.__name__ = method
    access.__doc__ = f"The {method} of this name or number in all worlds."
    return access


def _sensor(batch, key):
    """What a sensor measures: worlds x its size, an output."""
    index = _named.find(batch.model, enums.mjtObj.mjOBJ_SENSOR, "sensor", key)
    begin = int(batch.model.sensor_adr[index])
    return batch.output("sensordata")[:, begin : begin + int(batch.model.sensor_dim[index])]


def _contacts(batch, capacity=None, mask=None):
    """The contacts that the last call found, after `keep_contacts`: `Contacts`, padded to `capacity` rows (None: as many
    as a world has). After steps they are those of the last one, with the forces that it computed."""
    return Contacts(*batch._contacts(capacity, mask))


# Kinds of elements that rays start from and that have Jacobians.
_PLACED = {"body": enums.mjtObj.mjOBJ_BODY, "geom": enums.mjtObj.mjOBJ_GEOM, "site": enums.mjtObj.mjOBJ_SITE}


def _rays(batch, points, directions, upright=False, exclude=None, groups=None, static=True, mask=None, **frame):
    """How far rays go in the present states, and which geoms they meet: (distances in lengths of the directions, geoms),
    each worlds x rays; -1: nothing. Points and directions (3, rays x 3, or worlds x rays x 3) are in the world, or in the
    frame of a body, geom or site: `batch.rays([0, 0, 0], [0, 0, -1], site="foot", upright=True)`. `exclude`: a body
    that rays go through; `groups`: six flags."""
    if len(frame) > 1 or not set(frame) <= set(_PLACED):
        raise TypeError(f"rays are in the frame of one body, geom or site, not {', '.join(frame)}")
    worlds = len(batch) if mask is None else int(np.count_nonzero(mask))
    given = [np.asarray(array, float) for array in (points, directions)]
    if any(array.ndim not in (1, 2, 3) or array.shape[-1] != 3 for array in given):
        raise ValueError(f"points and directions are 3, rays x 3 or worlds x rays x 3, not {given[0].shape}, {given[1].shape}")
    shape = np.broadcast_shapes(*(array.shape for array in given), (worlds, 1, 3))
    if shape[0] != worlds:
        raise ValueError(f"rays are of {shape[0]} worlds, and {worlds} are asked for")
    rays = [np.broadcast_to(array, shape) for array in given]
    kind, element = 0, -1
    for method, key in frame.items():
        kind = int(_PLACED[method])
        element = _named.find(batch.model, kind, method, key)
    body = -1 if exclude is None else _named.find(batch.model, enums.mjtObj.mjOBJ_BODY, "body", exclude)
    groups = None if groups is None else np.asarray(groups, bool)
    return batch._rays(*rays, kind, element, upright, groups, static, body, mask)


def _jacobian(method):
    def jacobian(batch, key, mask=None):
        return batch._jacobian(int(_PLACED[method]), _named.find(batch.model, _PLACED[method], method, key), mask)

    jacobian.__name__ = "jac_" + method
    jacobian.__doc__ = (
        f"Jacobians (worlds x 3 x nv) of the position and the rotation of the {method} of this name or number, in the present states."
    )
    return jacobian


def _load(batch, data, mask=None):
    """Sets the states of the worlds of the mask: to that of one `Data`, or of one for each world."""
    chosen = np.ones(len(batch), bool) if mask is None else np.asarray(mask)
    if chosen.dtype != bool or chosen.shape != (len(batch),):
        raise TypeError(f"mask must be an array of bool with one entry for each of {len(batch)} worlds, not {mask!r}")
    worlds = np.flatnonzero(chosen)
    one = isinstance(data, _sinew.Data)
    sources = [data] if one else list(data)
    if not one and len(sources) != len(worlds):
        raise ValueError(f"there are {len(sources)} data for {len(worlds)} worlds")
    for name in _PARTS:
        array = batch.state(name)
        rows = [np.asarray(getattr(source, name)) for source in sources]
        for row in rows:
            if row.size * len(batch) != array.size:
                raise ValueError(f"the data is of another model: {name} has {row.size} numbers, and {array.size // len(batch)} in the batch")
        for place, world in enumerate(worlds):
            array[world] = rows[0 if one else place].reshape(array.shape[1:])


def _mask_of(batch, worlds):
    """A mask with the worlds of these numbers."""
    mask = np.zeros(len(batch), bool)
    mask[np.asarray(worlds, int)] = True
    return mask


def _chosen_rows(batch, name, method, patterns):
    """A flag for each number of a field, worlds aside: whether it is of an element whose name matches a pattern."""
    entry = next((entry for entry in _named.KINDS if entry[0] == method and entry[4]), None)
    if entry is None:
        raise TypeError(f"randomize takes elements by kind: body='thigh*', joint=[...], not {method}")
    members = _members_of(*entry[:1], *entry[2:]).values()
    found = next(((field, rows, find) for field, rows, find in members if field == name), None)
    if found is None:
        raise ValueError(f"'{name}' is no field of a {method}")
    model = batch.model
    array = getattr(batch, found[2])(name)
    patterns = [patterns] if isinstance(patterns, str) else list(patterns)
    names = [model.name_of(int(entry[1]), i) for i in range(getattr(model, entry[2]))]
    ids = [i for i, known in enumerate(names) if any(fnmatch.fnmatchcase(known, pattern) for pattern in patterns)]
    if not ids:
        raise KeyError(f"no {method} has a name like {', '.join(map(repr, patterns))}; there are: {', '.join(filter(None, names))}")
    chosen = np.zeros(array.shape[1:], bool)
    for index in ids:
        chosen[_named.rows_of(model, index, found[1])] = True
    return chosen


# What leaves a number as it is: added to it, or multiplied with it.
_NEUTRAL = {"add": 0.0, "scale": 1.0}


def _randomizer(of_all):
    def randomize(batch, name, low, high, draw="uniform", combine="set", **elements):
        """Draws a part of the state or a parameter at each reset, of all elements or of those with these names:
        `randomize("body_mass", 0.8, 1.2, combine="scale", body="*thigh")`. `draw`: uniform, loguniform, normal (mean and
        deviation); `combine`: set, add, scale. What was asked of the same field before is replaced."""
        if not elements:
            return of_all(batch, name, low, high, draw, combine)
        if len(elements) > 1:
            raise TypeError(f"randomize takes elements of one kind, not of {', '.join(elements)}")
        if combine not in _NEUTRAL or (draw == "loguniform" and combine == "add"):
            raise ValueError(f"some elements alone can be scaled, or added to with draw uniform or normal, not {combine} {draw}")
        chosen = _chosen_rows(batch, name, *next(iter(elements.items())))
        neutral = _NEUTRAL[combine]
        lows = np.where(chosen, np.broadcast_to(low, chosen.shape), neutral)
        highs = np.where(chosen, np.broadcast_to(high, chosen.shape), 0.0 if draw == "normal" else neutral)
        return of_all(batch, name, lows.ravel(), highs.ravel(), draw, combine)

    return randomize


def add_to(batch):
    """Adds to the class what it has beside its fields."""
    batch.randomize = _randomizer(batch.randomize)
    for method, kind, rows, of_model, of_data in _named.KINDS:
        if of_data:
            setattr(batch, method, _accessor(method, kind, _members_of(method, rows, of_model, of_data)))
    batch.sensor = _sensor
    batch.mask_of = _mask_of
    batch.load = _load
    batch.contacts = _contacts
    batch.rays = _rays
    batch.jac_body, batch.jac_geom, batch.jac_site = map(_jacobian, ("body", "geom", "site"))
