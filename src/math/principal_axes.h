// Principal axes of a symmetric 3 x 3 matrix.
#ifndef SINEW_MATH_PRINCIPAL_AXES_H_
#define SINEW_MATH_PRINCIPAL_AXES_H_

#include "math/mat3.h"
#include "math/quat.h"

namespace sinew::inline math {

// A = R diag(values) R' with R the matrix of `axes`, a right-handed frame; values decrease. Values that differ by less
// than 1e-12 keep the order in which they were found.
struct PrincipalAxes {
  Vec3<double> values;
  Quat<double> axes;
  int iterations;  // Jacobi rotations that were made
};

// Exchanging two values turns the axes by a quaternion of 15 digits, whose norm is off by 7e-16: whether they are
// normalized after that. Models made with MuJoCo 3.8.0 hold the axes of meshes as they are found; the order of faces
// that share a centre hangs on their last digits.
enum class AxesNorm { kUnit, kAsFound };

PrincipalAxes FindPrincipalAxes(const Mat3<double>& A, AxesNorm norm = AxesNorm::kUnit);

}  // namespace sinew::inline math

#endif  // SINEW_MATH_PRINCIPAL_AXES_H_
