// Volumes, areas, moments of inertia and bounds of primitive shapes, from handbook formulas. Lengths are in metres;
// shells have their mass on the surface.
#include "compile/tree/shape.h"

#include <algorithm>
#include <cmath>

#include "simd/functions.h"

namespace sinew::inline compile {
namespace {

// Inside of a plane's box: far enough to enclose everything.
constexpr double kUnbounded = 1e10;

// Half space between an ellipsoid and the one with semi-axes longer by this: a shell of even thickness.
constexpr double kShellThickness = 1e-6;

double Square(double x) { return x * x; }

Vec3<double> Add(const Vec3<double>& v, double s) { return {v.x + s, v.y + s, v.z + s}; }

double EllipsoidVolume(const Vec3<double>& s) { return 4 * kPi * s.x * s.y * s.z / 3; }

// Thomsen's approximation of the surface, with the exponent 1.6075.
double EllipsoidArea(const Vec3<double>& s) {
  constexpr double p = 1.6075;
  const double mean = (Pow(s.x * s.y, p) + Pow(s.y * s.z, p) + Pow(s.z * s.x, p)) / 3;
  return 4 * kPi * Pow(mean, 1 / p);
}

// m/k (y^2 + z^2, ...): k = 3 for a box of half lengths s, 5 for an ellipsoid of semi-axes s.
Vec3<double> SquaredPairs(const Vec3<double>& s, double mass, double k) {
  const Vec3<double> q = {s.x * s.x, s.y * s.y, s.z * s.z};
  return {mass * (q.y + q.z) / k, mass * (q.x + q.z) / k, mass * (q.x + q.y) / k};
}

// ---- solids: moments about the centre of mass, along the axes of the geom frame (kg m^2)

// A capsule is a cylinder of length H = 2h and two half spheres, which share the mass by volume.
Vec3<double> SolidCapsule(double r, double h, double mass) {
  const double H = 2 * h;
  const double sphere = mass * 4 * r / (4 * r + 3 * H), cylinder = mass - sphere;
  // Half spheres: moved from their own centres of mass (3r/8 off the flat face) to the ends of the cylinder.
  const double lateral =
      cylinder * (3 * r * r + H * H) / 12 + (2 * sphere * r * r / 5 + sphere * H * (3 * r + 2 * H) / 8);
  return {lateral, lateral, cylinder * r * r / 2 + 2 * sphere * r * r / 5};
}

// Handbook formulas; the height field is the box that ResolveHField makes of it.
Vec3<double> SolidMoments(const Shape& shape, double mass) {
  const Vec3<double>& s = shape.size;
  switch (shape.type) {
    case mjGEOM_SPHERE: {
      const double moment = 2 * mass * s.x * s.x / 5;
      return {moment, moment, moment};
    }
    case mjGEOM_CAPSULE:
      return SolidCapsule(s.x, s.y, mass);
    case mjGEOM_CYLINDER: {
      const double lateral = mass * (3 * s.x * s.x + 4 * s.y * s.y) / 12;
      return {lateral, lateral, mass * s.x * s.x / 2};
    }
    case mjGEOM_ELLIPSOID:
      return SquaredPairs(s, mass, 5);
    case mjGEOM_BOX:
    case mjGEOM_HFIELD:
      return SquaredPairs(s, mass, 3);
    default:
      return {0, 0, 0};
  }
}

// ---- shells: parts share the mass by area

// A cylindrical wall and two half spheres, whose shells have their centres of mass r/2 off the flat face.
Vec3<double> ShellCapsule(double r, double h, double mass) {
  const double sphere = mass * (2 * r) / (2 * r + 2 * h), wall = mass - sphere;
  const double lateral =
      wall * (6 * r * r + 4 * h * h) / 12 + 2 * sphere * r * r / 3 + sphere * (Square(h + r / 2) - Square(r / 2));
  return {lateral, lateral, wall * r * r + 2 * sphere * r * r / 3};
}

// A wall and two discs.
Vec3<double> ShellCylinder(double r, double h, double mass) {
  const double discs = mass * r / (r + 2 * h), wall = mass - discs;
  const double lateral = wall * (6 * r * r + 4 * h * h) / 12 + discs * (r * r / 4 + h * h);
  return {lateral, lateral, wall * r * r + discs * r * r / 2};
}

// The difference of two solids of the same density.
Vec3<double> ShellEllipsoid(const Vec3<double>& inner, double mass) {
  const Vec3<double> outer = Add(inner, kShellThickness);
  const double outer_volume = EllipsoidVolume(outer), inner_volume = EllipsoidVolume(inner);
  const double density = mass / (outer_volume - inner_volume);
  return SquaredPairs(outer, outer_volume * density, 5) - SquaredPairs(inner, inner_volume * density, 5);
}

// Three pairs of plates; a pair normal to axis i stands at +-s_i and has half lengths s_j, s_k.
Vec3<double> ShellBox(const Vec3<double>& s, double mass) {
  const double areas[3] = {s.y * s.z, s.z * s.x, s.x * s.y};
  const double total = areas[0] + areas[1] + areas[2];
  Vec3<double> moments = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double plates = mass * areas[i] / total;
    moments[i] += plates * (Square(s[j]) + Square(s[k])) / 3;
    moments[j] += plates * (Square(s[k]) / 3 + Square(s[i]));
    moments[k] += plates * (Square(s[j]) / 3 + Square(s[i]));
  }
  return moments;
}

// The moments of shells, by area.
Vec3<double> ShellMoments(const Shape& shape, double mass) {
  const Vec3<double>& s = shape.size;
  switch (shape.type) {
    case mjGEOM_SPHERE: {
      const double moment = 2 * mass * s.x * s.x / 3;
      return {moment, moment, moment};
    }
    case mjGEOM_CAPSULE:
      return ShellCapsule(s.x, s.y, mass);
    case mjGEOM_CYLINDER:
      return ShellCylinder(s.x, s.y, mass);
    case mjGEOM_ELLIPSOID:
      return ShellEllipsoid(s, mass);
    case mjGEOM_BOX:
    case mjGEOM_HFIELD:
      return ShellBox(s, mass);
    default:
      return {0, 0, 0};
  }
}

double Area(const Shape& shape) {
  const Vec3<double>& s = shape.size;
  switch (shape.type) {
    case mjGEOM_SPHERE:
      return 4 * kPi * s.x * s.x;
    case mjGEOM_CAPSULE:
      return 4 * kPi * s.x * s.x + 4 * kPi * s.x * s.y;
    case mjGEOM_CYLINDER:
      return 2 * kPi * s.x * s.x + 4 * kPi * s.x * s.y;
    case mjGEOM_ELLIPSOID:
      return EllipsoidArea(s);
    case mjGEOM_BOX:
    case mjGEOM_HFIELD:
      return 8 * (s.x * s.y + s.y * s.z + s.z * s.x);
    default:
      return 0;
  }
}

// Volumes of the same shapes.
double Volume(const Shape& shape) {
  const Vec3<double>& s = shape.size;
  switch (shape.type) {
    case mjGEOM_SPHERE:
      return 4 * kPi * s.x * s.x * s.x / 3;
    case mjGEOM_CAPSULE:
      return kPi * (s.x * s.x * (2 * s.y) + 4 * s.x * s.x * s.x / 3);
    case mjGEOM_CYLINDER:
      return 2 * kPi * s.x * s.x * s.y;
    case mjGEOM_ELLIPSOID:
      return EllipsoidVolume(s);
    case mjGEOM_BOX:
    case mjGEOM_HFIELD:
      return 8 * s.x * s.y * s.z;
    default:
      return 0;
  }
}

}  // namespace

// Numbers of `size` that the shape uses: radius; radius and half length; three half lengths or semi-axes.
int SizeCount(mjtGeom type) {
  switch (type) {
    case mjGEOM_SPHERE:
      return 1;
    case mjGEOM_CAPSULE:
    case mjGEOM_CYLINDER:
      return 2;
    case mjGEOM_PLANE:
    case mjGEOM_ELLIPSOID:
    case mjGEOM_BOX:
      return 3;
    default:
      return 0;
  }
}

double Measure(const Shape& shape, mjtGeomInertia where) {
  return where == mjINERTIA_SHELL ? Area(shape) : Volume(shape);
}

Vec3<double> MomentsOfInertia(const Shape& shape, mjtGeomInertia where, double mass) {
  return where == mjINERTIA_SHELL ? ShellMoments(shape, mass) : SolidMoments(shape, mass);
}

// A plane's box reaches from far below it up to the plane.
Box BoundingBox(const Shape& shape) {
  const Vec3<double>& s = shape.size;
  switch (shape.type) {
    case mjGEOM_PLANE:
      return {{0, 0, -kUnbounded / 2}, {kUnbounded, kUnbounded, kUnbounded / 2}};
    case mjGEOM_SPHERE:
      return {{0, 0, 0}, {s.x, s.x, s.x}};
    case mjGEOM_CAPSULE:
      return {{0, 0, 0}, {s.x, s.x, s.x + s.y}};
    case mjGEOM_CYLINDER:
      return {{0, 0, 0}, {s.x, s.x, s.y}};
    default:
      return {{0, 0, 0}, s};
  }
}

double BoundingRadius(const Shape& shape) {
  const Vec3<double>& s = shape.size;
  switch (shape.type) {
    case mjGEOM_SPHERE:
      return s.x;
    case mjGEOM_CAPSULE:
      return s.x + s.y;
    case mjGEOM_CYLINDER:
      return std::sqrt(s.x * s.x + s.y * s.y);
    case mjGEOM_ELLIPSOID:
      return std::max({s.x, s.y, s.z});
    case mjGEOM_BOX:
      return Norm(s);
    default:
      return 0;
  }
}

}  // namespace sinew::inline compile
