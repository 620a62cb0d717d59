"""Norms of residuals, Jacobians by finite differences, and checks of what a program gives for them."""

import abc
import sys
from typing import Callable, List, Optional, TextIO, Tuple

import numpy as np


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
    say(output, f"User-provided {name} matches finite-differences.")
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


def say(output, text):
    """Prints a line."""
    print(text, file=output or sys.stdout)
