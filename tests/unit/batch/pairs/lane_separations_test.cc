// Directions along which convex geoms were found apart: what they tell apart has no contact.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "batch/pairs/lane_separations.h"
#include "batch/rows/separation_kernel.h"
#include "collision/collision.h"
#include "kinematics/kinematics.h"
#include "model/storage/data.h"
#include "model/storage/model.h"
#include "tests/support/lane_steps.h"

namespace sinew {
namespace {

const char* const kShapes[] = {"type='box' size='.1 .05 .2'",       "type='capsule' size='.05 .15'",
                               "type='cylinder' size='.1 .08'",     "type='sphere' size='.1'",
                               "type='mesh' mesh='wedge'",          "type='mesh' mesh='ball'",
                               "type='ellipsoid' size='.1 .06 .15'"};

// Two free bodies of which each has one geom.
ModelPtr TwoShapes(const std::string& shape1, const std::string& shape2, const std::string& margin) {
  std::string ball;
  for (int i = 0; i < 40; ++i) {
    const double t = 2.4 * i, z = (i + 0.5) / 20 - 1, r = std::sqrt(1 - z * z);
    for (const double x : {0.12 * r * std::cos(t), 0.1 * r * std::sin(t), 0.15 * z}) ball += std::to_string(x) + " ";
  }
  return testing::ReadModel(
      "<mujoco><asset><mesh name='wedge' vertex='0 0 0 .2 0 0 0 .2 0 .2 .2 0 .1 .1 .15'/><mesh name='ball' vertex='" +
      ball + "'/></asset><default><geom margin='" + margin + "'/></default><worldbody><body><freejoint/><geom " +
      shape1 + "/></body><body><freejoint/><geom " + shape2 + "/></body></worldbody></mujoco>");
}

class Separation {
 public:
  Separation(const std::string& shape1, const std::string& shape2, const std::string& margin)
      : m_(TwoShapes(shape1, shape2, margin)),
        d_(MakeData(*m_)),
        pair_(MakeGeomPair(m_.get(), 0, 1, -1)),
        known_(separations_.Add(*m_, pair_)) {}

  void Place(std::mt19937& random) {
    std::normal_distribution<double> normal;
    for (int i = 0; i < m_->nq; ++i) d_->qpos[i] = (i % 7 < 3 ? 0.13 : 1.0) * normal(random);
    mju_normalize4(d_->qpos + 3);
    mju_normalize4(d_->qpos + 10);
    Kinematics(m_.get(), d_.get());
    mj_comPos(m_.get(), d_.get());
    mj_collision(m_.get(), d_.get());
  }
  int contacts() const { return d_->ncon; }
  void Note() { LaneSeparations::NoteDirection(*m_, *d_, pair_, *known_); }
  int known() const { return known_->known; }

  // `with_boxes`: boxes of the geoms are compared, too.
  bool IsToldApart(bool with_boxes) const {
    const ModelView<double> m(m_.get());
    const DataView<double> d(d_.get());
    const double reach = pair_.margin + m.geom_rbound(0) + m.geom_rbound(1);
    LanePairs pairs = {};
    pairs.margin = {&pair_.margin, 1};
    pairs.have_boxes_of_model = with_boxes;
    pairs.separation = {&known_, 1};
    return !NotApart(m, d, pairs, 0, reach, true);
  }

 private:
  ModelPtr m_;
  DataPtr d_;
  ItemPair pair_;
  LaneSeparations separations_;
  LaneSeparation* known_;
};

TEST(Separation, WhatIsToldApartHasNoContact) {
  std::mt19937 random(1);
  for (const std::string shape1 : kShapes) {
    for (const std::string shape2 : kShapes) {
      for (const char* margin : {"0", ".02"}) {
        SCOPED_TRACE(shape1 + " and " + shape2 + ", margin " + margin);
        Separation pair(shape1, shape2, margin);
        int contacts = 0, apart = 0, told = 0;
        for (int i = 0; i < 200; ++i) {
          pair.Place(random);
          const bool is_told = pair.IsToldApart(/*with_boxes=*/false);
          ASSERT_FALSE(pair.contacts() > 0 && (is_told || pair.IsToldApart(/*with_boxes=*/true)));
          contacts += pair.contacts() > 0;
          apart += pair.contacts() == 0;
          told += is_told;
          if (pair.contacts() == 0 && !is_told) pair.Note();
        }
        EXPECT_GT(contacts, 10);
        EXPECT_GT(apart, 10);
        EXPECT_GT(told, 5);  // by directions of other poses
      }
    }
  }
}

TEST(Separation, WhatIsNotedServesThePoseItWasNotedFrom) {
  std::mt19937 random(2);
  for (const std::string shape : kShapes) {
    SCOPED_TRACE(shape);
    Separation pair(shape, kShapes[5], "0.01");
    int told = 0, apart = 0;
    for (int i = 0; i < 100; ++i) {
      pair.Place(random);
      if (pair.contacts() > 0) continue;
      pair.Note();
      ++apart;
      told += pair.IsToldApart(/*with_boxes=*/false);
      ASSERT_LE(pair.known(), LaneSeparation::kDirections);
    }
    EXPECT_GE(told, apart - 1) << apart;  // all but those within micrometres of each other
  }
}

TEST(Separation, OfProgramsOwnFunctionsIsNotAsked) {
  const ModelPtr m = TwoShapes(kShapes[4], kShapes[5], "0");
  LaneSeparations separations;
  separations.Add(*m, MakeGeomPair(m.get(), 0, 1, -1));
  EXPECT_TRUE(separations.Hold(*m));
  const mjfCollision own = mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH];
  mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH] = [](const mjModel*, mjData*, mjContact*, int, int, mjtNum) { return 0; };
  EXPECT_FALSE(separations.Hold(*m));
  mjCOLLISIONFUNC[mjGEOM_MESH][mjGEOM_MESH] = own;
  m->opt.disableflags |= mjDSBL_NATIVECCD;  // another method, with another tolerance
  EXPECT_FALSE(separations.Hold(*m));
}

}  // namespace
}  // namespace sinew
