// Positions: from qpos to the poses of everything that moves, and what is expressed about the trees' centres of mass.
#ifndef SINEW_KINEMATICS_KINEMATICS_H_
#define SINEW_KINEMATICS_KINEMATICS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline kinematics {

// Poses of bodies, joints, inertial frames, geoms and sites (pose_kernel.h).
// All that is computed of sleeping trees stays (model/state/awake_kernel.h), here and in other stages.
void Kinematics(const mjModel* m, mjData* d);

// Poses of the bodies that sleep: xpos, xquat, xanchor, xaxis.
void ComputeSleepingPoses(const mjModel* m, mjData* d);

// subtree_com, cinert, cdof (com_kernel.h).
void ComPos(const mjModel* m, mjData* d);

// Poses of cameras and lights (camlight_kernel.h).
void CamLight(const mjModel* m, mjData* d);

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_KINEMATICS_H_
