// The deepest contact of two convex shapes against an independent minimum: the depth is the least of
// h(n) = h_A(n) + h_B(-n) over unit vectors n, with the support functions of the shapes alone. Poses are random, flush,
// deep, thin and nearly parallel. SINEW_SWEEP=1000000 makes sweeps as long as that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "math/quat.h"
#include "tests/testing/longer.h"
#include "tests/unit/collision/scene.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

// A shape at a pose.
struct Shape {
  int type;
  Vec size, pos;
  Quat<double> quat;

  // How far it reaches along a unit vector.
  double Reach(const Vec& u) const {
    const Mat3<double> R = ToMat3(quat);
    const Vec local = MulTransposed(R, u);
    double reach = 0;
    switch (type) {
      case mjGEOM_SPHERE:
        reach = size.x;
        break;
      case mjGEOM_CAPSULE:
        reach = size.x + size.y * std::fabs(local.z);
        break;
      case mjGEOM_ELLIPSOID:
        reach = Norm(Vec{size.x * local.x, size.y * local.y, size.z * local.z});
        break;
      case mjGEOM_CYLINDER:
        reach = size.x * std::hypot(local.x, local.y) + size.y * std::fabs(local.z);
        break;
      case mjGEOM_MESH:  // the octahedron of Scene
        for (int k = 0; k < 3; ++k) reach = std::max(reach, static_cast<float>(size[k]) * std::fabs(local[k]));
        break;
      default:
        reach = size.x * std::fabs(local.x) + size.y * std::fabs(local.y) + size.z * std::fabs(local.z);
    }
    return reach + Dot(u, pos);
  }
};

// As attributes of a geom, so that a pose that fails can be tried alone.
std::string Text(const Shape& shape) {
  char text[400];
  const Vec &s = shape.size, &p = shape.pos;
  const Quat<double>& q = shape.quat;
  std::snprintf(text, sizeof(text), "size='%.17g %.17g %.17g' pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'",
                s.x, s.y, s.z, p.x, p.y, p.z, q.w, q.x, q.y, q.z);
  return text;
}

double Overlap(const Shape& a, const Shape& b, const Vec& n) { return a.Reach(n) + b.Reach(-n); }

// Unit vectors across n, to which a descent may step: a ring that is turned at random, and those that keep n across an
// axis of a shape, along which the overlap has sharp valleys.
std::vector<Vec> Across(const Vec& n, const Mat3<double>& A, const Mat3<double>& B, double start) {
  std::vector<Vec> found;
  const Vec first = Normalized(Cross(n, std::fabs(n.x) < .7 ? Vec{1, 0, 0} : Vec{0, 1, 0})), second = Cross(n, first);
  for (int i = 0; i < 10; ++i) {
    const double angle = start + i * .2 * M_PI;
    found.push_back(first * std::cos(angle) + second * std::sin(angle));
  }
  for (int i = 0; i < 3; ++i) {
    for (Vec along : {Cross(n, A.Column(i)), Cross(n, B.Column(i))}) {
      if (Normalize(along) < 1e-9) continue;
      found.push_back(along);
      found.push_back(-along);
    }
  }
  return found;
}

// Descends from a direction by steps that shrink to `finest` rad where none leads down.
double Descend(const Shape& a, const Shape& b, Vec n, double finest, std::mt19937& generator) {
  std::uniform_real_distribution<double> turn(0, 2 * M_PI);
  const Mat3<double> A = ToMat3(a.quat), B = ToMat3(b.quat);
  double least = Overlap(a, b, n);
  for (double step = .2; step > finest;) {
    bool better = false;
    for (const Vec& way : Across(n, A, B, turn(generator))) {
      const Vec next = Normalized(n + way * step);
      const double overlap = Overlap(a, b, next);
      if (!(overlap < least)) continue;
      least = overlap;
      n = next;
      better = true;
      break;
    }
    step *= better ? 1.3 : .6;
  }
  return least;
}

// Directions of edges, or axes of round shapes.
std::vector<Vec> EdgesOf(const Shape& shape) {
  const Mat3<double> R = ToMat3(shape.quat);
  std::vector<Vec> edges;
  for (int i = 0; i < 3; ++i) {
    if (shape.type != mjGEOM_MESH) {
      edges.push_back(R.Column(i));
      continue;
    }
    const int j = (i + 1) % 3;
    for (const double sign : {-1., 1.})
      edges.push_back(R.Column(i) * shape.size[i] + R.Column(j) * (sign * shape.size[j]));
  }
  return edges;
}

// Normals of faces, or axes of round shapes, each in one of its two directions.
std::vector<Vec> NormalsOf(const Shape& shape) {
  const Mat3<double> R = ToMat3(shape.quat);
  if (shape.type != mjGEOM_MESH) return {R.Column(0), R.Column(1), R.Column(2)};
  std::vector<Vec> normals;
  for (int k = 0; k < 4; ++k) {
    normals.push_back(
        Normalized(R * Vec{1 / shape.size.x, (k & 1 ? -1 : 1) / shape.size.y, (k & 2 ? -1 : 1) / shape.size.z}));
  }
  return normals;
}

// The least overlap over all directions: from the best of some that are spread over the sphere, and from normals that
// shapes like these have in common.
double LeastOverlap(const Shape& a, const Shape& b, double finest, std::mt19937& generator) {
  std::vector<Vec> starts;
  for (int i = 0; i < 60; ++i) {
    const double z = 1 - (2 * i + 1) / 60., angle = i * M_PI * (3 - std::sqrt(5.)), r = std::sqrt(1 - z * z);
    starts.push_back({r * std::cos(angle), r * std::sin(angle), z});
  }
  for (const double sign : {-1., 1.}) {
    for (const Shape* shape : {&a, &b}) {
      for (const Vec& normal : NormalsOf(*shape)) starts.push_back(normal * sign);
    }
    for (const Vec& one : EdgesOf(a)) {
      for (const Vec& other : EdgesOf(b)) {
        Vec across = Cross(one, other);
        if (Normalize(across) > 1e-12) starts.push_back(across * sign);
      }
    }
  }
  std::sort(starts.begin(), starts.end(),
            [&](const Vec& m, const Vec& n) { return Overlap(a, b, m) < Overlap(a, b, n); });
  double least = kInfinity;
  for (int i = 0; i < 4; ++i) least = std::min(least, Descend(a, b, starts[static_cast<size_t>(i)], finest, generator));
  return least;
}

// Two types, how exact the depth is, in parts of the size, and the normal, in rad.
using Pair = std::tuple<int, int, double, double>;

enum Special { kAnywhere, kFlush, kDeep, kThin, kNearlyParallel, kAligned, kSpecials };

class DepthSweep : public testing::TestWithParam<Pair> {
 protected:
  double Number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  Quat<double> Rotation(double angle) {
    const Vec axis = {Number(-1, 1), Number(-1, 1), Number(-1, 1)};
    return AxisAngle(Normalized(axis), angle);
  }
  Vec Size(int special) {
    Vec size = {Number(.05, .3), Number(.05, .3), Number(.05, .3)};
    if (special == kThin) size[std::uniform_int_distribution<int>(0, 2)(generator_)] *= .02;
    return size;
  }
  void Place(int special, Shape& a, Shape& b) {
    a.size = Size(special);
    b.size = Size(special);
    a.pos = {0, 0, 0};
    a.quat = Rotation(Number(0, 3));
    b.quat = Rotation(Number(0, 3));
    static const double kTilts[] = {0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-4, 1e-3, 1e-2};
    const double tilt = kTilts[std::uniform_int_distribution<int>(0, 7)(generator_)];
    if (special == kFlush || special == kNearlyParallel) b.quat = Normalized(a.quat * Rotation(tilt));
    if (special == kAligned) b.quat = a.quat;
    const double reach = special == kDeep ? .02 : .3;
    b.pos = {Number(-reach, reach), Number(-reach, reach), Number(-reach, reach)};
    if (special != kFlush) return;
    const Mat3<double> R = ToMat3(a.quat);  // one on the other, almost touching
    const Vec up = R.Column(std::uniform_int_distribution<int>(0, 2)(generator_));
    b.pos = b.pos - up * Dot(b.pos, up);
    b.pos = up * (a.Reach(up) + b.Reach(-up) - Dot(b.pos, -up) - Number(0, .01)) + b.pos;
  }
  std::mt19937 generator_{7};
};

// Moving by the depth along the normal separates, no direction that the descent finds is shorter, and no contact is
// deeper.
TEST_P(DepthSweep, IsTheLeastOverDirections) {
  const auto [type1, type2, tolerance, angle] = GetParam();
  Scene scene({{type1, {1, 1, 1}}, {type2, {1, 1, 1}, {0, 0, 0}, {1, 0, 0, 0}, 1}});
  const bool are_boxes = type1 == mjGEOM_BOX && type2 == mjGEOM_BOX;
  // The second contact of a capsule, at another point of its axis, has the normal of that point, which leads out along
  // the least overlap only where it is as deep as the first: 8e-5 m beside it on an edge of a box, it is 4e-8 m less
  // deep, and 1e-3 rad off.
  const bool has_own_normals = type1 == mjGEOM_CAPSULE && (type2 == mjGEOM_BOX || type2 == mjGEOM_CAPSULE);
  const int poses = CountOr("SINEW_SWEEP", are_boxes ? 6000 : 1200);
  const double finest = 1e-3 * std::min(tolerance, 1e-3);  // rad: the overlap changes by less than that times the size
  Shape a = {type1, {}, {}, {}}, b = {type2, {}, {}, {}};
  int contacts = 0;
  for (int pose = 0; pose < poses; ++pose) {
    Place(pose % kSpecials, a, b);
    scene.Resize(0, a.size);
    scene.Resize(1, b.size);
    scene.Place(0, a.pos, a.quat);
    scene.Place(1, b.pos, b.quat);
    SCOPED_TRACE("pose " + std::to_string(pose) + ": " + Text(a) + "; " + Text(b));
    const double size = Norm(a.size) + Norm(b.size), slack = tolerance * size, tilt = angle * size;
    const double as_deep = has_own_normals ? 1e-12 * size : slack;
    const double true_depth = LeastOverlap(a, b, finest, generator_);  // or more, where the descent has ended early
    const int count = scene.Collide(0, 1);
    if (count == 0) {
      ASSERT_LT(true_depth, slack) << "no contact";
      continue;
    }
    ++contacts;
    double dist = kInfinity;
    for (int i = 0; i < count; ++i) dist = std::min(dist, scene.con(i).dist);
    ASSERT_LT(-dist, true_depth + slack) << "deeper than the shapes overlap";
    for (int i = 0; i < count; ++i) {
      const mjContact& contact = scene.con(i);
      const Vec n = LoadVec3(contact.frame), p = LoadVec3(contact.pos);
      ASSERT_NEAR(Norm(n), 1, 1e-12);
      if (contact.dist > dist + as_deep) continue;
      ASSERT_NEAR(Overlap(a, b, n), -dist, 2 * tilt) << "no way out along the normal";
      for (const Shape* shape : {&a, &b}) {  // midway between the surfaces: as far along the normal as they reach
        const double sign = shape == &a ? 1 : -1;
        ASSERT_NEAR(shape->Reach(n * sign), sign * Dot(p, n) - .5 * dist, 4 * tilt);
      }
    }
  }
  EXPECT_GT(contacts, poses / 4);
}

// Formulas are exact, and so are facets of polytopes, but for those that are narrower than the angle up to which edges
// of boxes count as parallel, 1e-6 rad. A capsule within 2e-5 rad of an edge has two contacts, each with the normal at
// its end of the length they share; so have parallel capsules within 5e-7. A search among round shapes ends after 35
// supports: its normal leads out to the bounds that it reaches by then, 2e-4 of the size; and of bodies one in the
// other, whose overlaps are alike in all directions, it finds one that is up to 1 % from the least.
std::vector<Pair> Pairs() {
  constexpr double kExact = 2e-7, kParallel = 5e-7, kEnds = 2e-5, kAlike = 1e-2, kBounds = 4e-4;
  std::vector<Pair> pairs = {{mjGEOM_BOX, mjGEOM_BOX, kExact, kExact},
                             {mjGEOM_CAPSULE, mjGEOM_BOX, kExact, kEnds},
                             {mjGEOM_CAPSULE, mjGEOM_CAPSULE, kExact, kParallel},
                             {mjGEOM_SPHERE, mjGEOM_CAPSULE, kExact, kExact},
                             {mjGEOM_SPHERE, mjGEOM_CYLINDER, kExact, kExact},
                             {mjGEOM_SPHERE, mjGEOM_BOX, kExact, kExact},
                             {mjGEOM_CAPSULE, mjGEOM_CYLINDER, kExact, kExact},
                             {mjGEOM_CYLINDER, mjGEOM_CYLINDER, kExact, kExact},
                             {mjGEOM_CYLINDER, mjGEOM_BOX, kExact, kExact},
                             {mjGEOM_BOX, mjGEOM_MESH, kExact, kExact},
                             {mjGEOM_MESH, mjGEOM_MESH, kExact, kExact}};
  for (const int type : {mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_ELLIPSOID})
    pairs.push_back({type, mjGEOM_ELLIPSOID, kAlike, kBounds});
  for (const int type : {mjGEOM_CYLINDER, mjGEOM_BOX, mjGEOM_MESH})
    pairs.push_back({mjGEOM_ELLIPSOID, type, kAlike, kBounds});
  for (const int type : {mjGEOM_SPHERE, mjGEOM_CAPSULE, mjGEOM_CYLINDER})
    pairs.push_back({type, mjGEOM_MESH, kAlike, kBounds});
  return pairs;
}

std::string NameOfPair(const testing::TestParamInfo<Pair>& test) {
  static const char* const kNames[] = {"Plane", "Hfield", "Sphere", "Capsule", "Ellipsoid", "Cylinder", "Box", "Mesh"};
  return std::string(kNames[std::get<0>(test.param)]) + kNames[std::get<1>(test.param)];
}

INSTANTIATE_TEST_SUITE_P(Contacts, DepthSweep, testing::ValuesIn(Pairs()), NameOfPair);

}  // namespace
}  // namespace sinew
