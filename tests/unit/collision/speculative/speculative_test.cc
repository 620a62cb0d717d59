// Contacts before impact: what they are, where there are none, what bounces, and that nothing changes without them.
// That nothing gets through is in tests/property/speculative_test.cc.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "batch/pack/lane_pack.h"
#include "derivatives/transition.h"
#include "model/kinds/speculative.h"
#include "tests/testing/binary_model.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

std::string Text(const std::string& bodies, const std::string& option = "", bool enabled = true) {
  return "<mujoco><option " + option + "><flag speculative='" + (enabled ? "enable" : "disable") +
         "'/></option><worldbody>" + bodies + "</worldbody></mujoco>";
}
World Scene(const std::string& bodies, const std::string& option = "", bool enabled = true) {
  return World(ModelFromText(Text(bodies, option, enabled)));
}

const std::string kPlate = "<geom type='box' size='1 1 .001' pos='0 0 -.001'/>";
std::string Ball(const std::string& more = "") { return "<body><freejoint/><geom size='.01' " + more + "/></body>"; }

// A ball of 1 cm with its lowest point at a height, which falls.
World Falling(double height, double speed, const std::string& option = "gravity='0 0 0'") {
  World w = Scene(kPlate + Ball(), option);
  w.d->qpos[2] = .01 + height;
  w.d->qvel[2] = -speed;
  return w;
}

double ForceOn(const World& w, int contact) {
  double force[6];
  mj_contactForce(w.m.get(), w.d.get(), contact, force);
  return force[0];
}

// 8 mm above the plate at 10 m/s, in steps of 2 ms: after the step the ball lies on it, with 4 m/s.
TEST(SpeculativeTest, LandsAtTheEndOfTheStep) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    for (const char* integrator : {"Euler", "implicitfast", "implicit", "discrete"}) {
      World w = Falling(.008, 10, std::string("gravity='0 0 0' cone='") + cone + "' integrator='" + integrator + "'");
      mj_step(w.m.get(), w.d.get());
      ASSERT_EQ(w.d->ncon, 1) << integrator;
      EXPECT_NEAR(w.d->contact[0].dist, .008, 2e-5);  // it meets where a thousandth of the gap is left
      EXPECT_NEAR(w.d->qvel[2], -4, 4e-3) << cone << " " << integrator;
      EXPECT_NEAR(w.d->qpos[2], .01, 1e-5) << cone << " " << integrator;
      mj_step(w.m.get(), w.d.get());
      EXPECT_NEAR(w.d->qpos[2], .01, 1e-5) << cone << " " << integrator;
      EXPECT_NEAR(w.d->qvel[2], 0, 1e-2) << cone << " " << integrator;
    }
  }
}

TEST(SpeculativeTest, MarginsCount) {
  World w = Scene(kPlate + Ball("margin='.005' gap='.002'"), "gravity='0 0 0'");
  w.d->qpos[2] = .018;
  w.d->qvel[2] = -10;
  mj_step(w.m.get(), w.d.get());
  EXPECT_NEAR(w.d->qpos[2], .013, 1e-5);  // where contacts begin to push
}

TEST(SpeculativeTest, NothingIsAddedWhereNothingIsNear) {
  const auto contacts = [](double height, double speed) {
    World w = Falling(height, speed);
    mj_forward(w.m.get(), w.d.get());
    return w.d->ncon;
  };
  EXPECT_EQ(contacts(.0195, 10), 1);
  EXPECT_EQ(contacts(.0205, 10), 0);  // farther than a step
  EXPECT_EQ(contacts(.008, -10), 0);  // away from it
  EXPECT_EQ(contacts(.001, 1), 0);    // slower than half its radius in a step
  World beside = Falling(.008, 10);
  beside.d->qpos[0] = 1.02;
  mj_forward(beside.m.get(), beside.d.get());
  EXPECT_EQ(beside.d->ncon, 0);
}

// Filters are those of other contacts, and an explicit pair decides.
TEST(SpeculativeTest, FiltersCount) {
  const auto contacts = [](const std::string& plate, const std::string& ball, const std::string& contact) {
    World w(
        ModelFromText("<mujoco><option><flag speculative='enable'/></option><worldbody><geom name='plate' type='box' "
                      "size='1 1 .001' " +
                      plate + "/><body name='b' pos='0 0 .02'><freejoint/><geom name='ball' size='.01' " + ball +
                      "/></body></worldbody><contact>" + contact + "</contact></mujoco>"));
    w.d->qvel[2] = -10;
    mj_forward(w.m.get(), w.d.get());
    return w.d->ncon > 0 ? w.d->contact[0].friction[0] : 0;
  };
  EXPECT_EQ(contacts("", "", ""), 1);
  EXPECT_EQ(contacts("contype='0' conaffinity='0'", "", ""), 0);
  EXPECT_EQ(contacts("contype='2' conaffinity='2'", "", ""), 0);
  EXPECT_EQ(contacts("", "", "<exclude body1='world' body2='b'/>"), 0);
  EXPECT_EQ(contacts("contype='0' conaffinity='0'", "contype='0' conaffinity='0'",
                     "<pair geom1='plate' geom2='ball' friction='.3 .3 0 0 0'/>"),
            .3);
}

// The other side of a plate is no obstacle, nor is what lies behind it.
TEST(SpeculativeTest, WhatIsBehindDoesNotPush) {
  World w = Scene(kPlate + "<geom type='box' size='1 1 .001' pos='0 0 -.006'/>" + Ball(), "gravity='0 0 0'");
  w.d->qpos[2] = .018;
  w.d->qvel[2] = -10;
  mj_step(w.m.get(), w.d.get());
  ASSERT_EQ(w.d->ncon, 2);
  EXPECT_GT(ForceOn(w, 0), 0);
  EXPECT_NEAR(ForceOn(w, 1), 0, 1e-9 * ForceOn(w, 0));
}

// Both move: what counts is how fast they come nearer.
TEST(SpeculativeTest, MovingPairsMeet) {
  World w = Scene(
      "<body pos='-.03 0 0'><freejoint/><geom size='.01'/></body><body pos='.03 0 0'><freejoint/><geom "
      "size='.01'/></body>",
      "gravity='0 0 0'");
  w.d->qvel[0] = 20;
  w.d->qvel[6] = -20;
  for (int i = 0; i < 5; ++i) mj_step(w.m.get(), w.d.get());
  EXPECT_GT(w.d->qpos[7] - w.d->qpos[0], .0199);
  EXPECT_NEAR(w.d->qvel[0] + w.d->qvel[6], 0, 1e-9);  // momentum
}

// Damping without stiffness reverses the velocity, in one step: the contact keeps it.
TEST(SpeculativeTest, ElasticContactsBounce) {
  World w =
      Scene(kPlate + Ball("solref='0 -999' solimp='.9999 .9999 .001' priority='1' condim='1'"), "gravity='0 0 0'");
  w.d->qpos[2] = .018;
  w.d->qvel[2] = -10;
  for (int i = 0; i < 5; ++i) mj_step(w.m.get(), w.d.get());
  EXPECT_NEAR(w.d->qvel[2], 9.98, .05);
}

// It takes energy and gives none: a plate lands on its corner, turns, and comes to rest. What contacts push it out of
// the depth of some micrometres is less than 1e-4 of that.
TEST(SpeculativeTest, EnergyFalls) {
  World w = Scene(kPlate + "<body><freejoint/><geom type='box' size='.1 .1 .002' condim='1'/></body>",
                  "gravity='0 0 0' integrator='implicitfast'");
  for (const double speed : {2, 5, 10, 20}) {
    mj_resetData(w.m.get(), w.d.get());
    const double quat[4] = {.9, .3, .2, .1};
    for (int k = 0; k < 4; ++k) w.d->qpos[3 + k] = quat[k];
    mju_normalize4(w.d->qpos + 3);
    w.d->qpos[2] = .2;
    w.d->qvel[2] = -speed;
    mj_forward(w.m.get(), w.d.get());
    mj_energyVel(w.m.get(), w.d.get());
    const double first = w.d->energy[1];
    double last = first;
    for (int i = 0; i < 100; ++i) {
      mj_step(w.m.get(), w.d.get());
      mj_energyVel(w.m.get(), w.d.get());
      EXPECT_LT(w.d->energy[1], last + 1e-4 * first) << speed << " m/s, step " << i;
      last = w.d->energy[1];
    }
  }
}

// ---- off, files, and who does without

TEST(SpeculativeTest, ThingsAtRestHaveTheSameBits) {
  const std::string bodies = kPlate +
                             "<body pos='0 0 .0501'><freejoint/><geom type='box' size='.05 .05 .05'/></body>"
                             "<body pos='0 0 .155'><freejoint/><geom size='.05'/></body>";
  World on = Scene(bodies), off = Scene(bodies, "", false);
  for (int i = 0; i < 200; ++i) {
    mj_step(on.m.get(), on.d.get());
    mj_step(off.m.get(), off.d.get());
    for (int k = 0; k < 14; ++k) ASSERT_EQ(on.d->qpos[k], off.d->qpos[k]) << i;
  }
}

TEST(SpeculativeTest, FilesSayIt) {
  char error[1000] = "";
  const std::string text = Text(kPlate + Ball());
  const SpecPtr spec(mj_parseXMLString(text.c_str(), nullptr, error, sizeof error));
  ASSERT_TRUE(spec) << error;
  EXPECT_EQ(spec->option.enableflags, kSpeculative);
  const ModelPtr m(mj_compile(spec.get(), nullptr));
  ASSERT_TRUE(m);
  EXPECT_EQ(m->opt.enableflags, 128);  // mjENBL_SPECULATIVE of MuJoCo 4.0
  std::string written(20000, '\0');
  ASSERT_EQ(mj_saveXMLString(spec.get(), written.data(), static_cast<int>(written.size()), error, sizeof error), 0);
  EXPECT_EQ(ModelFromText(written.c_str())->opt.enableflags, kSpeculative);
  const ModelPtr again = ThroughBinary(m.get());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->opt.enableflags, kSpeculative);
}

TEST(SpeculativeTest, WrongWordsAndVariableStepsAreErrors) {
  EXPECT_THROW(ModelFromText("<mujoco><option><flag speculative='yes'/></option></mujoco>"), std::runtime_error);
  EXPECT_THROW(Scene(kPlate + Ball(), "integrator='merson'"), std::runtime_error);
}

TEST(SpeculativeTest, PacksAndDerivativesSayWhatKeepsThemOut) {
  const World w = Scene(kPlate + Ball());
  EXPECT_STREQ(ObstacleToLanes(*w.m), "speculative contacts enabled");
  EXPECT_EQ(ObstacleToLinearize(w.m.get()), "contacts may be speculative");
}

// Huge and undefined velocities end in a warning, not in a hang.
TEST(SpeculativeTest, BadVelocitiesAreSafe) {
  for (const double bad : {1e9, 1e300, double(NAN)}) {
    for (const std::string shape : {"size='.01'", "type='box' size='.1 .1 .001'", "type='capsule' size='.01 .1'"}) {
      World w = Scene(kPlate + "<body pos='0 0 .2'><freejoint/><geom " + shape + "/></body>");
      for (int k = 0; k < 6; ++k) w.d->qvel[k] = -bad;
      mj_forward(w.m.get(), w.d.get());
      mj_step(w.m.get(), w.d.get());
      for (int k = 0; k < 7; ++k) EXPECT_TRUE(std::isfinite(w.d->qpos[k])) << shape << " " << bad;
    }
  }
}

}  // namespace
}  // namespace sinew
