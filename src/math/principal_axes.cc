#include "math/principal_axes.h"

#include <cmath>
#include <utility>

namespace sinew::inline math {
namespace {

constexpr double kConverged = 1e-12;  // of an off-diagonal entry, of 1 - cosine, of a difference of values
constexpr int kMaxRotations = 500;

// The off-diagonal entry (row, col) that a rotation about axis `axis` removes.
struct Entry {
  int row, col, axis;
};

Entry LargestOffDiagonal(const Mat3<double>& d) {
  const double d01 = std::fabs(d(0, 1)), d02 = std::fabs(d(0, 2)), d12 = std::fabs(d(1, 2));
  if (d01 > d02 && d01 > d12) return {0, 1, 2};
  return d02 > d12 ? Entry{0, 2, 1} : Entry{1, 2, 0};
}

// The rotation that removes an entry of D, as its half-angle quaternion (Golub & Van Loan, Matrix Computations, 8.5.2):
//   tau = (D_cc - D_rr) / (2 D_rc),  t = sgn(tau) / (|tau| + sqrt(1 + tau^2)),  cosine = 1 / sqrt(1 + t^2)
// False when the rotation is too small to matter.
bool JacobiRotation(const Mat3<double>& d, const Entry& e, Quat<double>& rotation) {
  const double off = d(e.row, e.col);
  if (std::fabs(off) < kConverged) return false;
  const double tau = (d(e.col, e.col) - d(e.row, e.row)) / (2 * off);
  const double root = std::sqrt(1 + tau * tau);
  const double t = tau >= 0 ? 1 / (tau + root) : -1 / (root - tau);
  const double cosine = 1 / std::sqrt(1 + t * t);
  if (cosine > 1 - kConverged) return false;
  rotation = IdentityQuat<double>();
  const double sine_half = (tau >= 0 ? -1 : 1) * std::sqrt(0.5 - 0.5 * cosine);
  rotation[e.axis + 1] = e.axis == 1 ? -sine_half : sine_half;
  rotation.w = std::sqrt(1 - sine_half * sine_half);
  Normalize(rotation);
  return true;
}

// Exchanges values j and j + 1 when the second is larger; the axes turn by 90 degrees about the third.
void SortPair(PrincipalAxes& p, int j, AxesNorm norm) {
  if (!(p.values[j] + kConverged < p.values[j + 1])) return;
  std::swap(p.values[j], p.values[j + 1]);
  constexpr double kHalfRoot =
      0.707106781186548;  // to 15 digits: compiled models agree with those of MuJoCo 3.8.0 bit for bit
  Quat<double> turn = {kHalfRoot, 0, 0, 0};
  turn[(j + 2) % 3 + 1] = kHalfRoot;
  p.axes = p.axes * turn;
  if (norm == AxesNorm::kUnit) Normalize(p.axes);
}

}  // namespace

PrincipalAxes FindPrincipalAxes(const Mat3<double>& A, AxesNorm norm) {
  PrincipalAxes p = {{A(0, 0), A(1, 1), A(2, 2)}, IdentityQuat<double>(), 0};
  for (; p.iterations < kMaxRotations; ++p.iterations) {
    const Mat3<double> R = ToMat3(p.axes);
    const Mat3<double> d = Transpose(R) * A * R;
    p.values = {d(0, 0), d(1, 1), d(2, 2)};
    Quat<double> rotation;
    if (!JacobiRotation(d, LargestOffDiagonal(d), rotation)) break;
    p.axes = p.axes * rotation;
    Normalize(p.axes);
  }
  for (int j : {0, 1, 0}) SortPair(p, j, norm);
  return p;
}

}  // namespace sinew::inline math
