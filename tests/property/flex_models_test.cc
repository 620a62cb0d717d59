// The models of models/flex in motion: cloth, rope and soft bodies that touch things.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "tests/testing/model.h"
#include "tests/testing/models_folder.h"

namespace sinew {
namespace {

class FlexModelTest : public testing::Test {
 protected:
  static World Load(const std::string& name) {
    char error[1000] = "";
    ModelPtr m(mj_loadXML(ModelsFile("flex/" + name + ".xml").c_str(), nullptr, error, sizeof(error)));
    if (!m) throw std::runtime_error(error);
    return World(std::move(m));
  }

  // Steps up to a time; `control` sets the controls.
  static void RunTo(
      const World& w, double time, const std::function<void(mjData*)>& control = [](mjData*) {}) {
    while (w.d->time < time) {
      control(w.d.get());
      mj_step(w.m.get(), w.d.get());
    }
    for (int i = 0; i < w.m->nv; ++i) ASSERT_TRUE(std::isfinite(w.d->qvel[i])) << "dof " << i;
    for (const mjWarningStat& warning : w.d->warning) EXPECT_EQ(warning.number, 0);
  }

  static double LowestVertex(const World& w) {
    double lowest = 1e9;
    for (int v = 0; v < w.m->nflexvert; ++v) lowest = std::min(lowest, w.d->flexvert_xpos[3 * v + 2]);
    return lowest;
  }
  static double HighestVertex(const World& w) {
    double highest = -1e9;
    for (int v = 0; v < w.m->nflexvert; ++v) highest = std::max(highest, w.d->flexvert_xpos[3 * v + 2]);
    return highest;
  }
  static double RootMeanSquareSpeed(const World& w) {
    double sum = 0;
    for (int i = 0; i < w.m->nv; ++i) sum += w.d->qvel[i] * w.d->qvel[i];
    return std::sqrt(sum / static_cast<double>(w.m->nv));
  }
  static double Height(const World& w, const char* body) {
    return w.d->xpos[3 * mj_name2id(w.m.get(), mjOBJ_BODY, body) + 2];
  }
};

TEST_F(FlexModelTest, ClothDrapesOverASphere) {
  const World w = Load("cloth_on_sphere");
  RunTo(w, 2);
  const double radius = w.m->flex_radius[0], top = .3 + .25;  // of the ball
  EXPECT_GT(LowestVertex(w), -radius) << "nothing falls through the floor";
  EXPECT_LT(HighestVertex(w), top + 3 * radius) << "it lies on the ball";
  EXPECT_GT(HighestVertex(w), top - 5 * radius) << "and does not slide off it";
  for (int v = 0; v < w.m->nflexvert; ++v) {
    const double* p = w.d->flexvert_xpos + 3 * v;
    EXPECT_GT(std::hypot(p[0], p[1], p[2] - .3), .25 - 3 * radius) << "vertex " << v << " is in the ball";
  }
  RunTo(w, 3);
  // it fell at 0.9 m/s; what is left is the change of which vertices hold it, of whose contacts there are 50 at most
  EXPECT_LT(RootMeanSquareSpeed(w), .08) << "it comes to rest";
}

TEST_F(FlexModelTest, TheHeavierEndOfARopeGoesDown) {
  const World w = Load("rope_on_pulley");
  RunTo(w, .4);
  EXPECT_LT(Height(w, "heavy end"), Height(w, "light end") - .05);
  EXPECT_GT(w.d->qvel[mj_name2id(w.m.get(), mjOBJ_JOINT, "axle")], .5) << "the rope turns the wheel";
  // the rope's edges are held: it is as long as it was, to two percent
  double length = 0;
  for (int e = 0; e < w.m->flex_edgenum[0]; ++e) length += w.d->flexedge_length[e];
  EXPECT_NEAR(length, 40 * .035, .02 * 40 * .035);
}

TEST_F(FlexModelTest, JellyComesToRestOnTheStairs) {
  const World w = Load("jelly_on_stairs");
  RunTo(w, 4);
  EXPECT_GT(LowestVertex(w), -.02) << "the floor holds it";
  EXPECT_LT(HighestVertex(w), .62);
  EXPECT_LT(RootMeanSquareSpeed(w), .05);
}

TEST_F(FlexModelTest, ASoftGripperHoldsACube) {
  const World w = Load("soft_gripper");
  const auto grip_and_lift = [](mjData* d) {
    d->ctrl[1] = d->ctrl[2] = std::min(.05, .1 * d->time);
    d->ctrl[0] = std::clamp(.2 * (d->time - 1), 0.0, .2);
  };
  RunTo(w, 2.5, grip_and_lift);
  const double lifted = Height(w, "cube");
  EXPECT_GT(lifted, .15);
  RunTo(w, 5, grip_and_lift);
  EXPECT_NEAR(Height(w, "cube"), lifted, .02) << "it is still held";
}

TEST_F(FlexModelTest, TwoFingersLiftACloth) {
  const World w = Load("pinched_cloth");
  const auto pinch_and_lift = [](mjData* d) {
    d->ctrl[1] = d->ctrl[2] = 3;
    d->ctrl[0] = std::clamp(.3 * (d->time - .6), 0.0, .3);
  };
  RunTo(w, 2, pinch_and_lift);
  EXPECT_GT(LowestVertex(w), .15) << "all of it is off the floor";
}

}  // namespace
}  // namespace sinew
