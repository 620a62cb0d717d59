// mujoco.sdf.gear: a spur gear with involute teeth, in the plane z = 0.
//
// N teeth on the pitch circle of diameter D have the module m = D / N. They reach from the root circle, at 1.2 m below
// the pitch circle, to m above it. Flanks are involutes of the base circle of radius R_b = D/2 cos psi, with the
// pressure angle psi: from a point at radius rho and angle theta behind the foot of a flank, along the tangent to the
// base circle,
//
//   d = sqrt(rho^2 - R_b^2) - R_b (theta + acos(R_b / rho))
//
// A tooth and the gap beside it fill 2 pi / N; on the pitch circle both have the same width, so that the feet of facing
// flanks are pi / N - 2 (tan psi - psi) apart. Corners are rounded by polynomials (I. Quilez, Smooth minimum, 2013).
#include <algorithm>
#include <cmath>

#include "plugin/first_party/first_party.h"
#include "plugin/first_party/sdf_shape.h"
#include "simd/functions.h"

namespace sinew::inline plugin {
namespace {

using Vector = Vec3<double>;

// Attributes by their place.
enum : int { kAlpha, kDiameter, kTeeth, kThickness, kInnerDiameter };

// The remainder of a division, from 0 to the divisor.
double Wrap(double x, double period) { return x - period * std::floor(x / period); }

// The smaller of two numbers; where they differ by less than k, less than it.
double SmoothMin(double a, double b, double k) {
  if (!(k > 0)) return std::min(a, b);
  const double h = std::clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0);
  return b * (1 - h) + a * h - k * h * (1 - h);
}

// The larger of two numbers; inside, where they differ by less than k, more than it.
double RoundMax(double a, double b, double k) {
  const double gap = std::fabs(a - b), rest = std::max(k - gap, 0.0);
  return std::max({a, b, gap / 2 + rest * rest / (4 * k) - std::fabs(a + b) / 2});
}

struct Circles {
  double pitch, base, outer, root, inner, pressure_angle;
};

Circles FindCircles(const double* a) {
  const double D = a[kDiameter], N = a[kTeeth], module = D / N;
  Circles c;
  c.pitch = D / 2;
  c.pressure_angle = 3.096e-5 * N * N - 6.557e-3 * N + 0.551;  // a fit: few teeth are steep
  c.base = c.pitch * Cos(c.pressure_angle);
  c.outer = c.pitch + module;
  c.root = c.outer - 2.2 * module;
  c.inner = a[kInnerDiameter] < 0 ? c.root - 0.14 * D : a[kInnerDiameter] / 2;
  return c;
}

// Beyond the flanks of the tooth at angle `azimuth`, negative in it. Below the base circle, flanks are radial, and
// angles stand for distances.
double Tooth(const Circles& c, double rho, double azimuth, double stride) {
  const double gap = stride / 2 - 2 * (Sin(c.pressure_angle) / Cos(c.pressure_angle) - c.pressure_angle);
  const double theta[2] = {Wrap(azimuth + gap / 2, stride) - gap / 2, Wrap(-azimuth - gap / 2, stride) - gap / 2};
  const double wall = std::max(theta[0], theta[1]) - (stride - gap);
  if (!(rho > c.base)) return wall;
  const double roll = Acos(c.base / rho), tangent = std::sqrt(rho * rho - c.base * c.base);
  return std::max(wall, tangent - c.base * (std::min(theta[0], theta[1]) + roll));
}

double Section(const Vector& p, const double* a) {
  constexpr double kNear = 0.2;      // m; farther out, teeth do not count
  constexpr double kRound = 0.0035;  // of the diameter: corners of teeth
  const Circles c = FindCircles(a);
  const double rho = std::sqrt(p.x * p.x + p.y * p.y);
  if (rho < c.inner) return c.inner - rho;
  if (rho > c.outer + kNear) return rho - c.outer;
  const double tooth = Tooth(c, rho, Atan2(p.y, p.x) + a[kAlpha], 2 * kPi / a[kTeeth]);
  const double teeth = RoundMax(rho - c.outer, tooth, kRound * a[kDiameter]);
  const double disc = SmoothMin(rho - c.root, teeth, c.base - c.root);
  return std::max(disc, c.inner - rho);
}

struct Gear {
  static constexpr const char* kName = "mujoco.sdf.gear";
  static constexpr const char* kAttributes[] = {"alpha", "diameter", "teeth", "thickness", "innerdiameter"};
  static constexpr double kDefaults[] = {0, 2.8, 25, 0.2, -1};  // a negative inner diameter: as fits the teeth

  static const char* Complaint(const double* a) {
    if (!(a[kDiameter] > 0 && a[kThickness] > 0)) return "diameter and thickness must be positive";
    return a[kTeeth] >= 1 ? nullptr : "teeth must be at least 1";
  }

  // The section, extruded.
  static double Distance(const Vector& p, const double* a) {
    const double section = Section(p, a), cap = std::fabs(p.z) - a[kThickness] / 2;
    const double beside = std::max(section, 0.0), above = std::max(cap, 0.0);
    return std::min(std::max(section, cap), 0.0) + std::sqrt(beside * beside + above * above);
  }
  static Vector Gradient(const Vector& p, const double* a) { return DifferenceGradient<Gear>(p, a); }
  static Vector Half(const double* a) { return {0.625 * a[kDiameter], 0.625 * a[kDiameter], 0.55 * a[kThickness]}; }
};

}  // namespace

mjpPlugin GearPlugin() { return ShapePlugin<Gear>::Make(); }

}  // namespace sinew::inline plugin
