// `sinew simulate MODEL`: steps a model for some seconds, reports speed and what happened, writes the trajectory.
#ifndef SINEW_APPS_SIMULATE_H_
#define SINEW_APPS_SIMULATE_H_

#include <CLI/App.hpp>

namespace sinew {

void AddSimulate(CLI::App& app);

}  // namespace sinew

#endif  // SINEW_APPS_SIMULATE_H_
