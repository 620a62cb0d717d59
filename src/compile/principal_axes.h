// Principal axes of a symmetric 3 x 3 matrix.
#ifndef SINEW_COMPILE_PRINCIPAL_AXES_H_
#define SINEW_COMPILE_PRINCIPAL_AXES_H_

#include "math/mat3.h"
#include "math/quat.h"

namespace sinew {

// A = R diag(values) R' with R the matrix of `axes`; values decrease.
struct PrincipalAxes {
  Vec3<double> values;
  Quat<double> axes;
};

PrincipalAxes FindPrincipalAxes(const Mat3<double>& a);

}  // namespace sinew

#endif  // SINEW_COMPILE_PRINCIPAL_AXES_H_
