// Mat3<S>: a 3 x 3 matrix, row-major, nine consecutive S. Rotation matrices map local to world coordinates: their
// columns are the local axes in the world.
#ifndef SINEW_MATH_MAT3_H_
#define SINEW_MATH_MAT3_H_

#include "math/vec3.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

template <class S>
struct Mat3 {
  S m[9];

  S& operator()(int row, int col) { return m[3 * row + col]; }
  const S& operator()(int row, int col) const { return m[3 * row + col]; }
  Mat3& operator=(const Mat3& b) {
    for (int i = 0; i < 9; ++i) m[i] = b.m[i];
    return *this;
  }
  Vec3<S> Row(int i) const { return {m[3 * i], m[3 * i + 1], m[3 * i + 2]}; }
  Vec3<S> Column(int i) const { return {m[i], m[3 + i], m[6 + i]}; }
};

template <class S>
Mat3<S> Identity3() {
  return {{S(1), S(0), S(0), S(0), S(1), S(0), S(0), S(0), S(1)}};
}

template <class S>
Mat3<S> LoadMat3(const S* p) {
  return {{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]}};
}

template <class S>
Vec3<S> operator*(const Mat3<S>& a, const Vec3<S>& v) {
  return {a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
          a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z};
}

// transpose(a) * v
template <class S>
Vec3<S> MulTransposed(const Mat3<S>& a, const Vec3<S>& v) {
  return {a.m[0] * v.x + a.m[3] * v.y + a.m[6] * v.z, a.m[1] * v.x + a.m[4] * v.y + a.m[7] * v.z,
          a.m[2] * v.x + a.m[5] * v.y + a.m[8] * v.z};
}

template <class S>
Mat3<S> operator*(const Mat3<S>& a, const Mat3<S>& b) {
  Mat3<S> c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) c(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
  }
  return c;
}

template <class S>
Mat3<S> Transpose(const Mat3<S>& a) {
  return {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}

template <class S>
Mat3<S> FromColumns(const Vec3<S>& x, const Vec3<S>& y, const Vec3<S>& z) {
  return {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_MAT3_H_
