// Wrenches about the centre of mass of a tree, in world axes: those of forces and torques, and of a contact's rows.
#ifndef SINEW_CONSTRAINT_WRENCH_H_
#define SINEW_CONSTRAINT_WRENCH_H_

#include "math/spatial.h"
#include "math/vec3.h"
#include "simd/unroll.h"

namespace sinew::inline constraint {
inline namespace SINEW_ISA {

// A force that acts at `arm` from the reference point, and a torque.
template <class S>
Spatial<S> ForceAt(const Vec3<S>& arm, const Vec3<S>& force) {
  return {Cross(arm, force), force};
}
template <class S>
Spatial<S> Torque(const Vec3<S>& torque) {
  return {torque, Zero3<S>()};
}

// The axes of a contact's frame: the normal, pointing from the first geom to the second, and two tangents.
template <class S>
struct ContactAxes {
  Vec3<S> axis[3];

  // The wrench of direction k on a body: forces along the axes, then torques about them.
  Spatial<S> WrenchOf(int k, const Vec3<S>& arm) const {
    return k < 3 ? ForceAt(arm, axis[k % 3]) : Torque(axis[k % 3]);
  }
};

// The wrenches of a contact's rows on one body: those of the directions themselves, or the edges of the pyramid,
//   n +- friction_k u_k for each friction direction u_k.
// `sign` is +1 on the second body, -1 on the first. `friction`: the contact's coefficients.
template <int kRows, bool kPyramidal, class S>
void ContactWrenches(const ContactAxes<S>& axes, const S* friction, const Vec3<S>& arm, double sign,
                     Spatial<S> (&row)[kRows]) {
  using Number = typename LaneTraits<S>::Lane;
  const S one(static_cast<Number>(sign));
  const auto scaled = [&](int k, S scale) { return axes.WrenchOf(k, arm) * scale; };
  if constexpr (kPyramidal) {
    const Spatial<S> normal = scaled(0, one);
    Unroll<1, kRows / 2 + 1>([&](auto k) {
      const Spatial<S> tangent = scaled(k, one * friction[k - 1]);
      row[2 * k - 2] = normal + tangent;
      row[2 * k - 1] = normal - tangent;
    });
  } else {
    Unroll<0, kRows>([&](auto k) { row[k] = scaled(k, one); });
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_WRENCH_H_
