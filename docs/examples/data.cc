// Elements by name, and snapshots: a swing is pushed, and goes on from a snapshot in another world.
#include <sinew/sinew.h>

#include <cstdio>

int main() try {
  const sinew::Model model = sinew::Model::FromXmlText(R"(
    <mujoco>
      <worldbody>
        <body name="swing" pos="0 0 2">
          <joint name="pivot" axis="0 1 0" damping=".1"/>
          <geom type="capsule" fromto="0 0 0 0 0 -1" size=".05"/>
          <site name="seat" pos="0 0 -1"/>
        </body>
      </worldbody>
      <actuator><motor name="push" joint="pivot" ctrlrange="-5 5"/></actuator>
      <sensor><gyro name="gyro" site="seat"/></sensor>
    </mujoco>)");

  sinew::Data data(model);
  data.joint("pivot").qpos()[0] = 0.3;
  data.actuator("push").ctrl() = 2;
  while (data.time() < 1) data.Step();
  const auto seat = data.site("seat").xpos();
  std::printf("seat at %.3f %.3f m, turns at %.3f rad/s\n", seat[0], seat[2], data.sensor("gyro").data()[1]);

  sinew::Data other(model);
  other.Restore(data.Snapshot());
  data.Step();
  other.Step();
  std::printf("the same: %s\n", data.qpos()[0] == other.qpos()[0] ? "yes" : "no");
  return data.qpos()[0] == other.qpos()[0] ? 0 : 1;
} catch (const std::exception& error) {  // ModelError, NameError, EngineError
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
