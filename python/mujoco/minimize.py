"""Least squares with bounds: Levenberg-Marquardt steps that stay in a box."""

import dataclasses
import enum
import time
from typing import Callable, List, Optional, Sequence, TextIO, Tuple, Union

import numpy as np

from mujoco._minimize_residuals import Norm, Quadratic, check_jacobian, check_norm, jacobian_fd, say
from mujoco._minimize_steps import Problem, Regularizer, Scale, Status, check_bounds, free_gradient, search

__all__ = ["IterLog", "Norm", "Quadratic", "Status", "Verbosity", "check_jacobian", "check_norm", "jacobian_fd", "least_squares"]


class Verbosity(enum.Enum):
    """How much is printed."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


_REASONS = {
    Status.FACTORIZATION_FAILED: "factorization failed.",
    Status.NO_IMPROVEMENT: "insufficient reduction.",
    Status.MAX_ITER: "maximum iterations.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}


@dataclasses.dataclass
class IterLog:
    """One iteration: where it began, the objective there, what it gained, and its regularizer.

    The rest is there when all of it is asked for (Verbosity.FULLITER).
    """

    candidate: np.ndarray
    objective: np.float64
    reduction: np.float64
    regularizer: np.float64
    residual: Optional[np.ndarray] = None
    jacobian: Optional[np.ndarray] = None
    grad: Optional[np.ndarray] = None
    step: Optional[np.ndarray] = None


def least_squares(
    x0: np.ndarray,
    residual: Callable[[np.ndarray], np.ndarray],
    bounds: Optional[Sequence[np.ndarray]] = None,
    jacobian: Optional[Callable[[np.ndarray, np.ndarray], np.ndarray]] = None,
    norm: Norm = Quadratic(),
    eps: float = np.finfo(np.float64).eps ** 0.5,
    mu_min: float = 1e-6,
    mu_max: float = 1e8,
    mu_factor: float = 10.0**0.1,
    xtol: float = 1e-8,
    gtol: float = 1e-8,
    max_iter: int = 100,
    verbose: Union[Verbosity, int] = Verbosity.ITER,
    output: Optional[TextIO] = None,
    iter_callback: Optional[Callable[[List[IterLog]], None]] = None,
    check_derivatives: bool = False,
    x_scale: Union[float, np.ndarray, str, None] = None,
) -> Tuple[np.ndarray, List[IterLog]]:
    """Minimizes the norm of a residual; returns the best point and what the iterations did.

    residual: takes one or several points as columns, and returns as many columns. bounds: lower and upper ones.
    jacobian: of a point and its residual; by finite differences with step `eps` when it is not given. The regularizer is
    between mu_min, below which it is zero, and mu_max, and changes by powers of mu_factor. xtol, gtol: tolerances on the
    relative size of a step and on the norm of the gradient. x_scale: units of the parameters, in which the regularizer
    counts; "jac": those in which the columns of the Jacobian have length one.
    """
    verbose = Verbosity(verbose)
    shape = np.shape(x0)
    x = np.array(x0, dtype=np.float64).reshape(-1, 1)
    if bounds is not None:
        bounds = check_bounds(bounds, x.size)
        np.clip(x, bounds[0], bounds[1], out=x)
    problem = Problem(residual, jacobian, norm, bounds, eps, Scale(x_scale, x.size))
    begin = time.perf_counter()
    r = problem.at(x)
    if check_derivatives:
        _check(problem, jacobian, x, r, norm, eps, output)
    x, trace, status = _iterate(problem, x, r, (mu_min, mu_max, mu_factor), (xtol, gtol), max_iter, verbose, output, iter_callback)
    if verbose.value >= Verbosity.FINAL.value:
        _print_final(problem, trace, status, time.perf_counter() - begin, output)
    return x.reshape(shape), trace


def _check(problem, jacobian, x, r, norm, eps, output):
    if jacobian is not None:
        jac = problem.jacobian(x, r)
        problem.n_res = check_jacobian(problem.residual, x, r, jac, eps, problem.n_res, problem.bounds, output)
    if not isinstance(norm, Quadratic):
        check_norm(r, norm, eps, output)


def _iterate(problem, x, r, limits, tolerances, max_iter, verbose, output, callback):
    xtol, gtol = tolerances
    norm, bounds = problem.norm, problem.bounds
    work = {"dx": np.zeros(x.size), "R": np.zeros((x.size, x.size + 7)), "index": np.zeros(x.size, np.int32)}
    regularizer = Regularizer(*limits)
    y = norm.value(r)
    trace = []
    for i in range(max_iter):
        jac = problem.jacobian(x, r)
        problem.scale.follow(jac)
        gradient, hessian = norm.grad_hess(r, jac)
        log = IterLog(x.copy(), y, np.float64(0), regularizer.value)
        trace.append(log)
        if verbose is Verbosity.FULLITER:
            log.residual, log.jacobian, log.grad = r, jac, gradient
        free = free_gradient(x, gradient, bounds)
        if np.linalg.norm(free) < gtol:
            if verbose.value >= Verbosity.FINAL.value and not free.any():
                say(output, "Zero gradient norm: exact minimum found?")
            return x, trace, Status.G_TOL
        accepted, problem_status = search(problem, x, y, gradient, hessian, regularizer, work)
        log.regularizer = regularizer.value
        if accepted is None:
            return x, trace, problem_status
        step, new_r, new_y, ratio = accepted
        log.reduction = y - new_y
        if verbose is Verbosity.FULLITER:
            log.step = step
        if verbose.value >= Verbosity.ITER.value:
            _print_iteration(i, y, regularizer.value, ratio, step, log.reduction, output)
        x, r, y = x + step, new_r, new_y
        if bounds is not None:
            np.clip(x, bounds[0], bounds[1], out=x)
        if callback is not None:
            callback(trace)
        regularizer.adapt(ratio)
        if np.linalg.norm(step) < xtol:
            trace.append(IterLog(x.copy(), y, np.float64(0), regularizer.value))
            return x, trace, Status.DX_TOL
    trace.append(IterLog(x.copy(), y, np.float64(0), regularizer.value))
    return x, trace, Status.MAX_ITER


def _print_iteration(i, y, mu, ratio, step, reduction, output):
    log10mu = np.log10(mu) if mu > 0 else -np.inf
    say(output, f"iter: {i:<3d}  y: {y:<9.4g}  log10mu: {log10mu:>4.1f}  ratio: {ratio:<7.2g}  dx: {np.linalg.norm(step):<7.2g}  reduction: {reduction:<7.2g}")


def _print_final(problem, trace, status, seconds, output):
    jacobians = f", Jacobian evals: {problem.n_jac}" if problem.n_jac else ""
    say(output, f"Terminated after {len(trace)} iterations: {_REASONS[status]} y: {trace[-1].objective:.4g}, Residual evals: {problem.n_res}{jacobians}")
    shares = f"residual {100 * problem.t_res / seconds:.1f}%"
    if problem.n_jac:
        shares += f" Jacobian {100 * problem.t_jac / seconds:.1f}%"
    unit = f"{1e3 * seconds:.1f}ms" if seconds < 1 else f"{seconds:.1f}s"
    say(output, f"total time {unit} of which {shares}")
