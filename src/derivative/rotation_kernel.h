// The derivative of a rotation vector (rotation.h), for one world and for lanes.
#ifndef SINEW_DERIVATIVE_ROTATION_KERNEL_H_
#define SINEW_DERIVATIVE_ROTATION_KERNEL_H_

#include "math/mat3.h"
#include "math/quat.h"
#include "simd/functions.h"

namespace sinew {
inline namespace SINEW_ISA {

// a 1 + b [x] + c x x',    with [x] y = x cross y
template <class S>
Mat3<S> CombineRotation(S a, S b, S c, const Vec3<S>& x) {
  return {{a + c * x.x * x.x, c * x.x * x.y - b * x.z, c * x.x * x.z + b * x.y,  //
           c * x.y * x.x + b * x.z, a + c * x.y * x.y, c * x.y * x.z - b * x.x,  //
           c * x.z * x.x - b * x.y, c * x.z * x.y + b * x.x, a + c * x.z * x.z}};
}

// Of the rotation vector log(b* a) with respect to a. With the rotation vector 2 t k (unit k):
//   1 + t [k] + (1 - t / tan t) [k]^2,    [k]^2 = k k' - 1
template <class S>
Mat3<S> DifferentiateRotationVector(const Quat<S>& a, const Quat<S>& b) {
  const S kTiny(6e-8);  // below, 1 - t / tan t is less than the rounding of 1
  Vec3<S> axis = RotationVector(Conjugate(b) * a);
  const S t = Normalize(axis) * S(0.5);
  S sine, cosine;
  SinCos(t, sine, cosine);
  const S c = Select(t < kTiny, S(0), S(1) - t * cosine / sine);
  return CombineRotation(S(1) - c, t, c, axis);
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_DERIVATIVE_ROTATION_KERNEL_H_
