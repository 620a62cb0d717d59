// Velocities (velocity_kernel.h).
#ifndef SINEW_KINEMATICS_VELOCITY_H_
#define SINEW_KINEMATICS_VELOCITY_H_

#include <mujoco/mujoco.h>

namespace sinew::inline kinematics {

// Spatial velocities of bodies and rates of the joints' motion axes: cvel, cdof_dot.
void ComVel(const mjModel* m, mjData* d);

// subtree_linvel and subtree_angmom; needs ComVel.
void SubtreeVel(const mjModel* m, mjData* d);

// ten_velocity and actuator_velocity: Jacobian times qvel.
void TendonVelocity(const mjModel* m, mjData* d);
void ActuatorVelocity(const mjModel* m, mjData* d);

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_VELOCITY_H_
