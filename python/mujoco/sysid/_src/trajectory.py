"""Measured and simulated trajectories."""

import dataclasses
import logging
import pathlib
from typing import Optional

import numpy as np

import mujoco
from mujoco import rollout
from mujoco.sysid._src.timeseries import TimeSeries

_FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS


def _in_order(name, values, size, names, mapping, offset):
    """Values in the model's order, from those of the given names."""
    values = np.asarray(values, dtype=float)
    if names is None:
        if values.shape != (size,):
            raise ValueError(f"Expected {name} to have shape {size}, got {values.size}.")
        return values
    ordered, begin = np.zeros(size), 0
    for given in names:
        key = given if given in mapping else f"{given}_{name}"
        if key not in mapping:
            raise ValueError(f"there is no {name} of '{given}'")
        columns = mapping[key][1] - offset
        ordered[columns] = values[begin : begin + len(columns)]
        begin += len(columns)
    if begin != values.size:
        raise ValueError(f"Expected {name} to have shape {begin}, got {values.size}.")
    return ordered


def create_initial_state(model, qpos, qvel=None, act=None, qpos_names=None, qvel_names=None, act_names=None):
    """A state of the full physics, from positions, velocities and activations."""
    positions, velocities, activations, _ = TimeSeries.compute_all_state_mappings(model)
    data = mujoco.MjData(model)
    data.qpos[:] = _in_order("qpos", qpos, model.nq, qpos_names, positions, 0)
    if qvel is not None:
        data.qvel[:] = _in_order("qvel", qvel, model.nv, qvel_names, velocities, model.nq)
    if act is not None:
        data.act[:] = _in_order("act", act, model.na, act_names, activations, model.nq + model.nv)
    state = np.empty(mujoco.mj_stateSize(model, _FULL))
    mujoco.mj_getState(model, data, state, _FULL)
    return state


@dataclasses.dataclass
class SystemTrajectory:
    """Controls, sensor values and, where it is known, states of a model over time."""

    model: mujoco.MjModel
    control: TimeSeries
    sensordata: TimeSeries
    initial_state: Optional[np.ndarray] = None
    state: Optional[TimeSeries] = None

    def __len__(self):
        return len(self.sensordata)

    def get_sensor_dict(self):
        return {name: self.sensordata.data[:, columns] for name, (_, columns) in (self.sensordata.signal_mapping or {}).items()}

    @property
    def sensordim(self):
        return self.model.nsensordata

    def save_to_disk(self, path):
        folder = pathlib.Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("control", "sensordata", "state"):
            series = getattr(self, name)
            if series is not None:
                series.save_to_disk(folder / f"{name}.npz")
        if self.initial_state is not None:
            np.save(folder / "initial_state.npy", self.initial_state)

    @classmethod
    def load_from_disk(cls, path, model, allow_missing_sensors=False):
        folder = pathlib.Path(path)
        parts = {name: TimeSeries.load_from_disk(folder / f"{name}.npz") for name in ("control", "sensordata", "state") if (folder / f"{name}.npz").exists()}
        initial = np.load(folder / "initial_state.npy") if (folder / "initial_state.npy").exists() else None
        made = cls(model, parts["control"], parts["sensordata"], initial, parts.get("state"))
        made.check_compatible(allow_missing_sensors)
        return made

    def check_compatible(self, allow_missing_sensors=False):
        """Whether numbers of columns are those of the model."""
        if self.sensordata.data.shape[1] != self.model.nsensordata:
            text = f"Sensor data dimension {self.sensordata.data.shape[1]} is not that of the model, {self.model.nsensordata}."
            if not allow_missing_sensors:
                raise ValueError(text)
            logging.warning(text)
        if self.control.data.shape[1] != self.model.nu:
            raise ValueError(f"Control dimension {self.control.data.shape[1]} is not that of the model, {self.model.nu}.")
        size = mujoco.mj_stateSize(self.model, _FULL)
        if self.initial_state is not None and np.size(self.initial_state) != size:
            raise ValueError(f"Initial state dimension {np.size(self.initial_state)} is not that of the model, {size}.")
        if self.state is not None and self.state.data.shape[1] not in (size, size - 1):
            raise ValueError(f"State dimension {self.state.data.shape[1]} is not that of the model, {size}.")

    def split(self, chunk_size):
        """Parts of `chunk_size` steps; what is left over is dropped."""
        if self.state is None:
            raise ValueError("parts need the states that they begin with")
        parts = []
        for begin in range(0, len(self) - chunk_size + 1, chunk_size):
            rows = slice(begin, begin + chunk_size)
            cut = [TimeSeries(ts.times[rows], ts.data[rows], ts.signal_mapping) for ts in (self.control, self.sensordata, self.state)]
            parts.append(SystemTrajectory(self.model, cut[0], cut[1], self.state.data[begin], cut[2]))
        return parts

    def render(self, height=240, width=320, camera=-1, fps=30):
        """Pictures of the states."""
        if self.state is None:
            raise ValueError("pictures need states")
        from mujoco.sysid._src.plotting import render_rollout

        return render_rollout(self.model, mujoco.MjData(self.model), self.state.data[None], fps, camera, width, height)


class ModelSequences:
    """A specification, and what was measured of it: one sequence or several."""

    def __init__(self, name, spec, sequence_name, initial_state, control, sensordata, allow_missing_sensors=False):
        self.name, self.spec = name, spec
        several = not isinstance(sequence_name, str)
        self.sequence_name = list(sequence_name) if several else [sequence_name]
        self.initial_state = list(initial_state) if several else [initial_state]
        self.control = list(control) if several else [control]
        self.sensordata = list(sensordata) if several else [sensordata]
        lengths = {len(values) for values in (self.sequence_name, self.initial_state, self.control, self.sensordata)}
        if len(lengths) != 1:
            raise ValueError("names, initial states, controls and sensor data are not of one number")
        self.allow_missing_sensors = allow_missing_sensors
        self.gt_model = spec.copy().compile()
        self.measured_rollout = [
            SystemTrajectory(self.gt_model, *row) for row in zip(self.control, self.sensordata, self.initial_state)
        ]
        for trajectory in self.measured_rollout:
            trajectory.check_compatible(allow_missing_sensors)


def timeseries2array(control):
    """Controls of one shape, and their times."""
    return np.stack([ts.data for ts in control]), np.stack([ts.times for ts in control])


def sysid_rollout(
    models, datas, control_signal, initial_states, rollout_signal_mapping=None, rollout_state_mapping=None, ctrl_mapping=None,
):  # fmt: skip
    """Simulates from states with controls, which are taken at the time steps of the model."""
    models = [models] if isinstance(models, mujoco.MjModel) else list(models)
    datas = [datas] if isinstance(datas, mujoco.MjData) else list(datas)
    controls = [control_signal] if isinstance(control_signal, TimeSeries) else list(control_signal)
    states = np.atleast_2d(np.asarray(initial_states, dtype=float))
    if len(models) == 1:
        models = models * len(controls)
    trajectories = []
    for model, control, state in zip(models, controls, states):
        # sensors are those before a step, at whose end the time is taken; the last control is not used any more
        held = control.data[:-1]
        result, sensors = rollout.rollout(model, datas[0], state, held[None])
        times = result[0, :, 0]
        positions, velocities, activations, _ = TimeSeries.compute_all_state_mappings(model)
        state_mapping = rollout_state_mapping or {**positions, **velocities, **activations}
        mapping = rollout_signal_mapping or TimeSeries.compute_all_sensor_mapping(model)
        trajectories.append(SystemTrajectory(
            model, TimeSeries(control.times[:-1], held, ctrl_mapping or control.signal_mapping),
            TimeSeries(times, sensors[0], mapping), state, TimeSeries(times, result[0], state_mapping)))  # fmt: skip
    return trajectories
