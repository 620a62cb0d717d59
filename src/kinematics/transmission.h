// Transmissions of actuators: lengths, and moment arms as sparse rows.
#ifndef SINEW_KINEMATICS_TRANSMISSION_H_
#define SINEW_KINEMATICS_TRANSMISSION_H_

#include <mujoco/mujoco.h>

namespace sinew::inline kinematics {

//   in: qpos, poses, cdof, ten_length, ten_J, contacts
//   out: actuator_length, actuator_moment with moment_rownnz, moment_rowadr, moment_colind
void Transmission(const mjModel* m, mjData* d);

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_TRANSMISSION_H_
