// The poses that a connect or weld equality compares: two points, and for a weld two orientations.
//
// Residual of a weld's rotation: s Im(q2* q1), the sine of half the angle times the axis, in the frame of body 2.
#ifndef SINEW_CONSTRAINT_EQUALITY_POSE_H_
#define SINEW_CONSTRAINT_EQUALITY_POSE_H_

#include <mujoco/mujoco.h>

#include <array>

#include "math/quat.h"
#include "math/vec3.h"

namespace sinew {

struct EqualityPose {
  int body[2];
  Vec3<double> point[2];  // world
  Quat<double> quat[2];   // q1 includes the relative pose that the weld holds; identity for connect
  double torquescale;     // s
};

// The bodies that a connect or weld ties, directly or by their sites.
std::array<int, 2> EqualityBodies(const mjModel* m, int id);

// Between two bodies, or two sites.
EqualityPose ConnectPose(const mjModel* m, const mjData* d, int id);
EqualityPose WeldPose(const mjModel* m, const mjData* d, int id);

}  // namespace sinew

#endif  // SINEW_CONSTRAINT_EQUALITY_POSE_H_
