// Exported functions of time integration, and of the space of positions, where quaternions make differences vectors of
// another length: qpos has nq numbers, and differences nv.
#include "integrate/integrate.h"

#include <mujoco/mujoco.h>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "step/integrators.h"

using sinew::capi::Guard;

// Each integrator moves velocities and positions by one time step from the accelerations of the last forward pass.
void mj_Euler(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_Euler);
  Guard("mj_Euler", [&] { sinew::Euler(m, d); });
}
void mj_implicit(const mjModel* m, mjData* d) {
  SINEW_CHECK(mj_implicit);
  Guard("mj_implicit", [&] { sinew::Implicit(m, d); });
}
void mj_RungeKutta(const mjModel* m, mjData* d, int N) {
  SINEW_CHECK(mj_RungeKutta);
  Guard("mj_RungeKutta", [&] { sinew::RungeKutta(m, d, N); });
}

void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt) {
  SINEW_CHECK(mj_integratePos);
  sinew::IntegratePos(m, qpos, qvel, dt);
}
// The velocity that takes qpos1 to qpos2 within dt.
void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt, const mjtNum* qpos1, const mjtNum* qpos2) {
  SINEW_CHECK(mj_differentiatePos);
  sinew::DifferentiatePos(m, qvel, dt, qpos1, qpos2);
}
// Quaternions of free and ball joints only; a zero one becomes the identity.
void mj_normalizeQuat(const mjModel* m, mjtNum* qpos) {
  SINEW_CHECK(mj_normalizeQuat);
  sinew::NormalizeQuat(m, qpos);
}
