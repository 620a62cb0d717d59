"""Many simulations of one model, stepped on threads: each is a row of state.

    batch = Batch(model, nsim=1024, nthread=8)
    qpos, ctrl = batch.bind("qpos"), batch.bind("ctrl")
    ctrl[:] = 1
    batch.step(nstep=10)
"""

import concurrent.futures
import copy
import ctypes
import operator
import os

import numpy as np

from mujoco import _callbacks, _core, _enums, _structs
from mujoco._batch_fields import DATA_FIELDS, KINDS, MODEL_FIELDS, Named, as_array, field_of, unknown

_STATE = int(_enums.mjtState.mjSTATE_INTEGRATION)
# Parts of a state, in the order in which they stand in a row: bit and field.
_PARTS = (
    ("mjSTATE_TIME", "time"), ("mjSTATE_QPOS", "qpos"), ("mjSTATE_QVEL", "qvel"), ("mjSTATE_ACT", "act"),
    ("mjSTATE_HISTORY", "history"), ("mjSTATE_WARMSTART", "qacc_warmstart"), ("mjSTATE_CTRL", "ctrl"),
    ("mjSTATE_QFRC_APPLIED", "qfrc_applied"), ("mjSTATE_XFRC_APPLIED", "xfrc_applied"),
    ("mjSTATE_EQ_ACTIVE", "eq_active"), ("mjSTATE_MOCAP_POS", "mocap_pos"), ("mjSTATE_MOCAP_QUAT", "mocap_quat"),
    ("mjSTATE_USERDATA", "userdata"), ("mjSTATE_PLUGIN", "plugin_state"),
)  # fmt: skip


# Callbacks that take part in the physics.
_PHYSICS = tuple(name for name in _callbacks._NAMES if name.startswith("mjcb_") and name != "mjcb_time")


def _integers(values, name):
    """Integers, also those of an array of one type; ValueError for others."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, got {array.dtype}")
    return array.astype(np.int64)


def _integer(value, name):
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {value!r}") from None


class SimulationError(RuntimeError):
    """The engine reported an error in some simulations, which kept their state; `ids` lists them."""

    def __init__(self, ids, message, ncall=None):
        super().__init__(message)
        self.ids, self.ncall = ids, ncall


class Batch:
    """`nsim` simulations of a copy of a model, on `nthread` threads (0: all processors)."""

    def __init__(self, model, nsim, nthread=0, persistent=False):
        nsim, nthread = (_integer(value, name) for value, name in ((nsim, "nsim"), (nthread, "nthread")))
        if nsim < 1:
            raise ValueError("nsim must be positive")
        if model.opt.enableflags & int(_enums.mjtEnableBit.mjENBL_SLEEP) and not persistent:
            raise ValueError("sleep requires a persistent batch: which trees sleep is not part of the state")
        nthread = max(nthread, 0)
        self._model = copy.copy(model)
        self.nsim, self.persistent = nsim, persistent
        self.nthread = min(nsim, nthread or os.cpu_count() or 1)
        self._data = [_structs.MjData(self._model) for _ in range(nsim if persistent else self.nthread)]
        self.nstate = _core.mj_stateSize(self._model, _STATE)
        self._rows = np.empty((nsim, self.nstate))
        _core.mj_getState(self._model, self._data[0], self._rows[0], _STATE)
        self._rows[:] = self._rows[0]
        self._bound, self._expanded, self._models, self._errors = {}, {}, None, [""] * nsim
        self.status = np.zeros(nsim, np.int32)
        self.warning = np.zeros((nsim, int(_enums.mjtWarning.mjNWARNING), 2), np.int32)
        self._pool = concurrent.futures.ThreadPoolExecutor(self.nthread)
        self._places = self._state_places()

    def _state_places(self):
        places, begin = {}, 0
        for bit, name in _PARTS:
            size = _core.mj_stateSize(self._model, int(getattr(_enums.mjtState, bit)))
            places[name] = (slice(begin, begin + size), as_array(self._data[0], name).shape)
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
                raise ValueError(f"{name} is computed by every call and cannot be written; write state fields or expand model fields")
            self.bind(name)[...] = value
        else:
            object.__setattr__(self, name, value)

    def expand(self, name):
        """A field of the model with a value for each simulation; options as "opt.timestep"."""
        if name not in MODEL_FIELDS:
            raise unknown(name, "expand")
        if self._models is not None:
            raise ValueError("fields cannot be expanded while models are set")
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
            raise ValueError("models cannot be set: fields are expanded")
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
        _core.mj_setState(self._model, made, self._rows[sim], _STATE)
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

    # ---- calls

    def step(self, ids=None, nstep=1, stage=0):
        """Steps simulations, then computes stages of the new state (mjtStage)."""
        nstep, stage = _integer(nstep, "nstep"), self._stage(stage)
        if nstep < 1:
            raise _core.FatalError("nstep must be positive")

        def run(model, data, place):
            del place
            _core.mj_step(model, data, nstep)
            self._compute(model, data, stage)

        self._call(ids, run)

    @staticmethod
    def _stage(stage):
        stage = _integer(stage, "stage")
        if not 0 <= stage <= 3:
            raise _core.FatalError(f"stage must be in [0, 3], got {stage}")
        return stage

    def forward(self, ids=None, stage=3):
        stage = self._stage(stage)
        self._call(ids, lambda model, data, place: self._compute(model, data, stage))

    def reset(self, ids=None, keyframe=-1, stage=3):
        """Resets simulations, to keyframes where they are given."""
        chosen, stage = self._ids(ids), self._stage(stage)
        keys = np.broadcast_to(_integers(keyframe, "keyframe"), len(chosen))
        wrong = keys[(keys >= self._model.nkey) | (keys < -1)]
        if len(wrong):
            raise ValueError(f"keyframe must be in [-1, {self._model.nkey}), got {wrong[0]}")

        def run(model, data, place):
            key = int(keys[place])
            _core.mj_resetDataKeyframe(model, data, key) if key >= 0 else _core.mj_resetData(model, data)
            for warning in data.warning:
                warning.lastinfo = warning.number = 0
            self._compute(model, data, stage)

        self._call(chosen, run)

    def set_const(self, ids=None):
        """Recomputes what follows from expanded fields."""
        if self._models is not None:
            raise _core.FatalError("the batch runs on caller models, which set_const does not change")
        for name in ("body_subtreemass", "body_invweight0", "dof_invweight0", "tendon_length0", "tendon_invweight0", "actuator_acc0"):
            self.expand(name)

        def run(model, data, place):
            _core.mj_setConst(model, data)
            for name, values in self._expanded.items():
                values[self._current[place]] = field_of(model, name)

        self._current = self._ids(ids)
        self._call(ids, run)

    def rollout(self, nstep, control=None, control_spec=int(_enums.mjtState.mjSTATE_CTRL), record=("qpos",), ids=None, out=None):
        """Steps, and keeps fields after each step: (n, nstep, ...) of each name."""
        chosen, nstep = self._ids(ids), _integer(nstep, "nstep")
        if nstep < 1:
            raise ValueError("nstep must be positive")
        if control is not None:
            size = _core.mj_stateSize(self._model, int(control_spec))
            control = np.broadcast_to(np.asarray(control, dtype=float), (len(chosen), nstep, size))
        readers = {name: self._reader(name) for name in record}
        out = self._records(readers, (len(chosen), nstep), out)

        def run(model, data, place):
            stopped = False
            for k in range(nstep):
                if control is not None and not stopped:
                    _core.mj_setState(model, data, np.ascontiguousarray(control[place, k], dtype=float), int(control_spec))
                if not stopped:
                    before = data.warning.number.sum()
                    _core.mj_step(model, data, 1)
                    stopped = data.warning.number.sum() > before
                for name, (read, _, _) in readers.items():
                    read(model, data, out[name][place, k : k + 1])

        self._call(chosen, run)
        return out

    @staticmethod
    def _records(readers, rows, out):
        """Arrays for the records, those of the caller where they fit."""
        out = {} if out is None else out
        for name, (_, shape, dtype) in readers.items():
            array = out.setdefault(name, np.empty((*rows, *shape), dtype))
            if not isinstance(array, np.ndarray) or array.shape != (*rows, *shape) or array.dtype != dtype or not array.flags.writeable:
                raise ValueError(f"out[{name!r}] must be a writable array of shape {(*rows, *shape)} and type {np.dtype(dtype)}")
        return out

    def _reader(self, what):
        """How a field, or a part of the state, is written into a row of one."""
        if isinstance(what, int):
            size = _core.mj_stateSize(self._model, int(what))
            return lambda model, data, row: _core.mj_getState(model, data, row[0], int(what)), (size,), np.float64
        if what not in DATA_FIELDS:
            raise unknown(what, "bind")
        value = as_array(self._data[0], what)

        def read(model, data, row):
            row[0] = getattr(data, what)

        return read, value.shape, value.dtype

    def jac(self, body, point, ids=None):
        """Jacobians of points of bodies, in the world: (n, 3, nv) of the velocity and of the angular velocity."""
        chosen = self._ids(ids)
        bodies, points = np.broadcast_to(body, len(chosen)), np.broadcast_to(np.asarray(point, float), (len(chosen), 3))
        if len(bodies) and (bodies.min() < 0 or bodies.max() >= self._model.nbody):
            wrong = bodies[(bodies < 0) | (bodies >= self._model.nbody)]
            raise ValueError(f"body must be in [0, {self._model.nbody}), got {wrong[0]}")
        linear, angular = (np.zeros((len(chosen), 3, self._model.nv)) for _ in range(2))

        def run(model, data, place):
            _core.mj_kinematics(model, data)
            _core.mj_comPos(model, data)
            _core.mj_jac(model, data, linear[place], angular[place], points[place], int(bodies[place]))

        self._call(chosen, run, keep=False)
        return linear, angular

    def ray(self, pnt, vec, geomgroup=None, flg_static=True, bodyexclude=-1, ids=None, normal=False):
        """Distances along rays (n, nray), -1 for none, the geoms that they meet, and with `normal` normals there."""
        chosen = self._ids(ids)
        many = max(np.ndim(pnt), np.ndim(vec)) > 1
        count = max(np.shape(value)[-2] if np.ndim(value) > 1 else 1 for value in (pnt, vec)) if many else 1
        shape = (len(chosen), count, 3)
        points, directions = (np.broadcast_to(np.asarray(value, float), shape) for value in (pnt, vec))
        excluded = np.broadcast_to(_integers(bodyexclude, "bodyexclude"), shape[:2])
        distances, geoms, normals = np.empty(shape[:2]), np.empty(shape[:2], np.int32), np.zeros(shape)

        def run(model, data, place):
            _core.mj_kinematics(model, data)
            if model.nflex:
                _core.mj_flex(model, data)
            geom = np.empty((1, 1), np.int32)
            for k in range(count):
                distances[place, k] = _core.mj_ray(
                    model, data, points[place, k].copy(), directions[place, k].copy(), geomgroup, int(flg_static),
                    int(excluded[place, k]), geom, normals[place, k])  # fmt: skip
                geoms[place, k] = geom[0, 0]

        self._call(chosen, run, keep=False)
        return (distances, geoms, normals) if normal else (distances, geoms)

    def error(self, sim):
        """What a simulation reported in its last call; "" for nothing."""
        self._check_sim(sim)
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
        chosen = np.asarray(ids)
        if chosen.dtype == bool:
            if chosen.shape != (self.nsim,):
                raise ValueError(f"a boolean mask must have shape ({self.nsim},)")
            return np.flatnonzero(chosen)
        chosen = np.zeros(0, int) if chosen.size == 0 else _integers(chosen, "ids")
        if chosen.ndim > 1:
            raise ValueError("ids must be one-dimensional")
        chosen = np.atleast_1d(chosen)
        wrong = chosen[(chosen < 0) | (chosen >= self.nsim)]
        if len(wrong):
            raise ValueError(f"ids must be in [0, {self.nsim}), got {wrong[0]}")
        falls = np.flatnonzero(np.diff(chosen) <= 0)
        if len(falls):
            raise ValueError(f"ids must be sorted and unique, got {chosen[falls[0]]} before {chosen[falls[0] + 1]}")
        return chosen

    def _call(self, ids, run, keep=True):
        """Runs simulations on the threads, each of which has a world."""
        for name in _PHYSICS:
            function = _core.get_callback(name)
            if function is not None and not isinstance(function, ctypes._CFuncPtr):
                raise ValueError(f"{name} is a Python function, and a batch accepts only C callbacks: mujoco.set_{name}(None) removes it")
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
        self._errors[sim], self.status[sim] = "", 0
        try:
            _core.mj_setState(model, data, self._rows[sim], _STATE)
            data.warning.lastinfo[:], data.warning.number[:] = self.warning[sim].T
            run(model, data, place)
        except _core.FatalError as error:
            self._errors[sim], self.status[sim] = str(error), 1
            failed.append(sim)
            return
        if not keep:
            return
        _core.mj_getState(model, data, self._rows[sim], _STATE)
        self.warning[sim] = np.stack([data.warning.lastinfo, data.warning.number], axis=1)
        for name, array in self._bound.items():
            if name not in self._places:
                array[sim] = getattr(data, name)


for _kind in KINDS:
    setattr(Batch, _kind, lambda self, key, kind=_kind: Named(self, kind, key))
