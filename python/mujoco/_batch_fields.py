"""Fields of batches: which may be bound and expanded, and those of an object by its name."""

import numpy as np

from mujoco import _core

KINDS = (
    "actuator", "body", "camera", "equality", "geom", "joint", "keyframe", "light", "material", "numeric", "pair", "sensor",
    "site", "tendon",
)  # fmt: skip
_ARENA = ("efc_", "iefc_", "island", "map_", "tree_island", "dof_island", "contact")
_ASSETS = ("mesh_", "hfield_data", "tex_data", "skin_", "names", "paths", "name_", "text_", "oct_", "flex_", "plugin_attr")
_NO_ARRAYS = ("solver", "warning", "timer", "signature")
_MEMORY = ("narena", "nbuffer", "nplugin", "pstack", "pbase", "parena", "maxuse_stack", "maxuse_arena", "maxuse_con", "maxuse_efc", "threadpool")
_COUNTS = tuple(name for name in _core.field_names("mjData") if name.startswith("n") and name not in _MEMORY)


def _is_output(name):
    return not name.startswith(_ARENA) and name not in _NO_ARRAYS and name not in _MEMORY


def _is_parameter(name):
    """Arrays of the model that may differ between simulations: no assets, and nothing that is structure."""
    return not name.startswith(_ASSETS) and name not in ("opt", "vis", "stat", "signature") and (not name.startswith("n") or name.startswith("numeric_"))


DATA_FIELDS = frozenset(name for name in _core.field_names("mjData") if _is_output(name))
MODEL_FIELDS = frozenset(name for name in _core.field_names("mjModel") if _is_parameter(name)) | {
    f"opt.{name}" for name in _core.field_names("mjOption")
}


def unknown(name, verb):
    """What is wrong with the name of a field."""
    fields = DATA_FIELDS if verb == "bind" else MODEL_FIELDS
    if verb == "bind" and name in _core.field_names("mjData") and name.startswith(_ARENA):
        return ValueError(f"{name} is in the arena, whose size changes from step to step, and cannot be bound")
    if verb == "bind" and name in _MEMORY:
        return ValueError(f"{name} is not an MjData array field, nor one of the scalars bind() accepts: {', '.join(sorted(_COUNTS, key=str.lower))}, time")
    if verb == "expand" and name.startswith(_ASSETS) and name in _core.field_names("mjModel"):
        return ValueError(f"{name} is asset data, shared by all simulations, and cannot be expanded")
    text = f"{name} is not an MjData array field" if verb == "bind" else f"{name} is not an expandable MjModel field"
    if f"opt.{name}" in MODEL_FIELDS:
        return ValueError(f"{text}; {name} is an MjOption field: use expand('opt.{name}')")
    if verb == "bind" and name in MODEL_FIELDS:
        return ValueError(f"{text}; {name} is an MjModel field: use expand('{name}')")
    if verb == "expand" and name in DATA_FIELDS:
        return ValueError(f"{text}; {name} is an MjData field: use bind('{name}')")
    import difflib  # slow to import

    near = difflib.get_close_matches(name, fields, 1)
    return ValueError(text + (f" (did you mean '{near[0]}'?)" if near else ""))


def computed(name):
    """What is wrong with writing to a field."""
    return ValueError(f"{name} is computed by every call and cannot be written; write state fields or expand model fields")


def as_array(owner, name):
    """A field as an array, of the type that it has in C where it is a number."""
    value = getattr(owner, name)
    if isinstance(value, np.ndarray):
        return value
    return np.asarray(value, dtype=np.int32 if isinstance(value, int) else np.float64)


# Attributes of named access whose numbers do not lie in a row of a field.
_SLICES = {"moment": "rows of actuator_moment are sparse"}


def field_of(model, name):
    return getattr(model.opt, name[4:]) if name.startswith("opt.") else getattr(model, name)


class Named:
    """The parts of fields that are an object's, of all simulations."""

    def __init__(self, batch, kind, key):
        object.__setattr__(self, "_batch", batch)
        object.__setattr__(self, "_kind", kind)
        object.__setattr__(self, "_views", (getattr(batch._data[0], kind, lambda key: None)(key), getattr(batch._model, kind)(key)))

    def _find(self, name):
        """The field and the place in it."""
        for view, owner in zip(self._views, (self._batch._data[0], self._batch._model)):
            part = getattr(view, name, None)
            if not isinstance(part, np.ndarray):
                continue
            for field in _core.field_names("mjData" if owner is self._batch._data[0] else "mjModel"):
                if not field.endswith(name):
                    continue
                whole = getattr(owner, field)
                if isinstance(whole, np.ndarray) and whole.size == part.size == 0:
                    return owner, field, slice(0, 0), part.shape
                if isinstance(whole, np.ndarray) and np.shares_memory(whole, part):
                    begin = (part.__array_interface__["data"][0] - whole.__array_interface__["data"][0]) // whole.itemsize
                    return owner, field, slice(begin, begin + part.size), part.shape
        kind = object.__getattribute__(self, "_kind")
        slices = _SLICES.get(name)
        if slices:
            raise AttributeError(f"{name} is not a slice of a field: {slices}")
        raise AttributeError(f"{name} is not a field of a {kind}")

    @property
    def id(self):
        return self._views[1].id

    @property
    def name(self):
        return self._views[1].name

    def __getattr__(self, name):
        owner, field, columns, shape = self._find(name)
        batch = self._batch
        if owner is batch._data[0]:
            whole = batch.bind(field)
        else:
            whole = batch.expanded(field)
            if batch.models is not None:
                whole = np.stack([getattr(batch._model_of(sim), field) for sim in range(batch.nsim)])
            elif whole is None:
                whole = np.broadcast_to(getattr(batch._model, field), (batch.nsim, *getattr(batch._model, field).shape))
        return whole.reshape(batch.nsim, -1)[:, columns].reshape(batch.nsim, *shape)

    def __setattr__(self, name, value):
        owner, field, columns, shape = self._find(name)
        of_data = owner is self._batch._data[0]
        if of_data and not self._batch.bind(field).flags.writeable:
            raise computed(field)
        if not of_data and self._batch.models is not None:
            raise ValueError("each simulation runs on a model of the caller: write there, or take them back with set_models(None)")
        whole = self._batch.bind(field) if of_data else self._batch.expand(field)
        whole.reshape(self._batch.nsim, -1)[:, columns] = np.broadcast_to(value, (self._batch.nsim, *shape)).reshape(self._batch.nsim, -1)
