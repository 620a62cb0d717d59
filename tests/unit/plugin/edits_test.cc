// Plugins of specifications that are edited: what is deleted takes its own instance along, what is attached the
// permission to use it; and what plugins warn of while a model is compiled.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <string>

#include "tests/testing/model.h"

namespace sinew {
namespace {

constexpr char kXml[] = R"(<mujoco><extension><plugin plugin="test.edits"><instance name="shared"/></plugin></extension>
  <worldbody><body name="a"><joint name="j"/><geom size=".1"/></body></worldbody>
  <actuator><plugin name="own" plugin="test.edits" joint="j"/><plugin name="user" instance="shared" joint="j"/></actuator>
  <sensor><plugin name="sensor" plugin="test.edits"/></sensor></mujoco>)";

class PluginEditsTest : public testing::Test {
 protected:
  PluginEditsTest() {
    mjpPlugin plugin;
    mjp_defaultPlugin(&plugin);
    plugin.name = "test.edits";
    plugin.capabilityflags = mjPLUGIN_ACTUATOR | mjPLUGIN_SENSOR;
    plugin.nstate = [](const mjModel*, int) { return 0; };
    plugin.nsensordata = [](const mjModel*, int, int) { return 1; };
    plugin.init = [](const mjModel*, mjData*, int) {
      mju_warning("the plugin warns");
      return 0;
    };
    plugin.compute = [](const mjModel*, mjData*, int, int) {};
    mjp_registerPlugin(&plugin);
    warnings() = 0;
    mju_user_warning = [](const char*) { ++warnings(); };
  }
  ~PluginEditsTest() override { mju_user_warning = nullptr; }

  static int& warnings() {
    static int count;
    return count;
  }
  static SpecPtr Parse() { return SpecPtr(mj_parseXMLString(kXml, nullptr, nullptr, 0)); }

  // Instances of the compiled model; -1 when it does not compile.
  static int CountInstances(const SpecPtr& s) {
    mjModel* m = mj_compile(s.get(), nullptr);
    EXPECT_NE(m, nullptr) << mjs_getError(s.get());
    const int count = m ? static_cast<int>(m->nplugin) : -1;
    mj_deleteModel(m);
    return count;
  }
};

TEST_F(PluginEditsTest, AnInstanceOfItsOwnGoesWithAnElement) {
  for (const bool compiled : {false, true}) {
    const SpecPtr s = Parse();
    if (compiled) {
      EXPECT_EQ(CountInstances(s), 3);
    }
    EXPECT_EQ(mjs_delete(s.get(), mjs_findElement(s.get(), mjOBJ_ACTUATOR, "own")), 0);
    EXPECT_EQ(CountInstances(s), 2);
    EXPECT_EQ(mjs_delete(s.get(), mjs_findElement(s.get(), mjOBJ_SENSOR, "sensor")), 0);
    EXPECT_EQ(CountInstances(s), 1);
    EXPECT_EQ(mjs_delete(s.get(), mjs_findElement(s.get(), mjOBJ_ACTUATOR, "user")), 0);
    EXPECT_EQ(CountInstances(s), 0);  // a name does not keep what nothing uses any more
  }
}

TEST_F(PluginEditsTest, AttachingBringsActivations) {
  for (const int deep : {0, 1}) {
    const SpecPtr child = Parse(), parent(mj_makeSpec());
    mjs_setDeepCopy(parent.get(), deep);
    mjsFrame* frame = mjs_addFrame(mjs_findBody(parent.get(), "world"), nullptr);
    ASSERT_NE(mjs_attach(frame->element, mjs_findBody(child.get(), "a")->element, "c_", ""), nullptr);
    EXPECT_EQ(CountInstances(parent), 3);

    mjsActuator* actuator = mjs_addActuator(parent.get(), nullptr);
    actuator->trntype = mjTRN_JOINT;
    mjs_setString(actuator->target, "c_j");
    actuator->plugin.active = 1;
    mjs_setString(actuator->plugin.plugin_name, "test.edits");
    mjsPlugin* instance = mjs_addPlugin(parent.get());
    mjs_setString(instance->plugin_name, "test.edits");
    actuator->plugin.element = instance->element;
    EXPECT_EQ(CountInstances(parent), 4);
  }
}

TEST_F(PluginEditsTest, WarningsOfCompilationAreThoseOfTheSpecification) {
  const SpecPtr s = Parse();
  mjModel* m = mj_compile(s.get(), nullptr);
  ASSERT_NE(m, nullptr);
  EXPECT_STREQ(mjs_getError(s.get()), "the plugin warns");
  EXPECT_EQ(mjs_isWarning(s.get()), 1);
  EXPECT_EQ(warnings(), 1);  // the handler of the program has it as well
  warnings() = 0;

  mjData* d = mj_makeData(m);
  EXPECT_GT(warnings(), 0);  // no compilation
  warnings() = 0;
  EXPECT_EQ(mj_recompile(s.get(), nullptr, m, d), 0);
  EXPECT_STREQ(mjs_getError(s.get()), "the plugin warns");
  EXPECT_EQ(mjs_isWarning(s.get()), 1);
  mj_deleteData(d);
  mj_deleteModel(m);

  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.xml", kXml, sizeof(kXml) - 1);
  char text[200] = "";
  m = mj_loadXML("m.xml", &vfs, text, sizeof(text));
  mj_deleteVFS(&vfs);
  ASSERT_NE(m, nullptr);
  EXPECT_STREQ(text, "the plugin warns");
  mj_deleteModel(m);
}

TEST_F(PluginEditsTest, AFlexThatFallsApartIsAWarning) {
  const SpecPtr s(
      mj_parseXMLString("<mujoco><worldbody><flexcomp name='f' type='grid' count='3 3 1' dim='2' mass='1' "
                        "spacing='.1 .1 .1'/></worldbody></mujoco>",
                        nullptr, nullptr, 0));
  CountInstances(s);
  EXPECT_NE(std::string(mjs_getError(s.get())).find("is not rigid and has no equality"), std::string::npos);
  EXPECT_EQ(mjs_isWarning(s.get()), 1);
}

}  // namespace
}  // namespace sinew
