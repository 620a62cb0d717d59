// Four at a time, candidates are near where they are so one by one.
#include "collision/broad/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "collision/broad/bounds.h"
#include "model/bvh.h"
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

// All pairs of geoms of different bodies; those of planes first where `sorted`, else mixed with the others.
std::vector<Candidate> AllPairs(const mjModel* m, bool sorted) {
  std::vector<Candidate> pairs;
  for (int g1 = 0; g1 < m->ngeom; ++g1) {
    for (int g2 = g1 + 1; g2 < m->ngeom; ++g2) {
      if (m->geom_bodyid[g1] != m->geom_bodyid[g2]) pairs.push_back({g1, g2, -1, -1, 0});
    }
  }
  if (!sorted) std::shuffle(pairs.begin(), pairs.end(), std::mt19937(1));
  return pairs;
}

void ExpectTheSameOneByOne(World& w, const std::vector<Candidate>& pairs) {
  const int count = static_cast<int>(pairs.size());
  const auto near = std::make_unique<bool[]>(pairs.size());
  FindNear(w.m.get(), w.d.get(), pairs.data(), count, near.get());
  int found = 0;
  for (int i = 0; i < count; ++i) {
    const auto& [g1, g2, leaf1, leaf2, place] = pairs[i];
    const double margin = PairMargin(w.m.get(), g1, g2);
    const bool expected =
        SpheresOverlap(w.m.get(), w.d.get(), g1, g2, margin) && GeomBoxesOverlap(w.m.get(), w.d.get(), g1, g2, margin);
    ASSERT_EQ(near[i], expected) << g1 << " " << g2;
    found += expected;
  }
  EXPECT_GT(found, 100);
  EXPECT_LT(found, count / 2);
}

TEST(Candidates, AreNearAsOneByOne) {
  World w = Heap(kPlanes);
  for (const bool sorted : {true, false}) ExpectTheSameOneByOne(w, AllPairs(w.m.get(), sorted));
}

// The margin of all contacts (mjENBL_OVERRIDE).
TEST(Candidates, OverriddenMargin) {
  World w = Heap(kPlanes);
  w.m->opt.enableflags |= mjENBL_OVERRIDE;
  w.m->opt.o_margin = .05;
  ExpectTheSameOneByOne(w, AllPairs(w.m.get(), true));
}

// Boxes that touch exactly are told apart by the established order of sums, in lanes as well.
TEST(Candidates, TiesAreBrokenAsOneByOne) {
  World w(
      ModelFromText("<mujoco><worldbody><body><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                    "<body pos='0 0 .2'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                    "<body pos='.3 0 .1'><freejoint/><geom type='box' size='.2 .1 .1'/></body>"
                    "<body pos='0 .5 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
                    "</worldbody></mujoco>"));
  mj_kinematics(w.m.get(), w.d.get());
  std::vector<Candidate> pairs;
  for (int g = 1; g < 4; ++g) pairs.push_back({0, g, -1, -1, 0});
  bool near[3];
  FindNear(w.m.get(), w.d.get(), pairs.data(), 3, near);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(near[i], GeomBoxesOverlap(w.m.get(), w.d.get(), 0, i + 1, 0)) << i;
  EXPECT_TRUE(near[0]);
  EXPECT_FALSE(near[2]);
}

PlacedBox<double> Root(const World& w, int body) {
  const double* box = w.m->bvh_aabb + 6 * w.m->body_bvhadr[body];
  return {LoadVec3(w.d->xipos + 3 * body), LoadMat3(w.d->ximat + 9 * body), LoadVec3(box), LoadVec3(box + 3)};
}

TEST(Candidates, RootsOverlapAsOneByOne) {
  World w = Heap("<geom type='plane' size='0 0 1' pos='0 0 -.2'/><geom type='box' size='.1 .1 .1' pos='0 0 -.3'/>");
  std::vector<BodyCandidate> pairs;
  for (int body1 = 0; body1 < w.m->nbody; ++body1) {
    for (int body2 = body1 + 1; body2 < w.m->nbody; ++body2) pairs.push_back({body1, body2});
  }
  const int count = static_cast<int>(pairs.size()), of_world = static_cast<int>(w.m->nbody) - 1;
  const auto near = std::make_unique<bool[]>(pairs.size());
  FindNearRoots(w.m.get(), w.d.get(), pairs.data(), of_world, count, near.get());
  int found = 0;
  for (int i = 0; i < count; ++i) {
    const auto& [body1, body2] = pairs[i];
    const PlacedBox<double> box1 = Root(w, body1), box2 = Root(w, body2);
    const double margin = w.m->body_margin[body1] + w.m->body_margin[body2];
    const bool expected =
        i < of_world ? AreNearAlongZ(box1.centre.z, box1.half.z, box2, margin) : BoxesOverlap(box1, box2, margin);
    ASSERT_EQ(near[i], expected) << body1 << " " << body2;
    found += expected;
  }
  EXPECT_GT(found, 50);
  EXPECT_LT(found, count / 2);
}

}  // namespace
}  // namespace sinew
