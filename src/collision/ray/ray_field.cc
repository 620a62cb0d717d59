// Rays against signed distance fields, by sphere tracing (J. C. Hart, Sphere tracing: a geometric method for the
// antialiased ray tracing of implicit surfaces, The Visual Computer 12, 1996): the distance from the surface is a step
// that cannot cross it.
//
// Fields that are interpolated may overstate the distance. A step that does cross the surface is halved until the two
// sides meet.
#include <cmath>

#include "collision/field/sdf.h"
#include "collision/ray/ray_geom.h"
#include "model/view/view_of.h"

namespace sinew::inline collision {
namespace {

constexpr double kOnSurface = 1e-7;  // m
constexpr double kFar = 1e6;         // m
constexpr int kSteps = 128;          // rays along a surface take many
constexpr int kHalvings = 60;

// A point of the ray, `length` metres from its start, and the field there.
struct Station {
  double length, distance;
};

class Tracer {
 public:
  Tracer(const DistanceField& field, const Ray& ray)
      : field_(field), point_(ray.point), direction_(Normalized(ray.direction)) {}

  Vec3<double> PointAt(double length) const { return point_ + direction_ * length; }

  // How far the surface is along the ray; negative when it is not met.
  double Run() const {
    Station last = At(0);
    for (int i = 0; i < kSteps; ++i) {
      if (std::fabs(last.distance) < kOnSurface) return last.length;
      const Station next = At(last.length + std::fabs(last.distance));
      if (next.distance * last.distance < 0) return Between(last, next);
      if (!(next.length < kFar)) break;
      last = next;
    }
    return -1;
  }

 private:
  Station At(double length) const { return {length, field_.Distance(PointAt(length))}; }

  // The crossing between two points on different sides.
  double Between(Station a, Station b) const {
    for (int i = 0; i < kHalvings && std::fabs(b.distance) >= kOnSurface; ++i) {
      const Station middle = At(0.5 * (a.length + b.length));
      const bool beyond = middle.distance * a.distance < 0;
      (beyond ? b : a) = middle;
    }
    return b.length;
  }

  const DistanceField& field_;
  Vec3<double> point_, direction_;
};

}  // namespace

RayHit RayField(const mjModel* m, const mjData* d, int geom, const Ray& ray) {
  const Vec3<double> size = ViewOf(m).geom_size(geom);
  const RayTarget box = {mjGEOM_BOX, Zero3<double>(), Identity3<double>(), size};
  if (RayPrimitive(box, ray.point, ray.direction, nullptr) < 0 || !DistanceField::IsKnown(m, geom)) return {};
  const DistanceField field = DistanceField::OfGeom(m, d, geom);
  const Tracer tracer(field, ray);
  const double length = tracer.Run();
  if (length < 0) return {};
  return {length / Norm(ray.direction), Normalized(field.Gradient(tracer.PointAt(length)))};
}

}  // namespace sinew::inline collision
