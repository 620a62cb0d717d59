// What cannot be integrated, or has no shortest path, is an error or a warning that names the element and says what to
// change; the state stays finite.
#include <gtest/gtest.h>
#include <sinew/extensions.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// Collects warnings while it lives.
class Warnings {
 public:
  Warnings() {
    text().clear();
    mju_user_warning = [](const char* warning) { text() += std::string(warning) + "\n"; };
  }
  ~Warnings() { mju_user_warning = nullptr; }

  static std::string& text() {
    static std::string all;
    return all;
  }
};

// A model whose compiler's warnings are among the collected ones.
World Load(const std::string& xml) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "test.xml", xml.data(), static_cast<int>(xml.size()));
  char warning[1000] = "";
  ModelPtr m(mj_loadXML("test.xml", &vfs, warning, sizeof(warning)));
  mj_deleteVFS(&vfs);
  if (!m) throw std::runtime_error(warning);
  if (warning[0]) Warnings::text() += std::string(warning) + "\n";
  return World(std::move(m));
}

void ExpectTold(const std::string& text, const std::string& element, const std::string& remedy) {
  EXPECT_NE(text.find(element), std::string::npos) << "'" << text << "' should name " << element;
  EXPECT_NE(text.find(remedy), std::string::npos) << "'" << text << "' should say " << remedy;
}

void ExpectFinite(const World& w) {
  for (int i = 0; i < w.m->nq; ++i) EXPECT_TRUE(std::isfinite(w.d->qpos[i])) << i;
  for (int i = 0; i < w.m->nv; ++i) EXPECT_TRUE(std::isfinite(w.d->qvel[i])) << i;
  for (int i = 0; i < w.m->na; ++i) EXPECT_TRUE(std::isfinite(w.d->act[i])) << i;
}

void StepMany(World& w, int steps, double control = 1) {
  for (int k = 0; k < steps; ++k) {
    for (int i = 0; i < w.m->nu; ++i) w.d->ctrl[i] = control;
    mj_step(w.m.get(), w.d.get());
  }
}

std::string ErrorOf(const std::string& text) {
  try {
    ModelFromText(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

// A mass on a slide at a height, on a muscle from the origin.
std::string Muscle(const std::string& option, const std::string& muscle, double height = 0.3) {
  return "<mujoco><option gravity='0 0 0' " + option + R"(/><worldbody><site name="a"/><body name="mass" pos="0 0 )" +
         std::to_string(height) + R"("><joint name="rail" type="slide" axis="0 0 1"/><geom size=".02" mass="1"/>
    <site name="b"/></body></worldbody><tendon><spatial name="path"><site site="a"/><site site="b"/></spatial></tendon>
    <actuator><musculotendon name="soleus" tendon="path" force="3000" fiberlength=".05" )" +
         muscle + "/></actuator></mujoco>";
}
constexpr const char* kTendon = R"(slacklength=".25")";

TEST(LimitsTest, RungeKuttaStepsOfStiffFibers) {
  const Warnings warnings;
  World w(Load(Muscle("integrator='RK4' timestep='0.02'", kTendon)));
  ExpectTold(Warnings::text(), "soleus", "reduce the timestep");
  StepMany(w, 300);
  ExpectFinite(w);
}

// A program may choose the integrator later, when nothing is compiled.
TEST(LimitsTest, IntegratorsThatAreSetLater) {
  const Warnings warnings;
  World w(Load(Muscle("integrator='implicitfast' timestep='0.02'", kTendon)));
  EXPECT_EQ(Warnings::text().find("reduce the timestep"), std::string::npos);
  w.m->opt.integrator = mjINT_RK4;
  StepMany(w, 300);
  ExpectFinite(w);
}

TEST(LimitsTest, NegativeLengths) {
  const std::string text = R"(<mujoco><worldbody><body><joint name="j" type="slide" ref="-.1"/><geom size=".1"/></body>
    </worldbody><actuator><musculotendon name="short" joint="j" force="100" fiberlength=".1" slacklength=".1"/></actuator></mujoco>)";
  ExpectTold(ErrorOf(text), "short", "needs a path with a length");
  ExpectTold(ErrorOf(Muscle("", R"(slacklength="-.2")")), "soleus", "positive");
  // paths that become negative, or nothing
  std::string joint = text;
  joint.replace(joint.find("ref=\"-.1\""), 9, "ref=\"0.2\"");
  for (const std::string& model : {joint, Muscle("", kTendon)}) {
    World w(Load(model));
    for (const double length : {0.0, -0.2, -5.0, 1e-9}) {
      w.d->qpos[0] = length - (model == joint ? 0 : 0.3);
      w.d->qvel[0] = -3;
      StepMany(w, 20);
      ExpectFinite(w);
    }
  }
}

TEST(LimitsTest, TendonsThatAreSlackEverywhere) {
  const Warnings warnings;
  World w(Load(Muscle("", R"(slacklength=".4")")));
  ExpectTold(Warnings::text(), "soleus", "check slacklength and fiberlength");
  StepMany(w, 100);
  EXPECT_NEAR(w.d->actuator_force[0], 0, 1e-9);
  ExpectFinite(w);
}

TEST(LimitsTest, StiffContacts) {
  const auto ball = [](const std::string& option, const std::string& law) {
    return "<mujoco><option " + option +
           R"(/><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 .05"><freejoint/>
      <geom name="ball" size=".05" mass="1" )" +
           law + "/></body></worldbody></mujoco>";
  };
  {
    const Warnings warnings;
    World w(Load(ball("timestep='0.005'", R"(contactmodel="hertz" modulus="1e11")")));
    ExpectTold(Warnings::text(), "ball", "reduce the timestep or the stiffness");
    StepMany(w, 200);
    ExpectFinite(w);
  }
  // on either surface, in a pair, and as a material of Hyfydy's
  const auto scene = [](const std::string& option, const std::string& floor, const std::string& law,
                        const std::string& rest) {
    return "<mujoco><option timestep='0.005' " + option +
           R"(/><worldbody><geom name="floor" type="plane" size="5 5 1" )" + floor +
           R"(/><body pos="0 0 .05"><freejoint/><geom name="ball" size=".05" mass="1" )" + law +
           "/></body></worldbody>" + rest + "</mujoco>";
  };
  const std::string stiff = R"(contactmodel="hertz" modulus="1e11")";
  const std::pair<std::string, const char*> scenes[] = {
      {scene("", stiff, "", ""), "'floor'"},
      {scene("mixing='hyfydy'", "", R"(contactmodel="hertz" stiffness="1e7")", ""), "'ball'"},
      {scene("", "", "", R"(<contact><pair name="touch" geom1="floor" geom2="ball" )" + stiff + "/></contact>"),
       "'touch'"},
      {scene(
           "integrator='implicit'", "", "",
           R"(<contact><pair name="touch" geom1="ball" geom2="floor" contactmodel="linear" stiffness="1e7"/></contact>)"),
       "'touch'"}};
  for (const auto& [xml, element] : scenes) {
    const Warnings warnings;
    World w(Load(xml));
    ExpectTold(Warnings::text(), element, "reduce the timestep or the stiffness");
    StepMany(w, 200);
    ExpectFinite(w);
  }
  const Warnings warnings;
  World w(Load(ball("timestep='0.001' slipspeed='1e-4'", R"(contactmodel="hertz" modulus="1e6" cfriction=".9 .6 0")")));
  ExpectTold(Warnings::text(), "ball", "larger slipspeed");
  w.d->qvel[0] = 1;
  StepMany(w, 500);
  ExpectFinite(w);
}

constexpr const char* kPendulum = R"(<worldbody><body name="arm"><joint name="hinge" axis="0 1 0" stiffness="1e6"/>
    <geom type="capsule" fromto="0 0 0 .5 0 0" size=".02"/></body></worldbody></mujoco>)";

TEST(LimitsTest, AccuracyOfZero) {
  for (const char* accuracy : {"0", "-1", "inf", "nan"}) {
    const Warnings of_nan;
    const std::string error =
        ErrorOf(std::string("<mujoco><option integrator='merson' accuracy='") + accuracy + "'/>" + kPendulum);
    ExpectTold(error, std::string("accuracy is ") + accuracy, "positive");
    ExpectTold(error, "option", "line 1");
  }
}

TEST(LimitsTest, StepsThatShrinkBelowTheLeast) {
  const Warnings warnings;
  World w(
      ModelFromText(std::string("<mujoco><option integrator='merson' accuracy='1e-9' minstep='0.001'/>") + kPendulum));
  w.d->qvel[0] = 1;
  StepMany(w, 50);
  ExpectTold(Warnings::text(), "joint 'hinge' of body 'arm'", "reduce minstep or the accuracy");
  ExpectTold(Warnings::text(), "an accuracy of 1e-09", "steps below 0.001 s");
  ExpectFinite(w);
}

TEST(LimitsTest, StepsThatAreNotFinite) {
  const Warnings warnings;
  World w(Load(std::string("<mujoco><option integrator='rk3'/>") + kPendulum));
  // grows by e each 5e-8 s: steps of bounded error follow it up to the largest number
  w.m->dof_damping[0] = -1e6;
  w.d->qvel[0] = 10;
  mj_step(w.m.get(), w.d.get());
  ExpectTold(Warnings::text(), "'hinge'", "look for a bad number");
  ExpectFinite(w);
}

// ---- paths

std::string Path(const std::string& geoms, const std::string& path) {
  return R"(<mujoco><default><geom contype="0" conaffinity="0"/></default><worldbody><site name="from" pos="-.3 0 0"/>
    <site name="up" pos="0 0 .5"/><site name="down" pos="0 0 -.5"/>)" +
         geoms +
         R"(<body name="limb"><joint name="elbow" axis="0 1 0"/><geom size=".02" pos=".3 0 0" mass="1"/>
    <site name="to" pos=".3 0 0"/></body></worldbody>
    <tendon><spatial name="strap" stiffness="10"><site site="from"/>)" +
         path + R"(<site site="to"/></spatial></tendon></mujoco>)";
}

TEST(LimitsTest, PathsThatSlipOff) {
  const Warnings warnings;
  World w(Load(
      Path(R"(<geom name="blade" type="ellipsoid" size=".05 .01 .05"/>)", R"(<geom geom="blade" sidesite="up"/>)")));
  ExpectTold(Warnings::text(), "'strap' slips off geom 'blade'", "make the geom wider");
  Warnings::text().clear();
  StepMany(w, 50);
  ExpectTold(Warnings::text(), "'strap' slips off geom 'blade'", "make the geom wider");
  // it is told once, not at every step
  EXPECT_EQ(Warnings::text().find("slips off"), Warnings::text().rfind("slips off"));
  ExpectFinite(w);
}

TEST(LimitsTest, WideSurfacesHoldThePath) {
  const Warnings warnings;
  World w(Load(Path(R"(<geom name="condyle" type="ellipsoid" size=".05 .08 .05"/>)",
                    R"(<geom geom="condyle" sidesite="up"/>)")));
  StepMany(w, 50);
  EXPECT_EQ(Warnings::text(), "");
}

TEST(LimitsTest, RowsWithoutAWay) {
  const Warnings warnings;
  // Over and under the same ball: no path is straight, and a site is what helps, whether the search slips or stops.
  World w(Load(Path(R"(<geom name="one" type="ellipsoid" size=".06 .06 .06"/>
      <geom name="two" type="ellipsoid" size=".06 .06 .06"/>)",
                    R"(<geom geom="one" sidesite="up"/><geom geom="two" sidesite="down"/>)")));
  StepMany(w, 50);
  ExpectTold(Warnings::text(), "'strap'", "put a site");
  ExpectFinite(w);
}

}  // namespace
}  // namespace sinew
