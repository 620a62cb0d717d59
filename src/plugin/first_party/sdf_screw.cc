// mujoco.sdf.bolt, mujoco.sdf.nut: a screw of 12 turns per metre along z, and what it fits into.
//
// Everything is cut at 45 degrees: with r the distance from the axis, a cone and the flanks of the thread have the
// distance (r - R(z)) / sqrt(2). The thread's radius is a triangle wave along z and around the axis,
//
//   R = radius + |frac(12 z - azimuth / 2 pi) - 1/2| / 12
//
// The head is a hexagon with flats at distance 1/2, from z = -1/2 to 0, whose edges are cut by a cone. The bolt reaches
// down to z = -1, where its end is a cone. In the nut, the hole ends in a cone below and widens above.
#include <algorithm>
#include <cmath>

#include "plugin/first_party/first_party.h"
#include "plugin/first_party/sdf_shape.h"
#include "simd/functions.h"

namespace sinew::inline plugin {
namespace {

using Vector = Vec3<double>;

constexpr double kTurns = 12;      // per metre
constexpr double kFlat = 0.5;      // of the hexagon, from the axis
constexpr double kChamfer = 0.22;  // radius of the head's top, beyond the screw's
constexpr double kFunnel = 0.05;   // radius of the nut's mouth, beyond the screw's

double FromAxis(const Vector& p) { return std::sqrt(p.x * p.x + p.y * p.y); }

// Negative inside of the radius, which grows or shrinks like z.
double Slope(double r, double radius) { return (r - radius) * std::sqrt(0.5); }

double Thread(const Vector& p, double radius) {
  const double phase = p.z * kTurns - Atan2(p.y, p.x) / kPi / 2;
  const double wave = std::fabs(phase - std::floor(phase) - 0.5);
  return Slope(FromAxis(p), radius + wave / kTurns);
}

double Head(const Vector& p, double radius) {
  const double x = std::fabs(p.x), y = std::fabs(p.y);
  const double hexagon = std::max(x, x / 2 + y * std::sqrt(0.75)) - kFlat;
  const double slab = std::fabs(p.z + 0.25) - 0.25, chamfer = Slope(FromAxis(p), radius + kChamfer - p.z);
  return std::max({hexagon, slab, chamfer});
}

const char* ComplaintOfRadius(const double* a) { return a[0] > 0 ? nullptr : "radius must be positive"; }

constexpr Vector kHalf = {0.6, 0.6, 1};

struct Bolt {
  static constexpr const char* kName = "mujoco.sdf.bolt";
  static constexpr const char* kAttributes[] = {"radius"};
  static constexpr double kDefaults[] = {0.26};

  static const char* Complaint(const double* a) { return ComplaintOfRadius(a); }
  static double Distance(const Vector& p, const double* a) {
    const double radius = a[0], tip = Slope(FromAxis(p), radius + (p.z + 1));
    const double shaft = std::max({Thread(p, radius), tip, std::fabs(p.z + 0.5) - 0.5});
    return std::min(Head(p, radius), shaft);
  }
  static Vector Gradient(const Vector& p, const double* a) { return DifferenceGradient<Bolt>(p, a); }
  static Vector Half(const double*) { return kHalf; }
};

struct Nut {
  static constexpr const char* kName = "mujoco.sdf.nut";
  static constexpr const char* kAttributes[] = {"radius"};
  static constexpr double kDefaults[] = {0.26};

  static const char* Complaint(const double* a) { return ComplaintOfRadius(a); }
  static double Distance(const Vector& p, const double* a) {
    const double radius = a[0], r = FromAxis(p);
    const double screw = std::max(Thread(p, radius), Slope(r, radius + (p.z + 0.5)));
    const double hole = std::min(screw, Slope(r, radius + kFunnel + p.z));
    return std::max(Head(p, radius), -hole);
  }
  static Vector Gradient(const Vector& p, const double* a) { return DifferenceGradient<Nut>(p, a); }
  static Vector Half(const double*) { return kHalf; }
};

}  // namespace

mjpPlugin BoltPlugin() { return ShapePlugin<Bolt>::Make(); }
mjpPlugin NutPlugin() { return ShapePlugin<Nut>::Make(); }

}  // namespace sinew::inline plugin
