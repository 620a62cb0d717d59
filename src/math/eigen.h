// Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix, by Jacobi rotations that each zero the largest off-diagonal
// element (G. Golub, C. Van Loan, Matrix Computations, 4th ed., sec. 8.5).
#ifndef SINEW_MATH_EIGEN_H_
#define SINEW_MATH_EIGEN_H_

#include <utility>

#include "math/mat3.h"
#include "math/vec3.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

// Eigenvalues in descending order; eigenvectors as columns of a rotation matrix.
struct Eigen3 {
  Vec3<double> values;
  Mat3<double> vectors;
};

// Zeroes A(p, q) by a rotation in that plane: A <- J' A J, V <- V J. With d = A_qq - A_pp and b = 2 A_pq, the tangent
// of its angle is +-|b| / m, m = |d| + |(d, b)|; sine and cosine are made of these without a division before the last
// root.
template <int p, int q>
void JacobiRotate(Mat3<double>& A, Mat3<double>& V) {
  const double d = A(q, q) - A(p, p), b = 2 * A(p, q);
  const double m = Abs(d) + Sqrt(d * d + b * b), scale = 1 / Sqrt(m * m + b * b);
  const double c = m * scale, s = (d < 0 ? -b : d > 0 ? b : Abs(b)) * scale;
  for (int k = 0; k < 3; ++k) {
    const double kp = A(k, p), kq = A(k, q);
    A(k, p) = c * kp - s * kq;
    A(k, q) = s * kp + c * kq;
  }
  for (int k = 0; k < 3; ++k) {
    const double pk = A(p, k), qk = A(q, k);
    A(p, k) = c * pk - s * qk;
    A(q, k) = s * pk + c * qk;
    const double vp = V(k, p), vq = V(k, q);
    V(k, p) = c * vp - s * vq;
    V(k, q) = s * vp + c * vq;
  }
}

// Exchanges two eigenvalues; a quarter turn keeps the eigenvectors right-handed.
inline void SwapEigenpairs(Eigen3& eigen, int i, int j) {
  std::swap(eigen.values[i], eigen.values[j]);
  for (int k = 0; k < 3; ++k) {
    const double v = eigen.vectors(k, i);
    eigen.vectors(k, i) = eigen.vectors(k, j);
    eigen.vectors(k, j) = -v;
  }
}

// Reads both triangles of A.
inline Eigen3 SymmetricEigen(Mat3<double> A) {
  constexpr int kMaxRotations = 50;     // convergence is quadratic: about ten do
  constexpr double kTolerance = 1e-14;  // of the off-diagonal, relative to the trace
  Mat3<double> V = Identity3<double>();
  const double small = kTolerance * (Abs(A(0, 0)) + Abs(A(1, 1)) + Abs(A(2, 2)));
  for (int rotation = 0; rotation < kMaxRotations; ++rotation) {
    const double xy = Abs(A(0, 1)), xz = Abs(A(0, 2)), yz = Abs(A(1, 2));
    if (!(Max(Max(xz, xy), yz) > small)) break;
    if (yz > Max(xz, xy)) {
      JacobiRotate<1, 2>(A, V);
    } else if (xz > xy) {
      JacobiRotate<0, 2>(A, V);
    } else {
      JacobiRotate<0, 1>(A, V);
    }
  }

  Eigen3 eigen = {{A(0, 0), A(1, 1), A(2, 2)}, V};
  if (eigen.values[0] < eigen.values[1]) SwapEigenpairs(eigen, 0, 1);
  if (eigen.values[1] < eigen.values[2]) SwapEigenpairs(eigen, 1, 2);
  if (eigen.values[0] < eigen.values[1]) SwapEigenpairs(eigen, 0, 1);
  return eigen;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_EIGEN_H_
