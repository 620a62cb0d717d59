#include "python_package.h"

#include <dlfcn.h>
#include <mujoco/mujoco.h>

#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace sinew {
namespace {

// Prints what an import gives as JSON; errors go to the same stream.
constexpr char kQuestion[] =
    "import json\n"
    "try:\n"
    "    import importlib.metadata, mujoco\n"
    "    maps = [line.split()[-1] for line in open('/proc/self/maps') if 'libmujoco.so' in line]\n"
    "    print(json.dumps(dict(version=importlib.metadata.version('mujoco'), file=mujoco.__file__,\n"
    "                          library=maps[0] if maps else '')))\n"
    "except Exception as error:\n"
    "    print(json.dumps(dict(error=f'{type(error).__name__}: {error}')))\n";

// A word of a shell's command line.
std::string Quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string OutputOf(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  std::array<char, 4096> block;
  while (pipe && !feof(pipe.get())) output.append(block.data(), fread(block.data(), 1, block.size(), pipe.get()));
  return output;
}

}  // namespace

PythonPackage FindPythonPackage(const std::string& python, const std::filesystem::path& folder) {
  const std::string path = folder.empty() ? "" : "PYTHONPATH=" + Quoted(folder.string()) + " ";
  const std::string output = OutputOf(path + Quoted(python) + " -c " + Quoted(kQuestion) + " 2>/dev/null");
  const auto answer = nlohmann::json::parse(output, nullptr, /*allow_exceptions=*/false);
  if (answer.is_discarded()) {
    throw std::runtime_error("the interpreter '" + python + "' does not run; name another one with --python");
  }
  if (answer.contains("error")) {
    throw std::runtime_error("'" + python + "' cannot import mujoco: " + answer["error"].get<std::string>() +
                             "; install it with: " + python + " -m pip install mujoco==" + mj_versionString());
  }
  const std::filesystem::path file = answer["file"].get<std::string>();
  return {answer["version"], file.parent_path(), answer["library"].get<std::string>()};
}

// In a namespace of its own: while it is loaded, the reference's library calls functions by names that this program's
// library has as well, and registers with that what is registered there already.
std::string CxxLibraryOf(const std::filesystem::path& library) {
  void* const handle = dlmopen(LM_ID_NEWLM, library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!handle) throw std::runtime_error(library.string() + " is no library: " + dlerror());
  const auto ask = reinterpret_cast<const char* (*)()>(dlsym(handle, "sinew_cxxLibrary"));
  std::string answer = ask ? ask() : "";
  dlclose(handle);
  return answer;
}

std::filesystem::path OwnLibrary() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&mj_versionString), &info) || !info.dli_fname) {
    throw std::runtime_error("the library of this program cannot be found; name it with --lib");
  }
  return std::filesystem::canonical(info.dli_fname);
}

}  // namespace sinew
