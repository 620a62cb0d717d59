// The frame of an object that sensors and Jacobians can be attached to.
#ifndef SINEW_SENSOR_FRAME_H_
#define SINEW_SENSOR_FRAME_H_

#include <mujoco/mujoco.h>

#include "math/quat.h"

namespace sinew {

// Position and axes in the world. mjOBJ_BODY is the inertial frame of a body, mjOBJ_XBODY its own; geoms, sites and
// cameras as they are. Other types give null pointers.
struct ObjectFrame {
  const double *position, *rotation;
};
ObjectFrame FrameOf(const mjData* d, int type, int id);

// Orientation in the world, composed from quaternions.
Quat<double> OrientationOf(const mjModel* m, const mjData* d, int type, int id);

}  // namespace sinew

#endif  // SINEW_SENSOR_FRAME_H_
