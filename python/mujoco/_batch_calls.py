"""How batches run functions on their simulations, on threads."""

import copy
import ctypes
import operator

import numpy as np

from mujoco import _callbacks, _core
from mujoco._batch_values import STATE, integers

# Callbacks that take part in the physics.
_PHYSICS = tuple(name for name in _callbacks._NAMES if name.startswith("mjcb_") and name != "mjcb_time")


def integer(value, name):
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {value!r}") from None


class SimulationError(RuntimeError):
    """The engine reported an error in some simulations, which kept their state; `ids` lists them."""

    def __init__(self, ids, message, ncall=None):
        super().__init__(message)
        self.ids, self.ncall = ids, ncall


class Calls:
    """Runs functions on simulations of a batch, each of which keeps its state where the engine reports an error."""

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

    @staticmethod
    def _stage(stage):
        stage = integer(stage, "stage")
        if not 0 <= stage <= 3:
            raise _core.FatalError(f"stage must be in [0, 3], got {stage}")
        return stage

    def _ids(self, ids):
        if ids is None:
            return np.arange(self.nsim)
        chosen = np.asarray(ids)
        if chosen.dtype == bool:
            if chosen.shape != (self.nsim,):
                raise ValueError(f"a boolean mask must have shape ({self.nsim},)")
            return np.flatnonzero(chosen)
        chosen = np.zeros(0, int) if chosen.size == 0 else integers(chosen, "ids")
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

    @staticmethod
    def _check_callbacks():
        for name in _PHYSICS:
            function = _core.get_callback(name)
            if function is not None and not isinstance(function, ctypes._CFuncPtr):
                raise ValueError(f"{name} is a Python function, and a batch accepts only C callbacks: mujoco.set_{name}(None) removes it")

    def _call(self, ids, run, keep=True):
        """Runs simulations on the threads, each of which has a world."""
        self._check_callbacks()
        chosen = self._ids(ids)
        failed = []

        def work(worker):
            model = copy.copy(self._model) if self._expanded else self._model
            for place in range(worker, len(chosen), self.nthread):
                self._run_one(int(chosen[place]), place, worker, model, run, failed, keep)

        list(self._pool.map(work, range(min(self.nthread, len(chosen)))))
        if failed:
            failed.sort()
            which = f"{len(failed)} of {len(chosen)} simulations ({', '.join(map(str, failed))})"
            raise SimulationError(np.array(failed), f"{which}; simulation {failed[0]}: {self._errors[failed[0]]}", len(chosen))

    def _run_one(self, sim, place, worker, model, run, failed, keep):
        data = self._data[sim if self.persistent else worker]
        self._apply(sim, model)
        model = model if self._models is None else self._model_of(sim)
        self._errors[sim], self._status[sim] = "", 0
        try:
            _core.mj_setState(model, data, self._rows[sim], STATE)
            data.warning.lastinfo[:], data.warning.number[:] = self.warning[sim].T
            run(model, data, place)
        except _core.FatalError as error:
            self._errors[sim], self._status[sim] = str(error), 1
            failed.append(sim)
            return
        if not keep:
            return
        _core.mj_getState(model, data, self._rows[sim], STATE)
        self.warning[sim] = np.stack([data.warning.lastinfo, data.warning.number], axis=1)
        for name, array in self._bound.items():
            if name not in self._places:
                array[sim] = getattr(data, name)
