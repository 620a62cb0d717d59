// A muscle fibre in series with an elastic tendon, at a pennation angle (docs/how/musculotendon.md; Millard et al.
// 2013).
//
//   n  fibre length in optimal fibre lengths l0       v  its rate in vmax l0 per second       a  activation
//   n sin(alpha) = w constant,  n cos(alpha) = p      tendon: t = (L - l0 p) / ls, force F0 k fSE(t)
//
//   balance along the tendon:   (a fL(n) fV(v) + k fP(n) + b v) cos(alpha) = k fSE(t)                            (1)
//
// k scales passive and tendon forces, b is the damping of the fibre. The residual of (1) grows with v, so that the root
// is unique and found by a safeguarded Newton method.
#ifndef SINEW_FORCE_MUSCULOTENDON_KERNEL_H_
#define SINEW_FORCE_MUSCULOTENDON_KERNEL_H_

#include "force/muscle_curve_kernel.h"
#include "math/monotone_root.h"
#include "math/scalar.h"

namespace sinew {

// Below, the fibre counts as undamped: then activation and curves are bounded from below instead.
inline constexpr double kMinFiberDamping = 1e-3;

inline namespace SINEW_ISA {

template <class S>
struct Musculotendon {
  S F0, l0, ls, w;  // peak force [N], optimal fibre length [m], slack length of the tendon [m], sin of the pennation
  S vmax, damping, stiffness;
  bool rigid;
  const double* curves;  // kCurveSetNumbers
};

template <class S>
CurvePoint<S> Evaluate(const Musculotendon<S>& muscle, MuscleCurve curve, S x) {
  return EvaluateCurve(muscle.curves + curve * kCurveNumbers, x);
}

// Where the fibre is not shortened further: the lower end of the active curve, or a pennation angle of arccos 0.1.
template <class S>
S ShortestFiber(const Musculotendon<S>& muscle) {
  constexpr double kSineOfLargestAngle = 0.99498743710662;
  return Max(S(muscle.curves[kActiveLength * kCurveNumbers]), muscle.w / S(kSineOfLargestAngle));
}

// ---- geometry

// p and cos(alpha) of a fibre that is not shorter than the shortest one.
template <class S>
struct FiberGeometry {
  S p, cosine;
};
template <class S>
FiberGeometry<S> GeometryOf(const Musculotendon<S>& muscle, S n) {
  constexpr double kLeastCosine = 0.1;
  const S p = Sqrt(Max(n * n - muscle.w * muscle.w, S(kLeastCosine * kLeastCosine) * n * n));
  return {p, p / n};
}

// Length of the tendon in slack lengths.
template <class S>
S TendonStretch(const Musculotendon<S>& muscle, S p, S length) {
  return (length - muscle.l0 * p) / muscle.ls;
}

// ---- the fibre's balance

// What (1) needs to know besides v.
template <class S>
struct FiberLoad {
  S active;  // a fL(n)
  S pull;    // k fSE / cos(alpha) - k fP(n)
};
template <class S>
FiberLoad<S> LoadOf(const Musculotendon<S>& muscle, S n, S a, S length) {
  const FiberGeometry<S> g = GeometryOf(muscle, n);
  const S tendon = Evaluate(muscle, kTendonForce, TendonStretch(muscle, g.p, length)).value;
  const S passive = Evaluate(muscle, kPassiveLength, n).value;
  return {a * Evaluate(muscle, kActiveLength, n).value, muscle.stiffness * (tendon / g.cosine - passive)};
}

// Bounds of v in a balance of `pull` between active force and damping: the active force is zero below v = -1, and does
// not push above.
template <class S>
struct Bounds {
  S low, high;
};
template <class S>
Bounds<S> VelocityBounds(const Musculotendon<S>& muscle, S least_pull, S largest_pull) {
  constexpr double kFastest = 1e4;
  const auto undamped = muscle.damping < S(kMinFiberDamping);
  const S damping = Select(undamped, S(1), muscle.damping);
  const S low = Max(S(-kFastest), Min(S(-1), least_pull / damping - S(1)));
  const S high = Min(S(kFastest), Max(S(1), largest_pull / damping + S(1)));
  return {Select(undamped, S(-kFastest), low), Select(undamped, S(kFastest), high)};
}

// Where Newton's method starts: the root with Hyfydy's curves, for which (1) is quadratic in v on each branch.
template <class S>
S VelocityGuess(const Musculotendon<S>& muscle, const FiberLoad<S>& load) {
  const S beta = Max(muscle.damping, S(kMinFiberDamping)), A = Max(load.active, S(kMinFiberDamping)), P = load.pull;
  const S b1 = S(0.227) * (A + beta) + P, b2 = S(1.6) * A + S(0.11) * beta - P;
  const S shortening = (b1 - Sqrt(Max(S(0), b1 * b1 + S(0.908) * beta * (A - P)))) / (S(2) * beta);
  const S lengthening = (Sqrt(Max(S(0), b2 * b2 + S(0.44) * beta * (P - A))) - b2) / (S(2) * beta);
  return Select(P <= -beta, P / beta, Select(P < A, shortening, lengthening));
}

// v of (1) at a given length: the rate of the fibre as an ordinary differential equation. A fibre at its shortest does
// not shorten.
template <class S>
S FiberVelocity(const Musculotendon<S>& muscle, S n, S a, S length) {
  constexpr double kTolerance = 1e-12;  // of forces in F0
  const S shortest = ShortestFiber(muscle), inside = Max(n, shortest);
  const FiberLoad<S> load = LoadOf(muscle, inside, a, length);
  const auto residual = [&](S v) -> CurvePoint<S> {
    const CurvePoint<S> fV = Evaluate(muscle, kForceVelocity, v);
    return {load.active * fV.value + muscle.damping * v - load.pull, load.active * fV.slope + muscle.damping};
  };
  const Bounds<S> bounds = VelocityBounds(muscle, load.pull, load.pull);
  const S v = MonotoneRoot<S>(residual, bounds.low, bounds.high, VelocityGuess(muscle, load), kTolerance);
  return Select((n < shortest) | ((n <= shortest) & (v <= S(0))), S(0), v);
}

// The fibre after an implicit (backward) Euler step of h seconds, at the end of which the path has a given length:
// n' = n + h vmax v with (1) at n'. Stable at any h, where an explicit step diverges beyond 2 over the fibre's rate,
// thousands per second.
template <class S>
struct FiberStep {
  S n;             // at the end of the step
  S force, slope;  // of the tendon there, and its derivative by the length of the path
};

template <class S>
FiberStep<S> StepFiber(const Musculotendon<S>& muscle, S n, S a, S length, S h, S start) {
  constexpr double kTolerance = 1e-11;
  const S shortest = ShortestFiber(muscle), first = Max(n, shortest), k = muscle.stiffness;
  struct End {
    S n, cosine, D;  // D = dn/dv
    CurvePoint<S> tendon;
  };
  const auto end_at = [&](S v) -> End {
    const S moved = first + h * muscle.vmax * v, clamped = Max(moved, shortest);
    const FiberGeometry<S> g = GeometryOf(muscle, clamped);
    return {clamped, g.cosine, Select(moved > shortest, h * muscle.vmax, S(0)),
            Evaluate(muscle, kTendonForce, TendonStretch(muscle, g.p, length))};
  };
  const auto residual = [&](S v) -> CurvePoint<S> {
    const End e = end_at(v);
    const CurvePoint<S> fL = Evaluate(muscle, kActiveLength, e.n), fP = Evaluate(muscle, kPassiveLength, e.n);
    const CurvePoint<S> fV = Evaluate(muscle, kForceVelocity, v);
    const S ratio = muscle.w / e.n, secant = S(1) / e.cosine;
    // d(fSE / cos)/dn: the tendon shortens by l0 / cos, and the angle grows flatter
    const S tendon_slope = e.tendon.slope * (muscle.l0 / muscle.ls) * secant * secant +
                           e.tendon.value * ratio * ratio * secant * secant * secant / e.n;
    const S length_slope = a * fL.slope * fV.value + k * (fP.slope + tendon_slope);
    return {a * fL.value * fV.value + k * (fP.value - e.tendon.value * secant) + muscle.damping * v,
            a * fL.value * fV.slope + muscle.damping + e.D * length_slope};
  };
  // at the bounds the tendon pulls no more than at the start, and the fibre pushes no more than passively
  const FiberLoad<S> load = LoadOf(muscle, first, a, length);
  const S passive = k * Evaluate(muscle, kPassiveLength, first).value;
  const Bounds<S> bounds = VelocityBounds(muscle, -passive, load.pull + passive);
  const S v = MonotoneRoot<S>(residual, bounds.low, bounds.high, start, kTolerance);

  const End e = end_at(v);
  // by the implicit function theorem: dv/dL = k fSE' / (ls cos) / (d residual / dv)
  const S stiffness = k * e.tendon.slope / muscle.ls;
  const S rate = stiffness / e.cosine / residual(v).slope;
  return {e.n, muscle.F0 * k * e.tendon.value, muscle.F0 * stiffness * (S(1) - muscle.l0 / e.cosine * e.D * rate)};
}

// The fibre at rest: (1) with v = 0, where the fibre is between its shortest and a slack tendon.
template <class S>
S RestingFiber(const Musculotendon<S>& muscle, S a, S length) {
  constexpr double kTolerance = 1e-12, kStartStretch = 1.01;
  const S shortest = ShortestFiber(muscle), k = muscle.stiffness;
  const auto fiber_at = [&](S stretch) {
    const S p = Max(S(0), (length - stretch * muscle.ls) / muscle.l0);
    return Max(shortest, Sqrt(p * p + muscle.w * muscle.w));
  };
  const auto residual = [&](S n) -> CurvePoint<S> {
    const FiberGeometry<S> g = GeometryOf(muscle, n);
    const CurvePoint<S> fL = Evaluate(muscle, kActiveLength, n), fP = Evaluate(muscle, kPassiveLength, n);
    const CurvePoint<S> fSE = Evaluate(muscle, kTendonForce, TendonStretch(muscle, g.p, length));
    return {a * fL.value + k * (fP.value - fSE.value / g.cosine),
            a * fL.slope + k * (fP.slope + fSE.slope * (muscle.l0 / muscle.ls) / (g.cosine * g.cosine))};
  };
  return MonotoneRoot<S>(residual, shortest, fiber_at(S(1)), fiber_at(S(kStartStretch)), kTolerance);
}

template <class S>
S TendonForce(const Musculotendon<S>& muscle, S n, S length) {
  const S p = GeometryOf(muscle, Max(n, ShortestFiber(muscle))).p;
  return muscle.F0 * muscle.stiffness * Evaluate(muscle, kTendonForce, TendonStretch(muscle, p, length)).value;
}

// ---- rigid tendon

// Fibre of a tendon that does not stretch, and the force along the tendon, which does not push, with its derivative by
// the velocity of the path. A slack tendon leaves the fibre at its shortest, at rest.
template <class S>
struct RigidFiber {
  S n, v;
  S force, slope;
};

template <class S>
RigidFiber<S> FiberOnRigidTendon(const Musculotendon<S>& muscle, S a, S length, S velocity) {
  const S shortest = ShortestFiber(muscle), p = (length - muscle.ls) / muscle.l0;
  const S free = Sqrt(Max(S(0), p) * Max(S(0), p) + muscle.w * muscle.w);
  const auto slack = (p <= S(0)) | (free < shortest);
  const S n = Max(free, shortest);
  const S cosine = GeometryOf(muscle, n).cosine, unit = S(1) / (muscle.l0 * muscle.vmax);
  const S v = Select(slack, S(0), velocity * cosine * unit);
  const CurvePoint<S> fV = Evaluate(muscle, kForceVelocity, v);
  const S active = a * Evaluate(muscle, kActiveLength, n).value;
  const S passive = muscle.stiffness * Evaluate(muscle, kPassiveLength, n).value;
  const S force = active * fV.value + passive + muscle.damping * v;
  const S slope = (active * fV.slope + muscle.damping) * cosine * cosine * unit;
  return {n, v, muscle.F0 * Max(S(0), force) * cosine, Select(slack | (force <= S(0)), S(0), muscle.F0 * slope)};
}

// ---- activation

// Hyfydy's law: (u - a) (u / tau_act + (1 - u) / tau_deact).
template <class S, class Row>
S HyfydyActivationRate(S control, S act, const Row& prm) {
  const S u = Clamp(control, S(0), S(1));
  return (u - act) * (u / Max(S(kMinVal), prm[0]) + (S(1) - u) / Max(S(kMinVal), prm[1]));
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_FORCE_MUSCULOTENDON_KERNEL_H_
