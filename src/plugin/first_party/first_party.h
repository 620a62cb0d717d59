// Plugins that this library brings along. Models and programs find them by name; a library that registers a plugin of
// the same name first is taken instead (plugin/registry.h, docs/how/plugins.md).
//
// They are written against the C interface, as plugins of others are: in a callback, an error is mju_error or a
// negative result, and nothing is thrown.
#ifndef SINEW_PLUGIN_FIRST_PARTY_FIRST_PARTY_H_
#define SINEW_PLUGIN_FIRST_PARTY_FIRST_PARTY_H_

#include <mujoco/mujoco.h>

namespace sinew::inline plugin {

mjpPlugin PidPlugin();        // mujoco.pid
mjpPlugin CablePlugin();      // mujoco.elasticity.cable
mjpPlugin TouchGridPlugin();  // mujoco.sensor.touch_grid
mjpPlugin TorusPlugin();      // mujoco.sdf.torus
mjpPlugin BowlPlugin();       // mujoco.sdf.bowl
mjpPlugin BoltPlugin();       // mujoco.sdf.bolt
mjpPlugin NutPlugin();        // mujoco.sdf.nut
mjpPlugin GearPlugin();       // mujoco.sdf.gear

}  // namespace sinew::inline plugin

#endif  // SINEW_PLUGIN_FIRST_PARTY_FIRST_PARTY_H_
