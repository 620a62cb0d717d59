// Signed distances [m] from the surfaces of primitive shapes, negative inside, and their gradients. A point is given in
// the shape's own frame, sizes as those of geoms: radius, half lengths. Outside of a shape the value need not be the
// least distance. Gradients are of unit length, and zero where there is none: on axes, in centres, and on the flat
// faces of boxes and cylinders, where inside and outside have different formulas.
#ifndef SINEW_MATH_SIGNED_DISTANCE_H_
#define SINEW_MATH_SIGNED_DISTANCE_H_

#include <algorithm>
#include <cmath>

#include "math/vec3.h"

namespace sinew::inline math {
inline namespace SINEW_ISA {

// The direction of a vector; zero for one without length.
inline Vec3<double> Direction(const Vec3<double>& v) {
  const double length = Norm(v);
  return length < kMinVal ? Vec3<double>{0, 0, 0} : v * (1 / length);
}

inline double SphereDistance(const Vec3<double>& point, double radius) { return Norm(point) - radius; }
inline Vec3<double> SphereGradient(const Vec3<double>& point) { return Direction(point); }

// The axis is z; `half` is half the length of the cylindrical part.
inline double CapsuleDistance(const Vec3<double>& point, double radius, double half) {
  return SphereDistance({point.x, point.y, point.z - std::clamp(point.z, -half, half)}, radius);
}

inline Vec3<double> CapsuleGradient(const Vec3<double>& point, double half) {
  return Direction({point.x, point.y, point.z - std::clamp(point.z, -half, half)});
}

inline double CylinderDistance(const Vec3<double>& point, double radius, double half) {
  const double side = std::sqrt(point.x * point.x + point.y * point.y) - radius, cap = std::fabs(point.z) - half;
  const double beside = std::max(side, 0.0), above = std::max(cap, 0.0);
  return std::min(std::max(side, cap), 0.0) + std::sqrt(beside * beside + above * above);
}

// The gradient of a cylinder's distance; inside, it points towards the nearer of wall and cap.
inline Vec3<double> CylinderGradient(const Vec3<double>& point, double radius, double half) {
  const Vec3<double> wall = Direction({point.x, point.y, 0}), end = {0, 0, point.z < 0 ? -1.0 : 1.0};
  const double side = std::sqrt(point.x * point.x + point.y * point.y) - radius, cap = std::fabs(point.z) - half;
  if (std::max(side, cap) < 0) return side > cap ? wall : end;
  return Direction(wall * std::max(side, 0.0) + end * std::max(cap, 0.0));
}

// First order, exact on the surface (I. Quilez, "Ellipsoid SDF", 2008):  k0 (k0 - 1) / k1  with k0 = |p / s|,
// k1 = |p / s^2|. At the centre, where it is undefined, the smallest half axis.
inline double EllipsoidDistance(const Vec3<double>& point, const Vec3<double>& size) {
  const Vec3<double> scaled = {point.x / size.x, point.y / size.y, point.z / size.z};
  const double k0 = Norm(scaled), k1 = Norm(Vec3<double>{scaled.x / size.x, scaled.y / size.y, scaled.z / size.z});
  return k1 < kMinVal ? -std::min({size.x, size.y, size.z}) : k0 * (k0 - 1) / k1;
}

// With  grad k0 = (p / s^2) / k0  and  grad k1 = (p / s^4) / k1.
inline Vec3<double> EllipsoidGradient(const Vec3<double>& point, const Vec3<double>& size) {
  Vec3<double> once, twice, fourfold;  // p / s, p / s^2, p / s^4
  for (int i = 0; i < 3; ++i) {
    once[i] = point[i] / size[i];
    twice[i] = once[i] / size[i];
    fourfold[i] = twice[i] / (size[i] * size[i]);
  }
  const double k0 = Norm(once), k1 = Norm(twice);
  if (k0 < kMinVal || k1 < kMinVal) return {0, 0, 0};
  return Direction(twice * ((2 * k0 - 1) * k1 / k0) - fourfold * (k0 * (k0 - 1) / k1));
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

// Inside, that direction.
inline Vec3<double> BoxGradient(const Vec3<double>& point, const Vec3<double>& size) {
  Vec3<double> outside, inward;
  bool inside = true;
  for (int i = 0; i < 3; ++i) {
    const double depth = size[i] - std::fabs(point[i]), sign = point[i] < 0 ? -1 : 1;
    inside = inside && depth > 0;
    outside[i] = sign * std::max(-depth, 0.0);
    inward[i] = sign * size[i] / depth;
  }
  return Direction(inside ? inward : outside);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline math

#endif  // SINEW_MATH_SIGNED_DISTANCE_H_
