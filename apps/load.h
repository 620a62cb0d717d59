// Models from files, for all commands: MJCF, URDF and MJB by extension and content; what the readers warn of goes to
// the standard error stream.
#ifndef SINEW_APPS_LOAD_H_
#define SINEW_APPS_LOAD_H_

#include <mujoco/mujoco.h>

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

// What a command does with a robot beyond the common core of URDF (docs/urdf.md).
struct RobotOptions {
  bool mimic = false, visuals = false, actuators = false, floatingbase = false, meshpaths = false;
  bool balanceinertia = false;  // inertias that no body can have are mended
  std::vector<std::string> packages;
};

// Adds the options to a command; their defaults are what `options` holds.
void AddRobotOptions(CLI::App& command, RobotOptions* options);

struct DeleteSpec {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
};
struct DeleteModel {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
};

// A model, and the specification it was compiled from; null for compiled files.
struct Loaded {
  std::unique_ptr<mjSpec, DeleteSpec> spec;
  std::unique_ptr<mjModel, DeleteModel> model;
  std::vector<std::string> warnings;
};

// Throws ModelError with file, line, element and remedy.
Loaded Load(const std::string& path, const RobotOptions& options);

// Prints warnings, one a line.
void PrintWarnings(const std::vector<std::string>& warnings);

}  // namespace sinew

#endif  // SINEW_APPS_LOAD_H_
