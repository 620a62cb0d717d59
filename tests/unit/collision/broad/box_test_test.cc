// Oriented boxes: four at a time they overlap where they do one by one, and where their corners say so.
#include "collision/broad/box_test.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "math/quat.h"
#include "tests/testing/model.h"
#include "tests/unit/collision/heap.h"

namespace sinew {
namespace {

// Bodies of one to three geoms on a floor and a slope. `world` is what body 0 has.
World Heap(const char* world) {
  const std::string bodies = HeapOfBodies(
      {7, 60, .5, -.5, .5}, [](int i) { return i % 3 + 1; },
      [](int i, int) { return i % 4 ? "margin='0'" : "margin='.02'"; });
  World w(ModelFromText(("<mujoco><worldbody>" + (world + bodies) + "</worldbody></mujoco>").c_str()));
  mj_kinematics(w.m.get(), w.d.get());
  mj_comPos(w.m.get(), w.d.get());
  return w;
}

constexpr const char* kPlanes =
    "<geom type='plane' size='0 0 1' pos='0 0 -.2'/><geom type='plane' size='0 0 1' zaxis='-1 0 2' margin='.01'/>";

struct BoxPairList {
  std::vector<BoxSource> box1, box2;
  std::vector<double> margin;
};

// In fours, and one by one.
void ExpectTheSameOneByOne(const BoxPairList& pairs) {
  const int count = static_cast<int>(pairs.box1.size());
  int found = 0, next = 0;
  CompareInFours(
      count,
      [&](int i, BoxSource& box1, BoxSource& box2, double& margin) {
        box1 = pairs.box1[static_cast<size_t>(i)];
        box2 = pairs.box2[static_cast<size_t>(i)];
        margin = pairs.margin[static_cast<size_t>(i)];
      },
      [&](int i, bool overlap) {
        const auto at = static_cast<size_t>(i);
        EXPECT_EQ(i, next++);
        EXPECT_EQ(overlap, BoxesOverlap(pairs.box1[at].Load(), pairs.box2[at].Load(), pairs.margin[at])) << i;
        found += overlap;
      });
  EXPECT_EQ(next, count);
  EXPECT_GT(found, 50);
  EXPECT_LT(found, count / 2);
}

TEST(BoxTest, GeomsInFours) {
  World w = Heap(kPlanes);
  for (const double margin : {0.0, 0.05}) {
    BoxPairList pairs;
    for (int g1 = 0; g1 < w.m->ngeom; ++g1) {
      for (int g2 = g1 + 1; g2 < w.m->ngeom; ++g2) {
        pairs.box1.push_back(BoxOfGeom(w.m.get(), w.d.get(), g1));
        pairs.box2.push_back(BoxOfGeom(w.m.get(), w.d.get(), g2));
        pairs.margin.push_back(margin);
      }
    }
    ExpectTheSameOneByOne(pairs);
  }
}

TEST(BoxTest, NodesInFours) {
  World w = Heap("<geom type='plane' size='0 0 1' pos='0 0 -.2'/><geom type='box' size='.1 .1 .1' pos='0 0 -.3'/>");
  BoxPairList pairs;
  for (int body1 = 1; body1 < w.m->nbody; ++body1) {
    for (int body2 = body1 + 1; body2 < w.m->nbody; ++body2) {
      pairs.box1.push_back(BoxOfNode(w.m.get(), w.d.get(), body1, w.m->body_bvhadr[body1]));
      pairs.box2.push_back(BoxOfNode(w.m.get(), w.d.get(), body2, w.m->body_bvhadr[body2]));
      pairs.margin.push_back(w.m->body_margin[body1] + w.m->body_margin[body2]);
    }
  }
  ExpectTheSameOneByOne(pairs);
}

// Boxes that have a point in common overlap: none is lost, whatever axes are left out.
TEST(BoxTest, BoxesWithACommonPointOverlap) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> size(.01, 1), across(-1, 1);
  for (int trial = 0; trial < 1000; ++trial) {
    const auto vec = [&](auto& distribution) {
      return Vec3<double>{distribution(random), distribution(random), distribution(random)};
    };
    OrientedBox<double> box[2];
    for (OrientedBox<double>& b : box) {
      Quat<double> turn = {across(random), across(random), across(random), across(random)};
      Normalize(turn);
      b = {vec(across), ToMat3(turn), vec(across), vec(size)};
      const Vec3<double> inside = vec(across), point = b.axes * Vec3<double>{b.centre.x + inside.x * b.half.x,
                                                                             b.centre.y + inside.y * b.half.y,
                                                                             b.centre.z + inside.z * b.half.z};
      b.origin = -point;  // the common point is the origin of the world
    }
    EXPECT_TRUE(BoxesOverlap(box[0], box[1], 0)) << trial;
  }
}

// The space below a plane is a box without end.
TEST(BoxTest, HeightOverAPlane) {
  World w(
      ModelFromText("<mujoco><worldbody><geom type='plane' size='1 1 1' zaxis='0 0 1'/><body pos='50 -20 3'>"
                    "<freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>"));
  for (const double height : {.101, .099, -5.0}) {
    w.d->qpos[2] = height;
    mj_kinematics(w.m.get(), w.d.get());
    const bool overlap =
        BoxesOverlap(BoxOfGeom(w.m.get(), w.d.get(), 0).Load(), BoxOfGeom(w.m.get(), w.d.get(), 1).Load(), 0);
    EXPECT_EQ(overlap, height < .1) << height;
  }
}

// Boxes that touch exactly are told apart by one order of sums, in lanes as well.
TEST(BoxTest, TiesAreBrokenAsOneByOne) {
  World w(
      ModelFromText("<mujoco><worldbody><body><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                    "<body pos='0 0 .2'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                    "<body pos='.3 0 .1'><freejoint/><geom type='box' size='.2 .1 .1'/></body>"
                    "<body pos='0 .5 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                    "</worldbody></mujoco>"));
  mj_kinematics(w.m.get(), w.d.get());
  const auto box = [&w](int geom) { return BoxOfGeom(w.m.get(), w.d.get(), geom); };
  const unsigned overlap =
      FourBoxesOverlap({box(0), box(0), box(0), box(0)}, {box(1), box(2), box(3), box(3)}, {0, 0, 0, 0});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(overlap >> i & 1, TouchingBoxesOverlap(box(0).Load(), box(i + 1).Load(), 0)) << i;
  }
  EXPECT_TRUE(overlap & 1);
  EXPECT_FALSE(overlap & 4);
}

}  // namespace
}  // namespace sinew
