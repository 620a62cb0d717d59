// The term that moves an inertia to another centre.
#ifndef SINEW_MATH_POINT_INERTIA_H_
#define SINEW_MATH_POINT_INERTIA_H_

#include "math/mat3.h"

namespace sinew {

// Inertia of a point mass at r about the origin, m (r.r 1 - r r'). The parallel axis theorem adds it to an inertia
// about the centre of mass.
template <class S>
Mat3<S> PointInertia(S mass, const Vec3<S>& r) {
  const S square = Dot(r, r);
  Mat3<S> inertia;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) inertia(i, j) = mass * ((i == j ? square : S(0)) - r[i] * r[j]);
  }
  return inertia;
}

}  // namespace sinew

#endif  // SINEW_MATH_POINT_INERTIA_H_
