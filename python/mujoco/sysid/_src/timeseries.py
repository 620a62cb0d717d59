"""Signals over time, with names for their columns."""

import dataclasses
import enum
import json
import pathlib
from typing import Optional

import mujoco
import numpy as np


class SignalType(enum.Enum):
    """Where a signal is from."""

    MjSensor = 0
    CustomObs = 1
    MjStateQPos = 2
    MjStateQVel = 3
    MjStateAct = 4
    MjCtrl = 5


_SUFFIX = {
    SignalType.MjStateQPos: "_qpos", SignalType.MjStateQVel: "_qvel", SignalType.MjStateAct: "_act", SignalType.MjCtrl: "_ctrl",
}  # fmt: skip
_OBSERVED = (SignalType.MjSensor, SignalType.MjStateQPos, SignalType.MjStateQVel, SignalType.MjStateAct)
_HOLD = ("zoh", "zero_order_hold")
_QPOS_WIDTH, _QVEL_WIDTH = (7, 4, 1, 1), (6, 3, 1, 1)


def _joint_name(model, i):
    """Joints that are free are known by their bodies."""
    if model.jnt_type[i] == mujoco.mjtJoint.mjJNT_FREE:
        return model.body(int(model.jnt_bodyid[i])).name
    return model.joint(i).name


@dataclasses.dataclass(frozen=True)
class TimeSeries:
    """Signals: times (n), data (n x ...), and by name the type and columns of each signal."""

    times: np.ndarray
    data: np.ndarray
    signal_mapping: Optional[dict] = None

    def __post_init__(self):
        object.__setattr__(self, "times", np.asarray(self.times))
        object.__setattr__(self, "data", np.asarray(self.data))
        if self.times.size == 0 or (self.data.size == 0 and self.data.ndim < 2):
            raise ValueError("Empty times or data array.")
        if self.times.ndim != 1:
            raise ValueError("Times must be a 1D array.")
        if len(self.times) != len(self.data):
            raise ValueError(f"Length of times ({len(self.times)}) and data ({len(self.data)}) must match.")
        if not (np.diff(self.times) > 0).all():
            raise ValueError("Times must be strictly increasing.")

    def __len__(self):
        return len(self.times)

    def __repr__(self):
        duration = self.times[-1] - self.times[0]
        return (
            f"TimeSeries(\n  samples={len(self)}\n  shape={self.data.shape}\n"
            f"  time_range=[{self.times[0]:g}, {self.times[-1]:g}] (duration={duration:g})\n"
            f"  signal_mapping={self.signal_mapping}\n)"
        )

    # ---- names of columns

    @staticmethod
    def compute_all_sensor_mapping(model):
        return {
            model.sensor(i).name: (SignalType.MjSensor, np.arange(model.sensor_adr[i], model.sensor_adr[i] + model.sensor_dim[i]))
            for i in range(model.nsensor)
        }

    @staticmethod
    def compute_all_control_mapping(model):
        return {f"{model.actuator(i).name}_ctrl": (SignalType.MjCtrl, np.array([i])) for i in range(model.nu)}

    @staticmethod
    def compute_all_state_mappings(model):
        """Of positions, velocities and activations, as columns of a state without its time; and of controls."""
        qpos, qvel, act = {}, {}, {}
        for i in range(model.njnt):
            name, kind = _joint_name(model, i), model.jnt_type[i]
            qpos[f"{name}_qpos"] = (SignalType.MjStateQPos, model.jnt_qposadr[i] + np.arange(_QPOS_WIDTH[kind]))
            qvel[f"{name}_qvel"] = (SignalType.MjStateQVel, model.nq + model.jnt_dofadr[i] + np.arange(_QVEL_WIDTH[kind]))
        for i in range(model.nu):
            if model.actuator_actadr[i] >= 0:
                columns = model.nq + model.nv + model.actuator_actadr[i] + np.arange(model.actuator_actnum[i])
                act[f"{model.actuator(i).name}_act"] = (SignalType.MjStateAct, columns)
        return qpos, qvel, act, TimeSeries.compute_all_control_mapping(model)

    @staticmethod
    def _all_signals(model):
        qpos, qvel, act, ctrl = TimeSeries.compute_all_state_mappings(model)
        return {**TimeSeries.compute_all_sensor_mapping(model), **qpos, **qvel, **act, **ctrl}

    @staticmethod
    def _resolve(model, names, allowed, columns):
        """The mapping of names, one after the other."""
        known, mapping, begin = TimeSeries._all_signals(model), {}, 0
        for given in [names] if isinstance(names, str) else names:
            name, wanted = (given, None) if isinstance(given, str) else given
            kinds = allowed if wanted is None else (wanted,)
            candidates = [name, *(name + _SUFFIX[kind] for kind in kinds if kind in _SUFFIX)]
            found = next((c for c in candidates if c in known and known[c][0] in kinds), None)
            if found is None:
                raise ValueError(f"Could not resolve signal '{name}' with allowed types {[kind.name for kind in kinds]}.")
            width = len(known[found][1])
            mapping[found] = (known[found][0], np.arange(begin, begin + width))
            begin += width
        if begin != columns:
            raise ValueError(f"Resolved signal width ({begin}) does not match data columns ({columns}).")
        return mapping

    @classmethod
    def from_custom_map(cls, times, data, signals):
        """Signals by names, or tuples of name, width and type."""
        mapping, begin = {}, 0
        for given in signals:
            name, width, kind = (given, 1, SignalType.CustomObs) if isinstance(given, str) else given
            mapping[name] = (kind, np.arange(begin, begin + width))
            begin += width
        if begin != np.shape(data)[1]:
            raise ValueError(f"Signals have {begin} columns and data has {np.shape(data)[1]}.")
        return cls(times, data, mapping)

    @classmethod
    def from_names(cls, times, data, model, names=None):
        """Sensors, positions, velocities and activations of a model; all sensors without names."""
        if names is None:
            mapping = cls.compute_all_sensor_mapping(model)
            if np.shape(data)[1] != model.nsensordata:
                raise ValueError(f"Data has {np.shape(data)[1]} columns and the sensors of the model have {model.nsensordata}.")
            return cls(times, data, mapping)
        for given in names if not isinstance(names, str) else ():
            if not isinstance(given, str) and given[1] is SignalType.MjCtrl:
                raise ValueError("MjCtrl signals are not observations: use from_control_names.")
        return cls(times, data, cls._resolve(model, names, _OBSERVED, np.shape(data)[1]))

    @classmethod
    def from_control_names(cls, times, data, model, names=None):
        """Controls of a model; all of them without names."""
        if names is None:
            if np.shape(data)[1] != model.nu:
                raise ValueError(f"Data has {np.shape(data)[1]} columns and the model has {model.nu} actuators.")
            return cls(times, data, cls.compute_all_control_mapping(model))
        for given in names if not isinstance(names, str) else ():
            if not isinstance(given, str) and given[1] is not SignalType.MjCtrl:
                raise ValueError(f"Type {given[1].name} is not allowed for controls.")
        return cls(times, data, cls._resolve(model, names, (SignalType.MjCtrl,), np.shape(data)[1]))

    @classmethod
    def create(cls, times, data, signal_mapping):
        mapping = {name: (kind, np.atleast_1d(np.asarray(columns))) for name, (kind, columns) in signal_mapping.items()}
        return cls(times, data, mapping)

    def get_indices(self, obs_name):
        if not self.signal_mapping or obs_name not in self.signal_mapping:
            raise ValueError(f"there is no signal '{obs_name}'")
        return self.signal_mapping[obs_name]

    @classmethod
    def slice_by_name(cls, ts, enabled_sensors):
        """The signals of these names alone."""
        mapping, columns, begin = {}, [], 0
        for name in enabled_sensors:
            kind, indices = ts.get_indices(name)
            mapping[name] = (kind, np.arange(begin, begin + len(indices)))
            columns.append(indices)
            begin += len(indices)
        chosen = np.concatenate(columns) if columns else np.zeros(0, int)
        return cls(ts.times, ts.data[:, chosen], mapping)

    # ---- files

    def save_to_disk(self, path):
        mapping = None
        if self.signal_mapping is not None:
            mapping = {name: (kind.name, np.asarray(columns).tolist()) for name, (kind, columns) in self.signal_mapping.items()}
        np.savez(path, times=self.times, data=self.data, signal_mapping=json.dumps(mapping))

    def save_to_csv(self, path):
        np.savetxt(path, np.column_stack([self.times, self.data.reshape(len(self), -1)]), delimiter=",")

    @classmethod
    def load_from_disk(cls, path):
        path = pathlib.Path(path)
        if not path.exists() and path.with_name(path.name + ".npz").exists():
            path = path.with_name(path.name + ".npz")
        with np.load(path) as file:
            mapping = json.loads(str(file["signal_mapping"]))
            times, data = file["times"], file["data"]
        if mapping is not None:
            mapping = {name: (SignalType[kind], np.asarray(columns)) for name, (kind, columns) in mapping.items()}
        return cls(times, data, mapping)

    # ---- values between times

    def interpolate(self, t, method="linear"):
        """Data at times; beyond the ends that of the ends."""
        points = np.atleast_1d(np.asarray(t, dtype=float))
        if self.data.ndim > 1 and self.data.shape[1] == 0:
            return np.zeros((len(points), 0))
        clipped = np.clip(points, self.times[0], self.times[-1])
        if method in _HOLD:
            return self.data[np.clip(np.searchsorted(self.times, clipped, side="right") - 1, 0, len(self) - 1)]
        if method == "linear":
            flat = self.data.reshape(len(self), -1)
            columns = [np.interp(clipped, self.times, column) for column in flat.T]
            return np.stack(columns, axis=1).reshape((len(points), *self.data.shape[1:]))
        if method not in ("quadratic", "cubic"):
            raise ValueError(f"unknown method of interpolation: {method}")
        from scipy.interpolate import interp1d

        return interp1d(self.times, self.data, kind=method, axis=0)(clipped)

    def get(self, t, method="linear"):
        values = self.interpolate(t, method)
        return np.asarray(t), values[0] if np.ndim(t) == 0 else values

    def resample(self, new_times=None, target_dt=None, method="linear"):
        """The series at other times, or at times that are `target_dt` apart."""
        if new_times is None:
            if target_dt is None:
                raise ValueError("Either new_times or target_dt must be provided")
            if target_dt <= 0:
                raise ValueError("target_dt must be positive")
            count = int(round((self.times[-1] - self.times[0]) / target_dt)) + 1
            new_times = np.linspace(self.times[0], self.times[-1], max(count, 2))
        return TimeSeries(np.asarray(new_times), self.interpolate(new_times, method), self.signal_mapping)

    def remove_from_beginning(self, time_to_remove_s):
        kept = self.times >= self.times[0] + time_to_remove_s
        if not kept.any():
            raise ValueError("nothing of the series is left")
        times = self.times[kept]
        return TimeSeries(times - times[0], self.data[kept], self.signal_mapping)

    def dt_statistics(self):
        if len(self) < 2:
            raise ValueError("intervals need two times")
        dt = np.diff(self.times)
        return {"mean": float(dt.mean()), "median": float(np.median(dt)), "std": float(dt.std()), "min": float(dt.min()), "max": float(dt.max())}
