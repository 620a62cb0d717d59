"""Rollouts: from many states at once, with given controls, on several threads."""

import numbers

import numpy as np

from mujoco import _core, _enums, _newer, _structs

_FULL = int(_enums.mjtState.mjSTATE_FULLPHYSICS)
_CONTROL = int(_enums.mjtState.mjSTATE_CTRL)
_LARGEST = int(np.iinfo(np.int32).max)  # of what the engine counts
# What a rollout sets from the controls.
_USER = int(_enums.mjtState.mjSTATE_USER)


class Rollout:
    """Rolls out on a number of threads, each of which has a world of its own."""

    def __init__(self, *, nthread=None):
        self._nthread = 0 if nthread is None else nthread
        self._open = True

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.close()

    def close(self):
        """No rollouts can be run afterwards."""
        self._open = False

    def rollout(
        self, model, data, initial_state, control=None, *, control_spec=_CONTROL, skip_checks=False, nstep=None,
        initial_warmstart=None, state=None, sensordata=None, chunk_size=None,
    ):  # fmt: skip
        """States and sensor values of rollouts: see `mujoco.rollout.rollout`."""
        if not self._open:
            raise RuntimeError("rollout requested after thread pool shutdown")
        model, data = _structs.model_of(model), _structs.data_of(data)
        models = [model] if isinstance(model, _structs.MjModel) else [_structs.model_of(one) for one in model]
        worlds = [data] if isinstance(data, _structs.MjData) else [_structs.data_of(one) for one in data]
        if not worlds:
            raise ValueError("The list of data instances is empty")
        if len(worlds) > 1 and not self._nthread:
            raise ValueError("More than one data instance passed but rollout is configured to run on main thread")
        if self._nthread and len(worlds) != self._nthread:
            raise ValueError(f"Length of data: {len(worlds)} not equal to nthread: {self._nthread}")
        job = _Job(models, worlds, control_spec, nstep)
        job.check_counts(chunk_size)
        if skip_checks:
            return job.run(initial_state, control, initial_warmstart, state, sensordata, chunk_size)
        job.check(initial_state, control, initial_warmstart, state, sensordata, chunk_size)
        return job.run(*job.prepare(initial_state, control, initial_warmstart, state, sensordata), chunk_size)


class _Job:
    """One call: models, worlds and sizes."""

    def __init__(self, models, worlds, control_spec, nstep):
        self.models, self.worlds = models, worlds
        self.spec, self.nstep = int(control_spec), nstep

    def check_counts(self, chunk_size):
        """Numbers of steps and of rollouts that a thread takes at once."""
        for name, value in (("nstep", self.nstep), ("chunk_size", chunk_size)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, numbers.Integral)):
                raise ValueError(f"{name} must be an integer")
            if value is not None and value > _LARGEST:
                raise ValueError(f"{name} is larger than {_LARGEST}")
        if self.nstep is not None and self.nstep < 0:
            raise ValueError("nstep must be non-negative")
        if chunk_size is not None and chunk_size < 1:
            raise ValueError("chunk_size must be a positive integer")

    def check(self, initial_state, control, warmstart, state, sensordata, chunk_size):
        """Types of the arguments."""
        if not self.models or not all(isinstance(model, _structs.MjModel) for model in self.models):
            raise TypeError("model must be an MjModel or a sequence of them")
        if not all(isinstance(world, _structs.MjData) for world in self.worlds):
            raise TypeError("data must be an MjData or a sequence of them")
        if self.spec & ~_USER:
            raise ValueError("control_spec can only contain bits in mjSTATE_USER")
        for i, world in enumerate(self.worlds):
            if _newer.has_threads(world):
                raise ValueError(f"data[{i}] has a thread pool (mju_threadpool): rollouts run on threads of their own")
        arrays = {"initial_state": initial_state, "initial_warmstart": warmstart, "control": control, "state": state, "sensordata": sensordata}
        for name, array in arrays.items():
            if array is not None and not np.issubdtype(np.asarray(array).dtype, np.number):
                raise ValueError(f"{name} must be a numpy array or float")
        for name, ndim in (("initial_state", 2), ("initial_warmstart", 2), ("control", 3), ("state", 3), ("sensordata", 3)):
            if arrays[name] is not None and np.ndim(arrays[name]) > ndim:
                raise ValueError(f"{name} can have at most {ndim} dimensions")

    def prepare(self, initial_state, control, warmstart, state, sensordata):
        """Arrays of the full sizes: rows that are given once are repeated."""
        model = self.models[0]
        nstate, ncontrol = _core.mj_stateSize(model, _FULL), _core.mj_stateSize(model, self.spec)
        initial_state = _with_rank(initial_state, 2)
        warmstart, control = _with_rank(warmstart, 2), _with_rank(control, 3)
        state, sensordata = _with_rank(state, 3), _with_rank(sensordata, 3)
        _check_last("initial_state", initial_state, nstate)
        _check_last("initial_warmstart", warmstart, model.nv)
        _check_last("control", control, ncontrol)
        _check_last("state", state, nstate)
        _check_last("sensordata", sensordata, model.nsensordata)
        nbatch = _infer(0, len(self.models), initial_state=initial_state, initial_warmstart=warmstart, control=control, state=state, sensordata=sensordata)
        self.nstep = _infer(1, 1 if self.nstep is None else self.nstep, control=control, state=state, sensordata=sensordata)
        if len(self.models) not in (1, nbatch):
            raise ValueError(f"there are {len(self.models)} models for {nbatch} rollouts")
        if state is None:
            state = np.empty((nbatch, self.nstep, nstate))
        if sensordata is None:
            sensordata = np.empty((nbatch, self.nstep, model.nsensordata))
        return _tile(initial_state, nbatch), _tile(control, nbatch, self.nstep), _tile(warmstart, nbatch), state, sensordata

    def run(self, initial_state, control, warmstart, state, sensordata, chunk_size):
        nbatch, nstep = len(initial_state), self.nstep
        if nstep is None:
            nstep = next(array.shape[1] for array in (control, state, sensordata) if array is not None)
        _core.rollout(
            self.models, self.worlds, nbatch, nstep, self.spec, _double(initial_state), _double(warmstart), _double(control),
            state, sensordata, int(chunk_size or 0))  # fmt: skip
        return state, sensordata


def _double(array):
    return None if array is None else np.ascontiguousarray(array, dtype=np.float64)


def _with_rank(array, rank):
    """The array with leading dimensions of 1."""
    if array is None:
        return None
    array = np.asarray(array)
    return array.reshape((1,) * (rank - array.ndim) + array.shape) if array.ndim < rank else array


def _check_last(name, array, size):
    if array is not None and array.shape[-1] != size:
        raise ValueError(f"trailing dimension of {name} must be {size}, got {array.shape[-1]}")


def _infer(dimension, value, **arrays):
    """The size that arrays have along a dimension, or 1; `value` is the first guess."""
    for name, array in arrays.items():
        if array is None or array.shape[dimension] in (1, value):
            continue
        if value != 1:
            raise ValueError(f"dimension {dimension} inferred as {value} but {name} has {array.shape[dimension]}")
        value = array.shape[dimension]
    return value


def _tile(array, *sizes):
    if array is None:
        return None
    shape = sizes + array.shape[len(sizes) :]
    return np.ascontiguousarray(np.broadcast_to(array, shape))


_pools: dict[int, Rollout] = {}


def rollout(
    model, data, initial_state, control=None, *, control_spec=_CONTROL, skip_checks=False, nstep=None,
    initial_warmstart=None, state=None, sensordata=None, chunk_size=None, persistent_pool=False,
):  # fmt: skip
    """Rolls out from states with controls; returns states (nbatch x nstep x nstate) and sensor values.

    model: one, or one for each rollout. data: one for each thread. initial_state: nbatch or 1 rows. control: nbatch or 1
    rows of nstep or 1 controls; what of a state they are is `control_spec`. state, sensordata: arrays to write into.
    """
    data = _structs.data_of(data)
    nthread = 0 if isinstance(data, _structs.MjData) else len(data)
    pool = _pools.setdefault(nthread, Rollout(nthread=nthread)) if persistent_pool else Rollout(nthread=nthread)
    return pool.rollout(
        model, data, initial_state, control, control_spec=control_spec, skip_checks=skip_checks, nstep=nstep,
        initial_warmstart=initial_warmstart, state=state, sensordata=sensordata, chunk_size=chunk_size,
    )  # fmt: skip


def shutdown_persistent_pool():
    """Ends the threads that calls with `persistent_pool` share."""
    _pools.clear()
