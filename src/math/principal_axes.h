// Principal axes of a symmetric 3 x 3 matrix.
#ifndef SINEW_MATH_PRINCIPAL_AXES_H_
#define SINEW_MATH_PRINCIPAL_AXES_H_

#include "math/mat3.h"
#include "math/quat.h"

namespace sinew {

// A = R diag(values) R' with R the matrix of `axes`, a right-handed frame; values decrease. Values that differ by less
// than 1e-12 keep the order in which they were found.
struct PrincipalAxes {
  Vec3<double> values;
  Quat<double> axes;
  int iterations;  // Jacobi rotations that were made
};

PrincipalAxes FindPrincipalAxes(const Mat3<double>& A);

}  // namespace sinew

#endif  // SINEW_MATH_PRINCIPAL_AXES_H_
