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


_ARENA = ("efc_", "iefc_", "island", "map_", "tree_island", "dof_island", "contact")
_ASSETS = ("mesh_", "hfield_data", "tex_data", "skin_", "names", "paths", "name_", "text_", "oct_", "flex_", "plugin_attr")
_NO_ARRAYS = ("solver", "warning", "timer", "signature")


def _is_output(name):
    return not name.startswith(_ARENA) and name not in _NO_ARRAYS


def _is_parameter(name):
    """Arrays of the model that may differ between simulations: no assets, and nothing that is structure."""
    return not name.startswith(_ASSETS) and name not in ("opt", "vis", "stat", "signature") and not name.startswith("n")


DATA_FIELDS = frozenset(name for name in _core.field_names("mjData") if _is_output(name))
MODEL_FIELDS = frozenset(name for name in _core.field_names("mjModel") if _is_parameter(name)) | {
    f"opt.{name}" for name in _core.field_names("mjOption")
}


def _unknown(name, fields, verb):
    """What is wrong with the name of a field."""
    other = {"bind": ("expand", MODEL_FIELDS), "expand": ("bind", DATA_FIELDS)}[verb]
    if name in other[1]:
        return ValueError(f"'{name}' is no field for {verb}: use {other[0]}('{name}')")
    if f"opt.{name}" in MODEL_FIELDS:
        return ValueError(f"'{name}' is an option: use expand('opt.{name}')")
    if name in _core.field_names("mjData") and name.startswith(_ARENA):
        return ValueError(f"'{name}' is in the arena, whose size varies, and cannot be bound")
    if name in _core.field_names("mjModel"):
        return ValueError(f"'{name}' is structure or asset data, which all simulations share")
    import difflib

    near = difflib.get_close_matches(name, fields, 1)
    return ValueError(f"there is no field '{name}'" + (f": did you mean '{near[0]}'?" if near else ""))


def _as_array(owner, name):
    """A field as an array, of the type that it has in C where it is a number."""
    value = getattr(owner, name)
    if isinstance(value, np.ndarray):
        return value
    return np.asarray(value, dtype=np.int32 if isinstance(value, int) else np.float64)


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
            places[name] = (slice(begin, begin + size), _as_array(self._data[0], name).shape)
            begin += size
        return places

    @property
    def state(self):
        """The rows of state, for writing, too."""
        return self._rows

    # ---- fields

    def bind(self, name):
        """A live array of all simulations: of the state, for writing, or of what a call has computed, for reading."""
        if name not in DATA_FIELDS:
            raise _unknown(name, DATA_FIELDS, "bind")
        if name not in self._bound:
            if name in self._places:
                columns, shape = self._places[name]
                array = self._rows[:, columns].reshape((self.nsim, *shape)) if columns.stop > columns.start else np.empty((self.nsim, *shape))
            else:
                value = _as_array(self._data[0], name)
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
                raise ValueError(f"'{name}' is computed by every call and cannot be set")
            self.bind(name)[...] = value
        else:
            object.__setattr__(self, name, value)

    def expand(self, name):
        """A field of the model with a value for each simulation; options as "opt.timestep"."""
        if name not in MODEL_FIELDS:
            raise _unknown(name, MODEL_FIELDS, "expand")
        if self._models is not None:
            raise ValueError("fields cannot be expanded while models are set")
        if name not in self._expanded:
            owner, field = (self._model.opt, name[4:]) if name.startswith("opt.") else (self._model, name)
            value = _as_array(owner, field)
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
        readers = {name: self._reader(name) for name in record}
        if out is None:
            out = {name: np.empty((len(chosen), nstep, *shape), dtype) for name, (_, shape, dtype) in readers.items()}

        def run(model, data, place):
            for k in range(nstep):
                if control is not None:
                    _core.mj_setState(model, data, np.ascontiguousarray(control[place, k], dtype=float), int(control_spec))
                _core.mj_step(model, data, 1)
                for name, (read, _, _) in readers.items():
                    read(model, data, out[name][place, k : k + 1])

        self._call(chosen, run)
        return out

    def _reader(self, what):
        """How a field, or a part of the state, is written into a row of one."""
        if isinstance(what, int):
            size = _core.mj_stateSize(self._model, int(what))
            return lambda model, data, row: _core.mj_getState(model, data, row[0], int(what)), (size,), np.float64
        if what not in DATA_FIELDS:
            raise _unknown(what, DATA_FIELDS, "bind")
        value = _as_array(self._data[0], what)

        def read(model, data, row):
            row[0] = getattr(data, what)

        return read, value.shape, value.dtype

    def jac(self, body, point, ids=None):
        """Jacobians of points of bodies, in the world: (n, 3, nv) of the velocity and of the angular velocity."""
        chosen = self._ids(ids)
        bodies, points = np.broadcast_to(body, len(chosen)), np.broadcast_to(np.asarray(point, float), (len(chosen), 3))
        if len(bodies) and (bodies.min() < 0 or bodies.max() >= self._model.nbody):
            raise ValueError(f"bodies are in [0, {self._model.nbody}), got {bodies.max()}")
        linear, angular = (np.zeros((len(chosen), 3, self._model.nv)) for _ in range(2))

        def run(model, data, place):
            _core.mj_kinematics(model, data)
            _core.mj_comPos(model, data)
            _core.mj_jac(model, data, linear[place], angular[place], points[place], int(bodies[place]))

        self._call(chosen, run, keep=False)
        return linear, angular

    def ray(self, pnt, vec, geomgroup=None, flg_static=True, bodyexclude=-1, ids=None):
        """Distances along rays, -1 for none, and the geoms that they meet."""
        chosen = self._ids(ids)
        points, directions = (np.broadcast_to(np.asarray(value, float), (len(chosen), 3)) for value in (pnt, vec))
        excluded = np.broadcast_to(bodyexclude, len(chosen))
        distances, geoms = np.empty(len(chosen)), np.empty((len(chosen), 1), np.int32)

        def run(model, data, place):
            _core.mj_kinematics(model, data)
            distances[place] = _core.mj_ray(
                model, data, points[place], directions[place], geomgroup, int(flg_static), int(excluded[place]), geoms[place])

        self._call(chosen, run, keep=False)
        return distances, geoms[:, 0]

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
            wrong = chosen[(chosen < 0) | (chosen >= self.nsim)][0]
            raise ValueError(f"simulations are in [0, {self.nsim}), got {wrong}")
        falls = np.flatnonzero(np.diff(chosen) <= 0)
        if len(falls):
            raise ValueError(f"simulations are to be in order, got {chosen[falls[0]]} before {chosen[falls[0] + 1]}")
        return chosen

    def _call(self, ids, run, keep=True):
        """Runs simulations on the threads, each of which has a world."""
        chosen = self._ids(ids)
        failed = []

        def work(worker):
            model = copy.copy(self._model) if self._expanded else self._model
            for place in range(worker, len(chosen), self.nthread):
                self._run_one(int(chosen[place]), place, worker, model, run, failed, keep)

        list(self._pool.map(work, range(min(self.nthread, len(chosen)))))
        if failed:
            raise SimulationError(np.array(sorted(failed)), self._errors[failed[0]], len(chosen))

    def _run_one(self, sim, place, worker, model, run, failed, keep):
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
        if not keep:
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
