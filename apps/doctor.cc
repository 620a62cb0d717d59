#include "doctor.h"

#include <mujoco/mujoco.h>
#include <sinew/extensions.h>
#include <sinew/sinew.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "gl_probe.h"
#include "load.h"
#include "python_package.h"
#include "web_page.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct DoctorOptions {
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

// The way to a shadow package on a library that the package's modules can use.
std::string ShadowAdvice() {
  constexpr char kPackages[] = "libc++";
  if (std::string(sinew_cxxLibrary()) == kPackages) return "sinew python-shadow FOLDER";
  return std::string("this one is built with ") + sinew_cxxLibrary() + ", the package with " + kPackages +
         ": cmake --preset wheel && cmake --build --preset wheel, then sinew python-shadow FOLDER --lib " +
         "build/wheel/lib/libmujoco.so." + mj_versionString();
}

// What Python programs get, and what may surprise them. A library of ours counts as such wherever it lies.
Json DescribePython(const std::string& python, std::vector<std::string>* warnings) {
  try {
    const PythonPackage package = FindPythonPackage(python);
    const bool exists = fs::exists(package.library);
    const std::string cxx = exists ? CxxLibraryOf(package.library) : "";
    const bool is_sinew = !cxx.empty();
    if (package.version != mj_versionString()) {
      warnings->push_back("the Python package is mujoco " + package.version + "; programs for " + mj_versionString() +
                          " need: " + python + " -m pip install mujoco==" + mj_versionString());
    } else if (!is_sinew) {
      warnings->push_back("Python programs run on " + package.library.string() +
                          ", which is not Sinew; to run them on Sinew: " + ShadowAdvice());
    } else if (cxx != "libc++") {
      warnings->push_back("Python programs run on Sinew built with " + cxx +
                          "; those that edit models by MjSpec need libc++: " + ShadowAdvice());
    }
    return {{"package", package.folder.string()},
            {"version", package.version},
            {"library", package.library.string()},
            {"library is Sinew", is_sinew},
            {"C++ library", is_sinew ? Json(cxx) : Json()},
            {"runs on this library", exists && fs::equivalent(package.library, OwnLibrary())}};
  } catch (const std::exception& e) {
    warnings->push_back(e.what());
    return nullptr;
  }
}

// Draws a small picture; tells what is in the way.
std::string DrawsOnProcessor() {
  try {
    Spec spec = Spec::FromXmlText("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>");
    const Model model = spec.Compile();
    Data data(model);
    data.Forward();
    Renderer renderer(model, {.width = 16, .height = 16});
    const Picture picture = renderer.Render(data);
    const bool lit = std::any_of(picture.rgb.begin(), picture.rgb.end(), [](uint8_t byte) { return byte > 0; });
    return lit ? "works" : "draws black pictures; please report it";
  } catch (const std::exception& e) {
    return e.what();
  }
}

std::string DescribeWebPage() {
  try {
    return "works: " + FindPageTemplate().string();
  } catch (const std::exception& e) {
    return e.what();
  }
}

Json DescribePictures() {
  const char* chosen = std::getenv("SINEW_RENDER");
  Json facts = {{"renderer cpu", DrawsOnProcessor()}};
  for (const auto& [way, result] : ProbeOpenGl()) facts["renderer gl, by " + way] = result;
  facts.update(Json{{"SINEW_RENDER", chosen ? chosen : "auto"},
                    {"page for browsers", DescribeWebPage()},
#ifdef SINEW_WINDOW
                    {"viewer", "built in; it needs a display and OpenGL 3.3"},
#else
                    {"viewer", "install libglfw3-dev and libimgui-dev, and build again"},
#endif
#ifdef SINEW_VIDEO
                    {"video", "works"}});
#else
                    {"video", "install libavcodec-dev, libavformat-dev and libswscale-dev, and build again"}});
#endif
  return facts;
}

void PrintDoctorTable(const Json& facts, const std::string& prefix) {
  for (const auto& [name, value] : facts.items()) {
    if (value.is_object()) {
      PrintDoctorTable(value, name + ": ");
    } else {
      std::printf("%-30s %s\n", (prefix + name).c_str(),
                  value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
    }
  }
}

void RunDoctor(const DoctorOptions& options) {
  std::vector<std::string> warnings;
  Json facts = {
      {"library", OwnLibrary().string()},      {"version", sinew_versionString()},
      {"interface", mj_versionString()},       {"C++ library", sinew_cxxLibrary()},
      {"instruction sets", InstructionSets()}, {"threads of the processor", std::thread::hardware_concurrency()},
      {"pictures", DescribePictures()},        {"python", DescribePython(options.python, &warnings)}};
  if (options.json) {
    facts["warnings"] = warnings;
    std::printf("%s\n", facts.dump(2).c_str());
    return;
  }
  PrintDoctorTable(facts, "");
  PrintWarnings(warnings);
}

}  // namespace

void AddDoctor(CLI::App& app) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* command =
      app.add_subcommand("doctor", "Tell which library, processor features and Python package are in use");
  command->add_option("--python", options->python, "Interpreter that is asked")->capture_default_str();
  command->add_flag("--json", options->json, "Print as JSON");
  command->callback([options] { RunDoctor(*options); });
}

}  // namespace sinew
