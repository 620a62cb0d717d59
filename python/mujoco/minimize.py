"""Least squares with bounds: Levenberg-Marquardt steps that stay in a box."""

import abc
import dataclasses
import enum
import sys
import time
from typing import Callable, List, Optional, Sequence, TextIO, Tuple, Union

import numpy as np

from mujoco import _core


class Verbosity(enum.Enum):
    """How much is printed."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Why the iterations ended."""

    FACTORIZATION_FAILED = 1
    NO_IMPROVEMENT = 2
    MAX_ITER = 3
    DX_TOL = 4
    G_TOL = 5


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


class Norm(abc.ABC):
    """A measure of residuals."""

    @abc.abstractmethod
    def value(self, r: np.ndarray) -> np.float64:
        """The norm of a column of residuals."""

    @abc.abstractmethod
    def grad_hess(self, r: np.ndarray, proj: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        """Gradient and Hessian of the norm at `r`, both projected: proj.T @ grad and proj.T @ hess @ proj."""


class Quadratic(Norm):
    """Half of the sum of squares."""

    def value(self, r: np.ndarray):
        return 0.5 * (r.T @ r).item()

    def grad_hess(self, r: np.ndarray, proj: np.ndarray):
        return proj.T @ r, proj.T @ proj


def jacobian_fd(
    residual: Callable[[np.ndarray], np.ndarray],
    x: np.ndarray,
    r: np.ndarray,
    eps: np.float64,
    n_res: int,
    bounds: Optional[List[np.ndarray]] = None,
) -> Tuple[np.ndarray, int]:
    """The Jacobian at `x` by finite differences, and `n_res` plus the number of residuals that this took."""
    size, at = x.size, x.reshape(-1, 1)
    steps = np.full((size, 1), eps)
    if bounds is not None:
        # away from the nearer bound, and not beyond the farther one
        below, above = at - bounds[0].reshape(-1, 1), bounds[1].reshape(-1, 1) - at
        steps = np.where(above >= below, np.minimum(eps, above), -np.minimum(eps, below))
    moved = at + steps
    if bounds is not None:
        moved = np.clip(moved, bounds[0].reshape(-1, 1), bounds[1].reshape(-1, 1))
        steps = moved - at
    points = np.repeat(at, size, axis=1)
    np.fill_diagonal(points, moved.ravel())
    return (residual(points) - r.reshape(-1, 1)) / steps.T, n_res + size


def check_jacobian(
    residual: Callable[[np.ndarray], np.ndarray],
    x: np.ndarray,
    r: np.ndarray,
    jac: np.ndarray,
    eps: np.float64,
    n_res: int,
    bounds: Optional[List[np.ndarray]] = None,
    output: Optional[TextIO] = None,
    name: Optional[str] = "Jacobian",
) -> int:
    """Compares a Jacobian with finite differences; ValueError when they differ."""
    expected, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    if jac.shape != expected.shape:
        raise ValueError(f"User-provided {name} has wrong shape. Expected {expected.shape}, got {jac.shape}.")
    if not np.isfinite(jac).all():
        raise ValueError(f"User-provided {name} must contain finite numbers only")
    if not np.isfinite(expected).all():
        raise ValueError(f"Finite-difference {name} is not finite: the residual is not")
    if not np.allclose(jac, expected, rtol=1e-4, atol=1e-4):
        raise ValueError(f"User-provided {name} does not match finite-differences")
    _print(output, f"User-provided {name} matches finite-differences.")
    return n_res


def check_norm(r: np.ndarray, norm: Norm, eps: np.float64, output: Optional[TextIO] = None):
    """Compares gradient and Hessian of a norm with finite differences; ValueError when they differ."""
    r = r.reshape(-1, 1)
    identity = np.eye(r.size)
    value = norm.value(r)
    if not np.isscalar(value):
        raise ValueError(f"Norm must return a scalar, got {type(value)}")
    if value < 0:
        raise ValueError(f"Norm must be non-negative, got {value}")
    gradient, hessian = norm.grad_hess(r, identity)
    if gradient.shape != (r.size, 1):
        raise ValueError(f"Norm gradient has wrong shape. Expected {(r.size, 1)}, got {gradient.shape}")
    if hessian.shape != (r.size, r.size):
        raise ValueError(f"Norm Hessian has wrong shape. Expected {(r.size, r.size)}, got {hessian.shape}")

    for name, part in (("gradient", gradient), ("Hessian", hessian)):
        if not np.isfinite(part).all():
            raise ValueError(f"norm {name} must contain finite numbers only")
    if not np.allclose(hessian, hessian.T):
        raise ValueError("Norm Hessian is not symmetric")
    if np.linalg.eigvalsh(hessian).min() < -1e-10 * max(1.0, np.abs(hessian).max()):
        raise ValueError("Norm Hessian is not positive definite")

    def values(points):
        return np.array([[norm.value(point.reshape(-1, 1)) for point in points.T]])

    def gradients(points):
        return np.hstack([norm.grad_hess(point.reshape(-1, 1), identity)[0] for point in points.T])

    check_jacobian(values, r, np.array([[value]]), gradient.T, eps, 0, output=output, name="norm gradient")
    check_jacobian(gradients, r, gradient, hessian, eps, 0, output=output, name="norm Hessian")


def _print(output, text):
    print(text, file=output or sys.stdout)


def _column(values, size, name):
    array = np.asarray(values, dtype=np.float64).reshape(-1, 1)
    if array.size != size:
        raise ValueError(f"{name} must have {size} elements, got {array.size}")
    return array


def _check_bounds(bounds, size):
    if len(bounds) != 2:
        raise ValueError("bounds must have 2 elements, the lower and the upper one")
    lower, upper = _column(bounds[0], size, "lower bounds"), _column(bounds[1], size, "upper bounds")
    if not np.isfinite(lower).all() or not np.isfinite(upper).all():
        raise ValueError("bounds must be finite")
    if (lower >= upper).any():
        raise ValueError("lower bounds must be smaller than upper bounds")
    return [lower, upper]


class _Scale:
    """Units of the parameters: the problem is solved in z = x / scale."""

    def __init__(self, given, size):
        self._of_jacobian = isinstance(given, str)
        if self._of_jacobian and given != "jac":
            raise ValueError(f"x_scale is a number, an array, 'jac' or None, not {given!r}")
        self.value = np.ones((size, 1))
        if given is None or self._of_jacobian:
            return
        scale = np.asarray(given, dtype=np.float64)
        if scale.shape not in ((), (size,)):
            raise ValueError(f"x_scale must be a scalar or an array of shape ({size},), got {scale.shape}")
        if not (np.isfinite(scale).all() and (scale > 0).all()):
            raise ValueError("x_scale must be positive and finite")
        self.value = self.value * scale.reshape(-1, 1)

    def follow(self, jac):
        """Takes the inverse lengths of the Jacobian's columns, if these are the units."""
        if self._of_jacobian:
            lengths = np.linalg.norm(jac, axis=0).reshape(-1, 1)
            self.value = 1 / np.where(lengths > 0, lengths, 1)


class _Problem:
    """The residual, counted and timed, with its Jacobian, norm and units."""

    def __init__(self, residual, jacobian, norm, bounds, eps, scale):
        self.scale = scale
        self._residual, self._jacobian, self.norm, self.bounds, self._eps = residual, jacobian, norm, bounds, eps
        self.n_res = self.n_jac = 0
        self.t_res = self.t_jac = 0.0

    def residual(self, points):
        begin = time.perf_counter()
        values = self._residual(points)
        self.t_res += time.perf_counter() - begin
        return values

    def at(self, x):
        """The residual of one point, as a column."""
        r = np.asarray(self.residual(x))
        self.n_res += 1
        if r.ndim != 2 or r.shape[1] != 1:
            r = r.reshape(-1, 1)
        return r

    def jacobian(self, x, r):
        if self._jacobian is None:
            jac, self.n_res = jacobian_fd(self.residual, x, r, self._eps, self.n_res, self.bounds)
            return jac
        begin = time.perf_counter()
        jac = self._jacobian(x, r)
        self.t_jac += time.perf_counter() - begin
        self.n_jac += 1
        return jac


def _step(x, gradient, hessian, mu, bounds, work, scale):
    """The step of the regularized model, within the bounds; None when it has no factor."""
    size = x.size
    gradient, hessian = scale * gradient, scale * hessian * scale.T
    regularized = hessian + mu * np.eye(size)
    if bounds is None:
        factor = regularized.copy()
        if _core.mju_cholFactor(factor, 1e-15) < size:
            return None
        step = np.empty(size)
        _core.mju_cholSolve(step, factor, -gradient.ravel())
        return scale * step.reshape(-1, 1)
    lower, upper = ((bounds[0] - x) / scale).ravel(), ((bounds[1] - x) / scale).ravel()
    np.clip(work["dx"], lower, upper, out=work["dx"])
    count = _core.mju_boxQP(work["dx"], work["R"], work["index"], regularized, gradient.ravel(), lower, upper)
    return None if count < 0 else scale * work["dx"].reshape(-1, 1)


def _free_gradient(x, gradient, bounds):
    """The gradient without those components that point out of the box."""
    if bounds is None:
        return gradient
    held = ((x <= bounds[0]) & (gradient > 0)) | ((x >= bounds[1]) & (gradient < 0))
    return np.where(held, 0, gradient)


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
        bounds = _check_bounds(bounds, x.size)
        np.clip(x, bounds[0], bounds[1], out=x)
    problem = _Problem(residual, jacobian, norm, bounds, eps, _Scale(x_scale, x.size))
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
    regularizer = _Regularizer(*limits)
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
        free = _free_gradient(x, gradient, bounds)
        if np.linalg.norm(free) < gtol:
            if verbose.value >= Verbosity.FINAL.value and not free.any():
                _print(output, "Zero gradient norm: exact minimum found?")
            return x, trace, Status.G_TOL
        accepted, problem_status = _search(problem, x, y, gradient, hessian, regularizer, work)
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


class _Regularizer:
    """Falls the faster, the more steps did what their model said; rises after others."""

    def __init__(self, smallest, largest, factor):
        self.value, self._smallest, self._largest, self._factor = 0.0, smallest, largest, factor
        self._power = 1

    def adapt(self, ratio):
        if ratio > 0.75:
            self.value /= self._factor**self._power
            self._power *= 2
            if self.value < self._smallest:
                self.value = 0.0
        elif ratio < 0.25:
            self.rise()

    def rise(self, power=1):
        """Returns whether it can."""
        if self.value >= self._largest:
            return False
        self.value = min(max(self.value, self._smallest) * self._factor**power, self._largest)
        self._power = 1
        return True


def _search(problem, x, y, gradient, hessian, regularizer, work):
    """Raises the regularizer until a step lowers the objective; returns the step, or None and why."""
    power = 1
    while True:
        step = _step(x, gradient, hessian, regularizer.value, problem.bounds, work, problem.scale.value)
        status = Status.FACTORIZATION_FAILED
        if step is not None:
            status = Status.NO_IMPROVEMENT
            new_r = problem.at(x + step)
            new_y = problem.norm.value(new_r)
            predicted = -(gradient.T @ step + 0.5 * step.T @ hessian @ step).item()
            if new_y < y and predicted > 0:
                return (step, new_r, new_y, (y - new_y) / predicted), None
        if not regularizer.rise(power):
            return None, status
        power += 1


def _print_iteration(i, y, mu, ratio, step, reduction, output):
    log10mu = np.log10(mu) if mu > 0 else -np.inf
    _print(output, f"iter: {i:<3d}  y: {y:<9.4g}  log10mu: {log10mu:>4.1f}  ratio: {ratio:<7.2g}  dx: {np.linalg.norm(step):<7.2g}  reduction: {reduction:<7.2g}")


def _print_final(problem, trace, status, seconds, output):
    jacobians = f", Jacobian evals: {problem.n_jac}" if problem.n_jac else ""
    _print(output, f"Terminated after {len(trace)} iterations: {_REASONS[status]} y: {trace[-1].objective:.4g}, Residual evals: {problem.n_res}{jacobians}")
    shares = f"residual {100 * problem.t_res / seconds:.1f}%"
    if problem.n_jac:
        shares += f" Jacobian {100 * problem.t_jac / seconds:.1f}%"
    unit = f"{1e3 * seconds:.1f}ms" if seconds < 1 else f"{seconds:.1f}s"
    _print(output, f"total time {unit} of which {shares}")
