// Exported functions of time integration, and of the space of positions.
#include "integrate/integrate.h"

#include <mujoco/mujoco.h>

#include "capi/boundary.h"

using sinew::capi::Guard;

void mj_Euler(const mjModel* m, mjData* d) {
  Guard("mj_Euler", [&] { sinew::Euler(m, d); });
}
void mj_implicit(const mjModel* m, mjData* d) {
  Guard("mj_implicit", [&] { sinew::Implicit(m, d); });
}
void mj_RungeKutta(const mjModel* m, mjData* d, int N) {
  Guard("mj_RungeKutta", [&] { sinew::RungeKutta(m, d, N); });
}

void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt) {
  sinew::IntegratePos(m, qpos, qvel, dt);
}
void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt, const mjtNum* qpos1, const mjtNum* qpos2) {
  sinew::DifferentiatePos(m, qvel, dt, qpos1, qpos2);
}
void mj_normalizeQuat(const mjModel* m, mjtNum* qpos) { sinew::NormalizeQuat(m, qpos); }
