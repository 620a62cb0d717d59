// Exported derivatives of operations on rotations.
#include <mujoco/mujoco.h>

#include <algorithm>

#include "derivative/rotation.h"

namespace {

void Store(const sinew::Mat3<double>& matrix, mjtNum* result) {
  if (result) std::copy_n(matrix.m, 9, result);
}

}  // namespace

void mjd_subQuat(const mjtNum qa[4], const mjtNum qb[4], mjtNum Da[9], mjtNum Db[9]) {
  const auto derivatives = sinew::DifferentiateSubQuat(sinew::LoadQuat(qa), sinew::LoadQuat(qb));
  Store(derivatives.a, Da);
  Store(derivatives.b, Db);
}

void mjd_quatIntegrate(const mjtNum vel[3], mjtNum scale, mjtNum Dquat[9], mjtNum Dvel[9], mjtNum Dscale[3]) {
  const auto derivatives = sinew::DifferentiateQuatIntegrate(sinew::LoadVec3(vel), scale);
  Store(derivatives.quat, Dquat);
  Store(derivatives.velocity, Dvel);
  if (Dscale) sinew::StoreVec3(derivatives.scale, Dscale);
}
