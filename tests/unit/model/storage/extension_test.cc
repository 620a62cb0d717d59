// What docs/how/extensions.md promises of models that go beyond 3.8.0.
#include "model/storage/extension.h"

#include <gtest/gtest.h>
#include <sinew/elements_beyond.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

const char* kArm = R"(<mujoco model="arm"><compiler angle="radian"/>
  <default><default class="strong"><musculotendon force="900" vmax="8"/></default></default>
  <worldbody><site name="a"/><body name="b" pos="0 0 -.3"><joint type="slide" axis="0 0 1"/><geom size=".05"/><site name="s"/></body></worldbody>
  <tendon><spatial name="t"><site site="a"/><site site="s"/></spatial></tendon>
  <actuator>
    <musculotendon name="m" class="strong" tendon="t" fiberlength=".1" slacklength=".2" pennation=".2" tendoncurve=".04 0 .66 .5"/>
    <musculotendon name="r" tendon="t" force="100" fiberlength=".1" slacklength=".2" compliance="rigid" curves="hyfydy"/>
    <motor name="n" joint="j"/>
  </actuator>
  <sensor><fiberlength name="f" actuator="m"/></sensor>
</mujoco>)";

std::string Arm() {
  std::string text = kArm;
  return text.replace(text.find("<joint "), 7, "<joint name=\"j\" ");
}

std::vector<char> Mjb(const mjModel* m) {
  std::vector<char> bytes(static_cast<size_t>(mj_sizeModel(m)));
  mj_saveModel(m, nullptr, bytes.data(), static_cast<int>(bytes.size()));
  return bytes;
}

ModelPtr FromMjb(const std::vector<char>& bytes) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.mjb", bytes.data(), static_cast<int>(bytes.size()));
  mju_user_warning = [](const char*) {};
  ModelPtr m(mj_loadModel("m.mjb", &vfs));
  mju_user_warning = nullptr;
  mj_deleteVFS(&vfs);
  return m;
}

double ForceAfter(const mjModel* m, double time) {
  DataPtr d(mj_makeData(m));
  for (int i = 0; i < 2; ++i) d->ctrl[i] = 0.7;
  while (d->time < time) mj_step(m, d.get());
  return d->actuator_force[0] + 3 * d->actuator_force[1] + d->qpos[0] + d->sensordata[0];
}

TEST(ExtensionTest, BinaryFilesCarryThemWithATag) {
  const ModelPtr m = ModelFromText(Arm());
  const std::vector<char> bytes = Mjb(m.get());
  EXPECT_EQ(std::memcmp(bytes.data() + bytes.size() - 8, "SINEWEX1", 8), 0);
  const ModelPtr again = FromMjb(bytes);
  ASSERT_TRUE(again);
  EXPECT_EQ(Mjb(again.get()), bytes);
  EXPECT_EQ(ForceAfter(again.get(), 0.05), ForceAfter(m.get(), 0.05));

  const ModelPtr copy(mj_copyModel(nullptr, m.get()));
  EXPECT_EQ(Mjb(copy.get()), bytes);

  ASSERT_GT(bytes.size(), 8u);
  std::vector<char> untagged = bytes, other = bytes;
  untagged.resize(bytes.size() - 8);
  other.at(bytes.size() - 1) = '2';
  EXPECT_FALSE(FromMjb(untagged));
  EXPECT_FALSE(FromMjb(other));
}

TEST(ExtensionTest, OtherModelsHaveNoTag) {
  const ModelPtr m = ModelFromFile("humanoid.xml");
  EXPECT_FALSE(UsesExtensions(*m));
  std::vector<char> bytes = Mjb(m.get());
  EXPECT_TRUE(FromMjb(bytes));
  bytes.insert(bytes.end(), {'S', 'I', 'N', 'E', 'W', 'E', 'X', '1'});
  EXPECT_FALSE(FromMjb(bytes));  // a tag without extensions
}

TEST(ExtensionTest, HalfAnExtensionIsNoModel) {
  const ModelPtr m = ModelFromText(Arm());
  const auto refused = [&](int* field, int value) {
    const int kept = *field;
    *field = value;
    const bool loads = FromMjb(Mjb(m.get())) != nullptr;
    *field = kept;
    return !loads;
  };
  EXPECT_TRUE(refused(m->actuator_gaintype, mjGAIN_FIXED));
  EXPECT_TRUE(refused(m->actuator_dyntype, 1001));
  EXPECT_TRUE(refused(m->actuator_gaintype + 2, kMusculotendon));
  EXPECT_TRUE(refused(m->sensor_type, sinewSENS_BHARGAVAPOWER + 1));  // behind the last
  EXPECT_TRUE(refused(m->sensor_objid, 2));                           // a motor
}

TEST(ExtensionTest, XmlComesBack) {
  char error[1000] = "";
  std::string text = Arm();
  mjSpec* spec = mj_parseXMLString(text.c_str(), nullptr, error, sizeof(error));
  ASSERT_TRUE(spec) << error;
  const ModelPtr m(mj_compile(spec, nullptr));
  ASSERT_TRUE(m);
  std::string written(100000, '\0');
  ASSERT_EQ(mj_saveXMLString(spec, written.data(), static_cast<int>(written.size()), error, sizeof(error)), 0) << error;
  mj_deleteSpec(spec);
  const ModelPtr again = ModelFromText(written.c_str());
  for (int i = 0; i < mjNGAIN * 2; ++i) EXPECT_NEAR(again->actuator_gainprm[i], m->actuator_gainprm[i], 1e-6) << i;
  EXPECT_EQ(again->actuator_gaintype[1], kMusculotendon);
  EXPECT_EQ(again->sensor_type[0], kSensorFiberLength);
  EXPECT_EQ(again->nnumeric, 1);
  EXPECT_EQ(written.find("numeric"), std::string::npos);
}

TEST(ExtensionTest, TheyAreAttachedCopiedAndDeleted) {
  char error[1000] = "";
  mjSpec* child = mj_parseXMLString(Arm().c_str(), nullptr, error, sizeof(error));
  ASSERT_TRUE(child) << error;
  mjSpec* parent = mj_makeSpec();
  mjs_setDeepCopy(parent, 1);
  parent->compiler.degree = 1;  // the child's angles stay radians
  mjsFrame* frame = mjs_addFrame(mjs_findBody(parent, "world"), nullptr);
  for (const char* prefix : {"one_", "two_"}) {
    ASSERT_TRUE(mjs_attach(frame->element, mjs_findBody(child, "b")->element, prefix, ""));
  }
  mjSpec* copy = mj_copySpec(parent);
  mj_deleteSpec(parent);
  // tendons whose first site stayed behind do not travel: give the attached bodies a muscle of their own
  const ModelPtr m(mj_compile(copy, nullptr));
  ASSERT_TRUE(m) << mjs_getError(copy);
  mj_deleteSpec(copy);

  // an element that becomes a motor is none any more
  mjsActuator* actuator = mjs_asActuator(mjs_findElement(child, mjOBJ_ACTUATOR, "r"));
  ASSERT_TRUE(actuator);
  mjs_setToMotor(actuator);
  const ModelPtr changed(mj_compile(child, nullptr));
  ASSERT_TRUE(changed) << mjs_getError(child);
  EXPECT_EQ(changed->actuator_gaintype[1], mjGAIN_FIXED);
  EXPECT_EQ(changed->actuator_gaintype[0], kMusculotendon);

  ASSERT_EQ(mjs_delete(child, mjs_findElement(child, mjOBJ_SENSOR, "f")), 0);
  ASSERT_EQ(mjs_delete(child, mjs_findElement(child, mjOBJ_ACTUATOR, "m")), 0);
  const ModelPtr without(mj_compile(child, nullptr));
  ASSERT_TRUE(without) << mjs_getError(child);
  EXPECT_FALSE(UsesExtensions(*without));
  EXPECT_EQ(without->nnumeric, 0);
  mj_deleteSpec(child);
}

// Numbers of a muscle with a tendon, in a class or before, mean nothing to other kinds of actuators.
TEST(ExtensionTest, OtherKindsAreAsWithoutIt) {
  const char* kinds[] = {R"(<motor joint="j"/>)",
                         R"(<position joint="j" kp="3"/>)",
                         R"(<position joint="j"/>)",
                         R"(<velocity joint="j" kv="3"/>)",
                         R"(<intvelocity joint="j" kp="3" actrange="0 1"/>)",
                         R"(<damper joint="j" kv="3" ctrlrange="0 1"/>)",
                         R"(<cylinder joint="j" area="2"/>)",
                         R"(<muscle joint="j" lengthrange="0 1"/>)",
                         R"(<adhesion body="b" gain="2" ctrlrange="0 1"/>)",
                         R"(<dcmotor joint="j" motorconst=".1" resistance="1"/>)",
                         R"(<general joint="j" gaintype="affine" gainprm="1 2"/>)",
                         R"(<general joint="j" dyntype="filter" dynprm=".1"/>)"};
  for (const char* kind : kinds) {
    const auto model = [&](const char* values) {
      return ModelFromText(std::string("<mujoco><default>") + values + R"(</default><worldbody><body name="b">
          <joint name="j" type="slide"/><geom size=".1"/></body></worldbody><actuator>)" +
                           kind + "</actuator></mujoco>");
    };
    const ModelPtr with = model(R"(<musculotendon force="900" vmax="8" fiberlength=".1" slacklength=".2"/>)");
    EXPECT_FALSE(UsesExtensions(*with)) << kind;
    EXPECT_EQ(Mjb(with.get()), Mjb(model("").get())) << kind;
  }
}

TEST(ExtensionTest, NamesOfTheCompilerAreItsOwn) {
  EXPECT_THROW(ModelFromText(R"(<mujoco><custom><numeric name="sinew/x" data="1"/></custom></mujoco>)"),
               std::runtime_error);
}

TEST(ExtensionTest, SensorsNeedAMusculotendon) {
  std::string text = Arm();
  text.replace(text.find("actuator=\"m\""), 12, "actuator=\"n\"");
  EXPECT_THROW(ModelFromText(text), std::runtime_error);
}

}  // namespace
}  // namespace sinew
