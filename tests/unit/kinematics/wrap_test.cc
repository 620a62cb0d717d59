#include "kinematics/wrap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "simd/functions.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

// Tolerance of values that are known to twelve decimals.
constexpr double kRounded = 1e-11;

double PathLength(const WrapPath& path, const Vector& p0, const Vector& p1) {
  return Norm(path.arrive - p0) + path.length + Norm(p1 - path.leave);
}

void ExpectVector(const Vector& actual, double x, double y, double z) {
  EXPECT_NEAR(actual.x, x, kRounded);
  EXPECT_NEAR(actual.y, y, kRounded);
  EXPECT_NEAR(actual.z, z, kRounded);
}

TEST(Wrap, SphereOutside) {
  const Vector p0 = {-0.3, 0, 0.05}, p1 = {0.4, 0.1, 0.02};
  const WrapPath path = WrapAround(WrapShape::kSphere, 0.1, p0, p1, nullptr);
  ASSERT_TRUE(path.touches);
  EXPECT_NEAR(PathLength(path, p0, p1), 0.713262997528, kRounded);
  ExpectVector(path.arrive, -0.022343785398, 0.071784603897, 0.06593728761);
  ExpectVector(path.leave, 0.002797556366, 0.075769624787, 0.065200748754);
}

TEST(Wrap, CylinderOutside) {
  // the axis of the cylinder along the world's y: (x, y, z) of the geom is (-z, x, -y) or a rotation of it about the
  // axis
  const Vector p0 = {0.05, -0.3, 0}, p1 = {0.02, 0.4, -0.1};
  const WrapPath path = WrapAround(WrapShape::kCylinder, 0.1, p0, p1, nullptr);
  ASSERT_TRUE(path.touches);
  EXPECT_NEAR(PathLength(path, p0, p1), 0.719256224116, kRounded);
}

TEST(Wrap, SphereInside) {
  const Vector p0 = {-0.3, 0, 0.25}, p1 = {0.3, 0, 0.2}, side = {0, 0, 0.01};
  const WrapPath path = WrapAround(WrapShape::kSphere, 0.1, p0, p1, &side);
  ASSERT_TRUE(path.touches);
  EXPECT_NEAR(PathLength(path, p0, p1), 0.651465670898, kRounded);
  ExpectVector(path.arrive, 0.006346831855, 0, 0.099798385385);
  ExpectVector(path.leave, path.arrive.x, path.arrive.y, path.arrive.z);
}

TEST(Wrap, InsidePathThatAlreadyCrossesIsStraight) {
  const Vector p0 = {-0.3, 0, 0.05}, p1 = {0.4, 0.1, 0.02}, side = {0, 0, 0.01};
  EXPECT_FALSE(WrapAround(WrapShape::kSphere, 0.1, p0, p1, &side).touches);
}

// Half a turn around a sphere: the arc is exact by symmetry.
TEST(Wrap, SymmetricPath) {
  const double r = 0.5, far = 1.0;
  const Vector p0 = {-far, 0, 0}, p1 = {far, 0, 0}, side = {0, 0, 2};
  const WrapPath path = WrapAround(WrapShape::kSphere, r, p0, p1, &side);
  ASSERT_TRUE(path.touches);
  const double straight = std::sqrt(far * far - r * r), angle = kPi - 2 * std::acos(r / far);
  EXPECT_NEAR(PathLength(path, p0, p1), 2 * straight + r * angle, 1e-14);
  EXPECT_GT(path.arrive.z, 0);
}

TEST(Wrap, SideSiteSendsThePathAround) {
  const Vector p0 = {-1, 0, 0.2}, p1 = {1, 0, 0.2}, above = {0, 0, 2}, below = {0, 0, -2};
  const WrapPath up = WrapAround(WrapShape::kSphere, 0.3, p0, p1, &above);
  const WrapPath down = WrapAround(WrapShape::kSphere, 0.3, p0, p1, &below);
  ASSERT_TRUE(up.touches && down.touches);
  EXPECT_LT(PathLength(up, p0, p1), PathLength(down, p0, p1));
  EXPECT_LT(down.arrive.z, 0);
}

// A string about a cylinder on the side of a site lies on it for as long as its ends turn, also beyond half a turn: the
// length is two tangents and the arc between.
TEST(Wrap, LengthGrowsEvenlyBeyondHalfATurn) {
  const double r = 0.1, far = 0.3, tangent = std::acos(r / far);
  const Vector side = {0.2, 0, 0};
  double last = 0;
  for (double angle = -0.5; angle < 3.1; angle += 0.01) {  // of each end from the side, on either hand
    const Vector p0 = {far * std::cos(angle), -far * std::sin(angle), 0}, p1 = {p0.x, -p0.y, 0};
    const WrapPath path = WrapAround(WrapShape::kCylinder, r, p0, p1, &side);
    const double arc = 2 * std::abs(angle) - 2 * tangent;
    const double length = path.touches ? PathLength(path, p0, p1) : Norm(p1 - p0);
    EXPECT_EQ(path.touches, arc > 0) << angle;
    if (path.touches) {
      EXPECT_NEAR(length, 2 * far * std::sin(tangent) + r * arc, 1e-14) << angle;
    }
    if (angle > 0) {
      EXPECT_LT(std::abs(length - last), 0.01 * 2 * far) << angle;
    }  // no faster than the ends move
    last = length;
  }
}

// Around spheres and cylinders the length is smooth in the ends, except where one is opposite to the side: over random
// moves it changes by no more than the ends move.
TEST(Wrap, LengthsDoNotJump) {
  std::mt19937 random(3);
  std::normal_distribution<double> number;
  const auto point = [&](double size) { return Vector{number(random), number(random), number(random)} * size; };
  int wrapped = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const WrapShape shape = trial % 2 ? WrapShape::kCylinder : WrapShape::kSphere;
    Vector side = point(1), p0 = point(.25), p1 = point(.25);
    if (shape == WrapShape::kCylinder) side.z = 0;
    side = side * (.2 / Norm(side));
    const Vector q0 = p0 + point(1e-5), q1 = p1 + point(1e-5);
    const auto length = [&](const Vector& a, const Vector& b) {
      const WrapPath path = WrapAround(shape, .1, a, b, &side);
      wrapped += path.touches;
      return path.touches ? PathLength(path, a, b) : Norm(b - a);
    };
    // on a sphere the side is seen in the plane of both ends, which turns fast where it is nearly across that plane
    const auto in_plane = [&](const Vector& a, const Vector& b) {
      const Vector normal = Normalized(Cross(a, b));
      return side - normal * (shape == WrapShape::kSphere ? Dot(side, normal) : 0);
    };
    const auto opposite = [&](const Vector& end, const Vector& at) {
      Vector flat = end;
      if (shape == WrapShape::kCylinder) flat.z = 0;
      return Dot(flat, at) < -(1 - 1e-6) * Norm(flat) * Norm(at);
    };
    const Vector at = in_plane(p0, p1);
    if (Norm(at) < .02 || opposite(p0, at) || opposite(p1, at)) continue;
    if (std::abs(Norm(p0) - .1) < 1e-3 || std::abs(Norm(p1) - .1) < 1e-3) continue;  // ends that enter are free
    if (shape == WrapShape::kCylinder && (std::hypot(p0.x, p0.y) < .101 || std::hypot(p1.x, p1.y) < .101)) continue;
    EXPECT_LT(std::abs(length(q0, q1) - length(p0, p1)), 1e-3) << trial;  // 20 standard deviations, times the arms
  }
  EXPECT_GT(wrapped, 1000);
}

// The arc is the turn by way of the side less the angles to both tangents, also where ends are near each other, behind
// the side, on the circle or far from it. A rounded angle of nothing must not become a whole turn.
TEST(Wrap, ArcsAreSumsOfAngles) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> share(0, 1);
  const double radius = .1;
  const Vector side = {.2, 0, 0};
  int wrapped = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    const auto distance = [&] { return radius * (1 + std::pow(10, -9 + 12 * share(random))); };
    const double from0 = distance(), from1 = distance();
    const double angle0 = kPi * (2 * share(random) - 1);
    const double near = std::pow(10, -17 + 16 * share(random));
    double angle1 = trial % 3 == 0 ? kPi * (2 * share(random) - 1) : trial % 3 == 1 ? angle0 + near : -angle0 - near;
    if (std::abs(angle1) >= kPi || kPi - std::abs(angle0) < 1e-9 || kPi - std::abs(angle1) < 1e-9) continue;
    const Vector p0 = {from0 * std::cos(angle0), from0 * std::sin(angle0), 0};
    const Vector p1 = {from1 * std::cos(angle1), from1 * std::sin(angle1), 0};
    if (Norm(p1 - p0) < 1e-14) continue;
    const double arc = std::abs(angle1 - angle0) - std::acos(radius / from0) - std::acos(radius / from1);
    if (std::abs(arc) < 1e-6) continue;  // an end at 1e-9 from the circle has its tangent known to 1e-8
    const WrapPath path = WrapAround(WrapShape::kCylinder, radius, p0, p1, &side);
    ASSERT_EQ(path.touches, arc > 0) << angle0 << " " << angle1 << " " << from0 << " " << from1;
    wrapped += path.touches;
    if (path.touches) {
      ASSERT_NEAR(path.length, radius * arc, 1e-8) << angle0 << " " << angle1 << " " << from0 << " " << from1;
    }
  }
  EXPECT_GT(wrapped, 10000);
}

TEST(Wrap, NoWrap) {
  const Vector p0 = {-1, 0, 0}, p1 = {1, 0, 0};
  const auto touches = [](double radius, const Vector& a, const Vector& b) {
    return WrapAround(WrapShape::kSphere, radius, a, b, nullptr).touches;
  };
  EXPECT_FALSE(touches(0.5, {-1, 0, 0.6}, {1, 0, 0.6})) << "misses the sphere";
  EXPECT_FALSE(touches(2, p0, p1)) << "ends inside the sphere";
  EXPECT_FALSE(touches(0, p0, p1)) << "no sphere";
  EXPECT_FALSE(touches(0.5, {0, 0, 0}, p1)) << "starts at the centre";
  EXPECT_TRUE(touches(0.5, p0, p1)) << "through the centre: any plane will do";
}

}  // namespace
}  // namespace sinew
