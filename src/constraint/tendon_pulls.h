// Spatial tendons as forces on the bodies that they run along.
#ifndef SINEW_CONSTRAINT_TENDON_PULLS_H_
#define SINEW_CONSTRAINT_TENDON_PULLS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline constraint {

// Adds to cfrc_ext what spatial tendons do to bodies: their springs and dampers, actuators, limits, friction,
// equalities and armature. A force f along a tendon, with qfrc = J' f, pulls at both ends of each straight piece of its
// path with f over the divisor of the pulley before it. Fixed tendons act inside joints.
//   in: ten_length, ten_velocity, wrap_xpos, wrap_obj; actuator_force, efc_force, qacc
void AddTendonPulls(const mjModel* m, mjData* d);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_TENDON_PULLS_H_
