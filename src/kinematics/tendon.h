// Lengths, paths and Jacobians of tendons.
#ifndef SINEW_KINEMATICS_TENDON_H_
#define SINEW_KINEMATICS_TENDON_H_

#include <mujoco/mujoco.h>

namespace sinew::inline kinematics {

//   in: qpos, poses of sites and geoms, cdof
//   out: ten_length, ten_J, and the path: ten_wrapadr, ten_wrapnum, wrap_obj, wrap_xpos
void Tendon(const mjModel* m, mjData* d);

// The paths of all tendons, but lengths and Jacobians only of those around geoms: what is left where the others' are
// computed elsewhere (tendon_kernel.h).
void TendonPaths(const mjModel* m, mjData* d);

// Rate of change of a tendon's Jacobian, dense (nv), including that of the directions between sites and of the points
// where the path touches a sphere or a cylinder. Needs Tendon and ComVel.
void TendonDot(const mjModel* m, mjData* d, int tendon, mjtNum* dot);

// Adds the bias force of tendon armatures, a J (J' v), to qfrc. Needs ComVel.
void TendonBias(const mjModel* m, mjData* d, mjtNum* qfrc);

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_TENDON_H_
