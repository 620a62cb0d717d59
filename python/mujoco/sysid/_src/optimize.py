"""Least squares over parameters."""

import numpy as np

from mujoco import minimize


def _flat(residual_fn, params):
    """The residual as a function of one point, or of points as columns."""

    def function(x):
        points = np.asarray(x)
        columns = points.reshape(len(points), -1).T
        values = [np.concatenate([np.ravel(part) for part in residual_fn(column, params)[0]]) for column in columns]
        return values[0] if points.ndim == 1 else np.stack(values, axis=1)

    return function


def _mujoco_least_squares(function, x0, bounds, verbose, max_iters=200, **options):
    from scipy.optimize import OptimizeResult

    level = minimize.Verbosity.FULLITER if verbose else minimize.Verbosity.SILENT
    columns = lambda x: function(x.reshape(len(x), -1))  # noqa: E731
    x, trace = minimize.least_squares(x0, columns, bounds=bounds, max_iter=max_iters, verbose=level, **options)
    r = function(x)
    jacobian, _ = minimize.jacobian_fd(columns, x, r, 1e-7, 0, [bound.reshape(-1, 1) for bound in bounds])
    return OptimizeResult(x=x, jac=jacobian, grad=jacobian.T @ r, fun=r, cost=0.5 * r @ r, trace=trace, success=True)


def _scipy_least_squares(function, x0, bounds, verbose, parallel=False, max_iters=None, **options):
    from scipy.optimize import least_squares

    jac = "2-point"
    if parallel:
        column_bounds = [bound.reshape(-1, 1) for bound in bounds]
        columns = lambda x: function(x.reshape(len(x), -1))  # noqa: E731
        jac = lambda x: minimize.jacobian_fd(columns, x, function(x), 1e-7, 0, column_bounds)[0]  # noqa: E731
    return least_squares(function, x0, jac=jac, bounds=bounds, verbose=2 if verbose else 0, max_nfev=max_iters, **options)


def optimize(initial_params, residual_fn, optimizer="mujoco", verbose=True, **optimizer_kwargs):
    """The parameters with the least sum of squares, and what the optimizer says of them."""
    params = initial_params.copy()
    function, bounds = _flat(residual_fn, params), params.get_bounds()
    x0 = np.clip(initial_params.as_vector(), *bounds)
    optimizer_kwargs.pop("verbose", None)
    if optimizer == "mujoco":
        result = _mujoco_least_squares(function, x0, bounds, verbose, **optimizer_kwargs)
    elif optimizer in ("scipy", "scipy_parallel_fd"):
        result = _scipy_least_squares(function, x0, bounds, verbose, optimizer != "scipy", **optimizer_kwargs)
    else:
        raise ValueError(f"there is no optimizer '{optimizer}': mujoco, scipy, scipy_parallel_fd")
    params.update_from_vector(result.x)
    if verbose:
        print(params.compare_parameters(initial_params.as_vector(), result.x))
    return params, result


def calculate_intervals(residuals_star, J, alpha=0.05, lambda_zero_thresh=1e-15, v_zero_thresh=1e-8):
    """Covariance of the parameters at the optimum, and half-widths of their confidence intervals."""
    from scipy.stats import t

    residuals = np.concatenate([np.ravel(part) for part in residuals_star])
    freedom = max(1, residuals.size - J.shape[1])
    variance = residuals @ residuals / freedom
    values, vectors = np.linalg.eigh(J.T @ J)
    known = values > lambda_zero_thresh
    covariance = variance * (vectors[:, known] / values[known]) @ vectors[:, known].T
    intervals = t.ppf(1 - alpha / 2, freedom) * np.sqrt(np.diag(covariance))
    # what a direction without information has a part in is not known at all
    blind = (np.abs(vectors[:, ~known]) > v_zero_thresh).any(axis=1)
    return covariance, np.where(blind, np.inf, intervals)
