// Which integrator a model asks for.
#ifndef SINEW_MODEL_INTEGRATOR_H_
#define SINEW_MODEL_INTEGRATOR_H_

#include <mujoco/mujoco.h>

namespace sinew {

// Whether steps take the derivative of forces by velocity along: implicit and implicitfast. Not inline, because kernels
// that are compiled for larger instruction sets call it.
bool IsImplicit(const mjModel* m);

}  // namespace sinew

#endif  // SINEW_MODEL_INTEGRATOR_H_
