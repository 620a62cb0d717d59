// Passive forces (passive_kernel.h), the user's callback, and plugins.
#ifndef SINEW_FORCE_PASSIVE_H_
#define SINEW_FORCE_PASSIVE_H_

#include <mujoco/mujoco.h>

namespace sinew {

void Passive(const mjModel* m, mjData* d);

}  // namespace sinew

#endif  // SINEW_FORCE_PASSIVE_H_
