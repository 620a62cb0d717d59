// Checks the options that select an algorithm, which index tables and switches. Other options may have any value.
#include <mujoco/mujoco.h>

#include <string>

#include "core/error.h"
#include "model/files/validate.h"
#include "model/kinds/integrator.h"
#include "model/storage/error_control.h"

namespace sinew::inline model {
namespace {

// An option that selects an algorithm: a value in [0, count).
struct Choice {
  const char* name;
  int mjOption::*member;
  int count;
};

constexpr Choice kChoices[] = {
    {"integrator", &mjOption::integrator, kDiscrete + 1},
    {"cone", &mjOption::cone, mjCONE_ELLIPTIC + 1},
    {"jacobian", &mjOption::jacobian, mjJAC_AUTO + 1},
    {"solver", &mjOption::solver, mjSOL_NEWTON + 1},
};

}  // namespace

void ValidateOptions(const mjOption& options) {
  for (const Choice& choice : kChoices) {
    const int value = options.*choice.member;
    const bool extended = choice.member == &mjOption::integrator && IsErrorControlled(value);
    if (!extended && (value < 0 || value >= choice.count)) {
      throw Error("Invalid model: option " + std::string(choice.name) + " out of bounds.",
                  std::to_string(value) + " is none of the " + std::to_string(choice.count) + " choices");
    }
  }
}

}  // namespace sinew::inline model
