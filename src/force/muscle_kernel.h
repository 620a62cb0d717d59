// A muscle with an inelastic tendon: Hill's model with curves in closed form (docs/how/actuation.md).
//
//   force = -F0 (act FL(L) FV(V) + FP(L))      negative: a muscle pulls
//
// L and V are length and velocity of the fibre in units of its optimum length L0 and of the largest shortening
// velocity.
#ifndef SINEW_FORCE_MUSCLE_KERNEL_H_
#define SINEW_FORCE_MUSCLE_KERNEL_H_

#include "math/scalar.h"
#include "math/vec3.h"
#include "simd/pack.h"

namespace sinew::inline force {
inline namespace SINEW_ISA {

// Parameters by name; the row of gainprm and biasprm is range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax.
template <class S>
struct Muscle {
  S shortest, longest;  // range of L over the length range of the actuator
  S peak;               // F0 [N]
  S lmin, lmax, vmax, fpmax, fvmax;
  S length_at_zero;  // actuator length at the lower end of its range
  S optimum;         // L0, in actuator length

  S Length(S length) const { return shortest + (length - length_at_zero) / AtLeastMinVal(optimum); }
  S Velocity(S velocity) const { return velocity / AtLeastMinVal(optimum * vmax); }

  static S AtLeastMinVal(S x) { return Max(S(kMinVal), x); }
};

// A negative peak force is derived from the acceleration that unit force causes at qpos0.
template <class S, class Range, class Row>
Muscle<S> MakeMuscle(const Range& lengthrange, S acc0, const Row& prm) {
  const S force = prm[2], scaled = prm[3] / Muscle<S>::AtLeastMinVal(acc0);
  const S first = lengthrange[0], last = lengthrange[1];
  Muscle<S> muscle;
  muscle.shortest = prm[0];
  muscle.longest = prm[1];
  muscle.peak = Select(force < S(0), scaled, force);
  muscle.lmin = prm[4];
  muscle.lmax = prm[5];
  muscle.vmax = prm[6];
  muscle.fpmax = prm[7];
  muscle.fvmax = prm[8];
  muscle.length_at_zero = first;
  muscle.optimum = (last - first) / Muscle<S>::AtLeastMinVal(muscle.longest - muscle.shortest);
  return muscle;
}

// FL: four parabolas through (lmin, 0), (a, 1/2), (1, 1), (b, 1/2), (lmax, 0), with a and b half way to 1.
template <class S>
S ActiveLengthCurve(S L, S lmin, S lmax) {
  const S a = (lmin + S(1)) * S(0.5), b = (S(1) + lmax) * S(0.5);
  const auto half_square = [](S numerator, S denominator) {
    const S x = numerator / Muscle<S>::AtLeastMinVal(denominator);
    return S(0.5) * x * x;
  };
  const S rising = half_square(L - lmin, a - lmin), below = S(1) - half_square(S(1) - L, S(1) - a);
  const S above = S(1) - half_square(L - S(1), b - S(1)), falling = half_square(lmax - L, lmax - b);
  const S inside = Select(L <= a, rising, Select(L <= S(1), below, Select(L <= b, above, falling)));
  return Select(L < lmin, S(0), Select(L > lmax, S(0), inside));
}

// FV and its derivative: zero at V = -1 (fastest shortening), one at rest, fvmax from V = fvmax - 1 on.
template <class S>
struct VelocityCurve {
  S value, slope;
};
template <class S>
VelocityCurve<S> ForceVelocityCurve(S V, S fvmax) {
  const S y = fvmax - S(1), excess = (y - V) / Muscle<S>::AtLeastMinVal(y);
  const S value = Select(V <= S(0), (V + S(1)) * (V + S(1)), fvmax - excess * (y - V));
  const S slope = Select(V <= S(0), S(2) * V + S(2), S(2) * excess);
  const auto fast = V <= S(-1), saturated = V > y;
  return {Select(fast, S(0), Select(saturated & (V > S(0)), fvmax, value)),
          Select(fast | (saturated & (V > S(0))), S(0), slope)};
}

// FP: zero up to L = 1, a parabola up to b, then a straight line; fpmax at lmax.
template <class S>
S PassiveLengthCurve(S L, S lmax, S fpmax) {
  const S b = (S(1) + lmax) * S(0.5), x = (L - S(1)) / Muscle<S>::AtLeastMinVal(b - S(1));
  const S beyond = S(0.5) + (L - b) / Muscle<S>::AtLeastMinVal(b - S(1));
  return Select(L <= S(1), S(0), fpmax * Select(L <= b, S(0.5) * x * x, beyond));
}

// Active force at full activation, and its derivative with respect to velocity.
template <class S>
S MuscleGain(const Muscle<S>& muscle, S length, S velocity) {
  const S FL = ActiveLengthCurve(muscle.Length(length), muscle.lmin, muscle.lmax);
  return -muscle.peak * FL * ForceVelocityCurve(muscle.Velocity(velocity), muscle.fvmax).value;
}
template <class S>
S MuscleGainSlope(const Muscle<S>& muscle, S length, S velocity) {
  const S FL = ActiveLengthCurve(muscle.Length(length), muscle.lmin, muscle.lmax);
  return -muscle.peak * FL * muscle.Velocity(ForceVelocityCurve(muscle.Velocity(velocity), muscle.fvmax).slope);
}

template <class S>
S MuscleBias(const Muscle<S>& muscle, S length) {
  return -muscle.peak * PassiveLengthCurve(muscle.Length(length), muscle.lmax, muscle.fpmax);
}

// Rate of activation: first order towards the control, slower the more active the muscle is while it activates, and
// faster while it deactivates (Millard et al. 2013). prm: time constants of activation and deactivation, width of a
// smooth transition between them.
template <class S, class Row>
S MuscleActivationRate(S control, S act, const Row& prm) {
  const S width = prm[2], error = Clamp(control, S(0), S(1)) - act;
  const S level = S(0.5) + S(1.5) * Clamp(act, S(0), S(1));
  const S activation = prm[0] * level, deactivation = prm[1] / level;
  const S blend = SmoothStep(error / Max(S(kMinVal), width) + S(0.5));
  const S smooth = deactivation + (activation - deactivation) * blend;
  const S hard = Select(error > S(0), activation, deactivation);
  return error / Max(S(kMinVal), Select(width < S(kMinVal), hard, smooth));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_MUSCLE_KERNEL_H_
