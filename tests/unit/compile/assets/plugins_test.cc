// Plugin instances in models: their order, values and sizes, and who uses them.
#include <gtest/gtest.h>

#include <string>

#include "plugin/registry.h"
#include "tests/unit/compile/compile_xml.h"

namespace sinew {
namespace {

// A plugin of all capabilities that has as many numbers as its attribute "size" says.
int SizeOf(const mjModel* m, int instance) {
  const char* size = mj_getPluginConfig(m, instance, "size");
  return size && *size ? std::stoi(size) : 0;
}
int SensedSize(const mjModel* m, int instance, int) { return SizeOf(m, instance); }
int Refusing(const mjModel*, int, int) {
  mju_error("no such sensor");
  return 0;
}
void Nothing(const mjModel*, mjtNum*, void*, int) {}

void Register(const char* name, int capabilities, int (*sensed)(const mjModel*, int, int)) {
  static const char* const attributes[] = {"size", "label"};
  mjpPlugin plugin = {};
  plugin.name = name;
  plugin.nattribute = 2;
  plugin.attributes = attributes;
  plugin.capabilityflags = capabilities;
  plugin.needstage = mjSTAGE_VEL;
  plugin.nstate = SizeOf;
  plugin.nsensordata = sensed;
  plugin.reset = Nothing;
  RegisterPlugin(plugin);
}

class Plugins : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Register("test.all", mjPLUGIN_ACTUATOR | mjPLUGIN_SENSOR | mjPLUGIN_PASSIVE | mjPLUGIN_SDF, SensedSize);
    Register("test.passive", mjPLUGIN_PASSIVE, nullptr);
    Register("test.refusing", mjPLUGIN_SENSOR, Refusing);
  }
};

const char* const kBody = "<worldbody><body name='b'><joint name='j'/><geom size='.1'/>";

TEST_F(Plugins, InstancesAndUsers) {
  const ModelPtr m = CompileXml(
      std::string("<extension><plugin plugin='test.all'><instance name='shared'><config key='size' value='2'/>"
                  "</instance></plugin></extension>") +
      kBody +
      "<plugin plugin='test.all'><config key='label' value='own'/></plugin></body></worldbody>"
      "<actuator><plugin joint='j' instance='shared' actdim='2'/></actuator>"
      "<sensor><plugin plugin='test.all' objtype='body' objname='b'><config key='size' value='3'/></plugin></sensor>");
  ASSERT_EQ(m->nplugin, 3);
  EXPECT_EQ(mj_name2id(m.get(), mjOBJ_PLUGIN, "shared"), 0);
  EXPECT_EQ(m->actuator_plugin[0], 0);
  EXPECT_EQ(m->actuator_actnum[0], 2);
  EXPECT_EQ(m->sensor_plugin[0], 1);
  EXPECT_EQ(m->sensor_dim[0], 3);
  EXPECT_EQ(m->sensor_needstage[0], mjSTAGE_VEL);
  EXPECT_EQ(m->body_plugin[1], 2);
  EXPECT_EQ(Take(m->plugin_statenum, 3), (std::vector<int>{2, 3, 0}));
  EXPECT_EQ(Take(m->plugin_stateadr, 3), (std::vector<int>{0, 2, 5}));
  EXPECT_EQ(m->npluginstate, 5);
  EXPECT_EQ(std::string(m->plugin_attr, static_cast<size_t>(m->npluginattr)), std::string("2\0\0003\0\0\0own\0", 11));
  EXPECT_STREQ(mj_getPluginConfig(m.get(), 2, "label"), "own");
}

TEST_F(Plugins, Errors) {
  const auto expect = [](const std::string& error, const std::string& part) {
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  const std::string body = kBody, end = "</body></worldbody>";
  const std::string activate = "<extension><plugin plugin='test.all'/><plugin plugin='test.passive'/></extension>";
  expect(ErrorOf("<extension><plugin plugin='test.al'/></extension>"), "test.all");
  expect(ErrorOf(body + "<plugin plugin='test.all'/>" + end), "not activated");
  expect(ErrorOf(activate + body + "<plugin instance='x'/>" + end), "no plugin instance 'x'");
  expect(ErrorOf(activate + body + "<plugin/>" + end), "neither");
  expect(ErrorOf(activate + body + "<plugin plugin='test.all'><config key='q' value='1'/></plugin>" + end), "label");
  expect(ErrorOf(activate + body + end + "<actuator><plugin joint='j' plugin='test.passive'/></actuator>"),
         "does not drive actuators");
  expect(ErrorOf("<extension><plugin plugin='test.refusing'/></extension><sensor><plugin plugin='test.refusing'/>"
                 "</sensor>"),
         "no such sensor");
}

}  // namespace
}  // namespace sinew
