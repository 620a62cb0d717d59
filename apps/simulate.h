// `sinew simulate MODEL`: steps a model for some seconds, reports speed and what happened, writes the trajectory.
#ifndef SINEW_APPS_SIMULATE_H_
#define SINEW_APPS_SIMULATE_H_

#include <CLI/App.hpp>
#include <stdexcept>

namespace sinew {

void AddSimulate(CLI::App& app);

// A simulation that ended before its time, since its numbers grew beyond bounds: the program ends with a code of its
// own.
class Diverged : public std::runtime_error {
 public:
  explicit Diverged(double time);  // s
};

}  // namespace sinew

#endif  // SINEW_APPS_SIMULATE_H_
