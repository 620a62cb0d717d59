// The values of sensors of a muscle with a tendon.
#ifndef SINEW_FORCE_FIBER_READING_KERNEL_H_
#define SINEW_FORCE_FIBER_READING_KERNEL_H_

#include "force/musculotendon_kernel.h"

namespace sinew::inline force {
inline namespace SINEW_ISA {

// A fibre in motion: its length and rate, the length that its force belongs to, its activation, and its path.
template <class S>
struct FiberPhase {
  S n, v, acting, a, length;
};

// Fibre length [m], velocity [m/s], force along the fibre [N], pennation [rad], strain of the tendon; and the two parts
// of the force [N], of which the passive one has the damping.
template <class S>
struct FiberReadingOf {
  S length, velocity, force, pennation, strain, active, passive;

  S Power() const { return -(force * velocity); }  // that the fibre delivers [W]
};

template <class S>
FiberReadingOf<S> ReadingAt(const Musculotendon<S>& muscle, const FiberPhase<S>& at) {
  const S scale = Evaluate(muscle, kForceVelocity, at.v).value;
  const S active = at.a * Evaluate(muscle, kActiveLength, at.acting).value * scale;
  const FiberCurves<S> curves = CurvesAt(muscle, at.acting, at.a);
  S passive = muscle.stiffness * curves.passive.value;
  if (muscle.scales_passive) passive += curves.load * scale - active;
  const FiberGeometry<S> g = GeometryOf(muscle, at.n);
  const S stretch = muscle.rigid ? S(1) : TendonStretch(muscle, g.p, at.length);
  return {at.n * muscle.l0,
          at.v * muscle.vmax * muscle.l0,
          muscle.F0 * (active + passive + muscle.damping * at.v),
          Acos(g.cosine),
          stretch - S(1),
          muscle.F0 * active,
          muscle.F0 * (passive + muscle.damping * at.v)};
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_FIBER_READING_KERNEL_H_
