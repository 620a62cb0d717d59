// Motions by functions of a coordinate in specifications: what is refused, and what files, copies and programs keep.
#include <gtest/gtest.h>

#include <mujoco/mujoco.h>
#include <sinew/elements_beyond.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/kinds/motion.h"
#include "model/kinds/number_array.h"
#include "model/storage/extension.h"
#include "tests/support/function_chain.h"
#include "tests/support/wrong_numbers.h"
#include "tests/testing/model.h"

namespace sinew {
namespace {

// Compiles <mujoco>`sections`</mujoco>, whose text begins in line 1 of "test.xml".
ModelPtr CompileXml(const std::string& sections) { return ModelFromText("<mujoco>" + sections + "</mujoco>"); }

std::string ErrorOf(const std::string& sections) {
  try {
    CompileXml(sections);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error: " << sections;
  return "";
}

std::string JointOf(const std::string& children, const std::string& type = "hinge") {
  return "<worldbody>\n<body><joint name='j' type='" + type + "'>\n" + children +
         "</joint><geom size='.1'/></body></worldbody>";
}

void ExpectError(const std::string& sections, const char* place, const char* problem, const char* remedy) {
  const std::string error = ErrorOf(sections);
  EXPECT_EQ(error.rfind(place, 0), 0u) << error;
  EXPECT_NE(error.find(problem), std::string::npos) << error;
  EXPECT_NE(error.find(remedy), std::string::npos) << error;
}

TEST(Motions, FunctionsThatMakeNoSenseAreRefused) {
  EXPECT_NO_THROW(CompileXml(JointOf("<rotation/><translation axis='1 0 0' x='0 1' y='2 3'/>")));
  const auto expect = [](const std::string& child, const char* problem, const char* remedy) {
    ExpectError(JointOf("<rotation/><translation axis='1 0 0' " + child + "/>"), "test.xml:3", problem, remedy);
  };
  expect("x='0' y='1'", "points has 1", "at least two points");
  expect("function='spline'", "0 and 0 numbers", "as many y as x");
  expect("x='0 1 1' y='1 2 3'", "does not ascend: 1 is followed by 1", "sort the points");
  expect("function='polyline' x='0 2 1' y='1 2 3'", "does not ascend: 2 is followed by 1", "sort the points");
  expect("x='0 1' y='1 2 3'", "2 and 3 numbers", "as many y as x");
  expect("x='0 1' y='1 2' coef='1'", "exclude each other", "polynomial or points");
  expect("function='simmspline' coef='1'", "has coefficients", "give x and y");
  expect("function='polynomial' x='0 1' y='1 2'", "a polynomial has points", "give coef");
  expect("coef='inf'", "not finite", "finite numbers");
  expect("coef='1 2 3 4 5 6 7 8 9 10 11 12 13'", "coef", "12");
}

TEST(Motions, JointsThatCannotMoveSoAreRefused) {
  for (const char* type : {"ball", "free"}) {
    ExpectError(JointOf("<rotation/>", type), "test.xml:3", "cannot move by functions", "type=\"hinge\"");
  }
  ExpectError(JointOf("<rotation axis='0 0 0'/>"), "test.xml:3", "axis too small", "direction");
  ExpectError(JointOf("<rotation/>\n<rotation/>\n<rotation/>\n<rotation/>"), "test.xml:6", "too many rotations", "3");
  ExpectError(JointOf("<translation/><translation/><translation/><translation/>"), "test.xml:3",
              "too many translations", "3");
  ExpectError(JointOf("<spin/>"), "test.xml:3", "unknown element 'spin'", "");
}

std::string SiteOf(const std::string& child, const std::string& more = "") {
  return "<worldbody><body><joint name='j' type='slide'/><joint name='ball' type='ball'/><geom name='g' size='.1'/>"
         "<site name='s'>\n" +
         child + "</site><site name='t' pos='0 0 1'/></body><site name='w'/></worldbody>" + more;
}

TEST(Motions, PointsThatCannotMoveSoAreRefused) {
  EXPECT_NO_THROW(
      CompileXml(SiteOf("<translation joint='j'/>", "<sensor><framepos objtype='site' objname='s'/></sensor>")));
  ExpectError(SiteOf("<translation/>"), "test.xml:2", "joint", "");
  ExpectError(SiteOf("<translation joint='k'/>"), "test.xml:2", "'k'", "");
  ExpectError(SiteOf("<translation joint='ball'/>"), "test.xml:2", "more than one coordinate", "hinge or slide");
  const std::string moving = "<translation joint='j'/>";
  ExpectError(SiteOf(moving, "<actuator><general site='s' gear='1 0 0 0 0 0'/></actuator>"), "test.xml:2",
              "an actuator acts on a site that moves", "another site");
  ExpectError(SiteOf(moving, "<equality><connect site1='s' site2='w'/></equality>"), "test.xml:2",
              "an equality holds a site that moves", "another site");
  ExpectError(SiteOf(moving, "<sensor><velocimeter site='s'/></sensor>"), "test.xml:2", "a sensor of velocity",
              "another site");
  ExpectError(
      SiteOf(moving,
             "<tendon><spatial><site site='w'/><geom geom='g' sidesite='s'/><site site='t'/></spatial></tendon>"),
      "test.xml:2", "a side site moves", "fixed to its body");
  const std::string asleep = SiteOf(
      moving,
      "<option><flag sleep='enable'/></option><tendon><spatial><site site='w'/><site site='s'/></spatial></tendon>");
  EXPECT_NE(ErrorOf(asleep).find("do not support sleeping"), std::string::npos);
}

std::string PathOf(const std::string& attributes, const std::string& after = "<site site='b'/>") {
  return "<worldbody><site name='a'/><site name='b' pos='1 0 0'/><site name='p' pos='0 0 1'/><body><joint name='j'/>"
         "<geom name='g' size='.1'/></body></worldbody><tendon><spatial><site site='a'/><site site='p' " +
         attributes + "/>" + after + "</spatial></tendon>";
}

TEST(Motions, RangesOfPathsThatMakeNoSenseAreRefused) {
  EXPECT_NO_THROW(CompileXml(PathOf("joint='j' range='-1 1'")));
  ExpectError(PathOf("joint='j'"), "test.xml:1", "a joint and no range", "both");
  ExpectError(PathOf("range='0 1'"), "test.xml:1", "a range and no joint", "both");
  ExpectError(PathOf("joint='j' range='1 0'"), "test.xml:1", "decreases", "lower end first");
  ExpectError(PathOf("joint='k' range='0 1'"), "test.xml:1", "'k'", "");
  ExpectError(PathOf("joint='j' range='0 1'", ""), "test.xml:1", "is not between", "always count");
  ExpectError(PathOf("joint='j' range='0 1'", "<geom geom='g'/><site site='b'/>"), "test.xml:1", "is not between",
              "always count");
}

TEST(Motions, CouplingsThatMakeNoSenseAreRefused) {
  const auto coupling = [](const std::string& attributes) {
    return "<worldbody><body><joint name='x'/><geom size='.1'/></body><body><joint name='y'/><geom size='.1'/></body>"
           "</worldbody><equality><joint joint1='x' joint2='y' " +
           attributes + "/></equality>";
  };
  EXPECT_NO_THROW(CompileXml(coupling("x='0 1' y='0 2'")));
  ExpectError(coupling("x='0' y='0'"), "test.xml:1", "points has 1", "two points");
  ExpectError(coupling("polycoef='0 1' coef='0 1'"), "test.xml:1", "exclude each other", "one of them");
}

// ---- what keeps them

std::vector<double> Arrays(const mjModel* m) {
  std::vector<double> numbers;
  for (const char* name : {kMotionArray, kPointArray, kRangeArray, kCouplingArray}) {
    const auto array = FindNumberArray(m, name);
    numbers.push_back(static_cast<double>(array.size()));
    numbers.insert(numbers.end(), array.begin(), array.end());
  }
  return numbers;
}

std::string Everything() {
  return testing::FunctionChain("", R"(<equality><joint joint1="h" joint2="base" x="-1 0 2" y="0 .1 .4"/></equality>
    <tendon><spatial><site site="start"/><site site="a" joint="h" range="-1 .25"/><site site="b"/></spatial></tendon>)");
}

TEST(Motions, ModelsWithoutThemHaveNoArrays) {
  const ModelPtr m = ModelFromFile("humanoid.xml");
  EXPECT_EQ(Arrays(m.get()), std::vector<double>(4, 0));
}

TEST(Motions, WrittenFilesMakeTheSameModel) {
  const ModelPtr m = ModelFromText(Everything());
  EXPECT_TRUE(UsesExtensions(*m));
  for (const double size : {Arrays(m.get())[0]}) EXPECT_GT(size, 0);
  char error[1000] = "";
  std::vector<char> text(1 << 16);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  const std::string xml = Everything();
  mj_addBufferVFS(&vfs, "test.xml", xml.data(), static_cast<int>(xml.size()));
  const SpecPtr spec(mj_parseXML("test.xml", &vfs, error, sizeof error));
  mj_deleteVFS(&vfs);
  ASSERT_TRUE(spec) << error;
  const ModelPtr first(mj_compile(spec.get(), nullptr));
  ASSERT_TRUE(first);
  ASSERT_EQ(mj_saveXMLString(spec.get(), text.data(), static_cast<int>(text.size()), error, sizeof error), 0) << error;
  const ModelPtr again = ModelFromText(text.data());
  const std::vector<double> before = Arrays(m.get()), after = Arrays(again.get());
  ASSERT_EQ(before.size(), after.size());
  for (size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(before[i], after[i], 1e-5 * (1 + std::abs(before[i]))) << i;

  std::vector<char> bytes(static_cast<size_t>(mj_sizeModel(m.get())));
  mj_saveModel(m.get(), nullptr, bytes.data(), static_cast<int>(bytes.size()));
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.mjb", bytes.data(), static_cast<int>(bytes.size()));
  const ModelPtr binary(mj_loadModel("m.mjb", &vfs));
  mj_deleteVFS(&vfs);
  ASSERT_TRUE(binary);
  EXPECT_EQ(Arrays(binary.get()), before);
}

// A model that is attached with a prefix refers to its own joints.
TEST(Motions, AttachedModelsKeepTheirJoints) {
  char error[1000] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  const std::string xml = Everything();
  mj_addBufferVFS(&vfs, "test.xml", xml.data(), static_cast<int>(xml.size()));
  const SpecPtr child(mj_parseXML("test.xml", &vfs, error, sizeof error));
  mj_deleteVFS(&vfs);
  ASSERT_TRUE(child) << error;
  const SpecPtr parent(mj_makeSpec());
  mjs_setDeepCopy(parent.get(), 1);
  for (const char* prefix : {"left_", "right_"}) {
    mjsFrame* frame = mjs_addFrame(mjs_findBody(parent.get(), "world"), nullptr);
    ASSERT_TRUE(mjs_attach(frame->element, mjs_findBody(child.get(), "world")->element, prefix, ""));
  }
  const ModelPtr m(mj_compile(parent.get(), nullptr));
  ASSERT_TRUE(m) << mjs_getError(parent.get());
  const int site = mj_name2id(m.get(), mjOBJ_SITE, "right_b"), joint = mj_name2id(m.get(), mjOBJ_JOINT, "right_h");
  ASSERT_GE(site, 0);
  const FunctionMotion motion = PointMotions(m.get()).Of(site);
  ASSERT_EQ(motion.translations, 2);
  EXPECT_EQ(motion.Joint(1), joint);
  EXPECT_TRUE(PathRanges(m.get()));
  EXPECT_TRUE(JointMotions(m.get()).Of(mj_name2id(m.get(), mjOBJ_JOINT, "left_f")));
}

// ---- programs

TEST(Motions, ProgramsMakeThem) {
  const SpecPtr spec(mj_makeSpec());
  mjsBody* body = mjs_addBody(mjs_findBody(spec.get(), "world"), nullptr);
  mjsGeom* geom = mjs_addGeom(body, nullptr);
  geom->size[0] = 0.1;
  mjsJoint* joint = mjs_addJoint(body, nullptr);
  joint->type = mjJNT_HINGE;
  mjs_setName(joint->element, "j");
  mjsSite* site = mjs_addSite(body, nullptr);
  mjs_setName(site->element, "s");
  const double axis[3] = {0, 0, 2}, points[] = {0, 1, 0.5, 2}, line[] = {0, 3};
  EXPECT_STREQ(sinew_addJointMotion(joint, sinewMOTION_ROTATION, axis, sinewFUNCTION_POLYNOMIAL, line, 2), "");
  EXPECT_STREQ(sinew_addJointMotion(joint, sinewMOTION_TRANSLATION, axis, sinewFUNCTION_SPLINE, points, 4), "");
  EXPECT_STREQ(sinew_addSiteMotion(site, "j", axis, sinewFUNCTION_POLYLINE, points, 4), "");
  EXPECT_STRNE(sinew_addJointMotion(joint, 2, axis, sinewFUNCTION_POLYNOMIAL, line, 2), "");
  EXPECT_STRNE(sinew_addJointMotion(joint, 0, nullptr, sinewFUNCTION_POLYNOMIAL, line, 2), "");
  EXPECT_STRNE(sinew_addJointMotion(joint, 0, axis, 9, line, 2), "");
  EXPECT_STRNE(sinew_addJointMotion(joint, 0, axis, sinewFUNCTION_POLYNOMIAL, nullptr, 2), "");
  EXPECT_STRNE(sinew_addSiteMotion(site, "", axis, sinewFUNCTION_POLYNOMIAL, line, 2), "");
  const World w{ModelPtr(mj_compile(spec.get(), nullptr))};
  ASSERT_TRUE(w.m) << mjs_getError(spec.get());
  w.d->qpos[0] = 0.5;
  mj_kinematics(w.m.get(), w.d.get());
  EXPECT_NEAR(w.d->xpos[5], 1.25, 1e-15);
  EXPECT_NEAR(w.d->xquat[7], std::sin(0.75), 1e-15);
  EXPECT_NEAR(w.d->site_xpos[2], 2.5, 1e-15);

  EXPECT_STREQ(sinew_clearJointMotions(joint), "");
  EXPECT_STREQ(sinew_clearSiteMotions(site), "");
  const ModelPtr plain(mj_compile(spec.get(), nullptr));
  EXPECT_EQ(Arrays(plain.get()), std::vector<double>(4, 0));
}

// Numbers that a program or a damaged file has in the arrays lead nowhere outside of them.
TEST(Motions, ArraysMayHoldAnything) { testing::ForwardWithWrongNumbers(*ModelFromText(Everything())); }

}  // namespace
}  // namespace sinew
