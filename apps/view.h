// sinew view: a model in a window.
#ifndef SINEW_APPS_VIEW_H_
#define SINEW_APPS_VIEW_H_

#include <CLI/App.hpp>

namespace sinew {

void AddView(CLI::App& app);

}  // namespace sinew

#endif  // SINEW_APPS_VIEW_H_
