#include "new_model.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "output_file.h"

namespace sinew {
namespace {

constexpr char kStarter[] =
    R"xml(<!-- A model to start from: an arm with two joints above the ground. Lengths are in metres, masses in kilograms, times
     in seconds. Try it:  sinew simulate THIS_FILE --control 0.5   and   sinew info THIS_FILE -->
<mujoco model="starter">
  <!-- Angles in this file are radians; without this line they would be degrees. -->
  <compiler angle="radian"/>
  <option timestep="0.002" integrator="implicitfast"/>

  <!-- What elements have unless they say otherwise. -->
  <default>
    <joint damping="0.1" armature="0.01"/>
    <geom density="1000" rgba="0.7 0.5 0.3 1"/>
    <motor ctrlrange="-1 1"/>
  </default>

  <worldbody>
    <light pos="0 0 4"/>
    <geom name="ground" type="plane" size="5 5 0.1" rgba="0.9 0.9 0.9 1"/>

    <!-- A body moves in its parent by its joints; its geoms give it mass, and collide. -->
    <body name="upper_arm" pos="0 0 1.5">
      <joint name="shoulder" axis="0 1 0" range="-1.5 1.5"/>
      <geom name="upper_arm" type="capsule" fromto="0 0 0 0.4 0 0" size="0.04"/>
      <body name="forearm" pos="0.4 0 0">
        <joint name="elbow" axis="0 1 0" range="0 2.5"/>
        <geom name="forearm" type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/>
        <!-- A site is a place without mass: sensors and tendons use it. -->
        <site name="hand" pos="0.4 0 0"/>
      </body>
    </body>
  </worldbody>

  <!-- Neighbours overlap at the elbow; they need not collide. -->
  <contact>
    <exclude body1="upper_arm" body2="forearm"/>
  </contact>

  <!-- A motor's torque is its control times its gear. -->
  <actuator>
    <motor name="shoulder" joint="shoulder" gear="20"/>
    <motor name="elbow" joint="elbow" gear="10"/>
  </actuator>

  <sensor>
    <jointpos name="elbow_angle" joint="elbow"/>
    <framepos name="hand_position" objtype="site" objname="hand"/>
  </sensor>

  <!-- A state to start from: one number a joint. -->
  <keyframe>
    <key name="bent" qpos="0.5 1"/>
  </keyframe>
</mujoco>
)xml";

void RunNewModel(const std::string& path) {
  if (std::filesystem::exists(path))
    throw std::runtime_error("there is a file '" + path + "' already; choose another name");
  if (std::filesystem::path(path).extension() != ".xml") {
    throw std::runtime_error("cannot write '" + path + "'; the name of a model must end in .xml");
  }
  WriteToFile(path, kStarter);
  std::printf("wrote %s\nsimulate it:  sinew simulate %s --control 0.5\nlook into it: sinew info %s\n", path.c_str(),
              path.c_str(), path.c_str());
}

}  // namespace

void AddNew(CLI::App& app) {
  auto path = std::make_shared<std::string>("model.xml");
  CLI::App* command = app.add_subcommand("new", "Write a commented model to start from");
  command->add_option("file", *path, "File to write (.xml)")->capture_default_str();
  command->callback([path] { RunNewModel(*path); });
}

}  // namespace sinew
