// `sinew new FILE`: a commented model to start from.
#ifndef SINEW_APPS_NEW_MODEL_H_
#define SINEW_APPS_NEW_MODEL_H_

#include <CLI/App.hpp>

namespace sinew {

void AddNew(CLI::App& app);

}  // namespace sinew

#endif  // SINEW_APPS_NEW_MODEL_H_
