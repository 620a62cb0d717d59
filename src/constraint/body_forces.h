// Accelerations of bodies and forces on them, once the constraint forces are known.
#ifndef SINEW_CONSTRAINT_BODY_FORCES_H_
#define SINEW_CONSTRAINT_BODY_FORCES_H_

#include <mujoco/mujoco.h>

namespace sinew::inline constraint {

//   in:  qacc, actuator_force, xfrc_applied, efc_force, contacts; ComVel
//   out: cacc, cfrc_ext, cfrc_int (nbody x 6), flg_rnepost
//
// cfrc_ext holds all forces on bodies from outside of their joints: applied wrenches, contacts, connect and weld
// equalities, spatial tendons with all that acts along them, actuators on sites, cranks and bodies, the medium, and
// gravity compensation. Forces of joints and fixed tendons act inside joints, as does gravity compensation that
// actuators supply. Elastic forces and equalities of flexes, and forces of a program's callbacks and plugins, are not
// part of it.
void RnePostConstraint(const mjModel* m, mjData* d);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_BODY_FORCES_H_
