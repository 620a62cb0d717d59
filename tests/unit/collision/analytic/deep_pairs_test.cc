// Analytic pairs where the formula for shallow contacts says nothing: axes inside of a box, axes that meet, centres on
// an axis, corners that tie.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/unit/collision/scene.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

const Quat<double> kAlongX = {1, 0, 1, 0}, kBackAlongX = {1, 0, -1, 0};

// A rod that has sunk into a box of 20 cm beyond its axis leaves it by the top, with a contact at each end.
TEST(CapsuleInBox, LeavesByTheNearestFace) {
  for (const double z : {-.001, -.02, -.09}) {
    Scene scene({{mjGEOM_CAPSULE, {.005, .1, 0}, {.02, .03, z}, kAlongX},
                 {mjGEOM_BOX, {.5, .5, .1}, {0, 0, -.1}, {1, 0, 0, 0}, 1}});
    ASSERT_EQ(scene.Collide(0, 1), 2);
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(scene.con(i).dist, z - .005, 1e-12);
      EXPECT_NEAR(scene.con(i).frame[2], -1, 1e-12);  // from the capsule to the box
      EXPECT_NEAR(std::fabs(scene.con(i).pos[0] - .02), .1, 1e-12);
    }
  }
}

// Continuous where the axis passes the face.
TEST(CapsuleInBox, ContinuesTheContactOutside) {
  const auto contacts = [](double z) {
    Scene scene({{mjGEOM_CAPSULE, {.05, .1, 0}, {.02, .03, z}, {1, .02, 1.03, .01}},
                 {mjGEOM_BOX, {.5, .5, .1}, {0, 0, -.1}, {1, 0, 0, 0}, 1}});
    std::vector<mjContact> found;
    const int count = scene.Collide(0, 1);
    for (int i = 0; i < count; ++i) found.push_back(scene.con(i));
    return found;
  };
  const double touching = .1 * std::fabs(ToMat3(Normalized(Quat<double>{1, .02, 1.03, .01})).Column(2).z);
  const auto outside = contacts(touching + 1e-7), inside = contacts(touching - 1e-7);
  ASSERT_EQ(outside.size(), inside.size());
  for (size_t i = 0; i < outside.size(); ++i) {
    EXPECT_NEAR(outside[i].dist, inside[i].dist, 1e-6);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(outside[i].pos[k], inside[i].pos[k], 1e-6);
      EXPECT_NEAR(outside[i].frame[k], inside[i].frame[k], 1e-6);
    }
  }
}

// A capsule that is longer than the box on which it lies rests on both of its edges, whatever the signs of zeros.
TEST(CapsuleOnBox, RestsOnBothEdges) {
  for (const Quat<double>& quat : {kAlongX, kBackAlongX, Quat<double>{1, 1, 0, 0}, Quat<double>{1, -1, 0, 0}}) {
    for (const double side : {-1., 1.}) {
      Scene scene({{mjGEOM_CAPSULE, {.05, .4, 0}, {0, 0, .14 * side}, quat},
                   {mjGEOM_BOX, {.1, .1, .1}, {0, 0, 0}, {1, 0, 0, 0}, 1}});
      ASSERT_EQ(scene.Collide(0, 1), 2) << quat.x << quat.y << side;
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(scene.con(i).dist, -.01, 1e-12);
      const Vec apart = LoadVec3(scene.con(0).pos) - LoadVec3(scene.con(1).pos);
      EXPECT_NEAR(Norm(apart), .2, 1e-9);
    }
  }
}

// Where the capsules lie beside each other, both contacts have the distance of the axes and their normal.
TEST(ParallelCapsules, TouchAtTheEndsOfTheirOverlap) {
  for (const double z : {0., .04, .15}) {
    Scene scene(
        {{mjGEOM_CAPSULE, {.1, .2, 0}, {0, 0, 0}}, {mjGEOM_CAPSULE, {.1, .15, 0}, {.19, 0, z}, {1, 0, 0, 0}, 1}});
    ASSERT_EQ(scene.Collide(0, 1), 2) << z;
    double low = 1, high = -1;
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(scene.con(i).dist, -.01, 1e-12);
      EXPECT_NEAR(scene.con(i).frame[0], 1, 1e-12);
      low = std::min(low, scene.con(i).pos[2]);
      high = std::max(high, scene.con(i).pos[2]);
    }
    EXPECT_NEAR(low, z - .15, 1e-12);
    EXPECT_NEAR(high, std::min(.2, z + .15), 1e-12);
  }
}

// Axes on one line, along x: any way across is right, and x is not.
TEST(ParallelCapsules, OnOneLineLeaveAcross) {
  Scene scene(
      {{mjGEOM_CAPSULE, {.1, .2, 0}, {0, 0, 0}, kAlongX}, {mjGEOM_CAPSULE, {.1, .2, 0}, {.1, 0, 0}, kAlongX, 1}});
  ASSERT_EQ(scene.Collide(0, 1), 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(scene.con(i).dist, -.2, 1e-12);
    EXPECT_NEAR(scene.con(i).frame[0], 0, 1e-9);
  }
}

TEST(CrossingCapsules, LeaveAcrossBothAxes) {
  for (const double offset : {0., 1e-14, -1e-10}) {
    Scene scene({{mjGEOM_CAPSULE, {.1, .2, 0}, {.03, 0, 0}, kAlongX},
                 {mjGEOM_CAPSULE, {.1, .2, 0}, {0, .05, offset}, {1, 1, .3, .2}, 1}});
    ASSERT_EQ(scene.Collide(0, 1), 1);
    const Vec n = LoadVec3(scene.con(0).frame), axis = ToMat3(Normalized(Quat<double>{1, 1, .3, .2})).Column(2);
    EXPECT_NEAR(n.x, 0, 1e-6);
    EXPECT_NEAR(Dot(n, axis), 0, 1e-6);
  }
}

TEST(SphereOnAxis, LeavesAcross) {
  for (const int type : {mjGEOM_CAPSULE, mjGEOM_CYLINDER}) {
    Scene scene({{mjGEOM_SPHERE, {.05, 0, 0}, {.02, 0, 0}, kAlongX}, {type, {.1, .4, 0}, {0, 0, 0}, kAlongX, 1}});
    ASSERT_EQ(scene.Collide(0, 1), 1);
    EXPECT_NEAR(scene.con(0).dist, -.15, 1e-9);
    EXPECT_NEAR(scene.con(0).frame[0], 0, 1e-9);
  }
}

// A cube on its edge, with the plane through its middle: four corners are as high as the centre, two below.
TEST(PlaneAndBox, TheLowestCornersComeFirst) {
  for (const double angle : {M_PI / 4, -M_PI / 4, 3 * M_PI / 4}) {
    for (const Vec& axis : {Vec{1, 0, 0}, Vec{0, 1, 0}}) {
      Scene scene({{mjGEOM_PLANE, {1, 1, 1}}, {mjGEOM_BOX, {.1, .1, .1}, {0, 0, -.01}, AxisAngle(axis, angle), 1}});
      const int count = scene.Collide(0, 1);
      ASSERT_LE(count, 4);
      int lowest = 0;
      for (int i = 0; i < count; ++i) lowest += scene.con(i).dist < -.15;
      EXPECT_EQ(lowest, 2) << angle;
    }
  }
}

// Boxes have contacts however deep one is in the other; a thick one leaves a plate by the side of its centre.
TEST(DeepBoxes, LeaveThePlate) {
  for (const double z : {.05, .04, .02, .001}) {
    Scene scene({{mjGEOM_BOX, {.5, .5, .005}}, {mjGEOM_BOX, {.05, .05, .05}, {.02, .03, z}, {1, 0, 0, 0}, 1}});
    ASSERT_EQ(scene.Collide(0, 1), 4);
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(scene.con(i).dist, z - .055, 1e-12);
      EXPECT_NEAR(scene.con(i).frame[2], 1, 1e-12);
    }
  }
}

}  // namespace
}  // namespace sinew
