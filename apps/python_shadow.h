// `sinew python-shadow DIR`: the installed Python package on this library, without a change to it.
#ifndef SINEW_APPS_PYTHON_SHADOW_H_
#define SINEW_APPS_PYTHON_SHADOW_H_

#include <CLI/App.hpp>

namespace sinew {

void AddPythonShadow(CLI::App& app);

}  // namespace sinew

#endif  // SINEW_APPS_PYTHON_SHADOW_H_
