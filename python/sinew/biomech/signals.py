"""Filters and derivatives of measured signals, along the first axis of an array."""

import numpy as _np
import numpy.typing as _typing

from sinew.biomech.tables import Array


class Spline:
    """The natural spline of fifth degree through values at ascending times: with the smallest square of its third derivative.

    `times`: n, in s; `values`: n x anything. With less than three values it is the polynomial through them. Its Hermite form
    has slopes and curvatures at the times, for which the third and fourth derivatives are continuous: a block
    tridiagonal system. Beyond the ends it goes on as the last piece.

    de Boor, A Practical Guide to Splines, 1978; Woltring, Adv. Eng. Software 8, 1986 (with no smoothing).
    """

    def __init__(self, times: _typing.ArrayLike, values: _typing.ArrayLike) -> None:
        self.times, self.values = _np.asarray(times, float), _np.asarray(values, float)
        if len(self.times) != len(self.values) or len(self.times) == 0:
            raise ValueError(f"a spline has {len(self.times)} times and {len(self.values)} values")
        if not (_np.diff(self.times) > 0).all():
            raise ValueError("times of a spline must ascend")
        flat = self.values.reshape(len(self.times), -1)
        if len(self.times) < 3:
            slopes = _np.zeros_like(flat) if len(flat) == 1 else _np.tile((flat[1] - flat[0]) / (self.times[1] - self.times[0]), (2, 1))
            unknown = _np.stack([slopes, _np.zeros_like(flat)], axis=1)
        else:
            unknown = _derivatives(self.times, flat)
        self.slopes = unknown[:, 0].reshape(self.values.shape)
        self.curvatures = unknown[:, 1].reshape(self.values.shape)

    def __call__(self, times: _typing.ArrayLike, derivative: int = 0) -> Array:
        """Values at other times, or the first or second derivative there."""
        times = _np.asarray(times, float)
        if len(self.times) == 1:
            same = self.values[0] if derivative == 0 else 0 * self.values[0]
            return _np.array(_np.broadcast_to(same, (len(times), *self.values.shape[1:])))
        i = _np.clip(_np.searchsorted(self.times, times, side="right") - 1, 0, len(self.times) - 2)
        width = self.times[i + 1] - self.times[i]
        weights = _hermite((times - self.times[i]) / width, derivative) / width**derivative
        weights = weights * _np.stack([width**0, width, width**2] * 2)
        parts = (self.values[i], self.slopes[i], self.curvatures[i], self.values[i + 1], self.slopes[i + 1], self.curvatures[i + 1])
        shape = (len(times),) + (1,) * (self.values.ndim - 1)
        return _np.asarray(sum(w.reshape(shape) * part for w, part in zip(weights, parts)))


# Coefficients, constant first, of the polynomials on 0..1 that have one of value, slope, curvature at the left end, then at
# the right end, equal to one and the others zero.
_HERMITE = _np.array([
    [1, 0, 0, -10, 15, -6], [0, 1, 0, -6, 8, -3], [0, 0, 0.5, -1.5, 1.5, -0.5],
    [0, 0, 0, 10, -15, 6], [0, 0, 0, -4, 7, -3], [0, 0, 0, 0.5, -1, 0.5],
])  # fmt: skip


def _hermite(x: Array, derivative: int) -> Array:
    """The six polynomials, or their derivatives, at x: 6 x len(x)."""
    coefficients = _HERMITE
    for _ in range(derivative):
        coefficients = coefficients[:, 1:] * _np.arange(1, coefficients.shape[1])
    return _np.asarray(coefficients @ _np.vander(x, coefficients.shape[1], increasing=True).T)


def _derivatives(times: Array, values: Array) -> Array:
    """Slopes and curvatures at the times, n x 2 x columns, of the natural spline."""
    n, columns = values.shape
    h = _np.diff(times)
    # Third and fourth derivatives at both ends of a piece by (value, slope, curvature) left and right.
    ends = _np.stack([[_hermite(_np.array([x]), d)[:, 0] for d in (3, 4)] for x in (0.0, 1.0)])  # end x derivative x 6
    powers = _np.stack([h**0, h, h**2] * 2, axis=1)
    scaled = ends[:, None] * powers[:, None, :] / _np.stack([h**3, h**4], axis=1)[None, :, :, None]  # end x piece x derivative x 6
    lower, middle, upper = (_np.zeros((n, 2, 2)) for _ in range(3))
    right = _np.zeros((n, 2, columns))
    both = _np.stack([values[:-1], values[1:]], axis=1)
    known = scaled[..., [0, 3]] @ both[None]
    # The end of the piece before minus the start of the piece behind is zero, and each is zero at the ends.
    lower[1:], middle[1:] = scaled[1][..., 1:3], scaled[1][..., 4:6]
    right[1:] -= known[1]
    middle[:-1] -= scaled[0][..., 1:3]
    upper[:-1] -= scaled[0][..., 4:6]
    right[:-1] += known[0]
    # Rows in units in which their numbers are of the order of one.
    typical = _np.r_[h, h[-1]]
    size = _np.stack([typical**2, typical**3], axis=1)[:, :, None]
    return solve_block_tridiagonal(lower * size, middle * size, upper * size, right * size)


def solve_block_tridiagonal(lower: Array, middle: Array, upper: Array, right: Array) -> Array:
    """Solves L[i] x[i-1] + D[i] x[i] + U[i] x[i+1] = r[i] for blocks, n x k x k and n x k x columns, by cyclic reduction: blocks
    with odd numbers are eliminated, and the others make a system of half the size."""
    n = len(middle)
    if n == 1:
        return _np.asarray(_np.linalg.solve(middle, right))
    inverse = _np.linalg.inv(middle[1::2])
    by_left, by_right, own = inverse @ lower[1::2], inverse @ upper[1::2], inverse @ right[1::2]
    odd, even = n // 2, (n + 1) // 2
    d, r = middle[::2].copy(), right[::2].copy()
    low, up = _np.zeros_like(d), _np.zeros_like(d)
    behind = even - 1  # even blocks with one in front of them
    d[1:] -= lower[2::2] @ by_right[:behind]
    low[1:] = -lower[2::2] @ by_left[:behind]
    r[1:] -= lower[2::2] @ own[:behind]
    d[:odd] -= upper[: 2 * odd : 2] @ by_left
    up[:odd] = -upper[: 2 * odd : 2] @ by_right
    r[:odd] -= upper[: 2 * odd : 2] @ own
    x = _np.empty_like(right)
    x[::2] = solve_block_tridiagonal(low, d, up, r)
    x[1::2] = own - by_left @ x[: 2 * odd : 2]
    followed = len(x[2::2])
    x[1::2][:followed] -= by_right[:followed] @ x[2::2]
    return x


def low_pass(times: _typing.ArrayLike, values: _typing.ArrayLike, cutoff: float) -> Array:
    """Values without frequencies above `cutoff` (Hz): a Butterworth filter of third order, forwards and backwards, so without a
    shift in time, as OpenSim's inverse dynamics has it. Before, half of the signal is put in front and behind, turned about
    its ends. The gain at the cutoff is 1/2. Times must be equally spaced, to a hundredth of a step.

    Raises ValueError: uneven times, a cutoff that is not between 0 and half of the rate.
    """
    _, filtered, inside = padded_low_pass(times, values, cutoff)
    return filtered[inside]


def padded_low_pass(times: _typing.ArrayLike, values: _typing.ArrayLike, cutoff: float) -> tuple[Array, Array, slice]:
    """As `low_pass`, with what was put in front and behind: times, values, and where the signal is among them. A spline
    through all of them does not notice where the signal ends."""
    times, values = _np.asarray(times, float), _np.asarray(values, float)
    if len(times) < 8:
        raise ValueError(f"{len(times)} frames are too few to filter; 8 are needed")
    step = (times[-1] - times[0]) / (len(times) - 1)
    if not (_np.abs(_np.diff(times) - step) < 0.02 * step).all():
        raise ValueError("frames are not equally spaced; resample them first, with Spline(times, values)(even_times)")
    if not 0 < cutoff < 0.5 / step:
        raise ValueError(f"the cutoff is {cutoff:g} Hz; it must be between 0 and half of the rate, {0.5 / step:g} Hz")
    pad = len(values) // 2
    longer = [_np.concatenate([2 * x[0] - x[pad:0:-1], x, 2 * x[-1] - x[-2 : -pad - 2 : -1]]) for x in (times, values)]
    filtered = _butterworth(_butterworth(longer[1], cutoff * step)[::-1], cutoff * step)[::-1]
    return longer[0], filtered, slice(pad, pad + len(values))


def _butterworth(values: Array, cutoff: float) -> Array:
    """One pass of a filter of third order; the cutoff is in cycles per frame. The first three values stay as they are."""
    w = _np.tan(_np.pi * cutoff)
    size = (w + 1) * (w * w + w + 1)
    taps = w**3 / size * _np.array([1.0, 3.0, 3.0, 1.0])
    back = _np.array([3 * w**3 + 2 * w**2 - 2 * w - 3, 3 * w**3 - 2 * w**2 - 2 * w + 3, (w - 1) * (w * w - w + 1)]) / size
    flat = values.reshape(len(values), -1)
    result = flat.copy()
    result[3:] = taps[0] * flat[3:] + taps[1] * flat[2:-1] + taps[2] * flat[1:-2] + taps[3] * flat[:-3]
    # The last three results are a state that is multiplied by a matrix from one to the next. Sums over 1, 2, 4, ... of them.
    state = _np.zeros((len(flat) - 2, 3, flat.shape[1]))
    state[0], state[1:, 0] = flat[2::-1], result[3:]
    power, reach = _np.array([-back, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), 1
    while reach < len(state) and _np.abs(power).max() > 1e-18:
        state[reach:] = state[reach:] + power @ state[:-reach]
        power, reach = power @ power, 2 * reach
    result[2:] = state[:, 0]
    return _np.asarray(result.reshape(values.shape))
