"""Many simulations of one model, stepped on threads: each is a row of state.

    batch = Batch(model, nsim=1024, nthread=8)
    qpos, ctrl = batch.bind("qpos"), batch.bind("ctrl")
    ctrl[:] = 1
    batch.step(nstep=10)
"""

import concurrent.futures
import copy
import os

import numpy as np

from mujoco import _core, _enums, _structs

_STATE = int(_enums.mjtState.mjSTATE_INTEGRATION)
# Parts of a state, in the order in which they stand in a row: bit and field.
_PARTS = (
    ("mjSTATE_TIME", "time"), ("mjSTATE_QPOS", "qpos"), ("mjSTATE_QVEL", "qvel"), ("mjSTATE_ACT", "act"),
    ("mjSTATE_HISTORY", "history"), ("mjSTATE_WARMSTART", "qacc_warmstart"), ("mjSTATE_CTRL", "ctrl"),
    ("mjSTATE_QFRC_APPLIED", "qfrc_applied"), ("mjSTATE_XFRC_APPLIED", "xfrc_applied"),
    ("mjSTATE_EQ_ACTIVE", "eq_active"), ("mjSTATE_MOCAP_POS", "mocap_pos"), ("mjSTATE_MOCAP_QUAT", "mocap_quat"),
    ("mjSTATE_USERDATA", "userdata"), ("mjSTATE_PLUGIN", "plugin_state"),
)  # fmt: skip


def _is_output(name):
    return not name.startswith(("efc_", "iefc_", "island", "map_", "tree_island", "dof_island")) and name not in ("contact", "solver", "warning", "timer")


DATA_FIELDS = frozenset(name for name in _core.field_names("mjData") if _is_output(name))
MODEL_FIELDS = frozenset(_core.field_names("mjModel")) | {f"opt.{name}" for name in _core.field_names("mjOption")}


class SimulationError(RuntimeError):
    """The engine reported an error in some simulations, which kept their state; `ids` lists them."""

    def __init__(self, ids, message, ncall=None):
        super().__init__(message)
        self.ids, self.ncall = ids, ncall


class Batch:
    """`nsim` simulations of a copy of a model, on `nthread` threads (0: all processors)."""

    def __init__(self, model, nsim, nthread=0, persistent=False):
        if nsim < 1 or nthread < 0:
            raise ValueError("a batch needs a simulation, and numbers of threads are not negative")
        self._model = copy.copy(model)
        self.nsim, self.persistent = nsim, persistent
        self.nthread = min(nsim, nthread or os.cpu_count() or 1)
        self._data = [_structs.MjData(self._model) for _ in range(nsim if persistent else self.nthread)]
        self.nstate = _core.mj_stateSize(self._model, _STATE)
        self._rows = np.empty((nsim, self.nstate))
        _core.mj_getState(self._model, self._data[0], self._rows[0], _STATE)
        self._rows[:] = self._rows[0]
        self._bound, self._expanded, self._models, self._errors = {}, {}, None, [""] * nsim
        self._pool = concurrent.futures.ThreadPoolExecutor(self.nthread)
        self._places = self._state_places()

    def _state_places(self):
        places, begin = {}, 0
        for bit, name in _PARTS:
            size = _core.mj_stateSize(self._model, int(getattr(_enums.mjtState, bit)))
            value = np.asarray(getattr(self._data[0], name))
            places[name] = (slice(begin, begin + size), value.shape or (1,))
            begin += size
        return places

    # ---- fields

    def bind(self, name):
        """A live array of all simulations: of the state, for writing, or of what a call has computed, for reading."""
        if name not in DATA_FIELDS:
            raise ValueError(f"'{name}' is not a field of MjData that can be bound")
        if name not in self._bound:
            if name in self._places:
                columns, shape = self._places[name]
                array = self._rows[:, columns].reshape((self.nsim, *shape)) if columns.stop > columns.start else np.empty((self.nsim, *shape))
            else:
                value = np.asarray(getattr(self._data[0], name))
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
            self.bind(name)[...] = value
        else:
            object.__setattr__(self, name, value)

    def expand(self, name):
        """A field of the model with a value for each simulation; options as "opt.timestep"."""
        if name not in MODEL_FIELDS:
            raise ValueError(f"'{name}' is not a field of MjModel that can be expanded")
        if self._models is not None:
            raise ValueError("fields cannot be expanded while models are set")
        if name not in self._expanded:
            value = np.asarray(_field(self._model, name))
            self._expanded[name] = np.repeat(value[None], self.nsim, axis=0)
        return self._expanded[name]

    def expanded(self, name):
        """The values of an expanded field, for reading; None when all simulations share it."""
        if name not in self._expanded:
            return None
        array = self._expanded[name].view()
        array.flags.writeable = False
        return array

    def set_models(self, models):
        """Runs each simulation on a model of the caller's, one for all, or None for the batch's."""
        if models is not None and self._expanded:
            raise ValueError("models cannot be set: fields are expanded")
        given = [models] if isinstance(models, _structs.MjModel) else models
        for model in given or ():
            if any(getattr(model, size) != getattr(self._model, size) for size in ("nq", "nv", "nu", "na", "nbody", "ngeom", "nsite", "nsensordata")):
                raise ValueError("the models are not of the sizes of the batch's")
        if given is not None and len(given) not in (1, self.nsim):
            raise ValueError(f"there are {len(given)} models for {self.nsim} simulations")
        self._models = None if models is None else models if isinstance(models, _structs.MjModel) else tuple(models)

    @property
    def models(self):
        return self._models

    def get_model(self, sim, model=None):
        """The model of a simulation."""
        made = copy.copy(self._model_of(sim)) if model is None else model
        self._apply(sim, made)
        return made

    def get_data(self, sim, data=None):
        """The world of a simulation, with its state."""
        made = _structs.MjData(self._model_of(sim)) if data is None else data
        if self.persistent:
            _core.mj_copyData(made, self._model, self._data[sim])
        _core.mj_setState(self._model, made, self._rows[sim], _STATE)
        return made

    def _model_of(self, sim):
        if self._models is None:
            return self._model
        return self._models if isinstance(self._models, _structs.MjModel) else self._models[sim]

    def _apply(self, sim, model):
        for name, values in self._expanded.items():
            owner, field = (model.opt, name[4:]) if name.startswith("opt.") else (model, name)
            setattr(owner, field, values[sim] if values.ndim > 1 else values[sim].item() if name.startswith("opt.") else values[sim])

    # ---- calls

    def step(self, ids=None, nstep=1, stage=0):
        """Steps simulations, then computes stages of the new state (mjtStage)."""

        def run(model, data, place):
            del place
            _core.mj_step(model, data, nstep)
            self._compute(model, data, stage)

        self._call(ids, run)

    def forward(self, ids=None, stage=3):
        self._call(ids, lambda model, data, place: self._compute(model, data, stage))

    def reset(self, ids=None, keyframe=-1, stage=3):
        """Resets simulations, to keyframes where they are given."""
        chosen = self._ids(ids)
        keys = np.broadcast_to(keyframe, len(chosen))
        if (keys >= self._model.nkey).any():
            raise ValueError(f"the model has {self._model.nkey} keyframes")

        def run(model, data, place):
            key = int(keys[place])
            _core.mj_resetDataKeyframe(model, data, key) if key >= 0 else _core.mj_resetData(model, data)
            self._compute(model, data, stage)

        self._call(chosen, run)

    def set_const(self, ids=None):
        """Recomputes what follows from expanded fields."""
        for name in ("body_subtreemass", "body_invweight0", "dof_invweight0", "tendon_length0", "tendon_invweight0", "actuator_acc0"):
            self.expand(name)

        def run(model, data, place):
            _core.mj_setConst(model, data)
            for name, values in self._expanded.items():
                values[self._current[place]] = _field(model, name)

        self._current = self._ids(ids)
        self._call(ids, run)

    def rollout(self, nstep, control=None, control_spec=int(_enums.mjtState.mjSTATE_CTRL), record=("qpos",), ids=None, out=None):
        """Steps, and keeps fields after each step: (n, nstep, ...) of each name."""
        chosen = self._ids(ids)
        sample = {name: np.asarray(getattr(self._data[0], name)) for name in record}
        out = out or {name: np.empty((len(chosen), nstep, *value.shape), value.dtype) for name, value in sample.items()}

        def run(model, data, place):
            for k in range(nstep):
                if control is not None:
                    _core.mj_setState(model, data, np.ascontiguousarray(control[place, k], dtype=float), int(control_spec))
                _core.mj_step(model, data, 1)
                for name in record:
                    out[name][place, k] = getattr(data, name)

        self._call(chosen, run)
        return out

    def error(self, sim):
        """What a simulation reported in its last call; "" for nothing."""
        return self._errors[sim]

    @staticmethod
    def _compute(model, data, stage):
        if stage >= 3:
            _core.mj_forward(model, data)
            return
        if stage >= 1:
            _core.mj_fwdPosition(model, data)
            _core.mj_sensorPos(model, data)
        if stage >= 2:
            _core.mj_fwdVelocity(model, data)
            _core.mj_sensorVel(model, data)

    def _ids(self, ids):
        if ids is None:
            return np.arange(self.nsim)
        chosen = np.atleast_1d(np.asarray(ids))
        if chosen.dtype == bool:
            chosen = np.flatnonzero(chosen)
        if len(chosen) and (chosen.min() < 0 or chosen.max() >= self.nsim):
            raise IndexError(f"simulations count from 0 to {self.nsim - 1}")
        if len(np.unique(chosen)) != len(chosen):
            raise ValueError("a simulation is named twice")
        return chosen

    def _call(self, ids, run):
        """Runs simulations on the threads, each of which has a world."""
        chosen = self._ids(ids)
        failed = []

        def work(worker):
            model = copy.copy(self._model) if self._expanded else self._model
            for place in range(worker, len(chosen), self.nthread):
                self._run_one(int(chosen[place]), place, worker, model, run, failed)

        list(self._pool.map(work, range(min(self.nthread, len(chosen)))))
        if failed:
            raise SimulationError(np.array(sorted(failed)), self._errors[failed[0]], len(chosen))

    def _run_one(self, sim, place, worker, model, run, failed):
        data = self._data[sim if self.persistent else worker]
        self._apply(sim, model)
        model = model if self._models is None else self._model_of(sim)
        self._errors[sim] = ""
        try:
            _core.mj_setState(model, data, self._rows[sim], _STATE)
            run(model, data, place)
        except _core.FatalError as error:
            self._errors[sim] = str(error)
            failed.append(sim)
            return
        _core.mj_getState(model, data, self._rows[sim], _STATE)
        for name, array in self._bound.items():
            if name not in self._places:
                array[sim] = getattr(data, name)


def _field(model, name):
    return getattr(model.opt, name[4:]) if name.startswith("opt.") else getattr(model, name)


class _Named:
    """The parts of fields that are an object's, of all simulations."""

    def __init__(self, batch, kind, key):
        object.__setattr__(self, "_batch", batch)
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
                if isinstance(whole, np.ndarray) and np.shares_memory(whole, part):
                    begin = (part.__array_interface__["data"][0] - whole.__array_interface__["data"][0]) // whole.itemsize
                    return owner, field, slice(begin, begin + part.size), part.shape
        raise AttributeError(f"there is no '{name}'")

    def __getattr__(self, name):
        owner, field, columns, shape = self._find(name)
        batch = self._batch
        if owner is batch._data[0]:
            whole = batch.bind(field)
        else:
            whole = batch.expanded(field)
            if whole is None:
                whole = np.broadcast_to(getattr(batch._model, field), (batch.nsim, *getattr(batch._model, field).shape))
        return whole.reshape(batch.nsim, -1)[:, columns].reshape(batch.nsim, *shape)

    def __setattr__(self, name, value):
        owner, field, columns, shape = self._find(name)
        whole = self._batch.bind(field) if owner is self._batch._data[0] else self._batch.expand(field)
        whole.reshape(self._batch.nsim, -1)[:, columns] = np.broadcast_to(value, (self._batch.nsim, *shape)).reshape(self._batch.nsim, -1)


for _kind in (
    "actuator", "body", "camera", "equality", "geom", "joint", "keyframe", "light", "material", "numeric", "pair", "sensor",
    "site", "tendon",
):  # fmt: skip
    setattr(Batch, _kind, lambda self, key, kind=_kind: _Named(self, kind, key))
