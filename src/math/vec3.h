// Vec3<S>: a vector in space; S is a scalar or a pack of worlds. Three consecutive S, as fields of mjModel and mjData.
#ifndef SINEW_MATH_VEC3_H_
#define SINEW_MATH_VEC3_H_

#include "simd/pack.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

using simd::Select;  // of numbers, beside those of vectors below

template <class S>
struct Vec3 {
  S x, y, z;

  S& operator[](int i) { return (&x)[i]; }
  const S& operator[](int i) const { return (&x)[i]; }

  Vec3& operator=(const Vec3& b) {
    x = b.x;
    y = b.y;
    z = b.z;
    return *this;
  }
  Vec3& operator+=(const Vec3& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  Vec3& operator-=(const Vec3& b) {
    x -= b.x;
    y -= b.y;
    z -= b.z;
    return *this;
  }
  Vec3& operator*=(S s) {
    x *= s;
    y *= s;
    z *= s;
    return *this;
  }
  friend Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3 operator*(const Vec3& a, S s) { return {a.x * s, a.y * s, a.z * s}; }
  friend Vec3 operator*(S s, const Vec3& a) { return a * s; }
};

template <class S>
Vec3<S> Zero3() {
  return {S(0), S(0), S(0)};
}

template <class S>
Vec3<S> LoadVec3(const S* p) {
  return {p[0], p[1], p[2]};
}
template <class S>
void StoreVec3(const Vec3<S>& v, S* p) {
  p[0] = v.x;
  p[1] = v.y;
  p[2] = v.z;
}

template <class S>
S Dot(const Vec3<S>& a, const Vec3<S>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class S>
Vec3<S> Cross(const Vec3<S>& a, const Vec3<S>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class S>
S Norm(const Vec3<S>& a) {
  return Sqrt(Dot(a, a));
}

template <class S>
MaskOf<S> IsZero(const Vec3<S>& a) {
  return (a.x == S(0)) & (a.y == S(0)) & (a.z == S(0));
}

template <class S>
Vec3<S> Select(MaskOf<S> m, const Vec3<S>& a, const Vec3<S>& b) {
  return {Select(m, a.x, b.x), Select(m, a.y, b.y), Select(m, a.z, b.z)};
}

// Vectors shorter than this are not normalized but replaced; the value of mjMINVAL.
inline constexpr double kMinVal = 1e-15;

// Scales v to length one and returns its former length; a vector shorter than kMinVal becomes e_x.
template <class S>
S Normalize(Vec3<S>& v) {
  const S norm = Norm(v);
  const MaskOf<S> tiny = norm < S(kMinVal);
  const S inverse = S(1) / Select(tiny, S(1), norm);
  v = Select<S>(tiny, Vec3<S>{S(1), S(0), S(0)}, v * inverse);
  return norm;
}

template <class S>
Vec3<S> Normalized(Vec3<S> v) {
  Normalize(v);
  return v;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_VEC3_H_
