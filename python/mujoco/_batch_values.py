"""The arrays of a batch: its state, what calls have computed, and values of the model for each simulation."""

import copy

import numpy as np

from mujoco import _core, _enums, _structs
from mujoco._batch_fields import DATA_FIELDS, KINDS, MODEL_FIELDS, Named, as_array, computed, unknown

STATE = int(_enums.mjtState.mjSTATE_INTEGRATION)
# Parts of a state, in the order in which they stand in a row: bit and field.
_PARTS = (
    ("mjSTATE_TIME", "time"), ("mjSTATE_QPOS", "qpos"), ("mjSTATE_QVEL", "qvel"), ("mjSTATE_ACT", "act"),
    ("mjSTATE_HISTORY", "history"), ("mjSTATE_WARMSTART", "qacc_warmstart"), ("mjSTATE_CTRL", "ctrl"),
    ("mjSTATE_QFRC_APPLIED", "qfrc_applied"), ("mjSTATE_XFRC_APPLIED", "xfrc_applied"),
    ("mjSTATE_EQ_ACTIVE", "eq_active"), ("mjSTATE_MOCAP_POS", "mocap_pos"), ("mjSTATE_MOCAP_QUAT", "mocap_quat"),
    ("mjSTATE_USERDATA", "userdata"), ("mjSTATE_PLUGIN", "plugin_state"),
)  # fmt: skip


def integers(values, name):
    """Integers, also those of an array of one type; ValueError for others."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, got {array.dtype}")
    return array.astype(np.int64)


class Values:
    """What of a batch has a value for each simulation."""

    def _state_places(self):
        places, begin = {}, 0
        for bit, name in _PARTS:
            size = _core.mj_stateSize(self._model, int(getattr(_enums.mjtState, bit)))
            places[name] = (slice(begin, begin + size), as_array(self._data[0], name).shape)
            begin += size
        return places

    def bind(self, name):
        """A live array of all simulations: of the state, for writing, or of what a call has computed, for reading."""
        if name not in DATA_FIELDS:
            raise unknown(name, "bind")
        if name not in self._bound:
            if name in self._places:
                columns, shape = self._places[name]
                array = self._rows[:, columns].reshape((self.nsim, *shape)) if columns.stop > columns.start else np.empty((self.nsim, *shape))
            else:
                value = as_array(self._data[0], name)
                array = np.zeros((self.nsim, *value.shape), value.dtype)
                if self.persistent:
                    for i, data in enumerate(self._data):
                        array[i] = getattr(data, name)
            self._bound[name] = array
        array = self._bound[name].view()
        array.flags.writeable = name in self._places
        return array

    def __getattr__(self, name):
        if name in DATA_FIELDS:
            return self.bind(name)
        raise AttributeError(f"'Batch' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        if name in DATA_FIELDS and "_places" in self.__dict__:
            if name not in self._places:
                raise computed(name)
            self.bind(name)[...] = value
        else:
            object.__setattr__(self, name, value)

    def expand(self, name):
        """A field of the model with a value for each simulation; options as "opt.timestep"."""
        if name not in MODEL_FIELDS:
            raise unknown(name, "expand")
        if self._models is not None:
            raise _core.FatalError("the batch runs on caller models, whose fields are not expanded: take them back with set_models(None)")
        if name not in self._expanded:
            owner, field = (self._model.opt, name[4:]) if name.startswith("opt.") else (self._model, name)
            value = as_array(owner, field)
            self._expanded[name] = np.repeat(value[None], self.nsim, axis=0)
        return self._expanded[name]

    def expanded(self, name):
        """The values of an expanded field, for reading; None when all simulations share it."""
        if name not in MODEL_FIELDS:
            raise unknown(name, "expand")
        if name not in self._expanded:
            return None
        array = self._expanded[name].view()
        array.flags.writeable = False
        return array

    def set_models(self, models):
        """Runs each simulation on a model of the caller's, one for all, or None for the batch's."""
        if models is not None and self._expanded:
            raise _core.FatalError("models cannot be set: the batch has per-simulation fields, which were expanded")
        given = [models] if isinstance(models, _structs.MjModel) else models
        for model in given or ():
            if any(getattr(model, size) != getattr(self._model, size) for size in ("nq", "nv", "nu", "na", "nbody", "ngeom", "nsite", "nsensordata")):
                raise ValueError("the models are not of the sizes of the batch's")
        if given is not None and given is not models and len(given) != 1 or given is models and given and len(given) != self.nsim:
            raise ValueError(f"set_models needs a model per simulation, got {len(given)} for {self.nsim}")
        self._models = None if models is None else models if isinstance(models, _structs.MjModel) else tuple(models)

    @property
    def models(self):
        return self._models

    def get_model(self, sim, model=None):
        """The model of a simulation."""
        self._check_sim(sim)
        made = copy.copy(self._model_of(sim)) if model is None else model
        self._apply(sim, made)
        return made

    def get_data(self, sim, data=None):
        """The world of a simulation, with its state."""
        self._check_sim(sim)
        made = _structs.MjData(self._model_of(sim)) if data is None else data
        if self.persistent:
            _core.mj_copyData(made, self._model, self._data[sim])
        _core.mj_setState(self._model, made, self._rows[sim], STATE)
        return made

    def _check_sim(self, sim):
        if not 0 <= sim < self.nsim:
            raise IndexError(f"sim must be in [0, {self.nsim}), got {sim}")

    def _model_of(self, sim):
        if self._models is None:
            return self._model
        return self._models if isinstance(self._models, _structs.MjModel) else self._models[sim]

    def _apply(self, sim, model):
        for name, values in self._expanded.items():
            owner, field = (model.opt, name[4:]) if name.startswith("opt.") else (model, name)
            setattr(owner, field, values[sim] if values.ndim > 1 else values[sim].item() if name.startswith("opt.") else values[sim])


for _kind in KINDS:
    setattr(Values, _kind, lambda self, key, kind=_kind: Named(self, kind, key))
