// From geoms to mjData.contact: filters, order, parameters, memory.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "collision/broad/broadphase.h"
#include "collision/broad/filter.h"
#include "collision/collision.h"
#include "collision/contact.h"
#include "tests/unit/collision/scene.h"

namespace sinew {
namespace {

GeomSpec Sphere(int body, const Vec3<double>& pos, double margin = 0, double gap = 0) {
  return {mjGEOM_SPHERE, {.1, 0, 0}, pos, {1, 0, 0, 0}, body, margin, gap};
}
GeomSpec Plane(double margin = 0, double gap = 0) {
  return {mjGEOM_PLANE, {1, 1, 1}, {0, 0, 0}, {1, 0, 0, 0}, 0, margin, gap};
}

std::vector<std::pair<int, int>> Pairs(Scene& scene) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < scene.d()->ncon; ++i) pairs.emplace_back(scene.contact(i).geom[0], scene.contact(i).geom[1]);
  return pairs;
}
using PairList = std::vector<std::pair<int, int>>;

// Bodies 1, 2 and 3 overlap each other.
Scene ThreeSpheres() { return Scene({Sphere(1, {0, 0, 0}), Sphere(2, {.01, 0, 0}), Sphere(3, {.02, 0, 0})}); }

TEST(Collision, OrdersContactsByBodies) {
  Scene scene = ThreeSpheres();
  Collision(scene.m(), scene.d());
  EXPECT_EQ(Pairs(scene), (PairList{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(Collision, IgnoresWeldedBodiesAndParents) {
  Scene chain = ThreeSpheres();  // 1 - 2 - 3
  chain.m()->body_parentid[2] = 1;
  chain.m()->body_parentid[3] = 2;
  Collision(chain.m(), chain.d());
  EXPECT_EQ(Pairs(chain), (PairList{{0, 2}}));

  chain.m()->opt.disableflags |= mjDSBL_FILTERPARENT;
  Collision(chain.m(), chain.d());
  EXPECT_EQ(chain.d()->ncon, 3);

  chain.m()->body_weldid[2] = 1;  // welded: the chain is 1+2 - 3
  Collision(chain.m(), chain.d());
  EXPECT_EQ(Pairs(chain), (PairList{{0, 2}, {1, 2}}));
  chain.m()->opt.disableflags = 0;
  Collision(chain.m(), chain.d());
  EXPECT_EQ(chain.d()->ncon, 0);
}

TEST(Collision, StaticParentsDoNotFilter) {
  Scene chain = ThreeSpheres();
  chain.m()->body_weldid[1] = 0;
  chain.m()->body_parentid[2] = 1;
  Collision(chain.m(), chain.d());
  EXPECT_EQ(Pairs(chain), (PairList{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(Collision, MasksOfGeomsAndBodies) {
  Scene scene = ThreeSpheres();
  scene.m()->geom_contype[1] = scene.m()->body_contype[2] = 2;
  scene.m()->geom_conaffinity[1] = scene.m()->body_conaffinity[2] = 2;
  Collision(scene.m(), scene.d());
  EXPECT_EQ(Pairs(scene), (PairList{{0, 2}}));
}

TEST(Collision, DisableFlags) {
  for (const int flag : {mjDSBL_CONTACT, mjDSBL_CONSTRAINT}) {
    Scene scene = ThreeSpheres();
    Collision(scene.m(), scene.d());
    scene.m()->opt.disableflags = flag;
    Collision(scene.m(), scene.d());
    EXPECT_EQ(scene.d()->ncon, 0);
  }
}

TEST(Collision, ContactFilterReplacesGeomMasks) {
  Scene scene = ThreeSpheres();
  mjcb_contactfilter = [](const mjModel*, mjData*, int g1, int) { return g1 == 0 ? 1 : 0; };
  Collision(scene.m(), scene.d());
  mjcb_contactfilter = nullptr;
  EXPECT_EQ(Pairs(scene), (PairList{{1, 2}}));
}

// Touching is overlap, in any order of the bodies.
TEST(BroadPhase, TouchingBodiesAreAPair) {
  for (const double x : {.2, -.2}) {
    Scene scene({Sphere(1, {0, 0, 0}), Sphere(2, {x, 0, 0})});
    Collision(scene.m(), scene.d());
    ASSERT_EQ(scene.d()->ncon, 1);
    EXPECT_EQ(scene.contact(0).dist, 0);
    EXPECT_EQ(scene.contact(0).exclude, 1);
  }
}

// Spheres at random places of a cube.
void ExpectBruteForcePairs(int count, double side) {
  std::vector<GeomSpec> geoms;
  unsigned state = 1;
  const auto random = [&] {  // a linear congruential generator: the same scene everywhere
    state = 1664525 * state + 1013904223;
    return side * static_cast<double>(state >> 8) / (1 << 24);
  };
  for (int i = 0; i < count; ++i) geoms.push_back(Sphere(i + 1, {random(), random(), random()}));
  Scene scene(geoms);
  Collision(scene.m(), scene.d());
  PairList expected;
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      if (Norm(geoms[i].pos - geoms[j].pos) <= .2) expected.emplace_back(i, j);
    }
  }
  EXPECT_GT(expected.size(), 5u);
  EXPECT_EQ(Pairs(scene), expected);
}

TEST(BroadPhase, FindsWhatBruteForceFinds) {
  ExpectBruteForcePairs(15, .6);    // few enough for sorting by insertion
  ExpectBruteForcePairs(60, 1);     // distributed to buckets
  ExpectBruteForcePairs(400, 2.5);  // and to cells
}

TEST(BroadPhase, OneBodyMeetsMany) {
  std::vector<GeomSpec> geoms = {{mjGEOM_SPHERE, {10, 0, 0}, {0, 0, 0}, {1, 0, 0, 0}, 1}};
  constexpr int kCount = 60;
  PairList expected;
  for (int i = 0; i < kCount; ++i) {
    geoms.push_back(
        Sphere(i + 2, {.28 * (i % 7 * 10 + i / 7) - 9.5, 0, 0}));  // out of order along x, apart from each other
    expected.emplace_back(0, i + 1);
  }
  Scene scene(geoms);
  Collision(scene.m(), scene.d());
  EXPECT_EQ(Pairs(scene), expected);
}

// A body that is in all cells is there once for each of the others.
TEST(BroadPhase, OneBodyInManyCells) {
  std::vector<GeomSpec> geoms = {{mjGEOM_SPHERE, {10, 0, 0}, {0, 0, 0}, {1, 0, 0, 0}, 1}};
  constexpr int kSide = 18;
  PairList expected;
  for (int i = 0; i < kSide * kSide; ++i) {
    geoms.push_back(Sphere(i + 2, {.25 * (i % kSide) - 2, .25 * (i / kSide) - 2, 0}));  // apart from each other
    expected.emplace_back(0, i + 1);
  }
  Scene scene(geoms);
  Collision(scene.m(), scene.d());
  EXPECT_EQ(Pairs(scene), expected);
}

TEST(Contact, MarginsAndGapsAddUp) {
  Scene detected({Plane(.05, .02), Sphere(1, {0, 0, .14})});
  Collision(detected.m(), detected.d());
  ASSERT_EQ(detected.d()->ncon, 1);
  EXPECT_NEAR(detected.contact(0).dist, .04, 1e-15);
  EXPECT_NEAR(detected.contact(0).includemargin, .03, 1e-15);
  EXPECT_EQ(detected.contact(0).exclude, 1);

  Scene acting({Plane(.05, .02), Sphere(1, {0, 0, .12})});
  Collision(acting.m(), acting.d());
  ASSERT_EQ(acting.d()->ncon, 1);
  EXPECT_EQ(acting.contact(0).exclude, 0);
}

TEST(Contact, ParametersMixBySolmix) {
  Scene scene({Plane(), Sphere(1, {0, 0, .09})});
  mjModel* m = scene.m();
  m->geom_solmix[1] = 3;
  m->geom_solref[2] = .05;
  m->geom_solref[3] = .5;
  m->geom_condim[1] = 4;
  m->geom_friction[3] = m->geom_friction[4] = m->geom_friction[5] = 0;
  Collision(m, scene.d());
  const mjContact& contact = scene.contact(0);
  EXPECT_DOUBLE_EQ(contact.solref[0], .0425);
  EXPECT_DOUBLE_EQ(contact.solref[1], .625);
  EXPECT_EQ(contact.dim, 4);
  EXPECT_EQ(contact.friction[0], 1);
  EXPECT_EQ(contact.friction[4], .0001);

  m->geom_solref[0] = -100;
  m->geom_solref[1] = -1;
  Collision(m, scene.d());
  EXPECT_EQ(scene.contact(0).solref[0], -100);
  EXPECT_EQ(scene.contact(0).solref[1], -1);

  m->geom_priority[1] = 1;
  Collision(m, scene.d());
  EXPECT_EQ(scene.contact(0).solref[0], .05);
  EXPECT_EQ(scene.contact(0).friction[0], mjMINMU);
}

TEST(Contact, OverrideReplacesParameters) {
  Scene scene({Plane(), Sphere(1, {0, 0, .105})});
  mjOption& option = scene.m()->opt;
  option.enableflags |= mjENBL_OVERRIDE;
  option.o_margin = .01;
  option.o_solref[0] = .3;
  Collision(scene.m(), scene.d());
  ASSERT_EQ(scene.d()->ncon, 1);
  EXPECT_EQ(scene.contact(0).includemargin, .01);
  EXPECT_EQ(scene.contact(0).solref[0], .3);
  EXPECT_EQ(scene.contact(0).solreffriction[0], .3);
}

TEST(Contact, FullArenaSkipsPairsWithAWarning) {
  std::vector<GeomSpec> geoms = {Plane()};
  for (int i = 1; i <= 12; ++i) geoms.push_back(Sphere(i, {.5 * i, 0, .09}));
  Scene scene(geoms);
  // a pair needs room for 50 contacts; the rest is for scratch and the contacts of a few pairs
  scene.d()->narena = 50 * sizeof(mjContact) + 8192;
  Collision(scene.m(), scene.d());
  EXPECT_GT(scene.d()->ncon, 0);
  EXPECT_LT(scene.d()->ncon, 12);
  EXPECT_EQ(scene.d()->warning[mjWARN_CONTACTFULL].number, 12 - scene.d()->ncon);
  EXPECT_EQ(scene.d()->warning[mjWARN_CONTACTFULL].lastinfo, scene.d()->ncon);
}

TEST(Contact, RoomForContactsIsGivenBack) {
  Scene scene = ThreeSpheres();
  Collision(scene.m(), scene.d());
  ASSERT_EQ(scene.d()->ncon, 3);
  EXPECT_EQ(scene.d()->parena, 3 * sizeof(mjContact));
}

TEST(Contact, AddContactAppends) {
  Scene scene({Plane(), Sphere(1, {0, 0, .09})});
  Collision(scene.m(), scene.d());
  mjContact copy = scene.contact(0);
  copy.dist = -.5;
  EXPECT_TRUE(AddContact(scene.d(), copy));
  ASSERT_EQ(scene.d()->ncon, 2);
  EXPECT_EQ(scene.contact(1).dist, -.5);
}

// The normal is normalized when frames are completed, which may change its last digits: for all of a pair's contacts.
TEST(Contact, FramesOfOneNormalAreEqual) {
  for (int k = 0; k < 20; ++k) {
    const Quat<double> tilt = {5, std::sin(k), std::cos(3.0 * k), 0};
    GeomSpec plane = Plane(), box = {mjGEOM_BOX, {.1, .1, .1}, {0, 0, 0}, tilt, 1};
    plane.quat = tilt;
    Scene scene({plane, box});
    Collision(scene.m(), scene.d());
    ASSERT_EQ(scene.d()->ncon, 4);
    for (int i = 1; i < 4; ++i) {
      for (int j = 0; j < 9; ++j) EXPECT_EQ(scene.contact(i).frame[j], scene.contact(0).frame[j]);
    }
  }
}

TEST(CompleteFrame, IsRightHandedAndKeepsASuggestedTangent) {
  const Vec3<double> normals[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {.6, -.8, 0}, {0, .6, .8}};
  const Vec3<double> tangents[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {.1, 0, 0}};
  for (const auto& normal : normals) {
    for (const auto& tangent : tangents) {
      double frame[9];
      StoreVec3(normal, frame);
      StoreVec3(tangent, frame + 3);
      CompleteFrame(frame);
      const Vec3<double> x = LoadVec3(frame), y = LoadVec3(frame + 3), z = LoadVec3(frame + 6);
      EXPECT_NEAR(Norm(y), 1, 1e-15);
      EXPECT_NEAR(Dot(x, y), 0, 1e-15);
      EXPECT_NEAR(Norm(Cross(x, y) - z), 0, 1e-15);
      if (Norm(tangent) == 1 && Norm(Cross(normal, tangent)) > .1) {
        EXPECT_GT(Dot(y, tangent), 0);
      }
    }
  }
}

TEST(CompleteFrame, ManyAtOnceAreTheSame) {
  const Vec3<double> normals[4] = {{1, 0, 0}, {0, .6, .8}, {.6, -.8, 0}, {0, 0, -1}};
  const Vec3<double> tangents[4] = {{0, 0, 0}, {1, 0, 0}, {.6, -.8, 0}, {.1, 0, 0}};  // the third is parallel
  double alone[7][9], together[7][9];
  double* frames[7];
  for (int i = 0; i < 7; ++i) {
    for (double* frame : {alone[i], together[i]}) {
      StoreVec3(normals[i % 4], frame);
      StoreVec3(tangents[(i + i / 4) % 4], frame + 3);
    }
    CompleteFrame(alone[i]);
    frames[i] = together[i];
  }
  CompleteFrames(frames, 7);
  for (int i = 0; i < 7; ++i) {
    for (int k = 0; k < 9; ++k) EXPECT_EQ(together[i][k], alone[i][k]) << i << " " << k;
  }
}

}  // namespace
}  // namespace sinew
