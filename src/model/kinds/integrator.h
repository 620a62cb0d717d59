// Which integrator a model uses.
#ifndef SINEW_MODEL_KINDS_INTEGRATOR_H_
#define SINEW_MODEL_KINDS_INTEGRATOR_H_

#include <mujoco/mujoco.h>

namespace sinew::inline model {

// A value of opt.integrator, as MuJoCo has it since release 3.13: constraints and motion in one metric
// (docs/how/integrators.md).
inline constexpr int kDiscrete = 4;

// Whether steps take the derivative of forces by velocity along: implicit, implicitfast and discrete. Not inline,
// because kernels that are compiled for larger instruction sets call it.
bool IsImplicit(const mjModel* m);
bool IsDiscrete(const mjModel* m);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_KINDS_INTEGRATOR_H_
