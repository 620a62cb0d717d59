// Models that no step could be made with: refused when they are compiled or loaded, and sizes that do not fit.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

std::string CompileError(const std::string& xml) {
  try {
    ModelFromText(xml);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

void ExpectRefused(const std::string& xml, const std::string& why) {
  const std::string error = CompileError(xml);
  EXPECT_NE(error.find(why), std::string::npos) << xml << "\n" << error;
}

// ---- sizes

constexpr const char* kScene =
    "<worldbody><camera name='c' resolution='65536 65537' sensorsize='1 1'/><geom type='plane' size='1 1 1'/>"
    "<body pos='0 0 .1'><joint name='j'/><geom name='g' type='box' size='.1 .1 .1'/></body></worldbody>";

TEST(SizesTest, NumbersOfASensorAreCountedInSixtyFourBits) {
  const std::string scene = std::string("<mujoco>") + kScene;
  for (const char* num : {"252645136", "200000000", "2147483647"}) {  // times 17: wraps to 16, to -894967296, ...
    ExpectRefused(scene + "<sensor><contact geom1='g' num='" + num +
                      "' data='found force torque dist pos normal tangent'/></sensor></mujoco>",
                  "the sensor has");
  }
  ExpectRefused(scene + "<sensor><rangefinder camera='c'/></sensor></mujoco>", "the sensor has");
  ExpectRefused(scene + "<sensor><user dim='2147483647'/><user dim='2147483647'/><user dim='3'/></sensor></mujoco>",
                "nsensordata is 4294967297");
}

TEST(SizesTest, AHistoryOfLessThanNothingIsNone) {
  const World w(ModelFromText(std::string("<mujoco>") + kScene +
                              "<actuator><motor joint='j' nsample='-2147483648'/></actuator>"
                              "<sensor><jointpos joint='j' nsample='-2147483648' interval='.01'/></sensor></mujoco>"));
  EXPECT_EQ(w.m->nhistory, 0);
  for (int i = 0; i < 20; ++i) mj_step(w.m.get(), w.d.get());
  EXPECT_EQ(w.d->warning[mjWARN_BADQACC].number, 0);
}

// ---- flexes

TEST(FlexcompTest, ElementsFitTheDimension) {
  const auto flex = [](const std::string& dof, const std::string& dim, const std::string& points,
                       const std::string& elements) {
    return "<mujoco><worldbody><flexcomp name='f' type='direct' dof='" + dof + "' dim='" + dim + "' point='" + points +
           "' element='" + elements + "' mass='1'/></worldbody></mujoco>";
  };
  const std::string points = "0 0 0 1 0 0 0 1 0 0 0 1";
  for (const char* dof : {"full", "trilinear", "quadratic"}) {
    ExpectRefused(flex(dof, "2", points, "0 1 2 3"), "in dimension 2 each takes 3");
    ExpectRefused(flex(dof, "3", points, "0 1 2 3 0"), "in dimension 3 each takes 4");
    ExpectRefused(flex(dof, "3", points, "0"), "in dimension 3 each takes 4");
    ExpectRefused(flex(dof, "x", points, "0 1 2 3"), "'dim'");
    ExpectRefused(flex(dof, "3", "", "0 1 2 3"), "point");
  }
}

TEST(FlexTest, TextureCoordinatesArePairs) {
  const auto flex = [](const std::string& rest) {
    return "<mujoco><worldbody><body name='a'><geom size='.1'/></body><body name='b' pos='1 0 0'><geom "
           "size='.1'/></body>"
           "</worldbody><deformable><flex name='f' dim='1' body='a b' element='0 1' " +
           rest + "/></deformable></mujoco>";
  };
  EXPECT_EQ(CompileError(flex("texcoord='0 0 1 1'")), "");
  EXPECT_EQ(CompileError(flex("texcoord='0 0 1 1 2 2' elemtexcoord='2 1'")), "");
  ExpectRefused(flex("texcoord='0 0 1 1 2' elemtexcoord='0 1'"), "texcoord has 5 numbers");
  ExpectRefused(flex("texcoord='0 0 1'"), "texcoord has 3 numbers");
  ExpectRefused(flex("texcoord='0 0 1 1' elemtexcoord='0 2'"), "elemtexcoord has 2");
}

// ---- sleeping

const std::string kThreeArms =
    "<worldbody><body><joint name='a'/><geom size='.1'/></body><body pos='1 0 0'><joint name='b'/><geom size='.1'/>"
    "</body></worldbody><tendon><fixed name='t'><joint joint='a' coef='1'/></fixed><fixed name='u'>"
    "<joint joint='b' coef='1'/></fixed></tendon>";

std::string WithSleep(const std::string& rest) {
  return "<mujoco><option><flag sleep='enable'/></option>" + rest + "</mujoco>";
}

TEST(SleepTest, EqualitiesThatCannotSleepAreErrors) {
  const std::string why = "do not support sleeping";
  ExpectRefused(WithSleep(kThreeArms + "<equality><tendon tendon1='t' tendon2='u'/></equality>"), why);
  const auto cloth = [](const char* edge) {
    return std::string(
               "<worldbody><flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' mass='1'>"
               "<edge equality='") +
           edge + "'/><contact selfcollide='none'/></flexcomp></worldbody>";
  };
  ExpectRefused(WithSleep(cloth("true")), why);
  ExpectRefused(WithSleep(cloth("vert")), why);
  // what is inactive, or may sleep
  EXPECT_EQ(CompileError(WithSleep(kThreeArms + "<equality><tendon tendon1='t' active='false'/></equality>")), "");
  EXPECT_EQ(CompileError(WithSleep(kThreeArms + "<equality><joint joint1='a' joint2='b'/></equality>")), "");
}

TEST(SleepTest, CellsOfFlexesMayBeConstrained) {
  const World w(ModelFromText(WithSleep(
      "<worldbody><flexcomp name='f' type='grid' count='3 3 3' spacing='.1 .1 .1' dim='3' mass='1' dof='trilinear'>"
      "<edge equality='strain'/><contact selfcollide='none'/></flexcomp></worldbody>")));
  for (int i = 0; i < 5; ++i) mj_step(w.m.get(), w.d.get());
  EXPECT_GT(w.d->nefc, 0);
}

TEST(SleepTest, WhatIsToSleepFromTheStartMustBeAbleTo) {
  const auto two = [](const char* second) {
    return "<worldbody><body name='lower' sleep='init' pos='0 0 1'><freejoint/><geom size='.1'/></body>"
           "<body pos='0 0 1.15' sleep='" +
           std::string(second) + "'><freejoint/><geom size='.1'/></body></worldbody>";
  };
  ExpectRefused(WithSleep(two("allowed")), "1 trees were marked as sleep='init' but only 0 could be slept");
  ExpectRefused(WithSleep(two("never")), "Body 'lower'");
  EXPECT_EQ(CompileError(WithSleep(two("init"))), "");
  EXPECT_EQ(CompileError("<mujoco>" + two("allowed") + "</mujoco>"), "");  // sleeping is off
}

// ---- models in files

std::vector<char> Save(const mjModel* m) {
  std::vector<char> file(static_cast<size_t>(mj_sizeModel(m)));
  mj_saveModel(m, nullptr, file.data(), static_cast<int>(file.size()));
  return file;
}

std::string last_warning;

TEST(ModelFileTest, WithLittleMemoryCanBeStepped) {
  const ModelPtr m = ModelFromText(
      "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .05'><freejoint/>"
      "<geom size='.1'/></body></worldbody></mujoco>");
  mju_user_warning = [](const char* text) { last_warning = text; };  // contacts do not fit
  for (const mjtSize bytes : {mjtSize{1}, mjtSize{200}}) {
    m->narena = bytes;
    const std::vector<char> file = Save(m.get());
    const World w(ModelPtr(mj_loadModelBuffer(file.data(), static_cast<int>(file.size()))));
    ASSERT_NE(w.d, nullptr) << bytes;
    mj_step(w.m.get(), w.d.get());
    EXPECT_GT(w.d->time, 0);
  }
  mju_user_warning = nullptr;
}

TEST(ModelFileTest, WithAnEqualityThatCannotSleepIsRefused) {
  const ModelPtr m =
      ModelFromText("<mujoco>" + kThreeArms + "<equality><tendon tendon1='t' tendon2='u'/></equality></mujoco>");
  m->opt.enableflags |= mjENBL_SLEEP;
  const std::vector<char> file = Save(m.get());
  mju_user_warning = [](const char* text) { last_warning = text; };
  EXPECT_EQ(ModelPtr(mj_loadModelBuffer(file.data(), static_cast<int>(file.size()))), nullptr);
  mju_user_warning = nullptr;
  EXPECT_NE(last_warning.find("does not support sleeping"), std::string::npos) << last_warning;
}

}  // namespace
}  // namespace sinew
