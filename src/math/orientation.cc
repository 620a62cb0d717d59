#include "math/orientation.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace sinew::inline math {
namespace {

constexpr std::string_view kAxes = "xyzXYZ";

}  // namespace

double DivideByNorm(Vec3<double>& v) {
  const double norm = Norm(v);
  v = {v.x / norm, v.y / norm, v.z / norm};
  return norm;
}

Quat<double> FromRotation(const Mat3<double>& R) {
  // The others are divided by the largest component, so this one is found first.
  const double xx = R(0, 0), yy = R(1, 1), zz = R(2, 2);
  Quat<double> q;
  if (xx + yy + zz > 0) {
    const double s = 2 * std::sqrt(1 + xx + yy + zz);
    q = {s / 4, (R(2, 1) - R(1, 2)) / s, (R(0, 2) - R(2, 0)) / s, (R(1, 0) - R(0, 1)) / s};
  } else if (xx > yy && xx > zz) {
    const double s = 2 * std::sqrt(1 + xx - yy - zz);
    q = {(R(2, 1) - R(1, 2)) / s, s / 4, (R(0, 1) + R(1, 0)) / s, (R(0, 2) + R(2, 0)) / s};
  } else if (yy > zz) {
    const double s = 2 * std::sqrt(1 - xx + yy - zz);
    q = {(R(0, 2) - R(2, 0)) / s, (R(0, 1) + R(1, 0)) / s, s / 4, (R(1, 2) + R(2, 1)) / s};
  } else {
    const double s = 2 * std::sqrt(1 - xx - yy + zz);
    q = {(R(1, 0) - R(0, 1)) / s, (R(0, 2) + R(2, 0)) / s, (R(1, 2) + R(2, 1)) / s, s / 4};
  }
  return q;
}

Quat<double> FromMatrix(const Mat3<double>& R) { return Normalized(FromRotation(R)); }

Quat<double> FromDirection(Vec3<double> v) {
  if (Normalize(v) < kMinVal) return IdentityQuat<double>();
  Vec3<double> axis = Cross({0, 0, 1}, v);
  const double sine = Normalize(axis);
  if (sine < kMinVal) return v.z < 0 ? Quat<double>{0, 1, 0, 0} : IdentityQuat<double>();
  return AxisAngle(axis, Atan2(sine, v.z));
}

int FirstBadAxis(const char sequence[3]) {
  const auto bad = [](char letter) { return kAxes.find(letter) == kAxes.npos; };
  return static_cast<int>(std::find_if(sequence, sequence + 3, bad) - sequence);
}

Quat<double> FromEuler(const double angles[3], const char sequence[3]) {
  Quat<double> q = IdentityQuat<double>();
  for (int i = 0; i < 3; ++i) {
    const size_t letter = kAxes.find(sequence[i]);
    if (letter == kAxes.npos) break;
    Vec3<double> axis = {0, 0, 0};
    axis[static_cast<int>(letter % 3)] = 1;
    const Quat<double> turn = AxisAngle(axis, angles[i]);
    q = letter < 3 ? q * turn : turn * q;
  }
  return q;
}

int PolarRotation(const Mat3<double>& A, Quat<double>& q) {
  constexpr int kMaxSteps = 500;
  constexpr double kSmallestStep = 1e-9;    // rad
  constexpr double kRegularizer = kMinVal;  // of the denominator
  for (int step = 0; step < kMaxSteps; ++step) {
    // omega = sum_i r_i x a_i / |sum_i r_i . a_i|, over the columns of R and A
    const Mat3<double> R = ToMat3(q);
    Vec3<double> omega = {0, 0, 0};
    double cosines = 0;
    for (int i = 0; i < 3; ++i) {
      omega += Cross(R.Column(i), A.Column(i));
      cosines += Dot(R.Column(i), A.Column(i));
    }
    omega *= 1 / (std::fabs(cosines) + kRegularizer);
    const double angle = Normalize(omega);
    if (angle < kSmallestStep) return step;
    q = AxisAngle(omega, angle) * q;
    Normalize(q);
  }
  return kMaxSteps;
}

}  // namespace sinew::inline math
