"""What is done to signals before they are compared."""

import numpy as np

from mujoco.sysid._src.timeseries import TimeSeries


def get_sensor_indices(model, sensor_name, sort=False):
    """Places in `sensordata` of a sensor, or of several."""
    indices = []
    for name in [sensor_name] if isinstance(sensor_name, str) else sensor_name:
        try:
            sensor = model.sensor(name)
        except KeyError:
            raise ValueError(f"Sensor not found in model: {name}") from None
        indices += range(int(sensor.adr[0]), int(sensor.adr[0] + sensor.dim[0]))
    return sorted(indices) if sort else indices


def _changed(ts, sensor_name, change):
    data = np.array(ts.data, dtype=float)
    columns = ts.get_indices(sensor_name)[1]
    data[:, columns] = change(data[:, columns])
    return TimeSeries(ts.times, data, ts.signal_mapping)


def apply_gain(ts, sensor_name, gain):
    return _changed(ts, sensor_name, lambda data: data * gain.value)


def apply_bias(ts, sensor_name, bias):
    return _changed(ts, sensor_name, lambda data: data + bias.value)


def apply_delay(ts, sensor_name, delay):
    """The sensor as it was `delay` before."""
    shifted = TimeSeries(ts.times + np.asarray(delay.value).item(), ts.data, ts.signal_mapping)
    columns = ts.get_indices(sensor_name)[1]
    return _changed(ts, sensor_name, lambda data: shifted.interpolate(ts.times)[:, columns])


def apply_time_window(ts, begin, end):
    kept = (ts.times >= begin) & (ts.times <= end)
    return TimeSeries(ts.times[kept], ts.data[kept], ts.signal_mapping)


def apply_delayed_ts_window(ts, ts_delayed, min_delay, max_delay):
    """The times that `ts_delayed` has whatever its delay is between the two."""
    return apply_time_window(ts, ts_delayed.times[0] + max(max_delay, 0), ts_delayed.times[-1] + min(min_delay, 0))


def _build_per_column_delays(ts, default_delay, sensor_delays, predicted_data):
    """What is added to the times of each column."""
    delays = [float(default_delay)] * ts.data.shape[1]
    for name, delay in (sensor_delays or {}).items():
        for column in ts.get_indices(name)[1]:
            delays[column] = float(delay)
    return [-delay if predicted_data else delay for delay in delays]


def _apply_resample_and_delay_columnwise(ts, times, delays):
    """Each column for itself: what the faster way is compared with."""
    return np.stack([ts.interpolate(times + delay)[:, column] for column, delay in enumerate(delays)], axis=1)


def apply_resample_and_delay(ts, times, default_delay, sensor_delays=None, predicted_data=True):
    """The series at other times, each sensor with its delay."""
    times = np.asarray(times)
    delays = np.array(_build_per_column_delays(ts, default_delay, sensor_delays, predicted_data))
    data = np.empty((len(times), ts.data.shape[1]))
    for delay in np.unique(delays):
        columns = np.flatnonzero(delays == delay)
        part = TimeSeries(ts.times, ts.data[:, columns])
        data[:, columns] = part.interpolate(times + delay)
    return TimeSeries(times, data, ts.signal_mapping)


def prepare_sensor_weights(model, sensor_weights):
    """A weight for each place in `sensordata`."""
    weights = np.ones(model.nsensordata)
    for name, weight in sensor_weights.items():
        weights[get_sensor_indices(model, name)] = weight
    return weights


def weighted_diff(predicted_data, measured_data, model=None, sensor_weights=None):
    """What is measured less what is predicted, by weights."""
    difference = measured_data - predicted_data
    if sensor_weights is None:
        return difference
    if isinstance(sensor_weights, np.ndarray):
        return difference * sensor_weights
    if model is None:
        raise ValueError("weights by name need the model")
    return difference * prepare_sensor_weights(model, sensor_weights)


def normalize_residual(residual, measured_data):
    """The residual relative to what is measured, so that sensors of different units compare."""
    size = np.linalg.norm(measured_data, axis=0) / np.sqrt(2)
    return residual / np.where(size == 0, 1.0, size)
