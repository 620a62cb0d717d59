// The pinhole of a camera, in pixels of its image: x to the right, y down, from the upper left corner.
#ifndef SINEW_SENSOR_CAMERA_H_
#define SINEW_SENSOR_CAMERA_H_

#include <mujoco/mujoco.h>

#include "math/vec3.h"

namespace sinew {

struct CameraImage {
  int width, height;          // [pixel]
  double fx, fy;              // focal lengths [pixel]
  double centre_x, centre_y;  // principal point [pixel]
};

// Follows from the size of the sensor and its intrinsics where both sizes are given, else from the vertical field of
// view.
CameraImage ImageOf(const mjModel* m, int camera);

}  // namespace sinew

#endif  // SINEW_SENSOR_CAMERA_H_
