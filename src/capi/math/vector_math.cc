// Vectors in space and of any length. Sums have a fixed order (math/dense.h), so that results do not depend on
// the processor.
#include <mujoco/mujoco.h>

#include <algorithm>

#include "capi/arguments.h"
#include "math/dense.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/vec3.h"

using sinew::LoadVec3;
using sinew::StoreVec3;

// ---- three and four numbers; results may be operands

void mju_zero3(mjtNum res[3]) {
  SINEW_CHECK(mju_zero3);
  StoreVec3(sinew::Zero3<double>(), res);
}
void mju_copy3(mjtNum res[3], const mjtNum data[3]) {
  SINEW_CHECK(mju_copy3);
  StoreVec3(LoadVec3(data), res);
}
void mju_scl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl) {
  SINEW_CHECK(mju_scl3);
  StoreVec3(LoadVec3(vec) * scl, res);
}
void mju_add3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]) {
  SINEW_CHECK(mju_add3);
  StoreVec3(LoadVec3(vec1) + LoadVec3(vec2), res);
}
void mju_sub3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]) {
  SINEW_CHECK(mju_sub3);
  StoreVec3(LoadVec3(vec1) - LoadVec3(vec2), res);
}
void mju_addTo3(mjtNum res[3], const mjtNum vec[3]) {
  SINEW_CHECK(mju_addTo3);
  mju_add3(res, res, vec);
}
void mju_subFrom3(mjtNum res[3], const mjtNum vec[3]) {
  SINEW_CHECK(mju_subFrom3);
  mju_sub3(res, res, vec);
}
void mju_addToScl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl) {
  SINEW_CHECK(mju_addToScl3);
  mju_addScl3(res, res, vec, scl);
}
void mju_addScl3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3], mjtNum scl) {
  SINEW_CHECK(mju_addScl3);
  StoreVec3(LoadVec3(vec1) + LoadVec3(vec2) * scl, res);
}

// Returns the length before; a vector without length becomes (1, 0, 0).
mjtNum mju_normalize3(mjtNum vec[3]) {
  SINEW_CHECK(mju_normalize3);
  sinew::Vec3<double> v = LoadVec3(vec);
  const double norm = Normalize(v);
  StoreVec3(v, vec);
  return norm;
}
mjtNum mju_norm3(const mjtNum vec[3]) {
  SINEW_CHECK(mju_norm3);
  return Norm(LoadVec3(vec));
}
mjtNum mju_dot3(const mjtNum vec1[3], const mjtNum vec2[3]) {
  SINEW_CHECK(mju_dot3);
  return Dot(LoadVec3(vec1), LoadVec3(vec2));
}
mjtNum mju_dist3(const mjtNum pos1[3], const mjtNum pos2[3]) {
  SINEW_CHECK(mju_dist3);
  return Norm(LoadVec3(pos1) - LoadVec3(pos2));
}

void mju_mulMatVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  SINEW_CHECK(mju_mulMatVec3);
  StoreVec3(sinew::LoadMat3(mat) * LoadVec3(vec), res);
}
void mju_mulMatTVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]) {
  SINEW_CHECK(mju_mulMatTVec3);
  StoreVec3(MulTransposed(sinew::LoadMat3(mat), LoadVec3(vec)), res);
}
void mju_cross(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]) {
  SINEW_CHECK(mju_cross);
  StoreVec3(Cross(LoadVec3(a), LoadVec3(b)), res);
}

void mju_zero4(mjtNum res[4]) {
  SINEW_CHECK(mju_zero4);
  std::fill_n(res, 4, 0.0);
}
void mju_unit4(mjtNum res[4]) {
  SINEW_CHECK(mju_unit4);
  StoreQuat(sinew::IdentityQuat<double>(), res);
}
void mju_copy4(mjtNum res[4], const mjtNum data[4]) {
  SINEW_CHECK(mju_copy4);
  StoreQuat(sinew::LoadQuat(data), res);
}
// A quaternion without length becomes the identity.
mjtNum mju_normalize4(mjtNum vec[4]) {
  SINEW_CHECK(mju_normalize4);
  sinew::Quat<double> q = sinew::LoadQuat(vec);
  const double norm = Normalize(q);
  StoreQuat(q, vec);
  return norm;
}

// ---- n numbers; results may be operands

void mju_zero(mjtNum* res, int n) {
  SINEW_CHECK(mju_zero);
  std::fill_n(res, n, 0.0);
}
void mju_fill(mjtNum* res, mjtNum val, int n) {
  SINEW_CHECK(mju_fill);
  std::fill_n(res, n, val);
}
void mju_copy(mjtNum* res, const mjtNum* vec, int n) {
  SINEW_CHECK(mju_copy);
  std::copy_n(vec, n, res);
}
mjtNum mju_sum(const mjtNum* vec, int n) {
  SINEW_CHECK(mju_sum);
  return sinew::Sum(vec, n);
}
mjtNum mju_L1(const mjtNum* vec, int n) {
  SINEW_CHECK(mju_L1);
  return sinew::SumOfMagnitudes(vec, n);
}
void mju_scl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n) {
  SINEW_CHECK(mju_scl);
  sinew::Scale(res, vec, scl, n);
}
void mju_add(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n) {
  SINEW_CHECK(mju_add);
  sinew::Add(res, vec1, vec2, n);
}
void mju_sub(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n) {
  SINEW_CHECK(mju_sub);
  sinew::Subtract(res, vec1, vec2, n);
}
void mju_addTo(mjtNum* res, const mjtNum* vec, int n) {
  SINEW_CHECK(mju_addTo);
  sinew::Add(res, res, vec, n);
}
void mju_subFrom(mjtNum* res, const mjtNum* vec, int n) {
  SINEW_CHECK(mju_subFrom);
  sinew::Subtract(res, res, vec, n);
}
void mju_addToScl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n) {
  SINEW_CHECK(mju_addToScl);
  sinew::AddScaled(res, vec, scl, n);
}
void mju_addScl(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, mjtNum scl, int n) {
  SINEW_CHECK(mju_addScl);
  sinew::AddScaled(res, vec1, vec2, scl, n);
}
// The vector may have any length; one without length becomes the first unit vector.
mjtNum mju_normalize(mjtNum* res, int n) {
  SINEW_CHECK(mju_normalize);
  return sinew::Normalize(res, n);
}
mjtNum mju_norm(const mjtNum* res, int n) {
  SINEW_CHECK(mju_norm);
  return sinew::Norm(res, n);
}
mjtNum mju_dot(const mjtNum* vec1, const mjtNum* vec2, int n) {
  SINEW_CHECK(mju_dot);
  return sinew::Dot(vec1, vec2, n);
}
int mju_isZero(const mjtNum* vec, int n) {
  SINEW_CHECK(mju_isZero);
  return std::all_of(vec, vec + std::max(n, 0), [](double x) { return x == 0; });
}

// ---- conversions of n numbers

void mju_f2n(mjtNum* res, const float* vec, int n) {
  SINEW_CHECK(mju_f2n);
  std::copy_n(vec, n, res);
}
void mju_n2f(float* res, const mjtNum* vec, int n) {
  SINEW_CHECK(mju_n2f);
  std::transform(vec, vec + std::max(n, 0), res, [](mjtNum x) { return static_cast<float>(x); });
}
void mju_d2n(mjtNum* res, const double* vec, int n) {
  SINEW_CHECK(mju_d2n);
  std::copy_n(vec, n, res);
}
void mju_n2d(double* res, const mjtNum* vec, int n) {
  SINEW_CHECK(mju_n2d);
  std::copy_n(vec, n, res);
}
