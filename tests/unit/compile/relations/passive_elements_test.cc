// Limit forces, ligaments and bushings in specifications: what is refused, and what files, copies and programs keep.
#include <gtest/gtest.h>

#include <mujoco/mujoco.h>
#include <sinew/carrier.h>
#include <sinew/elements_beyond.h>
#include <sinew/passive_elements.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/kinds/bushing.h"
#include "model/kinds/number_array.h"
#include "model/kinds/spring_law.h"
#include "model/storage/extension.h"
#include "tests/support/passive_tree.h"
#include "tests/support/wrong_numbers.h"
#include "tests/testing/binary_model.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

void ExpectError(const std::string& worldbody, const char* place, const char* problem, const char* remedy) {
  try {
    ModelFromText("<mujoco>" + worldbody + "</mujoco>");
    ADD_FAILURE() << "no error: " << worldbody;
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind(place, 0), 0u) << text;
    EXPECT_NE(text.find(problem), std::string::npos) << text;
    EXPECT_NE(text.find(remedy), std::string::npos) << text;
  }
}

TEST(PassiveElementsSpec, LimitForcesThatMakeNoSenseAreRefused) {
  const auto expect = [](const char* attributes, const char* problem, const char* remedy, const char* type = "hinge") {
    ExpectError(std::string("<worldbody><body><joint type='") + type + "'>\n<limitforce " + attributes +
                    "/></joint><geom size='.1'/></body></worldbody>",
                "test.xml:2", problem, remedy);
  };
  expect("range='1 0' stiffness='1' transition='.1'", "range of the limit force is 1 0", "lower end first");
  expect("range='0 1' stiffness='-1' transition='.1'", "stiffness of the limit force is -1", "at least 0");
  expect("range='0 1' stiffness='1' damping='-2' transition='.1'", "damping of the limit force is -2", "at least 0");
  expect("range='0 1' stiffness='1' transition='-.1'", "transition of the limit force is -0.1", "or 0 for none");
  expect("range='0 1' stiffness='1' forcedamping='-1' transition='.1'", "forcedamping of the limit force is -1",
         "at least 0");
  expect("range='0 nan' stiffness='1' transition='.1'", "range", "");
  expect("range='0 1' stiffness='1' transition='.1'", "more than one coordinate", "hinge or slide", "ball");
  expect("stiffness='1' transition='.1'", "range", "");
  expect("range='0 1' transition='.1'", "stiffness", "");
}

TEST(PassiveElementsSpec, LigamentsThatMakeNoSenseAreRefused) {
  const auto expect = [](const char* attributes, const char* problem, const char* remedy) {
    ExpectError(
        std::string("<worldbody><site name='a'/><body><joint/><geom size='.1'/><site name='b' pos='1 0 0'/></body>"
                    "</worldbody><tendon><spatial><site site='a'/><site site='b'/>\n<ligament ") +
            attributes + "/></spatial></tendon>",
        "test.xml:2", problem, remedy);
  };
  expect("slacklength='0' stiffness='1'", "slacklength of the ligament is 0", "positive length");
  expect("slacklength='1' stiffness='-1'", "stiffness of the ligament is -1", "at least 0");
  expect("slacklength='1' stiffness='1' transition='0'", "transition of the ligament is 0", "toe ends");
  expect("slacklength='1' stiffness='1' damping='-1'", "damping of the ligament is -1", "at least 0");
  expect("slacklength='1'", "neither stiffness nor force", "force and a function");
  expect("slacklength='1' stiffness='1' force='2'", "a curve, and numbers of Blankevoort's law", "give stiffness, or");
  expect("slacklength='1' force='-2' coef='1'", "force of the ligament is -2", "at least 0");
  expect("slacklength='1' force='2' x='1 1' y='0 1'", "does not ascend", "sort the points");
  expect("slacklength='1' force='2' coef='1 2 3 4 5 6 7 8 9 10 11 12'", "12 coefficients", "at most 11");
}

TEST(PassiveElementsSpec, BushingsThatMakeNoSenseAreRefused) {
  const auto expect = [](const std::string& attributes, const char* problem, const char* remedy) {
    ExpectError("<worldbody><site name='a'>\n<bushing " + attributes +
                    "/></site><body><joint name='j'/><geom size='.1'/><site name='b' pos='1 0 0'/><site name='m'>"
                    "<translation joint='j'/></site></body></worldbody>",
                "test.xml:2", problem, remedy);
  };
  expect("site='c' stiffness='1 1 1 1 1 1'", "'c'", "");
  expect("stiffness='1 1 1 1 1 1'", "site", "");
  expect("site='a' stiffness='1 1 1 1 1 1'", "with itself", "another site");
  expect("site='m' stiffness='1 1 1 1 1 1'", "moves by a function", "another site");
  expect("site='b' stiffness='1 1 1 1 1 1 1'", "has 7 numbers", "6");
  expect("site='b' stiffness='1 1 1 1 1'", "5 numbers", "");
  expect("site='b' stiffness='1 1 1 1 1 -1'", "negative in some direction", "eigenvalues");
  expect("site='b' stiffness='1 1 1 1 1 1' damping='1 1 1 1 1 -3'", "damping of the bushing is -3", "at least 0");
  std::string odd = "site='b' stiffness='0 9";
  for (int i = 2; i < 36; ++i) odd += " 0";
  expect(odd + "'", "not symmetric", "energy");
}

TEST(PassiveElementsSpec, BushingsDoNotSleep) {
  ExpectError(
      "<option><flag sleep='enable'/></option><worldbody><site name='a'><bushing site='b' stiffness='1 1 1 1 1 1'/>"
      "</site><body><freejoint/><geom size='.1'/><site name='b'/></body></worldbody>",
      "", "bushings do not support sleeping", "sleep");
}

// ---- what keeps them

std::vector<double> Arrays(const mjModel* m) {
  std::vector<double> numbers;
  for (const char* name : {kSpringLawArray, kBushingArray}) {
    const auto array = FindNumberArray(m, name);
    numbers.push_back(static_cast<double>(array.size()));
    numbers.insert(numbers.end(), array.begin(), array.end());
  }
  return numbers;
}

SpecPtr ParseText(const std::string& xml) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "test.xml", xml.data(), static_cast<int>(xml.size()));
  char error[1000] = "";
  SpecPtr spec(mj_parseXML("test.xml", &vfs, error, sizeof error));
  mj_deleteVFS(&vfs);
  EXPECT_TRUE(spec) << error;
  return spec;
}

void ExpectSameArrays(const std::vector<double>& before, const std::vector<double>& after) {
  ASSERT_EQ(before.size(), after.size());
  // files have 6 digits
  for (size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(before[i], after[i], 1e-5 * (1 + std::abs(before[i]))) << i;
}

TEST(PassiveElementsSpec, ModelsWithoutThemHaveNoArrays) {
  EXPECT_EQ(Arrays(ModelFromFile("humanoid.xml").get()), std::vector<double>(2, 0));
}

TEST(PassiveElementsSpec, WrittenFilesMakeTheSameModel) {
  const ModelPtr m = ModelFromText(testing::PassiveTree());
  EXPECT_TRUE(UsesExtensions(*m));
  const std::vector<double> before = Arrays(m.get());
  EXPECT_EQ(FindNumberArray(m.get(), kBushingArray).size(), 3u * kBushingNumbers);
  const SpecPtr spec = ParseText(testing::PassiveTree());
  ASSERT_TRUE(ModelPtr(mj_compile(spec.get(), nullptr)));
  char error[1000] = "";
  std::vector<char> text(1 << 16);
  ASSERT_EQ(mj_saveXMLString(spec.get(), text.data(), static_cast<int>(text.size()), error, sizeof error), 0) << error;
  ExpectSameArrays(before, Arrays(ModelFromText(text.data()).get()));

  const ModelPtr binary = ThroughBinary(m.get());
  ASSERT_TRUE(binary);
  EXPECT_EQ(Arrays(binary.get()), before);
}

// A file that MuJoCo loads has them in texts, and gives them back.
TEST(PassiveElementsSpec, CarriersBringThemBack) {
  const SpecPtr spec = ParseText(testing::PassiveTree());
  const ModelPtr m(mj_compile(spec.get(), nullptr));
  ASSERT_TRUE(m);
  char error[1000] = "";
  const std::string file = ::testing::TempDir() + "passive_elements_carrier.xml";
  ASSERT_EQ(sinew_saveCarrierXml(spec.get(), file.c_str(), error, sizeof error), 0) << error;
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::remove(file.c_str());
  EXPECT_EQ(text.find("<bushing"), std::string::npos);
  EXPECT_EQ(text.find("<ligament"), std::string::npos);
  EXPECT_EQ(text.find("<limitforce"), std::string::npos);
  ExpectSameArrays(Arrays(m.get()), Arrays(ModelFromText(text).get()));
}

// A model that is attached with a prefix joins its own sites.
TEST(PassiveElementsSpec, AttachedModelsKeepTheirSites) {
  const SpecPtr child = ParseText(R"(<mujoco><worldbody><body name="upper">
      <joint name="hinge"><limitforce range="0 1" stiffness="1" transition=".1"/></joint><geom size=".1"/>
      <site name="disc"><bushing site="vertebra" stiffness="1 1 1 1 1 1"/></site>
      <body name="lower"><joint/><geom size=".1"/><site name="vertebra"/></body></body></worldbody></mujoco>)");
  const SpecPtr parent(mj_makeSpec());
  mjs_setDeepCopy(parent.get(), 1);
  for (const char* prefix : {"left_", "right_"}) {
    mjsFrame* frame = mjs_addFrame(mjs_findBody(parent.get(), "world"), nullptr);
    ASSERT_TRUE(mjs_attach(frame->element, mjs_findBody(child.get(), "upper")->element, prefix, ""));
  }
  const ModelPtr m(mj_compile(parent.get(), nullptr));
  ASSERT_TRUE(m) << mjs_getError(parent.get());
  const Bushings bushings(m.get());
  ASSERT_EQ(bushings.count(), 2);
  const mjtNum* last = bushings.Of(1);
  EXPECT_STREQ(mj_id2name(m.get(), mjOBJ_SITE, static_cast<int>(last[kBushingSite1])), "right_disc");
  EXPECT_STREQ(mj_id2name(m.get(), mjOBJ_SITE, static_cast<int>(last[kBushingSite2])), "right_vertebra");
  EXPECT_EQ(SpringLaws(m.get()).OfJoint(mj_name2id(m.get(), mjOBJ_JOINT, "right_hinge")).count, 2);
}

// ---- programs

TEST(PassiveElementsSpec, ProgramsMakeThem) {
  const SpecPtr spec(mj_makeSpec());
  mjsBody* world = mjs_findBody(spec.get(), "world");
  mjsBody* body = mjs_addBody(world, nullptr);
  mjs_addGeom(body, nullptr)->size[0] = 0.1;
  mjsJoint* joint = mjs_addJoint(body, nullptr);
  joint->type = mjJNT_SLIDE;
  mjsSite *a = mjs_addSite(world, nullptr), *b = mjs_addSite(body, nullptr);
  mjs_setName(a->element, "a");
  mjs_setName(b->element, "b");
  mjsTendon* tendon = mjs_addTendon(spec.get(), nullptr);
  mjs_wrapSite(tendon, "a");
  mjs_wrapSite(tendon, "b");
  const double range[] = {-0.1, 0.1}, stiffness[] = {10, 20}, six[] = {1, 1, 1, 30, 30, 30}, points[] = {1, 2, 0, 1};
  EXPECT_STREQ(sinew_addLimitForce(joint, range, stiffness, 0, 0.1), "");
  EXPECT_STREQ(sinew_dampLimitForce(joint, 2), "");
  EXPECT_STREQ(sinew_addLigament(tendon, 0.1, 100, 0.06, 0), "");
  EXPECT_STREQ(sinew_addLigamentCurve(tendon, 0.1, 5, 1, points, 4), "");
  EXPECT_STREQ(sinew_addBushing(a, "b", six, 6, nullptr), "");
  EXPECT_STRNE(sinew_addLimitForce(joint, nullptr, stiffness, 0, 0.1), "");
  EXPECT_STRNE(sinew_addLigamentCurve(tendon, 0.1, 5, 9, points, 4), "");
  EXPECT_STRNE(sinew_addLigamentCurve(tendon, 0.1, 5, 1, nullptr, 4), "");
  EXPECT_STRNE(sinew_addBushing(a, "b", nullptr, 6, nullptr), "");
  const World w{ModelPtr(mj_compile(spec.get(), nullptr))};
  ASSERT_TRUE(w.m) << mjs_getError(spec.get());
  w.d->qpos[0] = 0.5;
  mj_forward(w.m.get(), w.d.get());
  const double ligament = 100 * (4 - 0.03) + 5 * 4;
  EXPECT_NEAR(w.d->qfrc_passive[0], -(20 * 0.4 + ligament + 30 * 0.5), 1e-11);

  EXPECT_STREQ(sinew_clearLimitForces(joint), "");
  EXPECT_STREQ(sinew_clearLigaments(tendon), "");
  EXPECT_STREQ(sinew_clearBushings(a), "");
  EXPECT_EQ(Arrays(ModelPtr(mj_compile(spec.get(), nullptr)).get()), std::vector<double>(2, 0));
}

// Numbers that a program or a damaged file has in the arrays lead nowhere outside of them.
TEST(PassiveElementsSpec, ArraysMayHoldAnything) {
  testing::ForwardWithWrongNumbers(*ModelFromText(testing::PassiveTree()));
}

}  // namespace
}  // namespace sinew
