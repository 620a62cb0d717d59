// Wrenches on bodies as generalized forces (apply_kernel.h).
#ifndef SINEW_KINEMATICS_APPLY_H_
#define SINEW_KINEMATICS_APPLY_H_

#include <mujoco/mujoco.h>

namespace sinew::inline kinematics {

// Adds the generalized force (nv) of a force at a point of the body, and of a torque; either may be null. World axes.
void ApplyFT(const mjModel* m, const mjData* d, const mjtNum* force, const mjtNum* torque, const mjtNum point[3],
             int body, mjtNum* qfrc);

// Adds the generalized force of d->xfrc_applied.
void XfrcAccumulate(const mjModel* m, const mjData* d, mjtNum* qfrc);

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_APPLY_H_
