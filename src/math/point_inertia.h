// The term that moves an inertia to another centre.
#ifndef SINEW_MATH_POINT_INERTIA_H_
#define SINEW_MATH_POINT_INERTIA_H_

#include "math/mat3.h"

namespace sinew::inline math {

// Inertia of a point mass at r about the origin, m (r.r 1 - r r'). The parallel axis theorem adds it to an inertia
// about the centre of mass.
template <class S>
Mat3<S> PointInertia(S mass, const Vec3<S>& r) {
  const S xx = r.x * r.x, yy = r.y * r.y, zz = r.z * r.z;
  const S xy = -mass * r.x * r.y, xz = -mass * r.x * r.z, yz = -mass * r.y * r.z;
  return {{mass * (yy + zz), xy, xz, xy, mass * (xx + zz), yz, xz, yz, mass * (xx + yy)}};
}

}  // namespace sinew::inline math

#endif  // SINEW_MATH_POINT_INERTIA_H_
