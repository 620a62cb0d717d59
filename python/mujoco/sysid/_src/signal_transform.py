"""Delays, gains and biases of sensors by patterns of names."""

import copy
import fnmatch

import numpy as np

from mujoco.sysid._src import signal_modifier
from mujoco.sysid._src.timeseries import TimeSeries

_TARGETS = ("predicted", "measured", "both")


class SignalTransform:
    """What is done to predicted and measured signals before they are compared."""

    def __init__(self, normalize=True):
        self._normalize = normalize
        self._delays, self._gains, self._biases = [], [], []
        self._enabled_sensors, self._sensor_weights = None, None

    def delay(self, pattern, param):
        self._delays.append((pattern, param))

    def gain(self, pattern, param, target="both"):
        self._check(target)
        self._gains.append((pattern, param, target))

    def bias(self, pattern, param, target="both"):
        self._check(target)
        self._biases.append((pattern, param, target))

    @staticmethod
    def _check(target):
        if target not in _TARGETS:
            raise ValueError(f"target must be one of {_TARGETS}, not {target!r}")

    def enable_sensors(self, sensor_names):
        self._enabled_sensors = list(sensor_names)

    def set_sensor_weights(self, weights):
        self._sensor_weights = dict(weights)

    @staticmethod
    def _current(param, params):
        return params[param.name] if params is not None and param.name in params else param

    def _resolve_delays(self, sensor_names, params):
        delays = {}
        for pattern, param in self._delays:
            for name in sensor_names:
                if fnmatch.fnmatch(name, pattern):
                    delays[name] = float(np.asarray(self._current(param, params).value).item())
        return delays

    def _compute_delay_bounds(self):
        bounds = {param.name: (float(param.min_value.min()), float(param.max_value.max())) for _, param in self._delays}
        if not bounds:
            return 0.0, 0.0
        return min(low for low, _ in bounds.values()), max(high for _, high in bounds.values())

    @staticmethod
    def _get_sensor_names(ts):
        return list(ts.signal_mapping or {})

    def _apply_gains_biases_reference(self, ts, target_label, params):
        for rows, apply in ((self._gains, signal_modifier.apply_gain), (self._biases, signal_modifier.apply_bias)):
            for pattern, param, target in rows:
                for name in self._get_sensor_names(ts):
                    if target in (target_label, "both") and fnmatch.fnmatch(name, pattern):
                        ts = apply(ts, name, self._current(param, params))
        return ts

    def _apply_gains_biases(self, ts, target_label, params):
        data = np.array(ts.data, dtype=float)
        for rows, apply in ((self._gains, np.multiply), (self._biases, np.add)):
            for pattern, param, target in rows:
                if target not in (target_label, "both"):
                    continue
                for name, (_, columns) in (ts.signal_mapping or {}).items():
                    if fnmatch.fnmatch(name, pattern):
                        data[:, columns] = apply(data[:, columns], self._current(param, params).value)
        return TimeSeries(ts.times, data, copy.copy(ts.signal_mapping))

    def apply(self, params, sensordata_predicted, sensordata_measured, model, return_pred_all, state=None, sensor_weights=None):
        """The residual, and the two series that it compares."""
        del state
        low, high = self._compute_delay_bounds()
        measured = signal_modifier.apply_delayed_ts_window(sensordata_measured, sensordata_predicted, low, high)
        delays = self._resolve_delays(self._get_sensor_names(sensordata_predicted), params)
        predicted = signal_modifier.apply_resample_and_delay(sensordata_predicted, measured.times, 0.0, delays)
        predicted = self._apply_gains_biases(predicted, "predicted", params)
        measured = self._apply_gains_biases(measured, "measured", params)
        weights = sensor_weights if sensor_weights is not None else self._sensor_weights
        residual = signal_modifier.weighted_diff(predicted.data, measured.data, model, weights)
        if self._normalize:
            residual = signal_modifier.normalize_residual(residual, measured.data)
        if self._enabled_sensors is not None:
            columns = np.concatenate([measured.get_indices(name)[1] for name in self._enabled_sensors])
            residual = residual[:, columns]
            if not return_pred_all:
                predicted = TimeSeries.slice_by_name(predicted, self._enabled_sensors)
                measured = TimeSeries.slice_by_name(measured, self._enabled_sensors)
        return residual, predicted, measured
