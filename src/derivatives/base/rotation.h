// Derivatives of operations on rotations, in the tangent space: a quaternion q varies as q exp(dx / 2).
#ifndef SINEW_DERIVATIVES_BASE_ROTATION_H_
#define SINEW_DERIVATIVES_BASE_ROTATION_H_

#include "math/mat3.h"
#include "math/quat.h"

namespace sinew::inline derivatives {

// Derivatives of the rotation vector log(b* a) with respect to a and b.
struct SubQuatDerivatives {
  Mat3<double> a, b;
};
SubQuatDerivatives DifferentiateSubQuat(const Quat<double>& a, const Quat<double>& b);

// Derivatives of q exp(v s / 2) with respect to q, to the scaled velocity v s, and to s.
struct QuatIntegrateDerivatives {
  Mat3<double> quat, velocity;
  Vec3<double> scale;
};
QuatIntegrateDerivatives DifferentiateQuatIntegrate(const Vec3<double>& velocity, double scale);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_ROTATION_H_
