// Wide<Vec3<S>>, Wide<Quat<S>>, Wide<Spatial<S>>: where work runs along a chain, so that no four items of one world are
// at hand (math/block.h), a world alone holds a vector or a quaternion in one register. A pack of worlds has its lanes
// filled already: there Wide<T> is T itself, and the kernel the same text.
//
//   vector (-, x, y, z), quaternion (w, x, y, z), matrix: its columns, motion: two vectors
//
// The first lane of a vector has no meaning. Results equal those of math/vec3.h, quat.h and mat3.h bit for bit: each
// lane does the same operations in the same order, but for a - b written as a + (-b).
#ifndef SINEW_MATH_WIDE_H_
#define SINEW_MATH_WIDE_H_

#include "math/block.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/spatial.h"
#include "math/vec3.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

using simd::Select;  // of numbers, beside those of vectors below

// ---- lanes of a register

namespace wide {

template <int a, int b, int c, int d>
Four Permuted(Four x) {
  return Four(__builtin_shufflevector(x.v, x.v, a, b, c, d));
}
// (x, y, z) -> (y, z, x), and the other way round
inline Four Next(Four x) { return Permuted<0, 2, 3, 1>(x); }
inline Four Previous(Four x) { return Permuted<0, 3, 1, 2>(x); }
// Negates lanes x, y, z where the sign is -1.
template <int w, int x, int y, int z>
Four Flipped(Four a) {
  constexpr auto kBit = [](int sign) { return sign < 0 ? INT64_MIN : 0; };
  const Register<double, 4>::Bits signs = {kBit(w), kBit(x), kBit(y), kBit(z)};
  return FromBits(ToBits(a) ^ signs);
}

}  // namespace wide

// ---- vectors

struct WideVec3 {
  Pack<double, 4> v;

  friend WideVec3 operator+(WideVec3 a, WideVec3 b) { return {a.v + b.v}; }
  friend WideVec3 operator-(WideVec3 a, WideVec3 b) { return {a.v - b.v}; }
  friend WideVec3 operator*(WideVec3 a, double s) { return {a.v * InAllLanes(s)}; }
  WideVec3& operator+=(WideVec3 b) { return *this = *this + b; }
};

inline WideVec3 LoadWideVec3(const double* p) { return {block::Join(block::Two{0, p[0]}, block::LoadTwo(p + 1))}; }
inline WideVec3 Widened(const Vec3<double>& a) { return LoadWideVec3(&a.x); }

// IsZero by one test instead of three.
inline bool AllZero(const Vec3<double>& a) { return (ToBits(a.x) | ToBits(a.y) | ToBits(a.z)) << 1 == 0; }
template <class S>
MaskOf<S> AllZero(const Vec3<S>& a) {
  return IsZero(a);
}

inline WideVec3 Select(bool mask, WideVec3 a, WideVec3 b) { return mask ? a : b; }

inline WideVec3 Cross(WideVec3 a, WideVec3 b) { return {wide::Next(a.v * wide::Next(b.v) - wide::Next(a.v) * b.v)}; }

// StoreRow of a block does the same: it stores the first number alone, then a pair.
inline void StoreRow(WideVec3 from, Vec3<double>& to) {
  to.x = from.v[1];
  block::StoreTwo(block::High(from.v), &to.y);
}

// ---- matrices

struct WideMat3 {
  WideVec3 column[3];
};

inline WideVec3 operator*(const WideMat3& a, const Vec3<double>& v) {
  return a.column[0] * v.x + a.column[1] * v.y + a.column[2] * v.z;
}

// ---- quaternions

struct WideQuat {
  Pack<double, 4> v;

  WideVec3 Im() const { return {v}; }
};

inline WideQuat LoadWideQuat(const double* p) { return {LoadFour(p)}; }
inline WideQuat Widened(const Quat<double>& q) { return LoadWideQuat(&q.w); }
inline void StoreRow(WideQuat from, Quat<double>& to) { StoreFour(from.v, &to.w); }

inline WideQuat operator*(WideQuat a, WideQuat b) {
  const Four x = wide::Flipped<-1, 1, -1, 1>(wide::Permuted<1, 0, 3, 2>(b.v));
  const Four y = wide::Flipped<-1, 1, 1, -1>(wide::Permuted<2, 3, 0, 1>(b.v));
  const Four z = wide::Flipped<-1, -1, 1, 1>(wide::Permuted<3, 2, 1, 0>(b.v));
  return {block::Spread<0>(a.v) * b.v + block::Spread<1>(a.v) * x + block::Spread<2>(a.v) * y +
          block::Spread<3>(a.v) * z};
}

// Cosine and sine of half the angle of a rotation, and the rotation about a unit axis.
template <class S>
struct HalfAngle {
  S cosine, sine;
};
template <class S>
HalfAngle<S> Half(S angle) {
  HalfAngle<S> half;
  SinCos(angle * S(0.5), half.sine, half.cosine);
  return half;
}
template <class S>
Quat<S> AxisAngle(const Vec3<S>& axis, const HalfAngle<S>& half) {
  return {half.cosine, axis.x * half.sine, axis.y * half.sine, axis.z * half.sine};
}
inline WideQuat AxisAngle(WideVec3 axis, const HalfAngle<double>& half) {
  const Four imaginary = axis.v * InAllLanes(half.sine);
  return {block::Join(block::Two{half.cosine, imaginary.v[1]}, block::High(imaginary))};
}

inline double Normalize(WideQuat& q) {
  const Four square = q.v * q.v;
  const double squared_norm = square.v[0] + square.v[1] + square.v[2] + square.v[3];
  if (IsUnit(squared_norm)) return Sqrt(squared_norm);
  Quat<double> narrow = {q.v[0], q.v[1], q.v[2], q.v[3]};
  const double norm = Normalize(narrow);
  q = Widened(narrow);
  return norm;
}

inline WideQuat Normalized(WideQuat q) {
  Normalize(q);
  return q;
}

inline WideVec3 Rotate(WideQuat q, WideVec3 v) {
  // w v + u x v, each component in the place of the one before it
  const Four w = block::Spread<0>(q.v), u = q.v, next_u = wide::Next(u);
  const Four t = w * wide::Previous(v.v) + u * wide::Next(v.v) - next_u * v.v;
  const WideVec3 cross = {wide::Next(u * wide::Previous(t) - next_u * wide::Next(t))};
  return v + cross * 2;
}

inline WideMat3 ToMat3(WideQuat q) {
  const Four square = q.v * q.v, ww = block::Spread<0>(square);
  const Four xx = block::Spread<1>(square), yy = block::Spread<2>(square), zz = block::Spread<3>(square);
  const Four diagonal =
      ww + wide::Flipped<1, 1, -1, -1>(xx) + wide::Flipped<1, -1, 1, -1>(yy) + wide::Flipped<1, -1, -1, 1>(zz);

  // 2 (yz +- wx), 2 (xz +- wy), 2 (xy +- wz)
  const Four w = block::Spread<0>(q.v) * q.v, product = wide::Next(q.v) * wide::Previous(q.v);
  const Four sum = InAllLanes(2) * (product + w), difference = InAllLanes(2) * (product - w);

  // in the rows where they stand: sum has m_zy, m_xz, m_yx, difference has m_yz, m_zx, m_xy
  const Four s = wide::Next(sum), t = wide::Previous(difference);
  const auto rows = [](Four x, Four y, Four z) {
    const Four xy = Four(__builtin_shufflevector(x.v, y.v, 0, 1, 6, 3));
    return WideVec3{Four(__builtin_shufflevector(xy.v, z.v, 0, 1, 2, 7))};
  };
  return {rows(diagonal, s, t), rows(t, diagonal, s), rows(s, t, diagonal)};
}

// ---- motions

struct WideSpatial {
  WideVec3 rot, lin;

  WideSpatial& operator+=(const WideSpatial& b) {
    rot += b.rot;
    lin += b.lin;
    return *this;
  }
  friend WideSpatial operator*(const WideSpatial& a, double s) { return {a.rot * s, a.lin * s}; }
};

inline WideSpatial Widened(const Spatial<double>& a) { return {Widened(a.rot), Widened(a.lin)}; }
inline void StoreRow(const WideSpatial& from, Spatial<double>& to) {
  StoreRow(from.rot, to.rot);
  StoreRow(from.lin, to.lin);
}

inline WideSpatial CrossMotion(const WideSpatial& v, const WideSpatial& s) {
  return {Cross(v.rot, s.rot), Cross(v.rot, s.lin) + Cross(v.lin, s.rot)};
}

// ---- what a kernel over S uses

template <class T>
struct WideType {
  using Type = T;
};
template <>
struct WideType<Vec3<double>> {
  using Type = WideVec3;
};
template <>
struct WideType<Quat<double>> {
  using Type = WideQuat;
};
template <>
struct WideType<Spatial<double>> {
  using Type = WideSpatial;
};
template <class T>
using Wide = typename WideType<T>::Type;

template <template <class> class T, class S>
const T<S>& Widened(const T<S>& x) {
  return x;
}
template <class S>
Vec3<S> LoadWideVec3(const S* p) {
  return LoadVec3(p);
}
template <class S>
Quat<S> LoadWideQuat(const S* p) {
  return LoadQuat(p);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_WIDE_H_
