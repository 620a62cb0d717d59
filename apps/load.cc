#include "load.h"

#include <sinew/extensions.h>
#include <sinew/sinew.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <sstream>

namespace sinew {
namespace {

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string Join(const std::vector<std::string>& folders) {
  std::string list;
  for (const std::string& folder : folders) list += (list.empty() ? "" : ":") + folder;
  return list;
}

// What a load may cost; the library has the defaults.
void AddLimits(CLI::App& command) {
  struct Limits {
    double gigabytes = 0, seconds = 0;
  };
  const auto limits = std::make_shared<Limits>();
  const auto add = [&](const char* name, double Limits::*limit, const char* meaning) {
    command
        .add_option_function<double>(
            name,
            [limits, limit](double value) {
              (*limits).*limit = value;
              sinew_setLoadLimits(1e9 * limits->gigabytes, limits->seconds);
            },
            meaning)
        ->group("Limits of loading");
  };
  add("--memory-limit", &Limits::gigabytes, "GB for the model with a world [half of what the machine has]; -1: none");
  add("--time-limit", &Limits::seconds, "Seconds for reading and compiling [600]; -1: none");
}

}  // namespace

void AddRobotOptions(CLI::App& command, RobotOptions* options) {
  const std::string group = "Robots (URDF)";
  const auto flag = [&](const char* names, bool* value, const char* meaning) {
    command.add_flag(names, *value, std::string(meaning) + (*value ? " [on]" : " [off]"))->group(group);
  };
  flag("--mimic,!--no-mimic", &options->mimic, "Couple joints that mimic others by equalities");
  flag("--visuals,!--no-visuals", &options->visuals, "Keep shapes that are only seen");
  flag("--actuators,!--no-actuators", &options->actuators, "Make motors of transmissions");
  flag("--floating-base,!--fixed-base", &options->floatingbase, "Let links without a parent joint move freely");
  flag("--mesh-paths,!--no-mesh-paths", &options->meshpaths, "Tell meshes apart by path and scale");
  flag("--balance-inertia,!--no-balance-inertia", &options->balanceinertia, "Mend inertias that no body can have");
  command.add_option("--package", options->packages, "Folder of packages for package:// addresses; may repeat")
      ->group(group);
  AddLimits(command);
}

Loaded Load(const std::string& path, const RobotOptions& options) {
  Loaded loaded;
  if (path.ends_with(".mjb")) {
    loaded.model.reset(mj_loadModel(path.c_str(), nullptr));
    if (!loaded.model) throw ModelError(path + " is not a compiled model of this version");
    return loaded;
  }
  char error[4000] = "";
  const std::string packages = Join(options.packages);
  const sinewUrdfOptions urdf = {options.mimic,        options.visuals,   options.actuators,
                                 options.floatingbase, options.meshpaths, packages.c_str()};
  loaded.spec.reset(sinew_parseUrdf(path.c_str(), &urdf, nullptr, error, sizeof(error)));
  if (!loaded.spec) throw ModelError(error);
  if (options.balanceinertia) loaded.spec->compiler.balanceinertia = 1;
  loaded.model.reset(mj_compile(loaded.spec.get(), nullptr));
  if (!loaded.model) throw ModelError(mjs_getError(loaded.spec.get()));
  if (mjs_isWarning(loaded.spec.get())) loaded.warnings = Lines(mjs_getError(loaded.spec.get()));
  return loaded;
}

void PrintWarnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
}

}  // namespace sinew
