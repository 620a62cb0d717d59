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
from mujoco._batch_calls import Calls, SimulationError, integer
from mujoco._batch_fields import DATA_FIELDS, as_array, field_of, unknown
from mujoco._batch_values import STATE, Values, integers

__all__ = ["Batch", "SimulationError"]


class Batch(Calls, Values):
    """`nsim` simulations of a copy of a model, on `nthread` threads (0: all processors)."""

    def __init__(self, model, nsim, nthread=0, persistent=False):
        model = _structs.model_of(model)
        nsim, nthread = (integer(value, name) for value, name in ((nsim, "nsim"), (nthread, "nthread")))
        if nsim < 1:
            raise ValueError("nsim must be positive")
        if model.opt.enableflags & int(_enums.mjtEnableBit.mjENBL_SLEEP) and not persistent:
            raise ValueError("sleep requires a persistent batch: which trees sleep is not part of the state")
        nthread = max(nthread, 0)
        self._model = copy.copy(model)
        self.nsim, self.persistent = nsim, persistent
        self.nthread = min(nsim, nthread or os.cpu_count() or 1)
        if persistent:
            self._check_callbacks()  # worlds whose trees begin asleep are computed when they are made
        self._data = [_structs.MjData(self._model) for _ in range(nsim if persistent else self.nthread)]
        self.nstate = _core.mj_stateSize(self._model, STATE)
        self._rows = np.empty((nsim, self.nstate))
        _core.mj_getState(self._model, self._data[0], self._rows[0], STATE)
        self._rows[:] = self._rows[0]
        self._bound, self._expanded, self._models, self._errors = {}, {}, None, [""] * nsim
        self._status = np.zeros(nsim, np.int32)
        self.warning = np.zeros((nsim, int(_enums.mjtWarning.mjNWARNING), 2), np.int32)
        self._pool = concurrent.futures.ThreadPoolExecutor(self.nthread)
        self._places = self._state_places()

    @property
    def state(self):
        """The rows of state, for writing, too."""
        return self._rows

    @property
    def status(self):
        """Of each simulation, whether the engine reported an error in its last call; for reading."""
        status = self._status.view()
        status.flags.writeable = False
        return status

    def step(self, ids=None, nstep=1, stage=0):
        """Steps simulations, then computes stages of the new state (mjtStage)."""
        nstep, stage = integer(nstep, "nstep"), self._stage(stage)
        if nstep < 1:
            raise _core.FatalError("nstep must be positive")

        def run(model, data, place):
            del place
            _core.mj_step(model, data, nstep)
            self._compute(model, data, stage)

        self._call(ids, run)

    def forward(self, ids=None, stage=3):
        stage = self._stage(stage)
        self._call(ids, lambda model, data, place: self._compute(model, data, stage))

    def reset(self, ids=None, keyframe=-1, stage=3):
        """Resets simulations, to keyframes where they are given."""
        chosen, stage = self._ids(ids), self._stage(stage)
        keys = np.broadcast_to(integers(keyframe, "keyframe"), len(chosen))
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
        chosen, nstep = self._ids(ids), integer(nstep, "nstep")
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
        bodies, points = np.broadcast_to(integers(body, "body"), len(chosen)), np.broadcast_to(np.asarray(point, float), (len(chosen), 3))
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
        excluded = np.broadcast_to(integers(bodyexclude, "bodyexclude"), shape[:2])
        wrong = excluded[(excluded < -1) | (excluded >= self._model.nbody)]
        if len(wrong):
            raise ValueError(f"bodyexclude must be in [-1, {self._model.nbody}), got {wrong[0]}")
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
