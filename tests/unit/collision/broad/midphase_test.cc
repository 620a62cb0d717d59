// What the trees of bodies leave is what all pairs of geoms, one by one, have for contacts, in the same order.
#include "collision/broad/midphase.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "collision/broad/filter.h"
#include "tests/testing/model.h"
#include "tests/unit/collision/heap.h"

namespace sinew {
namespace {

// Bodies of up to `most` geoms on what body 0 has.
std::string Heap(const char* world, const char* rest, int most = 3) {
  const auto attributes = [](int i, int k) {
    return "name='g" + std::to_string(i) + "_" + std::to_string(k) + (k == 1 ? "' contype='2'" : "'");
  };
  const std::string bodies = HeapOfBodies(
      {5, 150, .6, -.2, .4}, [most](int i) { return i % 4 % most + 1; }, attributes);
  return "<mujoco><worldbody>" + (world + bodies) + "</worldbody>" + rest + "</mujoco>";
}

constexpr const char* kFloor = "<geom type='plane' size='0 0 1' pos='0 0 -.2'/>";

// Pairs of geoms with contacts, in their order; what an explicit pair finds has its number.
struct Found {
  int geom1, geom2;
  double dist, friction;
  bool operator==(const Found&) const = default;
};
std::vector<Found> Contacts(World& w) {
  mj_fwdPosition(w.m.get(), w.d.get());
  std::vector<Found> found;
  for (int i = 0; i < w.d->ncon; ++i) {
    const mjContact& c = w.d->contact[i];
    found.push_back({c.geom[0], c.geom[1], c.dist, c.friction[0]});
  }
  return found;
}

void ExpectTheSameOneByOne(World& w) {
  const std::vector<Found> found = Contacts(w);
  EXPECT_GT(found.size(), 100u);
  w.m->opt.disableflags |= mjDSBL_MIDPHASE;
  EXPECT_EQ(Contacts(w), found);
}

TEST(MidPhase, FindsWhatAllPairsOfGeomsHave) {
  World w(ModelFromText(Heap(kFloor, "").c_str()));
  ExpectTheSameOneByOne(w);
}

// The general algorithm's pairs among those that have formulas.
TEST(MidPhase, BodiesOfOneGeomEach) {
  World w(ModelFromText(Heap(kFloor, "", 1).c_str()));
  const std::vector<Found> found = Contacts(w);
  EXPECT_GT(found.size(), 50u);
  const auto signature = [&w](const Found& f) {
    return PairSignature(w.m->geom_bodyid[f.geom1], w.m->geom_bodyid[f.geom2]);
  };
  for (size_t i = 1; i < found.size(); ++i) EXPECT_LE(signature(found[i - 1]), signature(found[i])) << i;
}

TEST(MidPhase, AWorldOfSeveralGeoms) {
  World w(ModelFromText(Heap("<geom type='plane' size='0 0 1' pos='0 0 -.2'/><geom type='box' size='.1 .1 .3'/>"
                             "<geom type='plane' size='0 0 1' pos='.5 0 0' zaxis='-1 0 1'/>",
                             "")
                            .c_str()));
  ExpectTheSameOneByOne(w);
}

// Explicit pairs come before those of their bodies, and decide about their geoms.
TEST(MidPhase, ExplicitPairsAmongRuns) {
  World plain(ModelFromText(Heap(kFloor, "").c_str()));
  const std::vector<Found> expected = Contacts(plain);
  std::ostringstream pairs;
  const auto name = [&](int geom) { return mj_id2name(plain.m.get(), mjOBJ_GEOM, geom); };
  int given = 0;
  for (size_t i = 0; i < expected.size(); i += 7) {
    const auto& [g1, g2, dist, friction] = expected[i];
    const bool is_next = i == 0 || expected[i - 1].geom1 != g1 || expected[i - 1].geom2 != g2;
    if (!name(g1) || !is_next) continue;
    pairs << "<pair geom1='" << name(g1) << "' geom2='" << name(g2) << "' friction='3'/>";
    ++given;
  }
  ASSERT_GT(given, 5);

  World w(ModelFromText(Heap(kFloor, ("<contact>" + pairs.str() + "</contact>").c_str()).c_str()));
  std::vector<Found> found = Contacts(w);
  ASSERT_EQ(found.size(), expected.size());
  int of_pairs = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    const auto bodies = [&](const Found& f) {
      return PairSignature(w.m->geom_bodyid[f.geom1], w.m->geom_bodyid[f.geom2]);
    };
    EXPECT_EQ(bodies(found[i]), bodies(expected[i])) << i;
    const bool follows = i > 0 && bodies(found[i]) == bodies(found[i - 1]);
    if (follows) {
      EXPECT_GE(found[i - 1].friction, found[i].friction) << i;  // explicit ones first
    }
    of_pairs += found[i].friction == 3;
  }
  EXPECT_GE(of_pairs, given);
  ExpectTheSameOneByOne(w);
}

int asked = 0;
int RejectOdd(const mjModel*, mjData*, int geom1, int geom2) {
  ++asked;
  return (geom1 + geom2) % 2;
}

TEST(MidPhase, AsksTheFilterOfTheProgram) {
  World w(ModelFromText(Heap(kFloor, "").c_str()));
  mjcb_contactfilter = RejectOdd;
  const std::vector<Found> found = Contacts(w);
  mjcb_contactfilter = nullptr;
  EXPECT_GT(asked, 100);
  EXPECT_GT(found.size(), 50u);
  for (const Found& f : found) EXPECT_EQ((f.geom1 + f.geom2) % 2, 0);
}

}  // namespace
}  // namespace sinew
