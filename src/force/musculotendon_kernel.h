// A muscle fibre in series with an elastic tendon, at a pennation angle (docs/how/musculotendon.md; Millard et al.
// 2013).
//
//   n  fibre length in optimal fibre lengths l0       v  its rate in vmax l0 per second       a  activation
//      (for Thelen's curves vmax is that of the activation, AtActivation)
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

namespace sinew::inline force {

// Below, the fibre counts as undamped: then activation and curves are bounded from below instead.
inline constexpr double kMinFiberDamping = 1e-3;

inline namespace SINEW_ISA {

template <class S>
struct Musculotendon {
  S F0, l0, ls, w;  // peak force [N], optimal fibre length [m], slack length of the tendon [m], sin of the pennation
  S vmax, damping, stiffness;
  bool rigid;
  const double* curves;  // kCurveSetNumbers
  S inverse_ls;
  S slowing{0};                 // by which a muscle at rest is slower than one at full activation
  bool scales_passive = false;  // fV scales the passive force of a long fibre too (Geyer and Herr 2010)
};

// A muscle of Thelen (2003), whose largest velocity grows with its activation; others stay as they are, bit for bit.
template <class S>
Musculotendon<S> AtActivation(Musculotendon<S> muscle, S a) {
  muscle.vmax = muscle.vmax * (S(1) - muscle.slowing * (S(1) - a));
  return muscle;
}

template <class S>
CurvePoint<S> Evaluate(const Musculotendon<S>& muscle, MuscleCurve curve, S x) {
  return EvaluateCurve(muscle.curves + curve * kCurveNumbers, x);
}

// What the active and the passive curve have in (1): the load that fV scales, and the force fP beside it, both with
// their slopes by n.
template <class S>
struct FiberCurves {
  S load, load_slope;
  CurvePoint<S> passive;
};
template <class S>
FiberCurves<S> CurvesAt(const Musculotendon<S>& muscle, S n, S a) {
  const CurvePoint<S> fL = Evaluate(muscle, kActiveLength, n);
  FiberCurves<S> at = {a * fL.value, a * fL.slope, Evaluate(muscle, kPassiveLength, n)};
  if (!muscle.scales_passive) return at;
  const auto pulls = at.passive.value > S(0);
  at.load += Select(pulls, muscle.stiffness * at.passive.value, S(0));
  at.load_slope += Select(pulls, muscle.stiffness * at.passive.slope, S(0));
  at.passive = {Select(pulls, S(0), at.passive.value), Select(pulls, S(0), at.passive.slope)};
  return at;
}

// Where the fibre is not shortened further: the lower end of the active curve, or a pennation angle of arccos 0.1.
// Never zero, whatever a program has written into a curve: the angle of such a fibre is not a number.
template <class S>
S ShortestFiber(const Musculotendon<S>& muscle) {
  constexpr double kSineOfLargestAngle = 0.99498743710662, kLeast = 0.01;
  const S lower_end(muscle.curves[kActiveLength * kCurveNumbers + kFirstSegment]);
  return Max(Max(S(kLeast), lower_end), muscle.w / S(kSineOfLargestAngle));
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
  return (length - muscle.l0 * p) * muscle.inverse_ls;
}

// ---- the fibre's balance

// The terms of (1) beside v.
template <class S>
struct FiberLoad {
  S active;  // a fL(n): what fV scales
  S pull;    // k fSE / cos(alpha) - k fP(n)
  S tendon;  // fSE
};
template <class S>
FiberLoad<S> LoadOf(const Musculotendon<S>& muscle, S n, S a, S length) {
  const FiberGeometry<S> g = GeometryOf(muscle, n);
  const S tendon = Evaluate(muscle, kTendonForce, TendonStretch(muscle, g.p, length)).value;
  const FiberCurves<S> curves = CurvesAt(muscle, n, a);
  return {curves.load, muscle.stiffness * (tendon / g.cosine - curves.passive.value), tendon};
}

// No fibre is faster, in vmax l0 per second: bounds of the search for v.
inline constexpr double kFastestFiber = 1e4;
// A step of Newton's method that is as short leaves an error of 1e-11: fV'' / 2 fV' is below 1e3.
inline constexpr double kLastStep = 1e-7;
// In a step of a method of low order, 1e-9 are far below its own error.
inline constexpr double kLastStepOfStep = 1e-6;

// Where Newton's method starts: the root with Hyfydy's curves, for which (1) is quadratic in v on each branch.
template <class S>
S VelocityGuess(S damping, const FiberLoad<S>& load) {
  const S beta = Max(damping, S(kMinFiberDamping)), A = Max(load.active, S(kMinFiberDamping)), P = load.pull;
  const S scale = S(1) / beta;
  const auto shortens = P < A;
  // v = -+ (b - sqrt(b^2 + 4 beta c |A - P|)) / (2 beta) with b and c of the branch
  const S c = Select(shortens, S(0.227), S(0.11));
  const S b = Select(shortens, S(0.227) * (A + beta) + P, S(1.6) * A + S(0.11) * beta - P);
  const S size = S(0.5) * scale * (Sqrt(Max(S(0), b * b + S(4) * c * beta * Abs(A - P))) - b);
  return Select(P <= -beta, P * scale, Select(shortens, -size, size));
}

// v of (1) at a given length, and the tendon's force [N]: the rate of the fibre as an ordinary differential equation. A
// fibre at its shortest does not shorten.
template <class S>
struct FiberMotion {
  S v, force;
};

template <class S>
FiberMotion<S> MotionOfFiber(const Musculotendon<S>& muscle, S n, S a, S length) {
  constexpr double kTolerance = 1e-12;  // of forces in F0
  const S shortest = ShortestFiber(muscle), inside = Max(n, shortest);
  const FiberLoad<S> load = LoadOf(muscle, inside, a, length);
  const auto residual = [&](S v) -> CurvePoint<S> {
    const CurvePoint<S> fV = Evaluate(muscle, kForceVelocity, v);
    return {load.active * fV.value + muscle.damping * v - load.pull, load.active * fV.slope + muscle.damping};
  };
  const S guess = VelocityGuess(muscle.damping, load);
  const S v = MonotoneRoot<S>(residual, S(-kFastestFiber), S(kFastestFiber), guess, kTolerance, kLastStep,
                              muscle.scales_passive);
  const auto stays = (n < shortest) | ((n <= shortest) & (v <= S(0)));
  return {Select(stays, S(0), v), muscle.F0 * muscle.stiffness * load.tendon};
}

// The fibre after an implicit (backward) Euler step of h seconds, at the end of which the path has a given length:
// n' = n + h vmax v with (1) at n'. Stable at any h, where an explicit step diverges beyond 2 over the fibre's rate,
// thousands per second.
//
// Force at the end of the step, and its derivative by the length of the path:
template <class S>
struct SteppedForce {
  S force, slope;
};

// The end of a step with velocity v.
template <class S>
struct FiberEnd {
  S n, D;               // D = dn/dv
  S inverse_p, secant;  // 1 / p and 1 / cos(alpha)
  CurvePoint<S> tendon;
  S residual, residual_slope;  // of (1), by v
  S by_fiber, by_path;         // slopes of the residual by n, and by -length
};

template <class S>
FiberEnd<S> EndOfStep(const Musculotendon<S>& muscle, S first, S shortest, S a, S length, S h, S v) {
  const S rate = h * muscle.vmax, moved = first + rate * v, k = muscle.stiffness;
  FiberEnd<S> e;
  e.n = Max(moved, shortest);
  e.D = Select(moved > shortest, rate, S(0));
  const S p = GeometryOf(muscle, e.n).p;
  e.inverse_p = S(1) / p;
  e.secant = e.n * e.inverse_p;
  e.tendon = Evaluate(muscle, kTendonForce, TendonStretch(muscle, p, length));
  const FiberCurves<S> curves = CurvesAt(muscle, e.n, a);
  const CurvePoint<S> fP = curves.passive, fV = Evaluate(muscle, kForceVelocity, v);
  // d(fSE / cos)/dn: the tendon shortens by l0 / cos, and the angle grows flatter
  const S tendon_slope = e.tendon.slope * (muscle.l0 * muscle.inverse_ls) * e.secant * e.secant +
                         e.tendon.value * muscle.w * muscle.w * e.inverse_p * e.inverse_p * e.inverse_p;
  const S length_slope = curves.load_slope * fV.value + k * (fP.slope + tendon_slope);
  e.by_fiber = length_slope;
  e.by_path = k * e.tendon.slope * muscle.inverse_ls * e.secant;
  e.residual = curves.load * fV.value + k * (fP.value - e.tendon.value * e.secant) + muscle.damping * v;
  e.residual_slope = curves.load * fV.slope + muscle.damping + e.D * length_slope;
  return e;
}

// The tendon's force at the end of a step of velocity v, which solves (1).
template <class S>
SteppedForce<S> ForceOfStep(const Musculotendon<S>& muscle, S n, S a, S length, S h, S v) {
  const S shortest = ShortestFiber(muscle);
  const FiberEnd<S> e = EndOfStep(muscle, Max(n, shortest), shortest, a, length, h, v);
  // by the implicit function theorem: dv/dL = k fSE' / (ls cos) / (d residual / dv)
  const S stiffness = muscle.stiffness * e.tendon.slope * muscle.inverse_ls;
  const S rate = stiffness * e.secant / e.residual_slope;
  const S force = muscle.F0 * muscle.stiffness * e.tendon.value;
  return {force, muscle.F0 * stiffness * (S(1) - muscle.l0 * e.secant * e.D * rate)};
}

// Where the search for v of a step may begin: tendon and passive fibre are straight lines over the step, which adds
// their stiffness to the damping of the fibre. One step of Newton's method leads from Hyfydy's fV to that of the fibre.
template <class S>
S StepGuess(const Musculotendon<S>& muscle, S n, S a, S length, S h) {
  const S inside = Max(n, ShortestFiber(muscle)), k = muscle.stiffness;
  const FiberGeometry<S> g = GeometryOf(muscle, inside);
  const CurvePoint<S> tendon = Evaluate(muscle, kTendonForce, TendonStretch(muscle, g.p, length));
  const FiberCurves<S> curves = CurvesAt(muscle, inside, a);
  const CurvePoint<S> fP = curves.passive;
  const S secant = inside / g.p;
  const S slope = k * (tendon.slope * (muscle.l0 * muscle.inverse_ls) * secant * secant + fP.slope);
  const S damping = muscle.damping + h * muscle.vmax * slope;
  const FiberLoad<S> load = {curves.load, k * (tendon.value * secant - fP.value), tendon.value};
  const S v = VelocityGuess(damping, load);
  const CurvePoint<S> fV = Evaluate(muscle, kForceVelocity, v);
  return v - (load.active * fV.value + damping * v - load.pull) / (load.active * fV.slope + damping);
}

// v of the step. `start`: where the search begins.
template <class S>
S SteppedVelocity(const Musculotendon<S>& muscle, S n, S a, S length, S h, S start) {
  constexpr double kTolerance = 1e-11;
  const S shortest = ShortestFiber(muscle), first = Max(n, shortest);
  const auto residual = [&](S v) -> CurvePoint<S> {
    const FiberEnd<S> e = EndOfStep(muscle, first, shortest, a, length, h, v);
    return {e.residual, e.residual_slope};
  };
  return MonotoneRoot<S>(residual, S(-kFastestFiber), S(kFastestFiber), start, kTolerance, kLastStepOfStep,
                         muscle.scales_passive);
}

// A step of second order over h seconds, in which the path goes from one length to another:
//
//   n' = n + h vmax ((1 - s) v + s v'),   s = (z + 3) / (z + 6),   z = h lambda
//
// v solves (1) at the start, v' at the end, and lambda >= 0 is the rate at which n decays at the start, -vmax dv/dn by
// (1). A fibre that decays at this rate is multiplied by R(z) = (6 - 2 z) / (6 + 4 z + z^2), the Pade approximant of
// e^-z of degrees 1 and 2: its error is of order 4 for short steps, and it goes to 0 for long ones, as that of backward
// Euler, s = 1 (W. Liniger, R. A. Willoughby 1970, exponentially fitted methods). It is solved as a step of backward
// Euler from `base` over `h`, beginning at `start`, where (1) is linear.
template <class S>
struct FittedStep {
  S base, h, start;
};

template <class S>
struct PathLengths {
  S before, after;
};

template <class S>
FittedStep<S> FitStep(const Musculotendon<S>& muscle, S n, S a, S v, const PathLengths<S>& path, S h) {
  const S shortest = ShortestFiber(muscle), first = Max(n, shortest);
  const FiberEnd<S> e = EndOfStep(muscle, first, shortest, a, path.before, S(0), v);
  const S damping = Max(e.residual_slope, S(kMinVal)), stiffness = Max(S(0), e.by_fiber);
  const S decay = muscle.vmax * stiffness / damping;
  const S z = h * decay, share = (z + S(3)) / (z + S(6)), rate = h * muscle.vmax;
  const S pull = e.by_path * (path.after - path.before) - e.residual - stiffness * rate * v;
  return {first + (S(1) - share) * rate * v, share * h, v + pull / (damping + stiffness * share * rate)};
}

// n after a step of velocity v.
template <class S>
S SteppedFiber(const Musculotendon<S>& muscle, S n, S h, S v) {
  const S shortest = ShortestFiber(muscle);
  return Max(Max(n, shortest) + h * muscle.vmax * v, shortest);
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
    const FiberCurves<S> curves = CurvesAt(muscle, n, a);
    const CurvePoint<S> fP = curves.passive;
    const CurvePoint<S> fSE = Evaluate(muscle, kTendonForce, TendonStretch(muscle, g.p, length));
    return {curves.load + k * (fP.value - fSE.value / g.cosine),
            curves.load_slope + k * (fP.slope + fSE.slope * (muscle.l0 * muscle.inverse_ls) / (g.cosine * g.cosine))};
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
  const FiberCurves<S> curves = CurvesAt(muscle, n, a);
  const S passive = muscle.stiffness * curves.passive.value;
  const S force = curves.load * fV.value + passive + muscle.damping * v;
  const S slope = (curves.load * fV.slope + muscle.damping) * cosine * cosine * unit;
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
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_MUSCULOTENDON_KERNEL_H_
