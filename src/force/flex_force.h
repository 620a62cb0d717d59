// Passive forces of flexes: springs and dampers along edges, elasticity of elements, bending of shells, elasticity of
// the cells between nodes.
#ifndef SINEW_FORCE_FLEX_FORCE_H_
#define SINEW_FORCE_FLEX_FORCE_H_

#include <mujoco/mujoco.h>

namespace sinew {

// Stiffness of the spring that pushes the sides of a passive contact apart, that of MuJoCo 3.8.0 [N/m].
inline constexpr double kPassivePush = 1e4;

//   in:  flexvert_xpos, flexedge_length, flexedge_velocity, flexedge_J; poses and velocities of bodies
//   out: added to qfrc_spring, qfrc_damper
void FlexForces(const mjModel* m, mjData* d);

}  // namespace sinew

#endif  // SINEW_FORCE_FLEX_FORCE_H_
