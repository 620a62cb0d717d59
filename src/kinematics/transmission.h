// What actuators act on: lengths, and moment arms as sparse rows.
#ifndef SINEW_KINEMATICS_TRANSMISSION_H_
#define SINEW_KINEMATICS_TRANSMISSION_H_

#include <mujoco/mujoco.h>

namespace sinew {

//   in: qpos, poses, cdof, ten_length, ten_J, contacts
//   out: actuator_length, actuator_moment with moment_rownnz, moment_rowadr, moment_colind
void Transmission(const mjModel* m, mjData* d);

}  // namespace sinew

#endif  // SINEW_KINEMATICS_TRANSMISSION_H_
