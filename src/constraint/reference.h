// Velocity and reference acceleration of the constraint rows.
#ifndef SINEW_CONSTRAINT_REFERENCE_H_
#define SINEW_CONSTRAINT_REFERENCE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline constraint {

// in: rows, qvel, cvel, cdof_dot                 out: efc_vel, efc_aref
//   efc_vel  = J v + velocity of surfaces                   the last term for contacts only (surface_kernel.h)
//   efc_aref = -B efc_vel - K d (pos - margin) - Jdot v     the last term for connect and weld only
//              + R adhesion                                 of contacts that stick (force/adhesion.h)
void ReferenceConstraint(const mjModel* m, mjData* d);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_REFERENCE_H_
