#include "collision/ray/ray_primitive.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>

#include "math/quat.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

RayTarget Target(int type, const Vec& size) {
  Quat<double> q = {1, .1, .2, .3};
  Normalize(q);
  return {type, {.1, .2, .3}, ToMat3(q), size};
}

struct Ray {
  Vec point, direction;
};
constexpr Ray kRays[3] = {
    {{1, 1.1, 1.2}, {-1, -1, -1}}, {{.12, .22, .31}, {.5, .2, -.1}}, {{-.5, .2, -.9}, {.6, .05, 1.2}}};

struct Case {
  int type;
  Vec size;
  double x[3];
  Vec normal[3];
};

// Recorded from the reference: rays from outside, from inside, and along an edge of every primitive.
const Case kCases[] = {
    {mjGEOM_PLANE, {.5, .4, 1}, {.9, -1, -1}, {{.4035088, -.07017544, .9122807}, {0, 0, 0}, {0, 0, 0}}},
    {mjGEOM_SPHERE,
     {.3, 0, 0},
     {.726794919, .50336382, .778282347},
     {{.5773503, .5773503, .5773503}, {.9056064, .4022425, -.1344546}, {-.4434353, .1297137, -.8868706}}},
    {mjGEOM_CAPSULE,
     {.1, .3, 0},
     {.816909974, .144153232, .704162639},
     {{.4132763, .9035305, -.113293}, {.8009281, .5091479, -.3150914}, {-.5644978, .141555, -.8132062}}},
    {mjGEOM_ELLIPSOID,
     {.1, .2, .3},
     {.813550597, .143502425, .779122775},
     {{.7384532, .6612529, -.1320286}, {.7923357, .5460006, -.2721903}, {-.5123353, .1859524, -.8384117}}},
    {mjGEOM_CYLINDER,
     {.1, .3, 0},
     {.816909974, .144153232, .777631579},
     {{.4132763, .9035305, -.113293}, {.8009281, .5091479, -.3150914}, {-.4035088, .07017544, -.9122807}}},
    {mjGEOM_BOX,
     {.1, .2, .3},
     {.803389831, .144518272, .777631579},
     {{.7719298, .5614035, -.2982456}, {.7719298, .5614035, -.2982456}, {-.4035088, .07017544, -.9122807}}},
};

TEST(RayPrimitive, EqualsRecordedHits) {
  for (const Case& c : kCases) {
    for (int i = 0; i < 3; ++i) {
      Vec normal;
      const double x = RayPrimitive(Target(c.type, c.size), kRays[i].point, kRays[i].direction, &normal);
      EXPECT_NEAR(x, c.x[i], 1e-8) << "type " << c.type << " ray " << i;  // digits of the record
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(normal[k], c.normal[i][k], 1e-6) << "type " << c.type << " ray " << i;
    }
  }
}

TEST(RayPrimitive, PlaneIsHitFromTheFrontOnly) {
  const RayTarget plane = {mjGEOM_PLANE, {0, 0, 0}, Identity3<double>(), {0, 0, 1}};
  EXPECT_EQ(RayPrimitive(plane, {5, 5, 2}, {0, 0, -1}), 2);
  EXPECT_EQ(RayPrimitive(plane, {5, 5, -2}, {0, 0, 1}), -1);
  EXPECT_EQ(RayPrimitive(plane, {5, 5, 2}, {1, 0, 0}), -1);
}

TEST(RayPrimitive, FromInsideTheExitIsHit) {
  const RayTarget box = {mjGEOM_BOX, {0, 0, 0}, Identity3<double>(), {1, 2, 3}};
  Vec normal;
  EXPECT_EQ(RayPrimitive(box, {0, 0, 0}, {0, 0, 2}, &normal), 1.5);
  EXPECT_EQ(normal.z, 1);
}

}  // namespace
}  // namespace sinew
