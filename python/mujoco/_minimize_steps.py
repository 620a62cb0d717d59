"""Steps of least squares: the problem in its units, and the search for a step that lowers the objective."""

import enum
import time

import numpy as np

from mujoco import _core
from mujoco._minimize_residuals import jacobian_fd


class Status(enum.Enum):
    """Why the iterations ended."""

    FACTORIZATION_FAILED = 1
    NO_IMPROVEMENT = 2
    MAX_ITER = 3
    DX_TOL = 4
    G_TOL = 5


def _column(values, size, name):
    array = np.asarray(values, dtype=np.float64).reshape(-1, 1)
    if array.size != size:
        raise ValueError(f"{name} must have {size} elements, got {array.size}")
    return array


def check_bounds(bounds, size):
    if len(bounds) != 2:
        raise ValueError("bounds must have 2 elements, the lower and the upper one")
    lower, upper = _column(bounds[0], size, "lower bounds"), _column(bounds[1], size, "upper bounds")
    if not np.isfinite(lower).all() or not np.isfinite(upper).all():
        raise ValueError("bounds must be finite")
    if (lower >= upper).any():
        raise ValueError("lower bounds must be smaller than upper bounds")
    return [lower, upper]


class Scale:
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


class Problem:
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


def free_gradient(x, gradient, bounds):
    """The gradient without those components that point out of the box."""
    if bounds is None:
        return gradient
    held = ((x <= bounds[0]) & (gradient > 0)) | ((x >= bounds[1]) & (gradient < 0))
    return np.where(held, 0, gradient)


class Regularizer:
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


def search(problem, x, y, gradient, hessian, regularizer, work):
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
