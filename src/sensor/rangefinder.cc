// Rangefinders: one ray along the z axis of a site, or one through every pixel of a camera. Each ray gives a record of
// the fields that its sensor asks for.
#include <algorithm>

#include "collision/ray/ray.h"
#include "core/stack.h"
#include "kinematics/camera_image.h"
#include "math/mat3.h"
#include "math/rows.h"
#include "model/view/view_of.h"
#include "sensor/evaluate.h"

namespace sinew::inline sensor {
namespace {

using Vec = Vec3<double>;

// Rays of a camera that are followed at a time: the scratch memory does not grow with the image.
constexpr int kBatch = 256;

// Appends the fields of one ray to `out`, in the order of their bits; returns the end. On a miss distance and depth are
// -1 and the rest zero, but for the origin. `view` is the direction in which depth counts.
double* WriteRecord(int fields, const Vec& origin, const Vec& direction, const Vec& view, const RayHit& hit,
                    double* out) {
  const auto write = [&](mjtRayDataField field, const Vec& value) {
    if (!(fields & (1 << field))) return;
    StoreVec3(value, out);
    out += 3;
  };
  const bool met = static_cast<bool>(hit);
  if (fields & (1 << mjRAYDATA_DIST)) *out++ = hit.x;
  write(mjRAYDATA_DIR, met ? direction : Zero3<double>());
  write(mjRAYDATA_ORIGIN, origin);
  write(mjRAYDATA_POINT, met ? origin + direction * hit.x : Zero3<double>());
  write(mjRAYDATA_NORMAL, hit.normal);
  if (fields & (1 << mjRAYDATA_DEPTH)) *out++ = met ? hit.x * Dot(direction, view) : -1;
  return out;
}

// The site's own body is left out, as the ray would start inside of it.
void FromSite(const mjModel* m, const mjData* d, int site, int fields, double* out) {
  const Vec origin = ViewOf(d).site_xpos(site), direction = ViewOf(d).site_xmat(site).Column(2);
  const RayFilter filter = {.excluded_body = m->site_bodyid[site]};
  WriteRecord(fields, origin, direction, direction, RayWorld(m, d, filter, {origin, direction}).hit, out);
}

// A camera looks along -z. Pixels are visited row by row from the top; a ray goes through the middle of its pixel.
class CameraRays {
 public:
  CameraRays(const mjModel* m, mjData* d, int camera)
      : m_(m),
        d_(d),
        filter_{.excluded_body = m->cam_bodyid[camera]},
        image_(ImageOf(m, camera)),
        origin_(ViewOf(d).cam_xpos(camera)),
        axes_(ViewOf(d).cam_xmat(camera)) {}

  // Rays start at one point and go through the pixels.
  void Perspective(int fields, double* out) const {
    StackFrame frame(d_);
    double* directions = frame.Doubles(3 * kBatch);
    auto* hits = frame.Alloc<WorldHit>(kBatch);
    const int pixels = image_.width * image_.height;
    for (int first = 0; first < pixels; first += kBatch) {
      const int count = std::min(kBatch, pixels - first);
      for (int i = 0; i < count; ++i) StoreVec3(DirectionThrough(first + i), Row3(directions, i));
      RayWorldMany(m_, d_, filter_, origin_, directions, count, hits);
      for (int i = 0; i < count; ++i) {
        out = WriteRecord(fields, origin_, LoadVec3(Row3(directions, i)), View(), hits[i].hit, out);
      }
    }
  }

  // Parallel rays from points of the image plane.
  void Orthographic(int fields, double* out) const {
    const Vec direction = View();
    for (int pixel = 0; pixel < image_.width * image_.height; ++pixel) {
      const Vec origin = OriginAt(pixel);
      const RayHit hit = RayWorld(m_, d_, filter_, {origin, direction}).hit;
      out = WriteRecord(fields, origin, direction, direction, hit, out);
    }
  }

 private:
  Vec View() const { return -axes_.Column(2); }

  // The middle of a pixel, where the image lies at distance one, or anywhere before an orthographic camera.
  Vec Place(int pixel) const {
    const double x = pixel % image_.width + 0.5 - image_.center_x, y = pixel / image_.width + 0.5 - image_.center_y;
    return {x / image_.fx, -y / image_.fy, 0};
  }

  Vec DirectionThrough(int pixel) const { return axes_ * Normalized(Place(pixel) - Vec{0, 0, 1}); }
  Vec OriginAt(int pixel) const { return origin_ + axes_ * Place(pixel); }

  const mjModel* m_;
  mjData* d_;
  RayFilter filter_;
  CameraImage image_;
  Vec origin_;
  Mat3<double> axes_;
};

}  // namespace

// A sensor on a camera has a record for each pixel.
void EvaluateRangefinder(const mjModel* m, mjData* d, const SensorSpec& s, double* out) {
  const int fields = m->sensor_intprm[mjNSENS * s.id];
  if (s.objtype != mjOBJ_CAMERA) return FromSite(m, d, s.objid, fields, out);
  const CameraRays rays(m, d, s.objid);
  if (m->cam_projection[s.objid] == mjPROJ_ORTHOGRAPHIC) {
    rays.Orthographic(fields, out);
  } else {
    rays.Perspective(fields, out);
  }
}

}  // namespace sinew::inline sensor
