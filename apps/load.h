// Models from files, for all commands: MJCF, URDF, MJB, and archives (.zip) of a model with its assets.
#ifndef SINEW_APPS_LOAD_H_
#define SINEW_APPS_LOAD_H_

#include <mujoco/mujoco.h>
#include <sinew/sinew.h>

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// What a command does with a robot beyond the common core of URDF (docs/models/urdf.md).
struct RobotOptions {
  bool mimic = false, visuals = false, actuators = false, floatingbase = false;
  bool balanceinertia = false;  // inertias that no body can have are mended
  bool mend = false;            // what cannot be loaded is left out or mended where that is possible, with a warning
  std::vector<std::string> packages;
};

// Adds the options to a command; their defaults are what `options` holds.
void AddRobotOptions(CLI::App& command, RobotOptions* options);

// A model, and the specification it was compiled from; null for compiled files. Files: of an archive.
struct Loaded {
  std::optional<Files> files;
  detail::SpecPointer spec;
  Model model;
  std::vector<std::string> warnings;
};

// Throws ModelError with file, line, element and remedy.
Loaded Load(const std::string& path, const RobotOptions& options);

// Takes the warnings of the library while it lives, instead of printing them. There is one at a time.
class WarningCollector {
 public:
  WarningCollector();
  ~WarningCollector();
  WarningCollector(const WarningCollector&) = delete;

  // What was collected, each text once, behind those that are given.
  std::vector<std::string> With(std::vector<std::string> warnings) const;

 private:
  void (*before_)(const char*);
};

// Prints warnings, one a line.
void PrintWarnings(const std::vector<std::string>& warnings);

}  // namespace sinew

#endif  // SINEW_APPS_LOAD_H_
