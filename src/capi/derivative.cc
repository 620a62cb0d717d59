// Exported derivatives: of steps and inverse dynamics, of operations on rotations.
#include <mujoco/mujoco.h>

#include <algorithm>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "linearization/finite_difference.h"
#include "derivative/rotation.h"

using sinew::capi::Guard;

namespace {

void Store(const sinew::Mat3<double>& matrix, mjtNum* result) {
  if (result) std::copy_n(matrix.m, 9, result);
}

}  // namespace

void mjd_transitionFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_centered, mjtNum* A, mjtNum* B, mjtNum* C,
                      mjtNum* D) {
  SINEW_NOT_NULL(mjd_transitionFD, m, d);
  Guard("mjd_transitionFD", [&] { sinew::DifferentiateTransition(m, d, eps, flg_centered != 0, {A, B, C, D}); });
}

void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_actuation, mjtNum* DfDq, mjtNum* DfDv,
                   mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa, mjtNum* DmDq) {
  SINEW_NOT_NULL(mjd_inverseFD, m, d);
  Guard("mjd_inverseFD", [&] {
    sinew::DifferentiateInverse(m, d, eps, flg_actuation != 0, {DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq});
  });
}

void mjd_subQuat(const mjtNum qa[4], const mjtNum qb[4], mjtNum Da[9], mjtNum Db[9]) {
  SINEW_NOT_NULL(mjd_subQuat, qa, qb);
  const auto derivatives = sinew::DifferentiateSubQuat(sinew::LoadQuat(qa), sinew::LoadQuat(qb));
  Store(derivatives.a, Da);
  Store(derivatives.b, Db);
}

void mjd_quatIntegrate(const mjtNum vel[3], mjtNum scale, mjtNum Dquat[9], mjtNum Dvel[9], mjtNum Dscale[3]) {
  SINEW_NOT_NULL(mjd_quatIntegrate, vel);
  const auto derivatives = sinew::DifferentiateQuatIntegrate(sinew::LoadVec3(vel), scale);
  Store(derivatives.quat, Dquat);
  Store(derivatives.velocity, Dvel);
  if (Dscale) sinew::StoreVec3(derivatives.scale, Dscale);
}
