// What docs/how/module.md says of levels: margins, defaults, files, models of two levels in one.
#include "spec/level.h"

#include <gtest/gtest.h>
#include <sinew/level.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

// A sphere above a plane; margins add up to 0.05 and gaps to 0.03.
std::string Sphere(const std::string& level, double height, const std::string& rest = "") {
  const std::string compiler = level.empty() ? "" : "<compiler level='" + level + "'/>";
  return "<mujoco>" + compiler + R"(<worldbody><geom name="f" type="plane" size="1 1 1" margin=".02" gap=".01"/>
    <body pos="0 0 )" +
         std::to_string(height) +
         R"("><freejoint/><geom name="s" size=".1" margin=".03" gap=".02"/></body></worldbody>)" + rest + "</mujoco>";
}

// The contact at a height: 0 none, 1 without force, 2 with it.
int Contact(const mjModel* m) {
  const DataPtr d(mj_makeData(m));
  mj_forward(m, d.get());
  return d->ncon == 0 ? 0 : d->contact[0].exclude ? 1 : 2;
}
int Contact(const std::string& level, double height, const std::string& rest = "") {
  return Contact(ModelFromText(Sphere(level, height, rest)).get());
}

std::vector<double> LevelIn(const mjModel* m) {
  const int array = mj_name2id(m, mjOBJ_NUMERIC, sinewLEVEL);
  if (array < 0) return {};
  const mjtNum* numbers = m->numeric_data + m->numeric_adr[array];
  return {numbers, numbers + m->numeric_size[array]};
}

SpecPtr SpecFromText(const std::string& xml) {
  char error[1000] = "";
  SpecPtr spec(mj_parseXMLString(xml.c_str(), nullptr, error, sizeof(error)));
  if (!spec) throw std::runtime_error(error);
  return spec;
}

std::string Saved(mjSpec* s) {
  char error[1000] = "";
  std::string text(100000, '\0');
  EXPECT_EQ(mj_saveXMLString(s, text.data(), static_cast<int>(text.size()), error, sizeof(error)), 0) << error;
  return text.c_str();
}

// Distances at which MuJoCo 3.8.0 and 4.0.0 list contacts and let them act, as measured on both.
TEST(LevelTest, MarginsAndGapsAreThoseOfTheRelease) {
  for (const char* before : {"", "3.3", "3.8", "3.8.0"}) {
    EXPECT_EQ(Contact(before, 0.155), 0) << before;
    EXPECT_EQ(Contact(before, 0.145), 1) << before;
    EXPECT_EQ(Contact(before, 0.115), 2) << before;
  }
  for (const char* since : {"3.9", "3.17.0", "4.0"}) {
    EXPECT_EQ(Contact(since, 0.185), 0) << since;
    EXPECT_EQ(Contact(since, 0.155), 1) << since;
    EXPECT_EQ(Contact(since, 0.145), 2) << since;
  }
  const std::string pair = "<contact><pair geom1='f' geom2='s' margin='.03' gap='.02'/></contact>";
  EXPECT_EQ(Contact("3.8", 0.135, pair), 0);
  EXPECT_EQ(Contact("3.8", 0.125, pair), 1);
  EXPECT_EQ(Contact("3.9", 0.155, pair), 0);
  EXPECT_EQ(Contact("3.9", 0.145, pair), 1);
  EXPECT_EQ(Contact("3.9", 0.125, pair), 2);
}

TEST(LevelTest, ModelsSayWhereALevelMadeADifference) {
  EXPECT_EQ(LevelIn(ModelFromText(Sphere("3.9", 1)).get()), (std::vector<double>{3, 9}));
  EXPECT_TRUE(LevelIn(ModelFromText(Sphere("3.8", 1)).get()).empty());
  const auto m =
      ModelFromText("<mujoco><compiler level='4.0'/><worldbody><geom size='1' margin='.1'/></worldbody></mujoco>");
  EXPECT_TRUE(LevelIn(m.get()).empty());
  EXPECT_EQ(m->opt.sleep_tolerance, 1e-3);
  const auto given = ModelFromText("<mujoco><compiler level='4.0'/><option sleep_tolerance='.1'/></mujoco>");
  EXPECT_EQ(given->opt.sleep_tolerance, 0.1);
}

TEST(LevelTest, LimitsFollowFromRangesSinceFour) {
  const auto model = [](const std::string& level, const std::string& range) {
    return ModelFromText("<mujoco><compiler level='" + level + R"('/>
      <worldbody><site name="a"/><body><joint name="j"/><geom size=".1"/><site name="b" pos="0 0 1"/></body></worldbody>
      <tendon><spatial actuatorfrcrange="-1 1"><site site="a"/><site site="b"/></spatial></tendon>
      <actuator><intvelocity joint="j" )" +
                         range + "/></actuator></mujoco>");
  };
  EXPECT_FALSE(model("3.17", "actrange='-1 1'")->tendon_actfrclimited[0]);
  EXPECT_TRUE(model("4.0", "actrange='-1 1'")->tendon_actfrclimited[0]);
  EXPECT_TRUE(model("4.0", "actrange='-1 1'")->actuator_actlimited[0]);
  EXPECT_FALSE(model("4.0", "")->actuator_actlimited[0]);
  EXPECT_EQ(LevelIn(model("4.0", "").get()), (std::vector<double>{4, 0}));
  EXPECT_THROW(model("3.17", ""), std::runtime_error);
}

TEST(LevelTest, FilesKeepTheLevelWhereItIsFelt) {
  SpecPtr spec = SpecFromText(Sphere("3.9", 0.145));
  ModelPtr m(mj_compile(spec.get(), nullptr));
  ASSERT_TRUE(m);
  const std::string text = Saved(spec.get());
  EXPECT_NE(text.find("level=\"3.9\""), std::string::npos) << text;
  EXPECT_NE(text.find("margin=\"0.03\""), std::string::npos) << text;
  EXPECT_EQ(Contact(ModelFromText(text).get()), 2);
  ASSERT_EQ(mj_copyBack(spec.get(), m.get()), 1);
  EXPECT_DOUBLE_EQ(mjs_asGeom(mjs_findElement(spec.get(), mjOBJ_GEOM, "s"))->margin, 0.03);

  SpecPtr plain =
      SpecFromText("<mujoco><compiler level='3.9'/><worldbody><geom size='1' margin='.1'/></worldbody></mujoco>");
  ModelPtr of_plain(mj_compile(plain.get(), nullptr));
  EXPECT_EQ(Saved(plain.get()).find("level"), std::string::npos);
}

// A model of 4.0 in one of 3.8, and the other way round: both act as they did alone, also when they are written as one.
TEST(LevelTest, ModelsOfTwoLevelsInOne) {
  for (const char* child_level : {"3.8", "4.0"}) {
    const std::string level = child_level == std::string("3.8") ? "4.0" : "3.8";
    SpecPtr parent =
        SpecFromText("<mujoco><compiler level='" + level + "'/><worldbody><frame name='here'/></worldbody></mujoco>");
    SpecPtr child = SpecFromText(Sphere(child_level, 0.145));
    mjsElement* frame = mjs_findElement(parent.get(), mjOBJ_FRAME, "here");
    mjs_setDeepCopy(parent.get(), 1);
    ASSERT_TRUE(mjs_attach(frame, child->element, "", ""));
    ModelPtr m(mj_compile(parent.get(), nullptr));
    ASSERT_TRUE(m) << mjs_getError(parent.get());
    const int expected = child_level == std::string("3.8") ? 1 : 2;
    EXPECT_EQ(Contact(m.get()), expected) << child_level;
    EXPECT_EQ(Contact(ModelFromText(Saved(parent.get())).get()), expected) << Saved(parent.get());
  }
}

TEST(LevelTest, ThreadsGiveLevelsAndTextsAreChecked) {
  EXPECT_EQ(sinew_setLevel(309), 0);
  EXPECT_EQ(Contact("", 0.145), 2);
  EXPECT_EQ(Contact("3.8", 0.145), 1);
  EXPECT_EQ(sinew_setLevel(0), 309);
  EXPECT_EQ(Contact("", 0.145), 1);
  EXPECT_EQ(LevelOf("3.17.2"), 317);
  for (const char* text : {"", "3", "3.", "x", "3.x", "-3.1", "3.1.2.3", "3.100"}) EXPECT_EQ(LevelOf(text), 0) << text;
  try {
    ModelFromText(Sphere("new", 1));
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("attribute 'level' is 'new'; give a release of MuJoCo"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace sinew
