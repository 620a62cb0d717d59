#include "kinematics/camera_image.h"

#include "model/view/view_of.h"
#include "simd/functions.h"

namespace sinew::inline kinematics {

// A principal point moves the axis to the left in the image where its x is positive, and up where its y is: so pictures
// of MuJoCo 3.8.0 have it.
CameraLens LensOf(const mjModel* m, int camera) {
  const ptrdiff_t cam = camera;
  const bool orthographic = m->cam_projection[cam] == mjPROJ_ORTHOGRAPHIC;
  const float *sensor = m->cam_sensorsize + 2 * cam, *intrinsic = m->cam_intrinsic + 4 * cam;
  if (sensor[0] != 0 && sensor[1] != 0) {
    const double width = double(sensor[0]), height = double(sensor[1]);
    // The picture of an orthographic camera with a sensor is what a perspective one sees at its near plane.
    const double scale = orthographic ? 1 / (double(m->vis.map.znear) * m->stat.extent) : 1;
    return {scale * double(intrinsic[0]) / width, scale * double(intrinsic[1]) / height,
            0.5 - double(intrinsic[2]) / width, 0.5 - double(intrinsic[3]) / height, orthographic};
  }
  if (orthographic) return {0, 1 / m->cam_fovy[cam], 0.5, 0.5, true};
  double sine, cosine;
  SinCos(m->cam_fovy[cam] * kPi / 360, sine, cosine);
  return {0, 0.5 * cosine / sine, 0.5, 0.5, false};
}

CameraImage ImageOf(const mjModel* m, int camera) {
  const CameraLens lens = LensOf(m, camera);
  const int width = ViewOf(m).cam_resolution(camera)[0], height = ViewOf(m).cam_resolution(camera)[1];
  const double fy = height * lens.focal_y;
  return {width,
          height,
          lens.focal_x > 0 ? width * lens.focal_x : fy,  // pixels are square
          fy,
          width * lens.center_x,
          height * lens.center_y,
          lens.orthographic};
}

}  // namespace sinew::inline kinematics
