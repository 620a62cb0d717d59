// Quat<S>: orientation quaternion (w, x, y, z), four consecutive S. q rotates local into parent coordinates:
// v_parent = q v_local q*. Products compose from left to right: q_WC = q_WB * q_BC.
#ifndef SINEW_MATH_QUAT_H_
#define SINEW_MATH_QUAT_H_

#include "math/mat3.h"
#include "math/vec3.h"
#include "simd/functions.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

using simd::Select;  // of numbers, beside those of quaternions below

template <class S>
struct Quat {
  S w, x, y, z;

  S& operator[](int i) { return (&w)[i]; }
  const S& operator[](int i) const { return (&w)[i]; }
  Quat& operator=(const Quat& b) {
    w = b.w;
    x = b.x;
    y = b.y;
    z = b.z;
    return *this;
  }
  Vec3<S> Im() const { return {x, y, z}; }
};

template <class S>
Quat<S> IdentityQuat() {
  return {S(1), S(0), S(0), S(0)};
}
template <class S>
Quat<S> LoadQuat(const S* p) {
  return {p[0], p[1], p[2], p[3]};
}
template <class S>
void StoreQuat(const Quat<S>& q, S* p) {
  for (int i = 0; i < 4; ++i) p[i] = q[i];
}

template <class S>
Quat<S> Conjugate(const Quat<S>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}

template <class S>
Quat<S> operator*(const Quat<S>& a, const Quat<S>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

// q times the pure quaternion (0, v)
template <class S>
Quat<S> MulPure(const Quat<S>& q, const Vec3<S>& v) {
  return {-q.x * v.x - q.y * v.y - q.z * v.z, q.w * v.x + q.y * v.z - q.z * v.y, q.w * v.y + q.z * v.x - q.x * v.z,
          q.w * v.z + q.x * v.y - q.y * v.x};
}

template <class S>
Quat<S> Select(MaskOf<S> m, const Quat<S>& a, const Quat<S>& b) {
  return {Select(m, a.w, b.w), Select(m, a.x, b.x), Select(m, a.y, b.y), Select(m, a.z, b.z)};
}

// Whether a norm is within kMinVal of one, given its square: exactly those squares have a root, correctly rounded, that
// is. In units of the spacing e of numbers above one, the bound is 4.5 e, so that roots up to 1 + 4 e and down to
// 1 - 4.5 e pass, and squares from 1 - 9 e to 1 + 9 e.
template <class S>
MaskOf<S> IsUnit(S squared_norm) {
  return Abs(squared_norm - S(1)) <= S(2 * kMinVal);
}

// Scales q to unit norm and returns its former norm. Below kMinVal it becomes the identity; a norm within kMinVal of
// one leaves q as it is, bit for bit.
template <class S>
S Normalize(Quat<S>& q) {
  const S square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, norm = Sqrt(square);
  const MaskOf<S> unit = IsUnit(square);
  if (All(unit)) return norm;  // the common case: a predicted branch hides the latency of root and division

  const MaskOf<S> tiny = norm < S(kMinVal);
  const S inverse = S(1) / Select(tiny, S(1), norm);
  const Quat<S> scaled = Select<S>(unit, q, Quat<S>{q.w * inverse, q.x * inverse, q.y * inverse, q.z * inverse});
  q = Select<S>(tiny, IdentityQuat<S>(), scaled);
  return norm;
}

template <class S>
Quat<S> Normalized(Quat<S> q) {
  Normalize(q);
  return q;
}

// q v q*, for unit q:  v + 2 u x (w v + u x v)  with u the imaginary part
template <class S>
Vec3<S> Rotate(const Quat<S>& q, const Vec3<S>& v) {
  return v + Cross(q.Im(), MulPure(q, v).Im()) * S(2);
}

template <class S>
Mat3<S> ToMat3(const Quat<S>& q) {
  const S ww = q.w * q.w, xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const S wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  const S xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  return {{ww + xx - yy - zz, S(2) * (xy - wz), S(2) * (xz + wy),  //
           S(2) * (xy + wz), ww - xx + yy - zz, S(2) * (yz - wx),  //
           S(2) * (xz - wy), S(2) * (yz + wx), ww - xx - yy + zz}};
}

// The rotation by `angle` (rad) about a unit axis.
template <class S>
Quat<S> AxisAngle(const Vec3<S>& axis, S angle) {
  S sine, cosine;
  SinCos(angle * S(0.5), sine, cosine);
  return {cosine, axis.x * sine, axis.y * sine, axis.z * sine};
}

// exp(h w / 2): the rotation that angular velocity w (rad/s) makes in time h (s).
template <class S>
Quat<S> ExpRotation(Vec3<S> w, S h) {
  const S speed = Normalize(w);
  return AxisAngle(w, h * speed);
}

// The rotation vector (rad) of a unit quaternion, angle in (-pi, pi]. Inverse of ExpRotation with h = 1.
template <class S>
Vec3<S> RotationVector(const Quat<S>& q) {
  Vec3<S> axis = q.Im();
  const S sine = Normalize(axis);
  const S angle = S(2) * Atan2(sine, q.w);
  return axis * Select(angle > S(kPi), angle - S(2 * kPi), angle);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_QUAT_H_
