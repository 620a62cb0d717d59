// Where the pipeline calls plugins: every instance, in order of id, whose plugin has the capability.
#ifndef SINEW_PLUGIN_HOOKS_H_
#define SINEW_PLUGIN_HOOKS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline plugin {

// compute() of passive and actuator plugins.
void ComputePlugins(const mjModel* m, mjData* d, mjtPluginCapabilityBit capability);

// compute() of sensor plugins that belong to a stage (mjtStage), whether or not the model has a sensor of theirs; those
// that need no stage belong to that of positions. And whether there are any.
bool AnySensesAt(const mjModel* m, int stage);
void SensePlugins(const mjModel* m, mjData* d, int stage);

// actuator_act_dot(): changes act_dot of the plugin's actuators, before their compute().
void PluginActDot(const mjModel* m, mjData* d);

// advance(): at the end of a step, when state and time are already those of the next one.
void AdvancePlugins(const mjModel* m, mjData* d);

// visualize(): geoms that plugins add to a scene.
void VisualizePlugins(const mjModel* m, mjData* d, const mjvOption* option, mjvScene* scene);

}  // namespace sinew::inline plugin

#endif  // SINEW_PLUGIN_HOOKS_H_
