"""System identification: parameters of a model from measured trajectories."""

from typing import Any, Callable

from mujoco.sysid._src.io import save_results
from mujoco.sysid._src.model_modifier import (
    apply_body_inertia, apply_dgain, apply_param_modifiers, apply_param_modifiers_spec, apply_pdgain, apply_pgain,
    body_inertia_param, remove_visuals,
)  # fmt: skip
from mujoco.sysid._src.optimize import calculate_intervals, optimize
from mujoco.sysid._src.parameter import InertiaType, Parameter, ParameterDict
from mujoco.sysid._src.plotting import render_rollout
from mujoco.sysid._src.residual import build_residual_fn, construct_ts_from_defaults, model_residual, residual
from mujoco.sysid._src.signal_modifier import (
    apply_bias, apply_delay, apply_delayed_ts_window, apply_gain, apply_resample_and_delay, get_sensor_indices,
    normalize_residual, weighted_diff,
)  # fmt: skip
from mujoco.sysid._src.signal_transform import SignalTransform
from mujoco.sysid._src.timeseries import SignalType, TimeSeries
from mujoco.sysid._src.trajectory import ModelSequences, SystemTrajectory, create_initial_state, sysid_rollout

BuildModelFn = CustomRolloutFn = ModifyResidualFn = Callable[..., Any]

__all__ = [name for name in dir() if not name.startswith("_") and name not in ("Any", "Callable")]
