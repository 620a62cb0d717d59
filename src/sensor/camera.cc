// Focal lengths and principal point of a camera in pixels, from the numbers of its sensor or from its field of view.
#include "sensor/camera.h"

#include "model/view_of.h"
#include "simd/functions.h"

namespace sinew {

CameraImage ImageOf(const mjModel* m, int camera) {
  const ptrdiff_t cam = camera;
  const int width = ViewOf(m).cam_resolution(camera)[0], height = ViewOf(m).cam_resolution(camera)[1];
  const float *sensor = m->cam_sensorsize + 2 * cam, *intrinsic = m->cam_intrinsic + 4 * cam;
  if (sensor[0] != 0 && sensor[1] != 0) {
    // in the precision of the model's numbers
    const float w = static_cast<float>(width), h = static_cast<float>(height);
    return {width,
            height,
            intrinsic[0] / sensor[0] * w,
            intrinsic[1] / sensor[1] * h,
            intrinsic[2] / sensor[0] * w,
            intrinsic[3] / sensor[1] * h};
  }
  double sine, cosine;
  SinCos(m->cam_fovy[cam] * kPi / 360, sine, cosine);
  const double focal = 0.5 * height * cosine / sine;
  return {width, height, focal, focal, 0.5 * width, 0.5 * height};
}

}  // namespace sinew
