#include "collision/convex/overlap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "collision/convex/gjk.h"
#include "tests/unit/collision/scene.h"

namespace sinew {
namespace {

constexpr Accuracy kExact = {0, 100};

// The six volumes' signs: whether the tetrahedron has the origin inside.
bool ContainsOrigin(const Simplex& simplex) {
  if (simplex.count != 4) return false;
  const auto& p = simplex.point;
  const auto volume = [](const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c, const Vec3<double>& d) {
    return Dot(Cross(b - a, c - a), d - a);
  };
  const Vec3<double> o = Zero3<double>();
  const double whole = volume(p[0].w, p[1].w, p[2].w, p[3].w);
  const double parts[4] = {volume(o, p[1].w, p[2].w, p[3].w), volume(p[0].w, o, p[2].w, p[3].w),
                           volume(p[0].w, p[1].w, o, p[3].w), volume(p[0].w, p[1].w, p[2].w, o)};
  for (const double part : parts) {
    if (part * whole <= 0) return false;
  }
  return true;
}

// Random poses, most of them near contact: the answer is that of the distance, and comes with what proves it.
TEST(FindOverlap, AgreesWithTheDistance) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> size(.05, .3);
  const auto vector = [&] { return Vec3<double>{normal(random), normal(random), normal(random)}; };
  const auto pose = [&] { return Quat<double>{normal(random), normal(random), normal(random), normal(random)}; };
  int found[3] = {0, 0, 0};
  for (int i = 0; i < 3000; ++i) {
    const int type = i % 3 == 0 ? mjGEOM_MESH : mjGEOM_BOX;
    Scene scene({{mjGEOM_BOX, {size(random), size(random), size(random)}, Zero3<double>(), pose()},
                 {type, {size(random), size(random), size(random)}, vector() * .2, pose()}});
    const ConvexShape A(scene.m(), scene.d(), 0), B(scene.m(), scene.d(), 1);
    Simplex simplex;
    const Overlap overlap = FindOverlap(A, B, simplex);
    ++found[static_cast<int>(overlap)];
    if (overlap == Overlap::kUnsure) continue;
    const CoreDistance cores = FindCoreDistance(A, B, kInfinity, kExact);
    EXPECT_EQ(overlap == Overlap::kInside, cores.result == GjkResult::kOverlap) << i;
    if (overlap == Overlap::kInside) {
      EXPECT_TRUE(ContainsOrigin(simplex)) << i;
    } else {
      EXPECT_GT(cores.distance, 0) << i;
    }
  }
  EXPECT_GT(found[0], 500);
  EXPECT_GT(found[1], 500);
  EXPECT_LT(found[2], 3);
}

// The same at any size, and wherever the pair is.
TEST(FindOverlap, SizesFromMicrometresToKilometres) {
  for (const double scale : {1e-6, 1e-3, 1.0, 1e3}) {
    for (const double gap : {-.03, .03}) {
      const Vec3<double> half = Vec3<double>{.1, .2, .3} * scale, at = Vec3<double>{.2 + gap, .03, -.02} * scale;
      Scene scene({{mjGEOM_BOX, half}, {mjGEOM_BOX, half, at, {1, .01, .02, 0}}});
      const ConvexShape A(scene.m(), scene.d(), 0), B(scene.m(), scene.d(), 1);
      Simplex simplex;
      EXPECT_EQ(FindOverlap(A, B, simplex), gap < 0 ? Overlap::kInside : Overlap::kApart) << scale;
    }
  }
}

// Where faces touch exactly, rounding would decide.
TEST(FindOverlap, TouchingIsUnsure) {
  Scene scene({{mjGEOM_BOX, {.125, .125, .125}}, {mjGEOM_BOX, {.125, .125, .125}, {0, 0, .25}}});
  const ConvexShape A(scene.m(), scene.d(), 0), B(scene.m(), scene.d(), 1);
  Simplex simplex;
  EXPECT_EQ(FindOverlap(A, B, simplex), Overlap::kUnsure);
}

TEST(FindOverlap, CoincidentCentres) {
  Scene scene({{mjGEOM_BOX, {.1, .2, .3}}, {mjGEOM_MESH, {.1, .2, .3}, {0, 0, 0}, {1, .2, .3, .4}}});
  const ConvexShape A(scene.m(), scene.d(), 0), B(scene.m(), scene.d(), 1);
  Simplex simplex;
  EXPECT_EQ(FindOverlap(A, B, simplex), Overlap::kInside);
  EXPECT_TRUE(ContainsOrigin(simplex));
}

}  // namespace
}  // namespace sinew
