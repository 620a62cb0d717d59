// Passive forces (passive_kernel.h), the user's callback, and plugins.
#ifndef SINEW_FORCE_PASSIVE_H_
#define SINEW_FORCE_PASSIVE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline force {

void Passive(const mjModel* m, mjData* d);

}  // namespace sinew::inline force

#endif  // SINEW_FORCE_PASSIVE_H_
