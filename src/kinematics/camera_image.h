// The image of a camera of the model: where its borders lie before the camera, and its pinhole in pixels. Pictures,
// rays of rangefinders and projections of sites all follow from here.
#ifndef SINEW_KINEMATICS_CAMERA_IMAGE_H_
#define SINEW_KINEMATICS_CAMERA_IMAGE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline kinematics {

// The lens in sizes of the image, x to the right and y down from its upper left corner. A perspective camera maps the
// direction (x, y, -1) of its frame, y up, to (center_x + x focal_x, center_y - y focal_y); an orthographic one does so
// with the point (x, y) itself [m]. Without a sensor the width of the image follows from its aspect: focal_x is then
// zero.
struct CameraLens {
  double focal_x, focal_y, center_x, center_y;
  bool orthographic;
};

// Follows from the size of the sensor, the focal lengths and the principal point where there is a sensor, else from the
// vertical field of view [degree], or extent [m] of an orthographic camera.
CameraLens LensOf(const mjModel* m, int camera);

// The same in pixels of the camera's resolution.
struct CameraImage {
  int width, height;          // [pixel]
  double fx, fy;              // focal lengths [pixel]; of an orthographic camera, pixels per metre
  double center_x, center_y;  // where the optical axis meets the image [pixel]
  bool orthographic;
};

CameraImage ImageOf(const mjModel* m, int camera);

}  // namespace sinew::inline kinematics

#endif  // SINEW_KINEMATICS_CAMERA_IMAGE_H_
