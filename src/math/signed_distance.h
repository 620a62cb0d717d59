// Signed distances [m] from the surfaces of primitive shapes, negative inside. A point is given in the shape's own
// frame, sizes as those of geoms: radius, half lengths. Outside of a shape the value need not be the least distance.
#ifndef SINEW_MATH_SIGNED_DISTANCE_H_
#define SINEW_MATH_SIGNED_DISTANCE_H_

#include <algorithm>
#include <cmath>

#include "math/vec3.h"

namespace sinew {
inline namespace SINEW_ISA {

inline double SphereDistance(const Vec3<double>& point, double radius) { return Norm(point) - radius; }

// The axis is z; `half` is half the length of the cylindrical part.
inline double CapsuleDistance(const Vec3<double>& point, double radius, double half) {
  return SphereDistance({point.x, point.y, point.z - std::clamp(point.z, -half, half)}, radius);
}

inline double CylinderDistance(const Vec3<double>& point, double radius, double half) {
  const double side = std::sqrt(point.x * point.x + point.y * point.y) - radius, cap = std::fabs(point.z) - half;
  const double beside = std::max(side, 0.0), above = std::max(cap, 0.0);
  return std::min(std::max(side, cap), 0.0) + std::sqrt(beside * beside + above * above);
}

// First order, exact on the surface (I. Quilez, "Ellipsoid SDF", 2008):  k0 (k0 - 1) / k1  with k0 = |p / s|,
// k1 = |p / s^2|. At the centre, where it is undefined, the smallest half axis.
inline double EllipsoidDistance(const Vec3<double>& point, const Vec3<double>& size) {
  const Vec3<double> scaled = {point.x / size.x, point.y / size.y, point.z / size.z};
  const double k0 = Norm(scaled), k1 = Norm(Vec3<double>{scaled.x / size.x, scaled.y / size.y, scaled.z / size.z});
  return k1 < kMinVal ? -std::min({size.x, size.y, size.z}) : k0 * (k0 - 1) / k1;
}

// Inside, the depth is the way to the surface along a direction that turns smoothly from face to face. With the
// relative depth u_i = 1 - |p_i| / s_i below the faces i it is (1 / u_i), normalized; face i is reached after
//
//   s_i u_i / ((1 / u_i) / |1 / u|) = s_i u_i^2 |1 / u|
inline double BoxDistance(const Vec3<double>& point, const Vec3<double>& size) {
  Vec3<double> outside, inverse;
  double nearest = HUGE_VAL;
  bool inside = true;
  for (int i = 0; i < 3; ++i) {
    const double depth = size[i] - std::fabs(point[i]), u = depth / size[i];
    inside = inside && u > 0;
    outside[i] = std::max(-depth, 0.0);
    inverse[i] = 1 / u;
    nearest = std::min(nearest, depth * u);
  }
  return inside ? -nearest * Norm(inverse) : Norm(outside);
}

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_MATH_SIGNED_DISTANCE_H_
