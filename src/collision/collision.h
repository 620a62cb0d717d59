// Collision detection: fills the contacts of mjData. docs/how/collision.md
#ifndef SINEW_COLLISION_COLLISION_H_
#define SINEW_COLLISION_COLLISION_H_

#include <mujoco/mujoco.h>

namespace sinew::inline collision {

// Needs the positions of bodies and geoms. Discards what the arena holds of an earlier step: contacts, constraint rows
// and islands.
void Collision(const mjModel* m, mjData* d);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_COLLISION_H_
