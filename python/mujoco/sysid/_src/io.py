"""Results in files."""

import pathlib
import pickle

from mujoco.sysid._src import model_modifier, optimize


def save_results(experiment_results_folder, models_sequences, initial_params, opt_params, opt_result, residual_fn):
    """Writes parameters, confidence intervals and the identified models into a folder."""
    folder = pathlib.Path(experiment_results_folder)
    folder.mkdir(parents=True, exist_ok=True)
    initial_params.save_to_disk(folder / "params_x_0.yaml")
    opt_params.save_to_disk(folder / "params_x_hat.yaml")
    residuals = residual_fn(opt_result.x, opt_params.copy())[0]
    covariance, intervals = optimize.calculate_intervals(residuals, opt_result.jac)
    for name, content in (("results", opt_result), ("confidence", {"cov": covariance, "intervals": intervals})):
        with open(folder / f"{name}.pkl", "wb") as file:
            pickle.dump(content, file)
    for sequences in models_sequences:
        spec = model_modifier.apply_param_modifiers_spec(opt_params, sequences.spec)
        spec.to_file(folder / f"{sequences.name}.xml")
