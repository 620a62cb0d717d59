#include "doctor.h"

#include <mujoco/mujoco.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "python_package.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Options {
  std::string python = "python3";
  bool json = false;
};

// Instruction sets that the engine has code for and the processor runs.
std::vector<std::string> InstructionSets() {
  std::vector<std::string> sets;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse2")) sets.emplace_back("sse2");
  if (__builtin_cpu_supports("avx2")) sets.emplace_back("avx2");
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) sets.emplace_back("avx512");
#endif
  return sets;
}

// What Python programs get, and what may surprise them.
Json DescribePython(const std::string& python, std::vector<std::string>* warnings) {
  try {
    const PythonPackage package = FindPythonPackage(python);
    const bool is_ours = fs::exists(package.library) && fs::equivalent(package.library, OwnLibrary());
    if (package.version != mj_versionString()) {
      warnings->push_back("the Python package is mujoco " + package.version + "; programs for " + mj_versionString() +
                          " need: " + python + " -m pip install mujoco==" + mj_versionString());
    } else if (!is_ours) {
      warnings->push_back("Python programs run on " + package.library.string() +
                          "; to run them on this library: sinew python-shadow FOLDER");
    }
    return {{"package", package.folder.string()},
            {"version", package.version},
            {"library", package.library.string()},
            {"runs on this library", is_ours}};
  } catch (const std::exception& e) {
    warnings->push_back(e.what());
    return nullptr;
  }
}

void PrintTable(const Json& facts, const std::string& prefix) {
  for (const auto& [name, value] : facts.items()) {
    if (value.is_object()) {
      PrintTable(value, name + ": ");
    } else {
      std::printf("%-30s %s\n", (prefix + name).c_str(),
                  value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
    }
  }
}

void Run(const Options& options) {
  std::vector<std::string> warnings;
  Json facts = {{"library", OwnLibrary().string()},
                {"interface", mj_versionString()},
                {"instruction sets", InstructionSets()},
                {"threads of the processor", std::thread::hardware_concurrency()},
                {"python", DescribePython(options.python, &warnings)}};
  if (options.json) {
    facts["warnings"] = warnings;
    std::printf("%s\n", facts.dump(2).c_str());
    return;
  }
  PrintTable(facts, "");
  for (const std::string& warning : warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
}

}  // namespace

void AddDoctor(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("doctor", "Tell which library, processor features and Python package are in use");
  command->add_option("--python", options->python, "Interpreter that is asked")->capture_default_str();
  command->add_flag("--json", options->json, "Print as JSON");
  command->callback([options] { Run(*options); });
}

}  // namespace sinew
