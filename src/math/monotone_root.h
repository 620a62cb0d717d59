// The root of an increasing function between two places: Newton's method, kept inside by bisection.
#ifndef SINEW_MATH_MONOTONE_ROOT_H_
#define SINEW_MATH_MONOTONE_ROOT_H_

#include "simd/pack.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

// function(x) returns {value, slope}; it must not be positive at `low` and not be negative at `high`. Ends when the
// value is within `tolerance`, or after a step of at most `last_step`: Newton's steps square the error, so that the
// function need not be asked again. `has_corner`: where the slope falls fast, Newton's steps may go to and fro over the
// root for long; after some every other step is one of bisection, after which the search does not end.
template <class S, class Function>
S MonotoneRoot(Function function, S low, S high, S start, double tolerance, double last_step = 0,
               bool has_corner = false) {
  constexpr int kMaxIterations = 80;  // bisection alone takes that many from 1e8 to rounding
  constexpr int kNewtonIterations = 24;
  S x = Clamp(start, low, high);
  MaskOf<S> open = S(0) == S(0);  // lanes that have ended stay as they are
  for (int k = 0; k < kMaxIterations; ++k) {
    const auto f = function(x);
    open = open & (Abs(f.value) > S(tolerance));  // false for NaN: such a lane ends
    if (!Any(open)) break;
    low = Select(open & (f.value < S(0)), x, low);
    high = Select(open & (f.value > S(0)), x, high);
    const S newton = x - f.value / f.slope;  // of a slope of zero: infinite or NaN, outside
    const S middle = S(0.5) * (low + high);
    const bool halves = has_corner && k >= kNewtonIterations && k % 2 == 0;
    const S next = halves ? middle : Select((newton > low) & (newton < high), newton, middle);
    const MaskOf<S> moves = Abs(next - x) > S(last_step);
    x = Select(open, next, x);
    if (!halves) open = open & moves;
    if (!Any(open)) break;
  }
  return x;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_MONOTONE_ROOT_H_
