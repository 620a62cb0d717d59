// Shapes that lie flat on each other: where their contacts are, and that they share a normal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "math/vec3.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

using Vec = Vec3<double>;

const std::string kSlab =
    "<mesh name='slab' vertex='-.5 -.4 0 .5 -.4 0 -.5 .4 0 .5 .4 0 -.5 -.4 -.2 .5 -.4 -.2 -.5 .4 -.2 .5 .4 -.2'/>";

std::vector<mjContact> ContactsOf(const std::string& ground, const std::string& body, const std::string& options = "") {
  World w(ModelFromText("<mujoco>" + options + "<asset>" + kSlab + "</asset><worldbody><geom " + ground + "/><body " +
                        body + "/></body></worldbody></mujoco>"));
  mj_forward(w.m.get(), w.d.get());
  return {w.d->contact, w.d->contact + w.d->ncon};
}

// Where the contacts reach along x and y.
Vec WidthOf(const std::vector<mjContact>& contacts) {
  Vec low = {1, 1, 1}, high = {-1, -1, -1};
  for (const mjContact& contact : contacts) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], contact.pos[k]);
      high[k] = std::max(high[k], contact.pos[k]);
    }
  }
  return high - low;
}

void ExpectUp(const std::vector<mjContact>& contacts, double dist) {
  for (const mjContact& contact : contacts) {
    EXPECT_NEAR(std::fabs(contact.frame[2]), 1, 1e-14);
    EXPECT_NEAR(contact.dist, dist, 1e-7);  // vertices of meshes are in single precision
  }
}

const char* const kFlatGrounds[] = {"type='box' size='.5 .4 .1' pos='0 0 -.1'", "type='mesh' mesh='slab'",
                                    "type='cylinder' size='.5 .1' pos='0 0 -.1'"};

TEST(FlatSides, ALyingCylinderTouchesWithTheEndsOfItsLine) {
  for (const std::string ground : kFlatGrounds) {
    const auto contacts =
        ContactsOf(ground, "pos='.02 .03 .0199' euler='0 90 0'><freejoint/><geom type='cylinder' size='.02 .05'");
    ASSERT_EQ(contacts.size(), 2u) << ground;
    ExpectUp(contacts, -1e-4);
    EXPECT_NEAR(WidthOf(contacts).x, .1, 1e-9);
  }
}

TEST(FlatSides, ALyingCapsuleTouchesWithTheEndsOfItsAxis) {
  for (const std::string ground : {kFlatGrounds[1], kFlatGrounds[2]}) {
    const auto contacts =
        ContactsOf(ground, "pos='.02 .03 .0199' euler='0 90 0'><freejoint/><geom type='capsule' size='.02 .05'");
    ASSERT_EQ(contacts.size(), 2u) << ground;
    ExpectUp(contacts, -1e-4);
    EXPECT_NEAR(WidthOf(contacts).x, .1, 1e-9);
  }
}

TEST(FlatSides, AnUprightCylinderTouchesWithASquareOfItsRim) {
  for (const std::string ground : kFlatGrounds) {
    const auto contacts = ContactsOf(ground, "pos='.02 .03 .0499'><freejoint/><geom type='cylinder' size='.02 .05'");
    ASSERT_EQ(contacts.size(), 4u) << ground;
    ExpectUp(contacts, -1e-4);
    for (const mjContact& contact : contacts) {
      EXPECT_NEAR(std::hypot(contact.pos[0] - .02, contact.pos[1] - .03), .02, 1e-9);
    }
    EXPECT_GE(WidthOf(contacts).x, .028);
  }
}

// Half of the cap is over the edge of a box: contacts reach up to the edge.
TEST(FlatSides, ACapOverAnEdgeTouchesWithWhatIsOverTheFace) {
  const auto contacts =
      ContactsOf(kFlatGrounds[0], "pos='.5 0 .0499'><freejoint/><geom type='cylinder' size='.02 .05'");
  ASSERT_GE(contacts.size(), 3u);
  ExpectUp(contacts, -1e-4);
  for (const mjContact& contact : contacts) EXPECT_LE(contact.pos[0], .5 + 1e-12);
  EXPECT_NEAR(WidthOf(contacts).x, .02, 1e-9);
  EXPECT_NEAR(WidthOf(contacts).y, .04, 1e-9);
}

// Each end has its own depth; what has lifted off is no contact.
TEST(FlatSides, ATiltedCylinderIsDeeperAtOneEnd) {
  const double tilt = 1e-3;
  const std::string cylinder = "><freejoint/><geom type='cylinder' size='.02 .05'";
  const std::string pose = "' axisangle='0 1 0 " + std::to_string(M_PI / 2 + tilt) + "'";
  const auto deep = ContactsOf("type='box' size='.5 .4 .1' pos='0 0 -.1'", "pos='0 0 .0199" + pose + cylinder,
                               "<compiler angle='radian'/>");
  ASSERT_EQ(deep.size(), 2u);
  EXPECT_NEAR(std::fabs(deep[0].dist - deep[1].dist), .1 * std::sin(tilt), 1e-7);  // six digits of the angle
  EXPECT_NEAR(std::min(deep[0].dist, deep[1].dist), .0199 - .02 * std::cos(tilt) - .05 * std::sin(tilt), 1e-7);
  const auto shallow = ContactsOf("type='box' size='.5 .4 .1' pos='0 0 -.1'", "pos='0 0 .01999" + pose + cylinder,
                                  "<compiler angle='radian'/>");
  EXPECT_EQ(shallow.size(), 1u);
}

TEST(FlatSides, RoundSidesTouchInOnePoint) {
  const auto crossed = ContactsOf("type='cylinder' size='.1 .3' euler='90 0 0'",
                                  "pos='0 0 .199' euler='0 90 20'><freejoint/><geom type='cylinder' size='.1 .3'");
  EXPECT_EQ(crossed.size(), 1u);
}

TEST(FlatSides, ParallelCylindersTouchAlongTheirLength) {
  const auto contacts = ContactsOf("type='cylinder' size='.1 .3' euler='90 0 0'",
                                   "pos='0 .1 .199' euler='90 0 0'><freejoint/><geom type='cylinder' size='.1 .3'");
  ASSERT_EQ(contacts.size(), 2u);
  ExpectUp(contacts, -1e-3);
  EXPECT_NEAR(WidthOf(contacts).y, .5, 1e-6);
}

TEST(FlatSides, WithoutMulticcdThereIsOne) {
  const auto contacts = ContactsOf(kFlatGrounds[0], "pos='0 0 .0499'><freejoint/><geom type='cylinder' size='.02 .05'",
                                   "<option><flag multiccd='disable'/></option>");
  EXPECT_EQ(contacts.size(), 1u);
}

// A margin: faces that are apart have contacts with one normal, too.
TEST(FlatSides, FacesWithinAMarginShareTheirNormal) {
  const auto contacts = ContactsOf("type='box' size='.5 .4 .1' pos='0 0 -.1' margin='.01'",
                                   "pos='0 0 .004'><freejoint/><geom type='mesh' mesh='slab' euler='180 0 0'");
  ASSERT_EQ(contacts.size(), 4u);
  for (const mjContact& contact : contacts) EXPECT_NEAR(std::fabs(contact.frame[2]), 1, 1e-12);
}

std::string Prism(int sides, double radius) {
  std::string vertices;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * M_PI * (i + .2) / sides;
    for (const double z : {-.04, .04}) {
      vertices += std::to_string(radius * std::cos(angle)) + " " + std::to_string(radius * std::sin(angle)) + " " +
                  std::to_string(z) + " ";
    }
  }
  return vertices;
}

// A prism stands on all of its corners, or of many on enough that its whole face carries it.
TEST(PlaneAndMesh, StandsOnItsSupportPolygon) {
  for (const int sides : {3, 4, 5, 6, 8, 16, 60}) {
    World w(ModelFromText("<mujoco><asset><mesh name='p' vertex='" + Prism(sides, .05) +
                          "'/></asset><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .0399'><freejoint/>"
                          "<geom type='mesh' mesh='p'/></body></worldbody></mujoco>"));
    mj_forward(w.m.get(), w.d.get());
    ASSERT_EQ(w.d->ncon, std::min(sides, 8)) << sides;
    // in every direction, a contact is nearly as far as the face
    for (double angle = 0; angle < 2 * M_PI; angle += .05) {
      double reach = 0;
      for (int i = 0; i < w.d->ncon; ++i) {
        const double* p = w.d->contact[i].pos;
        reach = std::max(reach, p[0] * std::cos(angle) + p[1] * std::sin(angle));
      }
      EXPECT_GT(reach, .05 * (sides < 9 ? std::cos(M_PI / sides) - 1e-3 : .8)) << sides << " " << angle;
    }
  }
}

// A tall shape on a small foot: as wide as a tenth of its bounding radius.
TEST(PlaneAndMesh, ASmallFootCounts) {
  World w(
      ModelFromText("<mujoco><asset><mesh name='lamp' vertex='.02 0 0 -.01 .017 0 -.01 -.017 0 0 0 .3 .05 0 .25 "
                    "-.05 .02 .25'/></asset><worldbody><geom type='plane' size='1 1 1'/><body><freejoint/>"
                    "<geom type='mesh' mesh='lamp'/></body></worldbody></mujoco>"));
  mj_forward(w.m.get(), w.d.get());
  double lowest = 0;
  for (int i = 0; i < w.d->ncon; ++i) lowest = std::min(lowest, w.d->contact[i].dist);
  w.d->qpos[2] -= lowest + 1e-4;
  mj_forward(w.m.get(), w.d.get());
  EXPECT_EQ(w.d->ncon, 3);
}

}  // namespace
}  // namespace sinew
