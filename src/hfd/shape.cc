#include "hfd/shape.h"

#include <string>

#include "math/orientation.h"

namespace sinew::hfd {
namespace {

constexpr double kSquareRoot = 0.70710678118654752440;
constexpr double kPlaneSize = 5;  // m, half of what pictures show

}  // namespace

std::optional<Shape> ReadShape(Entries& entries) {
  const std::string type = entries.Text("type");
  if (type == "sphere") return Shape{mjGEOM_SPHERE, {entries.Positive("radius"), 0, 0}};
  if (type == "capsule" || type == "cylinder") {
    const Vec3<double> size = {entries.Positive("radius"), entries.Positive("height") / 2, 0};
    return Shape{type == "capsule" ? mjGEOM_CAPSULE : mjGEOM_CYLINDER, size, {kSquareRoot, kSquareRoot, 0, 0}};
  }
  if (type == "box") {
    const Vec3<double> size = entries.Vector("dim", {0, 0, 0}) * 0.5;
    if (size.x > 0 && size.y > 0 && size.z > 0) return Shape{mjGEOM_BOX, size};
    entries.Fail("the box has no size", "give dim as three positive lengths");
    return std::nullopt;
  }
  if (type == "plane") {
    const Vec3<double> normal = entries.Vector("normal", {0, 1, 0});
    if (Dot(normal, normal) > 0) {
      return Shape{mjGEOM_PLANE, {kPlaneSize, kPlaneSize, 0.1}, FromDirection(normal)};
    }
    entries.Fail("the normal of the plane has no direction", "give it a length");
    return std::nullopt;
  }
  entries.Fail("'" + type + "' is no type of a shape", "use sphere, capsule, cylinder, box or plane");
  return std::nullopt;
}

// The cap of a capsule is 3/8 of its radius away from the end of the cylinder.
ShapeMass MassOf(const Shape& shape, double density) {
  const double r = shape.size.x, h = 2 * shape.size.y;
  const double ball = density * 4 / 3 * kPi * r * r * r, tube = density * kPi * r * r * h;
  if (shape.type == mjGEOM_SPHERE) {
    const double moment = 0.4 * ball * r * r;
    return {ball, {moment, moment, moment}};
  }
  if (shape.type == mjGEOM_BOX) {
    const Vec3<double> s = shape.size;
    const double mass = density * 8 * s.x * s.y * s.z, third = mass / 3;
    return {mass, Vec3<double>{s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z, s.x * s.x + s.y * s.y} * third};
  }
  const double caps = shape.type == mjGEOM_CAPSULE ? ball : 0;
  const double along = tube * r * r / 2 + caps * 0.4 * r * r;
  const double across = tube * (r * r / 4 + h * h / 12) + caps * (0.4 * r * r + h * h / 4 + 0.375 * r * h);
  return {tube + caps, {across, along, across}};
}

}  // namespace sinew::hfd
