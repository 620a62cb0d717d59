"""What is measured less what a model predicts."""

import numpy as np

import mujoco
from mujoco.sysid._src import model_modifier, signal_modifier, timeseries, trajectory


def construct_ts_from_defaults(state_ts, pred_sensordata, measured_sensordata, enabled_observations=None):
    """Measured and predicted series of the same signals: sensors, and parts of the state."""
    mapping = measured_sensordata.signal_mapping
    names = [name for name, _ in enabled_observations] if enabled_observations else list(mapping)
    measured = timeseries.TimeSeries.slice_by_name(measured_sensordata, names)
    data = np.empty((len(pred_sensordata), measured.data.shape[1]))
    for name, (kind, columns) in measured.signal_mapping.items():
        source = pred_sensordata if kind is timeseries.SignalType.MjSensor else state_ts
        data[:, columns] = source.data[:, source.get_indices(name)[1]]
    return measured, timeseries.TimeSeries(pred_sensordata.times, data, measured.signal_mapping)


def _compare(predicted, measured, model, resample_true, sensor_weights):
    """Residual at the times of the simulation, or of the measurement."""
    if resample_true:
        times = predicted.times[(predicted.times >= measured.times[0]) & (predicted.times <= measured.times[-1])]
        measured, predicted = measured.resample(times), predicted.resample(times)
    else:
        predicted = predicted.resample(measured.times)
    difference = signal_modifier.weighted_diff(predicted.data, measured.data, model, sensor_weights)
    return signal_modifier.normalize_residual(difference, measured.data), predicted, measured


def _state_series(states):
    """States without their time."""
    return timeseries.TimeSeries(states.times, states.data[:, 1:], states.signal_mapping)


def model_residual(
    x, params, build_model, traj_measured, modify_residual=None, custom_rollout=None, n_threads=2, return_pred_all=False,
    resample_true=True, sensor_weights=None, enabled_observations=(),
):  # fmt: skip
    """Residuals of a model with the parameters `x`, for each measured trajectory."""
    measured_all = [traj_measured] if isinstance(traj_measured, trajectory.SystemTrajectory) else list(traj_measured)
    columns = [x] if np.ndim(x) == 1 else list(np.asarray(x).T)
    results = []
    for vector in columns:
        params.update_from_vector(vector)
        model = build_model(params)
        datas = [mujoco.MjData(model) for _ in range(n_threads)]
        run = custom_rollout or trajectory.sysid_rollout
        predicted = run(
            models=model, datas=datas, control_signal=[t.control for t in measured_all],
            initial_states=np.stack([t.initial_state for t in measured_all]))  # fmt: skip
        rows = []
        for simulated, measured in zip(predicted, measured_all):
            if modify_residual is not None:
                rows.append(modify_residual(
                    params, simulated.sensordata, measured.sensordata, model, return_pred_all,
                    state=simulated.state.data, sensor_weights=sensor_weights))  # fmt: skip
                continue
            target, series = construct_ts_from_defaults(
                _state_series(simulated.state), simulated.sensordata, measured.sensordata, enabled_observations or None)
            rows.append(_compare(series, target, model, resample_true, sensor_weights))
        results.append(rows)
    if np.ndim(x) == 1:
        residuals, predictions, measurements = zip(*results[0])
        return list(residuals), list(predictions), list(measurements)
    stacked = [np.stack([rows[i][0].ravel() for rows in results], axis=1) for i in range(len(measured_all))]
    return stacked, [row[1] for row in results[-1]], [row[2] for row in results[-1]]


def residual(
    x, params, models_sequences, build_model=model_modifier.apply_param_modifiers, modify_residual=None, custom_rollout=None,
    n_threads=2, return_pred_all=False, resample_true=True, sensor_weights=None, enabled_observations=(),
):  # fmt: skip
    """Residuals of all measured trajectories of all models."""
    residuals, predictions, records = [], [], []
    for sequences in models_sequences:
        build = lambda current, spec=sequences.spec: build_model(current, spec)  # noqa: E731
        parts = model_residual(
            x, params, build, sequences.measured_rollout, modify_residual, custom_rollout, n_threads, return_pred_all,
            resample_true, sensor_weights, enabled_observations)  # fmt: skip
        for whole, part in zip((residuals, predictions, records), parts):
            whole.extend(part)
    return residuals, predictions, records


def build_residual_fn(**captured_kwargs):
    """`residual` with arguments that are given once; `signal_transform` is what modifies the residual."""
    transform = captured_kwargs.pop("signal_transform", None)
    if transform is not None:
        captured_kwargs["modify_residual"] = transform.apply

    def function(x, params, **overrides):
        return residual(x, params, **{**captured_kwargs, **overrides})

    return function
