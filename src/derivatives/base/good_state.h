// Numbers that no step can begin with are refused by name.
#ifndef SINEW_DERIVATIVES_BASE_GOOD_STATE_H_
#define SINEW_DERIVATIVES_BASE_GOOD_STATE_H_

#include <mujoco/mujoco.h>

#include <cmath>
#include <string>

#include "core/error.h"

namespace sinew::inline derivatives {

// The first number that no step can begin with, by name.
inline void RequireGoodNumbers(const char* name, const double* values, mjtSize n) {
  constexpr double kMax = 1e10;  // what a step accepts
  for (mjtSize i = 0; i < n; ++i) {
    if (std::abs(values[i]) <= kMax) continue;
    throw Error(std::string("derivatives of a bad state: ") + name + "[" + std::to_string(i) + "] is " +
                    std::to_string(values[i]),
                "set a finite value below 1e10");
  }
}

inline void RequireGoodState(const mjModel* m, const mjData* d) {
  RequireGoodNumbers("qpos", d->qpos, m->nq);
  RequireGoodNumbers("qvel", d->qvel, m->nv);
  RequireGoodNumbers("act", d->act, m->na);
  RequireGoodNumbers("ctrl", d->ctrl, m->nu);
  RequireGoodNumbers("qfrc_applied", d->qfrc_applied, m->nv);
  RequireGoodNumbers("xfrc_applied", d->xfrc_applied, 6 * m->nbody);
}

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_GOOD_STATE_H_
