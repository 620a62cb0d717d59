// Reflexes: what delayed sensors add to controls, against a loop of the program's own.
#include <gtest/gtest.h>
#include <sinew/extensions.h>
#include <sinew/reflexes.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "derivatives/transition.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

// A mass on a slide with two motors; sensors of its place and speed are 20 ms old.
std::string MassWith(const std::string& reflexes, const std::string& more = "") {
  return R"(<mujoco><option timestep="0.005" gravity="0 0 0"/><worldbody><body>
      <joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body></worldbody>
    <actuator><motor name="a" joint="x" ctrlrange="-2 2">)" +
         reflexes + R"(</motor><motor name="b" joint="x"/></actuator>
    <sensor><jointpos name="place" joint="x" delay="0.02" nsample="5"/>
      <jointvel name="speed" joint="x" delay="0.02" nsample="5"/>
      <jointpos name="now" joint="x"/><framepos name="three" objtype="body" objname="world" delay="0.02" nsample="5"/>)" +
         more + "</sensor></mujoco>";
}

const char kStretch[] =
    "<reflex sensor='place' gain='-30' reference='0.1' rectify='false'/>"
    "<reflex sensor='speed' gain='-2' offset='0.3'/>";

// The force in each step is that of values four steps back, and controls add to it within their range.
TEST(ReflexTest, ControlsFollowDelayedSensors) {
  World w(ModelFromText(MassWith(kStretch).c_str()));
  std::deque<std::pair<double, double>> past(4, {0, 0});  // values before the start are those that a reset leaves
  w.d->qpos[0] = 0.13;
  w.d->qvel[0] = 0.2;
  bool clamped = false;
  for (int i = 0; i < 400; ++i) {
    w.d->ctrl[0] = 0.1 * std::sin(0.1 * i);
    const double x = w.d->qpos[0], v = w.d->qvel[0];
    mj_step(w.m.get(), w.d.get());
    const auto [place, speed] = past.front();
    const double sum = w.d->ctrl[0] - 30 * (place - 0.1) + 0.3 - 2 * std::max(speed, 0.0);
    clamped |= std::abs(sum) > 2;
    ASSERT_NEAR(w.d->actuator_force[0], std::clamp(sum, -2.0, 2.0), 1e-12) << i;  // rounding
    EXPECT_EQ(w.d->actuator_force[1], 0);
    past.pop_front();
    past.emplace_back(x, v);
  }
  EXPECT_TRUE(clamped);
}

// A factor multiplies; phases let a reflex act within ranges alone.
TEST(ReflexTest, FactorsAndPhases) {
  World w(ModelFromText(MassWith("<reflex sensor='place' gain='2' factor='speed' rectify='false'>"
                                 "<phase sensor='speed' range='0.5 inf'/><phase sensor='place' range='-1 2'/></reflex>")
                            .c_str()));
  const auto force = [&](double place, double speed) {
    mj_resetData(w.m.get(), w.d.get());
    w.d->qpos[0] = place;
    w.d->qvel[0] = speed;
    for (int i = 0; i < 5; ++i) {
      w.d->qpos[0] = place;
      w.d->qvel[0] = speed;
      mj_step(w.m.get(), w.d.get());
    }
    return w.d->actuator_force[0];
  };
  EXPECT_NEAR(force(0.3, 0.7), 2 * 0.3 * 0.7, 1e-12);
  EXPECT_NEAR(force(-0.4, 0.5), -2 * 0.4 * 0.5, 1e-12);
  EXPECT_EQ(force(0.3, 0.4), 0);
  EXPECT_EQ(force(2.1, 0.7), 0);
}

// A snapshot has the histories: a world continues from it bit for bit.
TEST(ReflexTest, SnapshotsHaveTheDelays) {
  World w(ModelFromText(MassWith(kStretch).c_str())), copy(ModelFromText(MassWith(kStretch).c_str()));
  w.d->qpos[0] = 0.5;
  for (int i = 0; i < 37; ++i) mj_step(w.m.get(), w.d.get());
  std::vector<char> bytes(static_cast<std::size_t>(sinew_snapshotSize(w.m.get())));
  ASSERT_GT(sinew_saveSnapshot(w.m.get(), w.d.get(), bytes.data(), static_cast<int>(bytes.size())), 0);
  char error[200];
  ASSERT_EQ(
      sinew_loadSnapshot(copy.m.get(), copy.d.get(), bytes.data(), static_cast<int>(bytes.size()), error, sizeof error),
      0)
      << error;
  for (int i = 0; i < 50; ++i) {
    mj_step(w.m.get(), w.d.get());
    mj_step(copy.m.get(), copy.d.get());
    ASSERT_EQ(w.d->qpos[0], copy.d->qpos[0]) << i;
  }
}

// A muscle that is stretched contracts: its excitation rises one delay after its fibre is longer than the reference.
TEST(ReflexTest, AStretchReflexExcitesItsMuscle) {
  World w(ModelFromText(R"(<mujoco><option timestep="0.001" gravity="0 0 0"/><worldbody><site name="p"/>
    <body pos="0 0 .3"><joint name="z" type="slide" axis="0 0 1"/><geom size=".02" mass="1"/><site name="q"/></body></worldbody>
    <tendon><spatial name="t"><site site="p"/><site site="q"/></spatial></tendon>
    <actuator><musculotendon name="m" tendon="t" force="100" fiberlength=".1" slacklength=".2">
      <reflex sensor="length" gain="20" reference="0.11"/></musculotendon></actuator>
    <sensor><fiberlength name="length" actuator="m" delay="0.01" nsample="10"/></sensor></mujoco>)"));
  mj_forward(w.m.get(), w.d.get());
  const double rest = w.d->act[1];
  w.d->qpos[0] = 0.02;
  int step = 0;
  while (w.d->act[1] <= rest && step < 50) {
    w.d->qpos[0] = 0.02;
    w.d->qvel[0] = 0;
    mj_step(w.m.get(), w.d.get());
    ++step;
  }
  EXPECT_GE(step, 10);  // the delay, and the fibre that follows the path
  EXPECT_LT(step, 25);
}

// What a muscle costs follows the control as it acts, whether a program or a reflex brings it, within its range or not.
TEST(ReflexTest, PowerFollowsTheControlThatActs) {
  const auto muscle = [](const std::string& reflex) {
    return World(ModelFromText(R"(<mujoco><option timestep="0.001" gravity="0 0 0"/><worldbody><site name="p"/>
    <body pos="0 0 .3"><joint name="z" type="slide" axis="0 0 1"/><geom size=".02" mass="1"/><site name="q"/></body></worldbody>
    <tendon><spatial name="t"><site site="p"/><site site="q"/></spatial></tendon>
    <actuator><musculotendon name="m" tendon="t" force="100" fiberlength=".1" slacklength=".2" ctrlrange="0 .25">)" +
                               reflex + R"(</musculotendon></actuator>
    <sensor><jointpos name="old" joint="z" delay="0.01" nsample="10"/><umbergerpower actuator="m"/></sensor></mujoco>)"));
  };
  for (const bool clamps : {true, false}) {
    World by_reflex = muscle("<reflex sensor='old' gain='0' offset='0.5'/>"), by_program = muscle("");
    by_program.d->ctrl[0] = 0.5;
    for (World* w : {&by_reflex, &by_program}) {
      if (!clamps) w->m->opt.disableflags |= mjDSBL_CLAMPCTRL;
      mj_forward(w->m.get(), w->d.get());
    }
    EXPECT_EQ(by_reflex.d->sensordata[1], by_program.d->sensordata[1]) << clamps;
    EXPECT_GT(by_program.d->sensordata[1], 0);
  }
}

TEST(ReflexTest, FilesAndProgramsHaveTheSameReflexes) {
  const std::string text = MassWith(
      "<reflex sensor='place' gain='-3' reference='.1' offset='.2' rectify='false' factor='speed'>"
      "<phase sensor='speed' range='-1 inf'/></reflex>");
  World of_file(ModelFromText(text.c_str()));
  char error[500] = "";
  SpecPtr spec(mj_parseXMLString(MassWith("").c_str(), nullptr, error, sizeof error));
  ASSERT_TRUE(spec) << error;
  mjsActuator* motor = mjs_asActuator(mjs_findElement(spec.get(), mjOBJ_ACTUATOR, "a"));
  const double range[] = {-1, INFINITY};
  EXPECT_STRNE(sinew_addReflexPhase(motor, "speed", range), "");  // there is no reflex yet
  EXPECT_STRNE(sinew_addReflex(motor, nullptr, 1, 0, 0, 1, nullptr), "");
  EXPECT_STREQ(sinew_addReflex(motor, "now", 1, 0, 0, 1, ""), "");
  EXPECT_STREQ(sinew_clearReflexes(motor), "");
  EXPECT_STREQ(sinew_addReflex(motor, "place", -3, 0.1, 0.2, 0, "speed"), "");
  EXPECT_STRNE(sinew_addReflexPhase(motor, "speed", nullptr), "");
  EXPECT_STREQ(sinew_addReflexPhase(motor, "speed", range), "");
  const ModelPtr of_program(mj_compile(spec.get(), nullptr));
  ASSERT_TRUE(of_program) << mjs_getError(spec.get());
  const auto numbers = [](const mjModel* m) {
    const int id = mj_name2id(m, mjOBJ_NUMERIC, sinewREFLEXES);
    EXPECT_GE(id, 0);
    if (id < 0) return std::vector<double>();
    const mjtNum* first = m->numeric_data + m->numeric_adr[id];
    return std::vector<double>(first, first + m->numeric_size[id]);
  };
  EXPECT_EQ(numbers(of_file.m.get()), numbers(of_program.get()));
  EXPECT_EQ(numbers(of_program.get()).size(), 2u + 1 + sinewNREFLEX);
  // through XML and back
  std::string saved(100000, '\0');
  ASSERT_EQ(mj_saveXMLString(spec.get(), saved.data(), static_cast<int>(saved.size()), error, sizeof error), 0)
      << error;
  World again(ModelFromText(saved.c_str()));
  EXPECT_EQ(numbers(again.m.get()), numbers(of_program.get()));
}

TEST(ReflexTest, ReflexesThatMakeNoSenseAreRefused) {
  const auto expect = [](const std::string& reflex, const char* problem, const char* remedy) {
    try {
      ModelFromText(MassWith("\n" + reflex));
      ADD_FAILURE() << reflex;
    } catch (const std::runtime_error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("test.xml:4"), std::string::npos) << text;
      EXPECT_NE(text.find(problem), std::string::npos) << text;
      EXPECT_NE(text.find(remedy), std::string::npos) << text;
    }
  };
  expect("<reflex sensor='now'/>", "sensor 'now' of the reflex has no delay", "give it delay, and nsample");
  expect("<reflex sensor='three'/>", "sensor 'three' of the reflex has 3 numbers", "a sensor of one number");
  expect("<reflex sensor='none'/>", "none", "");
  expect("<reflex gain='1'/>", "sensor", "");
  expect("<reflex sensor='place' factor='now'/>", "sensor 'now' of the reflex has no delay", "");
  expect("<reflex sensor='place' gain='inf'/>", "gain of the reflex is inf", "give a number");
  expect("<reflex sensor='place'><phase sensor='place' range='2 1'/></reflex>", "range of the phase is 2 1",
         "lower end first");
  expect(
      "<reflex sensor='place'><phase sensor='place' range='1 2'/><phase sensor='place' range='1 2'/>"
      "<phase sensor='place' range='1 2'/><phase sensor='place' range='1 2'/><phase sensor='place' range='1 "
      "2'/></reflex>",
      "the reflex has 5 phases", "at most 4");
}

// Programs may write anything into the array.
TEST(ReflexTest, BadNumbersAreSafe) {
  World w(ModelFromText(MassWith(kStretch).c_str()));
  const int id = mj_name2id(w.m.get(), mjOBJ_NUMERIC, sinewREFLEXES);
  ASSERT_GE(id, 0);
  mjtNum* numbers = w.m->numeric_data + w.m->numeric_adr[id];
  const std::vector<mjtNum> before(numbers, numbers + w.m->numeric_size[id]);
  for (const double value : {-1.0, 1e9, std::nan(""), 3.5, double{INFINITY}}) {
    for (int i = 0; i < w.m->numeric_size[id]; ++i) {
      std::copy(before.begin(), before.end(), numbers);
      numbers[i] = value;
      mj_resetData(w.m.get(), w.d.get());
      for (int k = 0; k < 10; ++k) mj_step(w.m.get(), w.d.get());
    }
  }
}

TEST(ReflexTest, DerivativesInClosedFormAreRefused) {
  const World w(ModelFromText(MassWith(kStretch)));
  EXPECT_NE(ObstacleToLinearize(w.m.get()).find("reflexes add to controls"), std::string::npos);
}

}  // namespace
}  // namespace sinew
