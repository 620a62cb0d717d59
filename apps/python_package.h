// The Python package `mujoco` of the release whose interface this is: where it is installed, and what it loads.
#ifndef SINEW_APPS_PYTHON_PACKAGE_H_
#define SINEW_APPS_PYTHON_PACKAGE_H_

#include <filesystem>
#include <string>

namespace sinew {

// What a Python imports as `mujoco`.
struct PythonPackage {
  std::string version;            // of the package
  std::filesystem::path folder;   // that it is in
  std::filesystem::path library;  // the libmujoco.so that an import maps
};

// Asks the interpreter `python` (a name or a path), with `folder` in front of where it looks unless that is empty.
// Throws std::runtime_error with its message when it cannot import the package.
PythonPackage FindPythonPackage(const std::string& python, const std::filesystem::path& folder = {});

// The C++ library of a library of ours (sinew_cxxLibrary); empty when it does not say.
std::string CxxLibraryOf(const std::filesystem::path& library);

// The shared library that this program runs on.
std::filesystem::path OwnLibrary();

}  // namespace sinew

#endif  // SINEW_APPS_PYTHON_PACKAGE_H_
