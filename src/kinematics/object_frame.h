// The frame of an object that has one: a body, geom, site or camera.
#ifndef SINEW_KINEMATICS_OBJECT_FRAME_H_
#define SINEW_KINEMATICS_OBJECT_FRAME_H_

#include <mujoco/mujoco.h>

#include "math/quat.h"

namespace sinew {

// Position and axes in the world, where mjData has them, and the body that carries the object. mjOBJ_BODY is the
// inertial frame of a body, mjOBJ_XBODY its own. Other types have no body (-1) and null pointers.
struct ObjectFrame {
  int body;
  const double *position, *rotation;
};
ObjectFrame FrameOf(const mjModel* m, const mjData* d, int type, int id);

// Orientation in the world, composed from quaternions.
Quat<double> OrientationOf(const mjModel* m, const mjData* d, int type, int id);

}  // namespace sinew

#endif  // SINEW_KINEMATICS_OBJECT_FRAME_H_
