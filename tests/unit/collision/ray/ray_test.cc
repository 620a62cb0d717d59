// Rays in a world: through the exported functions, which hand them on.
#include "collision/ray/ray.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "math/vec3.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

World Scene(const std::string& assets, const std::string& bodies) {
  World w(ModelFromText("<mujoco><asset>" + assets + "</asset><worldbody>" + bodies + "</worldbody></mujoco>"));
  mj_forward(w.m.get(), w.d.get());
  return w;
}

struct Cast {
  double x;
  int geom;
  Vec normal;
};

Cast CastRay(const World& w, const Vec& point, const Vec& direction, const mjtByte* groups = nullptr,
             bool sees_static = true, int exclude = -1) {
  int geom = -2;
  double normal[3];
  const double x = mj_ray(w.m.get(), w.d.get(), &point.x, &direction.x, groups, sees_static, exclude, &geom, normal);
  return {x, geom, LoadVec3(normal)};
}

// A height field of 3 x 4 points, recorded with the rays of ray_primitive_test.cc.
TEST(RayGeom, HeightFieldEqualsRecordedHits) {
  const World w = Scene("<hfield name='h' nrow='3' ncol='4' size='1 .8 .2 .1' elevation='0 1 0 1 1 0 1 0 0 .5 0 1'/>",
                        "<geom type='hfield' hfield='h' pos='.1 .2 .3' quat='1 .1 .2 .3'/>");
  const Vec points[3] = {{1, 1.1, 1.2}, {.12, .22, .31}, {-.5, .2, -.9}};
  const Vec directions[3] = {{-1, -1, -1}, {.5, .2, -.1}, {.6, .05, 1.2}};
  const double x[3] = {.808138598, .990671642, .927631579};
  const Vec normals[3] = {
      {.04575754, -.03023266, .998495}, {.7059735, -.1005032, .7010709}, {-.4035088, .07017544, -.9122807}};
  for (int i = 0; i < 3; ++i) {
    const Cast cast = CastRay(w, points[i], directions[i]);
    EXPECT_NEAR(cast.x, x[i], 1e-8) << i;  // digits of the record
    EXPECT_NEAR(Norm(cast.normal - normals[i]), 0, 1e-6) << i;
  }
}

TEST(RayGeom, HeightFieldWithAPeak) {
  const World w = Scene("<hfield name='h' nrow='3' ncol='3' size='1 1 .2 .1' elevation='0 0 0 0 1 0 0 0 0'/>",
                        "<geom type='hfield' hfield='h'/>");
  EXPECT_NEAR(CastRay(w, {.25, .1, 1}, {0, 0, -1}).x, .85, 1e-12);
  EXPECT_NEAR(CastRay(w, {.25, .1, 1}, {0, 0, -1}).normal.x, 1 / std::sqrt(26.0), 1e-12);  // slope 1 : 5
  EXPECT_NEAR(CastRay(w, {.25, .1, -1}, {0, 0, 1}).x, .9, 1e-12);
  EXPECT_NEAR(CastRay(w, {.25, .1, -1}, {0, 0, 1}).normal.z, -1, 1e-12);
  EXPECT_EQ(CastRay(w, {.25, 3, 1}, {0, 0, -1}).geom, -1);
}

// The ground is one solid: rays that begin inside end at its surface, base and sides.
TEST(RayGeom, HeightFieldFromInside) {
  const World w = Scene("<hfield name='h' nrow='3' ncol='3' size='1 1 .2 .1' elevation='0 0 0 0 1 0 0 0 0'/>",
                        "<geom type='hfield' hfield='h'/>");
  EXPECT_NEAR(CastRay(w, {.25, .1, -.05}, {0, 0, 1}).x, .2, 1e-12);
  EXPECT_NEAR(CastRay(w, {.25, .1, .05}, {0, 0, 1}).x, .1, 1e-12);
  EXPECT_NEAR(CastRay(w, {.25, .1, .05}, {0, 0, 1}).normal.x, 1 / std::sqrt(26.0), 1e-12);
  EXPECT_NEAR(CastRay(w, {.25, .1, .05}, {0, 0, -1}).x, .15, 1e-12);
  EXPECT_NEAR(CastRay(w, {.25, .1, .05}, {0, 0, -1}).normal.z, -1, 1e-12);
  EXPECT_NEAR(CastRay(w, {.25, .1, -.05}, {1, 0, 0}).x, .75, 1e-12);
  EXPECT_NEAR(CastRay(w, {.25, .1, -.05}, {1, 0, 0}).normal.x, 1, 1e-12);
  EXPECT_NEAR(CastRay(w, {0, 0, .1}, {0, 1, -.15}).x, 1, 1e-12);  // below the slope, and out of the side
}

// Two ridges along x, at y = -.5 and .5: the nearer one is met, from either side.
TEST(RayGeom, HeightFieldWithRidges) {
  const World w = Scene("<hfield name='h' nrow='5' ncol='2' size='1 1 1 .1' elevation='0 0 1 1 0 0 1 1 0 0'/>",
                        "<geom type='hfield' hfield='h'/>");
  for (const double sign : {-1.0, 1.0}) {
    EXPECT_NEAR(CastRay(w, {.1, 0, .5}, {0, sign, 0}).x, .25, 1e-12);
    EXPECT_NEAR(CastRay(w, {.1, -3 * sign, .5}, {0, sign, 0}).x, 2.25, 1e-12);
    EXPECT_NEAR(CastRay(w, {.1, -3 * sign, 1.4}, {.01, sign, -.5}).x, 2.16, 1e-12);  // 1.4 - x / 2 = 2 (x - 2)
    EXPECT_EQ(CastRay(w, {.1, -sign, 1.2}, {0, sign, .1}).geom, -1);
  }
}

// Geoms that never collide are in no tree of boxes, but light falls on them.
TEST(RayWorld, GeomsThatNeverCollideAreSeen) {
  const World w = Scene("",
                        "<body><freejoint/><geom size='.1'/><geom size='.1' pos='1 0 0'/><geom size='.1' pos='2 0 0'/>"
                        "<geom size='.1' pos='3 0 1' contype='0' conaffinity='0'/></body>");
  EXPECT_EQ(CastRay(w, {3, 0, 5}, {0, 0, -1}).geom, 3);
  const double point[3] = {3, 0, 5}, direction[3] = {0, 0, -1};
  double x;
  mj_multiRay(w.m.get(), w.d.get(), point, direction, nullptr, 1, -1, nullptr, &x, nullptr, 1, mjMAXVAL);
  EXPECT_NEAR(x, 3.9, 1e-12);
}

class Filters : public testing::Test {
 protected:
  World w = Scene("<material name='clear' rgba='1 1 1 0'/><material name='solid'/>",
                  "<geom name='far' size='.1' pos='5 0 0' group='9'/>"
                  "<geom size='.1' pos='1 0 0' rgba='1 1 1 0'/><geom size='.1' pos='1 0 0' material='clear'/>"
                  "<body pos='2 0 0'><freejoint/><geom name='near' size='.1' material='solid' rgba='1 1 1 0'/></body>");
  int Seen(const mjtByte* groups, bool sees_static, int exclude) {
    return CastRay(w, {0, 0, 0}, {2, 0, 0}, groups, sees_static, exclude).geom;
  }
  int Id(const char* name) { return mj_name2id(w.m.get(), mjOBJ_GEOM, name); }
};

// The colour of a material overrides that of the geom.
TEST_F(Filters, InvisibleGeomsAreNotHit) {
  EXPECT_EQ(Seen(nullptr, true, -1), Id("near"));
  EXPECT_NEAR(CastRay(w, {0, 0, 0}, {2, 0, 0}).x, .95, 1e-12);
}

TEST_F(Filters, BodiesAreExcludedAndStaticOnesLeftOut) {
  EXPECT_EQ(Seen(nullptr, true, 1), Id("far"));
  EXPECT_EQ(Seen(nullptr, false, 1), -1);
  EXPECT_EQ(Seen(nullptr, false, -1), Id("near"));
}

TEST_F(Filters, GroupsBeyondTheLastCountAsTheLast) {
  const mjtByte last[mjNGROUP] = {0, 0, 0, 0, 0, 1}, first[mjNGROUP] = {1, 0, 0, 0, 0, 0};
  EXPECT_EQ(Seen(last, true, -1), Id("far"));
  EXPECT_EQ(Seen(first, true, -1), Id("near"));
}

// A body with many geoms is walked by its tree; the answer is that of trying them all.
TEST(RayWorld, TreesFindWhatTryingAllFinds) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> coordinate(-2, 2), size(.05, .3);
  std::string body = "<body euler='10 20 30'><freejoint/>";
  const char* const kTypes[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  for (int i = 0; i < 60; ++i) {
    const auto numbers = [&](auto& distribution) {
      std::string text;
      for (int k = 0; k < 3; ++k) text.append(" ").append(std::to_string(distribution(generator)));
      return text;
    };
    body += std::string("<geom type='") + kTypes[i % 5] + "' size='" + numbers(size) + "' pos='" + numbers(coordinate) +
            "' euler='" + numbers(coordinate) + "'/>";
  }
  const World w = Scene("", body + "</body>");
  int hits = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto random = [&] { return Vec{coordinate(generator), coordinate(generator), coordinate(generator)}; };
    const Ray ray = {random() * 2.0, random()};
    double least = -1;
    for (int geom = 0; geom < w.m->ngeom; ++geom) {
      const RayHit hit = RayGeom(w.m.get(), w.d.get(), geom, ray);
      if (hit && (least < 0 || hit.x < least)) least = hit.x;
    }
    hits += least >= 0;
    ASSERT_EQ(CastRay(w, ray.point, ray.direction).x, least) << i;
  }
  EXPECT_GT(hits, 100);
}

TEST(RayWorld, ManyRaysEqualSingleOnes) {
  const World w = Scene("",
                        "<geom type='plane' size='1 1 1'/><body euler='0 0 90'><freejoint/>"
                        "<geom size='.05' pos='.4 0 .5'/><geom size='.05' pos='1.2 .1 .5' mass='1000'/></body>");
  const Vec point = {-1, .4, .5};
  const std::vector<double> directions = {1, 0, 0, 0, 0, -1, 1, 0, -.5, 0, 0, 0, 0, 1, 0};
  int geoms[5];
  double x[5], normals[15];
  mj_multiRay(w.m.get(), w.d.get(), &point.x, directions.data(), nullptr, 1, -1, geoms, x, normals, 5, mjMAXVAL);
  for (int i : {0, 1, 2, 4}) {
    const Cast single = CastRay(w, point, LoadVec3(directions.data() + 3 * i));
    EXPECT_EQ(x[i], single.x) << i;
    EXPECT_EQ(geoms[i], single.geom) << i;
    EXPECT_EQ(Norm(LoadVec3(normals + 3 * i) - single.normal), 0) << i;
  }
  EXPECT_EQ(x[3], -1);  // no direction
}

// How far a geom is decides, not how far it is hit; of a plane, its height.
TEST(RayWorld, CutoffLeavesOutDistantGeoms) {
  const World w = Scene("", "<geom type='plane' size='9 9 1' pos='5 0 -.9'/><geom size='.5' pos='2 0 0'/>");
  const Vec point = {0, 0, 0};
  const double directions[6] = {0, 0, -1, 1, 0, 0};
  double x[2];
  mj_multiRay(w.m.get(), w.d.get(), &point.x, directions, nullptr, 1, -1, nullptr, x, nullptr, 2, 1.4);
  EXPECT_NEAR(x[0], .9, 1e-12);
  EXPECT_EQ(x[1], -1);
  mj_multiRay(w.m.get(), w.d.get(), &point.x, directions, nullptr, 1, -1, nullptr, x, nullptr, 2, 1.6);
  EXPECT_NEAR(x[1], 1.5, 1e-12);
}

std::string ErrorOf(void (*body)(const World&), const World& w) {
  static thread_local std::string text;
  text.clear();
  mju_user_error = [](const char* message) { text = message; };
  body(w);
  mju_user_error = nullptr;
  return text;
}

TEST(RayWorld, BadInputIsNamed) {
  const World w = Scene("", "<geom size='.1'/>");
  EXPECT_NE(ErrorOf(
                [](const World& world) {
                  CastRay(world, {0, 0, 0}, {0, 0, 0});
                },
                w)
                .find("too small"),
            std::string::npos);
  const auto as_mesh = [](const World& world) {
    const double zero[3] = {}, up[3] = {0, 0, 1};
    mj_rayMesh(world.m.get(), world.d.get(), 0, zero, up, nullptr);
  };
  EXPECT_NE(ErrorOf(as_mesh, w).find("geom 0 is not a mesh"), std::string::npos);
  const auto beyond = [](const World& world) {
    const double zero[3] = {}, up[3] = {0, 0, 1};
    mj_rayHfield(world.m.get(), world.d.get(), 7, zero, up, nullptr);
  };
  EXPECT_NE(ErrorOf(beyond, w).find("is 7"), std::string::npos);
}

}  // namespace
}  // namespace sinew
