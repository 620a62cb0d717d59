// A rod of length rho connects the crank, a site, with a pin that slides on the z axis a of another site. With the
// crank at d from the slider's origin, the pin stands at
//
//   l = a.d - sqrt(D),   D = (a.d)^2 + rho^2 - d.d,
//
// or at a.d while the rod is too short to reach the axis.
#ifndef SINEW_KINEMATICS_SLIDER_CRANK_KERNEL_H_
#define SINEW_KINEMATICS_SLIDER_CRANK_KERNEL_H_

#include "math/vec3.h"

namespace sinew::inline kinematics {
inline namespace SINEW_ISA {

template <class S>
struct SliderCrank {
  S length;
  Vec3<S> gradient_d, gradient_a;
};

template <class S>
SliderCrank<S> SolveSliderCrank(const Vec3<S>& a, const Vec3<S>& d, S rod) {
  const S along = Dot(a, d), D = along * along + rod * rod - Dot(d, d);
  if (!(D > S(0))) return {along, a, d};
  const S root = Sqrt(D), factor = S(1) - along / root;
  return {along - root, a * factor + d * (S(1) / root), d * factor};
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_SLIDER_CRANK_KERNEL_H_
