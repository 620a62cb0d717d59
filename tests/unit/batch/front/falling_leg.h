// A leg in many worlds, for tests of batches: the same model, controls and states that worlds alone are compared with.
#ifndef SINEW_TESTS_UNIT_BATCH_FRONT_FALLING_LEG_H_
#define SINEW_TESTS_UNIT_BATCH_FRONT_FALLING_LEG_H_

#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "batch/front/worlds.h"
#include "core/error.h"

namespace sinew {

// Compiles MJCF text, to the engine's own pointer (tests/testing/model.h is for tests that see the public interface
// alone).
inline ModelPtr ModelFrom(const std::string& xml) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "test.xml", xml.data(), static_cast<int>(xml.size()));
  char error[1000] = "";
  ModelPtr m(mj_loadXML("test.xml", &vfs, error, sizeof(error)));
  mj_deleteVFS(&vfs);
  if (!m) throw std::runtime_error(error);
  return m;
}

// A leg that falls on the floor: contacts, a limit, a motor, a sensor, keyframes.
inline constexpr char kLeg[] = R"(
<mujoco>
  <size memory="100K"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="trunk" pos="0 0 .6"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/>
      <body name="shin" pos="0 0 -.1">
        <joint name="knee" axis="0 1 0" range="-60 60" damping=".1"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".04"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="drive" joint="knee" gear="5" ctrlrange="-1 1" ctrllimited="true"/></actuator>
  <sensor><jointpos joint="knee"/><accelerometer site="s"/></sensor>
  <keyframe><key name="high" qpos="0 0 2 1 0 0 0 .3"/></keyframe>
</mujoco>)";

inline ModelPtr Leg() {
  std::string text = kLeg;
  const std::string geom = "<geom name=\"box\"";
  text.insert(text.find(geom), "<site name=\"s\"/>");
  return ModelFrom(text);
}

// Controls that differ in each world and step.
inline double ControlOf(int world, int step) { return std::sin(0.37 * world + 0.11 * step); }

inline std::vector<double> Alone(const mjModel* m, int world, int steps) {
  const DataPtr d(mj_makeData(m));
  for (int step = 0; step < steps; ++step) {
    d->ctrl[0] = ControlOf(world, step);
    mj_step(m, d.get());
  }
  std::vector<double> state(static_cast<size_t>(mj_stateSize(m, mjSTATE_INTEGRATION)));
  mj_getState(m, d.get(), state.data(), mjSTATE_INTEGRATION);
  return state;
}

inline void SetControls(Worlds& worlds, int step) {
  const StateRows ctrl = worlds.State(6);
  for (int i = 0; i < worlds.count(); ++i) *ctrl.of(i) = ControlOf(i, step);
}

inline std::vector<double> StateOf(Worlds& worlds, int world) {
  std::vector<double> state;
  for (int i = 0; i < mjNSTATE; ++i) {
    const StateRows part = worlds.State(i);
    state.insert(state.end(), part.of(world), part.of(world) + part.size);
  }
  return state;
}

inline std::string MessageOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_BATCH_FRONT_FALLING_LEG_H_
