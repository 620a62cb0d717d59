// Which dofs move a body.
#ifndef SINEW_MODEL_KINDS_CHAIN_H_
#define SINEW_MODEL_KINDS_CHAIN_H_

#include <mujoco/mujoco.h>

#include "simd/isa.h"

namespace sinew::inline model {
inline namespace SINEW_ISA {

// The last dof on the way from the world to the body, -1 when there is none; dof_parentid leads to the others.
inline int LastDof(const mjModel* m, int body) {
  const int mover = m->body_weldid[body];
  return m->body_dofnum[mover] == 0 ? -1 : m->body_dofadr[mover] + m->body_dofnum[mover] - 1;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_CHAIN_H_
