// Which integrator a model asks for.
#ifndef SINEW_MODEL_INTEGRATOR_H_
#define SINEW_MODEL_INTEGRATOR_H_

#include <mujoco/mujoco.h>

namespace sinew {

// Whether steps take the derivative of forces by velocity along: implicit and implicitfast.
inline bool IsImplicit(const mjModel* m) {
  return m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
}

}  // namespace sinew

#endif  // SINEW_MODEL_INTEGRATOR_H_
