#include "plugin/registry.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "core/error.h"
#include "model/storage/data.h"
#include "tests/unit/model/small_model.h"

namespace sinew {
namespace {

// A plugin that counts in its state and keeps one int on the heap for each world.
int alive = 0;

int Init(const mjModel*, mjData* d, int instance) {
  ++alive;
  d->plugin_data[instance] = reinterpret_cast<uintptr_t>(new int(0));
  return 0;
}
void Destroy(mjData* d, int instance) {
  --alive;
  delete reinterpret_cast<int*>(d->plugin_data[instance]);
}
void Copy(mjData* dest, const mjModel*, const mjData* src, int instance) {
  *reinterpret_cast<int*>(dest->plugin_data[instance]) = *reinterpret_cast<int*>(src->plugin_data[instance]);
}
void Reset(const mjModel*, mjtNum* state, void* data, int) {
  state[0] += 1;
  *static_cast<int*>(data) = 5;
}

mjpPlugin Counter(const char* name) {
  static const char* attributes[] = {"gain", "label"};
  mjpPlugin plugin = {};
  plugin.name = name;
  plugin.nattribute = 2;
  plugin.attributes = attributes;
  plugin.init = Init;
  plugin.destroy = Destroy;
  plugin.copy = Copy;
  plugin.reset = Reset;
  return plugin;
}

TEST(PluginRegistryTest, KeepsACopyUnderAName) {
  std::string name = "test.counter";
  const int slot = RegisterPlugin(Counter(name.c_str()));
  EXPECT_EQ(RegisterPlugin(Counter(name.c_str())), slot);
  name.assign(name.size(), 'x');
  ASSERT_NE(PluginAt(slot), nullptr);
  EXPECT_STREQ(PluginAt(slot)->name, "test.counter");
  EXPECT_STREQ(PluginAt(slot)->attributes[1], "label");
  EXPECT_EQ(FindPlugin("TEST.counter"), slot);
  EXPECT_GT(PluginCount(), slot);
}

TEST(PluginRegistryTest, RefusesWhatCannotBeRegistered) {
  RegisterPlugin(Counter("test.taken"));
  mjpPlugin other = Counter("Test.Taken");
  EXPECT_THROW(RegisterPlugin(other), Error);
  EXPECT_THROW(RegisterPlugin(Counter("")), Error);
  EXPECT_THROW(RegisterPlugin(Counter(nullptr)), Error);
  other = Counter("test.many");
  other.nattribute = 256;
  EXPECT_THROW(RegisterPlugin(other), Error);
  EXPECT_EQ(PluginAt(-1), nullptr);
  EXPECT_EQ(PluginAt(PluginCount()), nullptr);
  EXPECT_EQ(FindPlugin("test.none"), -1);
}

ModelPtr ModelWithPlugin(int slot) {
  mjModel sizes = SmallSizes();
  sizes.nu = sizes.nsensor = sizes.nhistory = sizes.nkey = 0;
  sizes.nplugin = sizes.npluginstate = 1;
  sizes.npluginattr = 6;
  ModelPtr m(MakeModel(sizes));
  DefaultOption(&m->opt);
  m->plugin[0] = slot;
  m->plugin_statenum[0] = 1;
  std::memcpy(m->plugin_attr, "2.5\0a", 6);
  return m;
}

TEST(PluginRegistryTest, ConfigFindsTheValueOfAnAttribute) {
  const ModelPtr m = ModelWithPlugin(RegisterPlugin(Counter("test.counter")));
  EXPECT_STREQ(PluginConfig(*m, 0, "gain"), "2.5");
  EXPECT_STREQ(PluginConfig(*m, 0, "label"), "a");
  EXPECT_EQ(PluginConfig(*m, 0, "none"), nullptr);
  EXPECT_EQ(PluginConfig(*m, 1, "gain"), nullptr);
}

TEST(PluginRegistryTest, WorldsStartResetCopyAndEndTheirPlugins) {
  const ModelPtr m = ModelWithPlugin(RegisterPlugin(Counter("test.counter")));
  alive = 0;
  {
    const DataPtr d(MakeData(*m));
    EXPECT_EQ(d->nplugin, 1);
    EXPECT_EQ(d->plugin_state[0], 1) << "reset once";
    ResetData(*m, d.get());
    EXPECT_EQ(d->plugin_state[0], 2) << "a reset keeps the state and tells the plugin";
    *reinterpret_cast<int*>(d->plugin_data[0]) = 7;
    const DataPtr copy(CopyData(nullptr, *m, *d));
    EXPECT_EQ(alive, 2);
    EXPECT_NE(copy->plugin_data[0], d->plugin_data[0]);
    EXPECT_EQ(*reinterpret_cast<int*>(copy->plugin_data[0]), 7);
    EXPECT_EQ(copy->plugin_state[0], 2);
  }
  EXPECT_EQ(alive, 0);
}

TEST(PluginRegistryTest, FailingStartEndsWhatHasStarted) {
  mjpPlugin failing = Counter("test.failing");
  failing.init = [](const mjModel*, mjData*, int) { return -1; };
  const ModelPtr m = ModelWithPlugin(RegisterPlugin(failing));
  alive = 0;
  EXPECT_THROW(MakeData(*m), Error);
  EXPECT_EQ(alive, 0);
}

TEST(PluginRegistryTest, UnregisteredPluginIsAnError) { EXPECT_THROW(MakeData(*ModelWithPlugin(100000)), Error); }

// Plugins of the library's own come when they are asked for, and stay when another library brings its version.
TEST(PluginRegistryTest, OwnPluginsAreRegisteredOnDemand) {
  const int slot = FindPlugin("mujoco.elasticity.cable");
  ASSERT_GE(slot, 0);
  EXPECT_EQ(FindPlugin("MUJOCO.elasticity.Cable"), slot);
  const mjpPlugin own = *PluginAt(slot);
  mjpPlugin other = own;
  other.compute = [](const mjModel*, mjData*, int, int) {};
  EXPECT_EQ(RegisterPlugin(other), slot);
  EXPECT_EQ(PluginAt(slot)->compute, own.compute);
  other.nattribute = 1;
  EXPECT_THROW(RegisterPlugin(other), Error);
}

}  // namespace
}  // namespace sinew
