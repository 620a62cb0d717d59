// Contacts before impact (docs/how/speculative.md): pairs that would pass through each other between this step and the
// next get contacts that let them land.
#ifndef SINEW_COLLISION_SPECULATIVE_SPECULATIVE_H_
#define SINEW_COLLISION_SPECULATIVE_SPECULATIVE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline collision {

// Appends such contacts to those that geoms have; for models whose option has the flag.
void AddSpeculativeContacts(const mjModel* m, mjData* d);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_SPECULATIVE_SPECULATIVE_H_
