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

  // `frame`: nine numbers, as in mjContact.
  static ContactAxes Load(const S* frame) { return {{LoadVec3(frame), LoadVec3(frame + 3), LoadVec3(frame + 6)}}; }

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

// Contacts of bodies whose centres nothing can move have no inverse inertia, and rows that are 1e15 times as stiff as
// others. The rounding of an entry of their Jacobian that is zero would make forces: a ball joint in the centre of a
// sphere that something presses would turn by 2,000 rad/s^2, and by 1e10 in floats.
constexpr double kLeastWeight = 1e-10;

// The size of the coordinates whose difference is the arm of a force at a point.
template <class S>
S ReachOfArm(const Vec3<S>& point, const Vec3<S>& arm) {
  const Vec3<S> centre = point - arm;
  return Abs(point.x) + Abs(point.y) + Abs(point.z) + Abs(centre.x) + Abs(centre.y) + Abs(centre.z);
}

// The power of a wrench on a motion, or zero where it is not more than what rounding leaves of a wrench and a motion
// that are perpendicular: 16 times the last place of its terms. `reach`: of the arm of the force.
template <class S>
S WithoutRounding(S power, const Spatial<S>& wrench, const Spatial<S>& motion, S reach) {
  const auto size = [](const Vec3<S>& v) { return Abs(v.x) + Abs(v.y) + Abs(v.z); };
  const S torque = size(wrench.rot) + size(wrench.lin) * reach;
  const S terms = torque * size(motion.rot) + size(wrench.lin) * size(motion.lin);
  return Select(Abs(power) <= Uniform<S>(kIsFloat<S> ? 0x1p-19 : 0x1p-48) * terms, S(0), power);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_WRENCH_H_
