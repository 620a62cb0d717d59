// mujoco.sdf.torus, mujoco.sdf.bowl: surfaces of revolution about z. With r the distance from the axis:
//
//   torus   |(r - radius1, z)| - radius2
//   bowl    a sphere's shell, cut off at z = height: the distance from the arc below, or where that is nearer from its
//           rim (sqrt(radius^2 - height^2), height), less the thickness (I. Quilez, Distance functions, "cut hollow
//           sphere")
#include <algorithm>
#include <cmath>

#include "plugin/first_party/first_party.h"
#include "plugin/first_party/sdf_shape.h"

namespace sinew::inline plugin {
namespace {

using Vector = Vec3<double>;

double FromAxis(const Vector& p) { return std::sqrt(p.x * p.x + p.y * p.y); }
double Length(double x, double y) { return std::sqrt(x * x + y * y); }

struct Torus {
  static constexpr const char* kName = "mujoco.sdf.torus";
  static constexpr const char* kAttributes[] = {"radius1", "radius2"};
  static constexpr double kDefaults[] = {0.35, 0.15};

  static const char* Complaint(const double* a) {
    return a[0] > 0 && a[1] > 0 ? nullptr : "radius1 and radius2 must be positive";
  }
  static double Distance(const Vector& p, const double* a) { return Length(FromAxis(p) - a[0], p.z) - a[1]; }

  // Zero on the axis and on the circle within the ring, where there is none.
  static Vector Gradient(const Vector& p, const double* a) {
    const double r = FromAxis(p), beside = r - a[0], length = Length(beside, p.z);
    if (r < mjMINVAL || length < mjMINVAL) return {0, 0, 0};
    return {p.x / r * (beside / length), p.y / r * (beside / length), p.z / length};
  }
  static Vector Half(const double* a) { return {a[0] + a[1], a[0] + a[1], a[1]}; }
};

struct Bowl {
  static constexpr const char* kName = "mujoco.sdf.bowl";
  static constexpr const char* kAttributes[] = {"height", "radius", "thickness"};
  static constexpr double kDefaults[] = {0.4, 1, 0.02};

  static const char* Complaint(const double* a) {
    if (!(a[1] > 0 && a[2] > 0)) return "radius and thickness must be positive";
    return std::fabs(a[0]) < a[1] ? nullptr : "height must be less than the radius";
  }
  static double Distance(const Vector& p, const double* a) {
    const double height = a[0], radius = a[1], thickness = a[2];
    const double rim = std::sqrt(radius * radius - height * height), r = FromAxis(p);
    const bool above = height * r < rim * p.z;
    return (above ? Length(r - rim, p.z - height) : std::fabs(Length(r, p.z) - radius)) - thickness;
  }
  static Vector Gradient(const Vector& p, const double* a) { return DifferenceGradient<Bowl>(p, a); }
  static Vector Half(const double* a) {
    const double half = a[1] + a[2];
    return {half, half, half};
  }
};

}  // namespace

mjpPlugin TorusPlugin() { return ShapePlugin<Torus>::Make(); }
mjpPlugin BowlPlugin() { return ShapePlugin<Bowl>::Make(); }

}  // namespace sinew::inline plugin
