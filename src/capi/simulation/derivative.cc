// Exported derivatives: of steps and inverse dynamics, of operations on rotations.
#include <mujoco/mujoco.h>

#include <algorithm>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "derivatives/base/rotation.h"
#include "derivatives/difference_transition.h"

using sinew::capi::Guard;

namespace {

// Matrices of 3 x 3 are stored row by row; null skips a result.
void Store(const sinew::Mat3<double>& matrix, mjtNum* result) {
  if (result) std::copy_n(matrix.m, 9, result);
}

}  // namespace

// Derivatives of one step by central or forward differences of size eps: next state A dx + B du, sensors C dx + D du.
// The state is (position, velocity, activation), with positions in the tangent space: 2 nv + na numbers. Null skips a
// matrix.
void mjd_transitionFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_centered, mjtNum* A, mjtNum* B, mjtNum* C,
                      mjtNum* D) {
  SINEW_CHECK(mjd_transitionFD);
  Guard("mjd_transitionFD", [&] { sinew::DifferenceTransition(m, d, eps, flg_centered != 0, {A, B, C, D}); });
}

// Derivatives of inverse dynamics and sensors by position, velocity and acceleration; matrices are transposed, a row
// for each dof that is moved, as MuJoCo 3.8.0 has them.
void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_actuation, mjtNum* DfDq, mjtNum* DfDv,
                   mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa, mjtNum* DmDq) {
  SINEW_CHECK(mjd_inverseFD);
  Guard("mjd_inverseFD", [&] {
    sinew::DifferenceInverse(m, d, eps, flg_actuation != 0, {DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq});
  });
}

// Derivatives of the rotation vector log(qb* qa) with respect to qa and qb.
void mjd_subQuat(const mjtNum qa[4], const mjtNum qb[4], mjtNum Da[9], mjtNum Db[9]) {
  SINEW_CHECK(mjd_subQuat);
  const auto derivatives = sinew::DifferentiateSubQuat(sinew::LoadQuat(qa), sinew::LoadQuat(qb));
  Store(derivatives.a, Da);
  Store(derivatives.b, Db);
}

// Derivatives of q exp(v s / 2) with respect to q, to the scaled velocity v s, and to s.
void mjd_quatIntegrate(const mjtNum vel[3], mjtNum scale, mjtNum Dquat[9], mjtNum Dvel[9], mjtNum Dscale[3]) {
  SINEW_CHECK(mjd_quatIntegrate);
  const auto derivatives = sinew::DifferentiateQuatIntegrate(sinew::LoadVec3(vel), scale);
  Store(derivatives.quat, Dquat);
  Store(derivatives.velocity, Dvel);
  if (Dscale) sinew::StoreVec3(derivatives.scale, Dscale);
}
