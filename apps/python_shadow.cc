// The shadow is a folder with a package `mujoco` that consists of links to the files of the installed one, but for
// libmujoco.so, which links to ours. The extension modules look for it beside themselves, by the path of the link.
#include "python_shadow.h"

#include <mujoco/mujoco.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "python_package.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct PythonShadowOptions {
  fs::path folder;
  std::string python = "python3";
  fs::path library;
  bool any_library = false;
  bool json = false;
};

bool IsLibrary(const fs::path& file) { return file.filename().string().starts_with("libmujoco.so"); }

// The package's modules were built with libc++, and put its strings into specifications.
void CheckCxxLibrary(const fs::path& library) {
  constexpr char kPackages[] = "libc++";
  const std::string found = CxxLibraryOf(library);
  if (found == kPackages) return;
  throw std::runtime_error(library.string() + " is built with " + (found.empty() ? "an unknown C++ library" : found) +
                           ", the package with " + kPackages +
                           ": programs that edit models by MjSpec would crash; build one with " +
                           "`cmake --preset wheel && cmake --build --preset wheel` and name it with " +
                           "`--lib build/wheel/lib/libmujoco.so." + mj_versionString() + "`, or say --any-library");
}

// A folder that is no shadow is somebody's work.
void RemoveOldShadow(const fs::path& package) {
  if (!fs::exists(fs::symlink_status(package))) return;
  for (const auto& entry : fs::recursive_directory_iterator(package)) {
    const bool is_cache = entry.path().extension() == ".pyc";
    if (!entry.is_symlink() && !entry.is_directory() && !is_cache) {
      throw std::runtime_error(entry.path().string() + " is no link of a shadow; choose another folder");
    }
  }
  fs::remove_all(package);
}

// Real folders, so that Python finds modules beside each other; links for all files.
void Mirror(const fs::path& installed, const fs::path& library, const fs::path& package) {
  fs::create_directories(package);
  for (const auto& entry : fs::recursive_directory_iterator(installed)) {
    const fs::path copy = package / fs::relative(entry.path(), installed);
    if (entry.path().string().find("__pycache__") != std::string::npos) continue;
    if (entry.is_directory()) {
      fs::create_directories(copy);
    } else {
      fs::create_symlink(IsLibrary(entry.path()) ? library : fs::canonical(entry.path()), copy);
    }
  }
}

void RunPythonShadow(const PythonShadowOptions& options) {
  const PythonPackage installed = FindPythonPackage(options.python);
  if (installed.version != mj_versionString()) {
    throw std::runtime_error("the installed package is mujoco " + installed.version +
                             ", and this library has the interface of " + mj_versionString() + "; install that with: " +
                             options.python + " -m pip install mujoco==" + mj_versionString());
  }
  const fs::path library = options.library.empty() ? OwnLibrary() : fs::canonical(options.library);
  if (!options.any_library) CheckCxxLibrary(library);
  const fs::path folder = fs::absolute(options.folder), package = folder / "mujoco";
  if (fs::exists(package) && fs::equivalent(package, installed.folder)) {
    throw std::runtime_error(folder.string() + " is where the package is installed; choose another folder");
  }
  RemoveOldShadow(package);
  Mirror(installed.folder, library, package);

  // does an import map our library?
  const PythonPackage shadow = FindPythonPackage(options.python, folder);
  if (!fs::exists(shadow.library) || !fs::equivalent(shadow.library, library)) {
    throw std::runtime_error("Python still maps " + shadow.library.string() +
                             "; unset PYTHONSAFEPATH and look at PYTHONPATH");
  }
  if (options.json) {
    const nlohmann::ordered_json report = {{"shadow", package.string()}, {"library", library.string()}};
    std::printf("%s\n", report.dump(2).c_str());
  } else {
    std::printf("%s is mujoco %s on %s\nrun programs with: PYTHONPATH=%s %s ...\n", package.c_str(),
                installed.version.c_str(), library.c_str(), folder.c_str(), options.python.c_str());
  }
}

}  // namespace

void AddPythonShadow(CLI::App& app) {
  auto options = std::make_shared<PythonShadowOptions>();
  CLI::App* command = app.add_subcommand("python-shadow", "Make a Python package `mujoco` that runs on this library");
  command->add_option("folder", options->folder, "Where to make it; goes into PYTHONPATH")->required();
  command->add_option("--python", options->python, "Interpreter whose package is mirrored")->capture_default_str();
  command->add_option("--lib", options->library, "Library to use instead of this program's")->check(CLI::ExistingFile);
  command->add_flag("--any-library", options->any_library, "Accept one that cannot serve MjSpec");
  command->add_flag("--json", options->json, "Print as JSON");
  command->callback([options] { RunPythonShadow(*options); });
}

}  // namespace sinew
