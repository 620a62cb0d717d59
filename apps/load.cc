#include "load.h"

#include <sinew/text.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include "archive.h"
#include "meshes.h"
#include "terminal.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// The model of an archive: its only .xml, .urdf, .osim or .hfd at the shortest path, or one that is named as the
// archive or "scene".
std::string FindModel(const Archive& archive, const std::string& path) {
  std::vector<std::string> candidates;
  for (const auto& [name, bytes] : archive) {
    const std::string extension = fs::path(name).extension().string();
    if (extension == ".xml" || extension == ".urdf" || extension == ".osim" || extension == ".hfd")
      candidates.push_back(name);
  }
  if (candidates.empty()) throw ModelError(path + ": the archive has no .xml, .urdf, .osim or .hfd file");
  const auto depth = [](const std::string& name) { return std::count(name.begin(), name.end(), '/'); };
  const auto top = depth(*std::min_element(candidates.begin(), candidates.end(),
                                           [&](const auto& a, const auto& b) { return depth(a) < depth(b); }));
  std::erase_if(candidates, [&](const std::string& name) { return depth(name) != top; });
  if (candidates.size() == 1) return candidates[0];
  std::string list;
  for (const std::string& stem : {fs::path(path).stem().string(), std::string("scene"), std::string("model")}) {
    for (const std::string& name : candidates) {
      if (fs::path(name).stem() == stem) return name;
    }
  }
  for (const std::string& name : candidates) list += (list.empty() ? "" : ", ") + name;
  throw ModelError(path + ": the archive has several models (" + list + "); call the one that is meant scene.xml");
}

// Smallest mass and moment of inertia that a mended body gets: nothing beside a hand, much beside rounding.
constexpr double kLeastMass = 1e-6, kLeastInertia = 1e-9;

// Matrices of inertia become their principal moments, of which none is below the least.
void MendInertias(mjSpec* spec) {
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_BODY); e; e = mjs_nextElement(spec, e)) {
    mjsBody* body = mjs_asBody(e);
    const double* full = body->fullinertia;  // xx, yy, zz, xy, xz, yz
    if (!std::isfinite(full[0])) continue;
    const double matrix[9] = {full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]};
    double moments[3], axes[9], quat[4];
    mju_eig3(moments, axes, quat, matrix);
    if (*std::min_element(moments, moments + 3) > kLeastInertia) continue;
    std::transform(moments, moments + 3, body->inertia, [](double x) { return std::max(x, kLeastInertia); });
    std::copy_n(quat, 4, body->iquat);
    std::fill_n(body->fullinertia, 6, std::numeric_limits<double>::quiet_NaN());
  }
  spec->compiler.balanceinertia = 1;
  spec->compiler.boundmass = kLeastMass;
  spec->compiler.boundinertia = kLeastInertia;
}

Model CompileAndMend(mjSpec* spec, const Files* files, const RobotOptions& options,
                     std::vector<std::string>* warnings) {
  spec->compiler.balanceinertia |= options.balanceinertia;
  try {
    return Model::Compile(spec, files);
  } catch (const ModelError& error) {
    if (!options.mend || !std::strstr(error.what(), "inertia")) throw;
    warnings->push_back(std::string("inertias that no body can have are mended: ") + error.what());
  }
  MendInertias(spec);
  return Model::Compile(spec, files);
}

struct Limits {
  double gigabytes = 0, seconds = 0;
};

// What an archive may unpack to [bytes]: a small file that claims to hold more is hostile or broken.
double most_unpacked = 4e9;

// What a load may cost; the library has the defaults.
void AddLimits(CLI::App& command) {
  const auto limits = std::make_shared<Limits>();
  const auto add = [&](const char* name, double Limits::*limit, const char* meaning) {
    command
        .add_option_function<double>(
            name,
            [limits, limit, name](double value) {
              if (std::isnan(value)) throw CLI::ValidationError(name, "'nan' is no limit");
              (*limits).*limit = value;
              if (limits->gigabytes > 0) most_unpacked = 1e9 * limits->gigabytes;
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
  flag("--balance-inertia,!--no-balance-inertia", &options->balanceinertia, "Mend inertias that no body can have");
  flag("--mend,!--no-mend", &options->mend, "Leave out pictures that cannot be read, mend inertias, with a warning");
  command.add_option("--package", options->packages, "Folder of packages for package:// addresses; may repeat")
      ->group(group);
  AddLimits(command);
}

namespace {

// Files are read in several threads.
std::mutex collected_mutex;
std::vector<std::string> collected;

void Collect(const char* text) {
  const std::lock_guard lock(collected_mutex);
  collected.emplace_back(text);
}

}  // namespace

WarningCollector::WarningCollector() : before_(std::exchange(mju_user_warning, Collect)) { collected.clear(); }
WarningCollector::~WarningCollector() { mju_user_warning = before_; }

std::vector<std::string> WarningCollector::With(std::vector<std::string> warnings) const {
  for (const std::string& text : collected) {
    if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(text);
  }
  return warnings;
}

Loaded Load(const std::string& path, const RobotOptions& options) {
  const WarningCollector collector;
  if (path.ends_with(".mjb")) {
    Model model = Model::FromBinary(path);
    return {std::nullopt, nullptr, std::move(model), collector.With({})};
  }
  std::optional<Files> files;
  std::string model_path = path;
  if (path.ends_with(".zip")) {
    const Archive archive = ReadZip(path, most_unpacked);
    model_path = FindModel(archive, path);
    files.emplace();
    for (const auto& [name, bytes] : archive) files->Add(name, bytes);
  }
  const Files* in_memory = files ? &*files : nullptr;
  const UrdfOptions robot = {.mimic = options.mimic,
                             .visuals = options.visuals,
                             .actuators = options.actuators,
                             .floatingbase = options.floatingbase,
                             .packages = options.packages};
  detail::SpecPointer spec = detail::Parse(model_path, {.files = in_memory, .robot = robot});
  std::vector<std::string> warnings;
  ReadForeignMeshes(spec.get(), in_memory ? static_cast<const mjVFS*>(*in_memory) : nullptr, options.mend, &warnings);
  Model model = CompileAndMend(spec.get(), in_memory, options, &warnings);
  warnings.insert(warnings.begin(), model.warnings().begin(), model.warnings().end());
  return {std::move(files), std::move(spec), std::move(model), collector.With(std::move(warnings))};
}

// Lines after the first are indented: a name with a line of its own does not look like output of the program.
void PrintWarnings(const std::vector<std::string>& warnings) {
  const std::string label = Paint("warning:", Color::kYellow, stderr);
  for (const std::string& warning : warnings) {
    std::string text = Printable(warning);
    for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1))
      text.insert(end + 1, "  ");
    std::fprintf(stderr, "%s %s\n", label.c_str(), text.c_str());
  }
}

}  // namespace sinew
