#include "plugin/hooks.h"

namespace sinew {
namespace {

// Calls visit(plugin, instance) for all instances whose plugin is registered.
template <class Visit>
void ForEachInstance(const mjModel* m, Visit visit) {
  for (int i = 0; i < m->nplugin; ++i) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (plugin) visit(*plugin, i);
  }
}

}  // namespace

void ComputePlugins(const mjModel* m, mjData* d, mjtPluginCapabilityBit capability) {
  ForEachInstance(m, [&](const mjpPlugin& plugin, int instance) {
    if ((plugin.capabilityflags & capability) && plugin.compute) plugin.compute(m, d, instance, capability);
  });
}

void SensePlugins(const mjModel* m, mjData* d, int stage) {
  ForEachInstance(m, [&](const mjpPlugin& plugin, int instance) {
    if ((plugin.capabilityflags & mjPLUGIN_SENSOR) && plugin.compute && plugin.needstage == stage)
      plugin.compute(m, d, instance, mjPLUGIN_SENSOR);
  });
}

void PluginActDot(const mjModel* m, mjData* d) {
  ForEachInstance(m, [&](const mjpPlugin& plugin, int instance) {
    if ((plugin.capabilityflags & mjPLUGIN_ACTUATOR) && plugin.actuator_act_dot)
      plugin.actuator_act_dot(m, d, instance);
  });
}

void AdvancePlugins(const mjModel* m, mjData* d) {
  ForEachInstance(m, [&](const mjpPlugin& plugin, int instance) {
    if (plugin.advance) plugin.advance(m, d, instance);
  });
}

void VisualizePlugins(const mjModel* m, mjData* d, const mjvOption* option, mjvScene* scene) {
  ForEachInstance(m, [&](const mjpPlugin& plugin, int instance) {
    if (plugin.visualize) plugin.visualize(m, d, option, scene, instance);
  });
}

}  // namespace sinew
