// Accelerations of bodies and forces on them, once the constraint forces are known.
#ifndef SINEW_CONSTRAINT_BODY_FORCES_H_
#define SINEW_CONSTRAINT_BODY_FORCES_H_

#include <mujoco/mujoco.h>

namespace sinew {

//   in:  qacc, xfrc_applied, efc_force, contacts; ComVel
//   out: cacc, cfrc_ext, cfrc_int (nbody x 6), flg_rnepost
//
// cfrc_ext holds applied wrenches, contacts, and connect and weld equalities. Limits, friction and equalities of joints
// and tendons are forces inside joints and belong to neither.
void RnePostConstraint(const mjModel* m, mjData* d);

}  // namespace sinew

#endif  // SINEW_CONSTRAINT_BODY_FORCES_H_
