// Calls every registered instance of a plugin at its place in the pipeline.
#include "plugin/hooks.h"

namespace sinew::inline plugin {
namespace {

// Calls visit(plugin, instance) for all instances whose plugin is registered.
template <class Visit>
void ForEachInstance(const mjModel* m, Visit visit) {
  for (int i = 0; i < m->nplugin; ++i) {
    const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[i]);
    if (plugin) visit(*plugin, i);
  }
}

bool SensesAt(const mjpPlugin& plugin, int stage) {
  if (!(plugin.capabilityflags & mjPLUGIN_SENSOR) || !plugin.compute) return false;
  return plugin.needstage == stage || (plugin.needstage == mjSTAGE_NONE && stage == mjSTAGE_POS);
}

}  // namespace

bool AnySensesAt(const mjModel* m, int stage) {
  bool any = false;
  ForEachInstance(m, [&](const mjpPlugin& plugin, int) { any |= SensesAt(plugin, stage); });
  return any;
}

void ComputePlugins(const mjModel* m, mjData* d, mjtPluginCapabilityBit capability) {
  ForEachInstance(m, [&](const mjpPlugin& plugin, int instance) {
    if ((plugin.capabilityflags & capability) && plugin.compute) plugin.compute(m, d, instance, capability);
  });
}

void SensePlugins(const mjModel* m, mjData* d, int stage) {
  ForEachInstance(m, [&](const mjpPlugin& plugin, int instance) {
    if (SensesAt(plugin, stage)) plugin.compute(m, d, instance, mjPLUGIN_SENSOR);
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

}  // namespace sinew::inline plugin
