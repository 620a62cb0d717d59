// Flexes: where their vertices are, and the lengths and strains that forces and constraints act on.
#ifndef SINEW_KINEMATICS_FLEX_H_
#define SINEW_KINEMATICS_FLEX_H_

#include <mujoco/mujoco.h>

namespace sinew::inline kinematics {

//   in:  poses of bodies, cdof, subtree_com
//   out: flexvert_xpos, flexelem_aabb, bvh_aabb_dyn; flexedge_length, flexedge_J; flexvert_length, flexvert_J
void Flex(const mjModel* m, mjData* d);

// flexedge_velocity: Jacobian times qvel.
void FlexVelocity(const mjModel* m, mjData* d);

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_FLEX_H_
