// One world alone; the method stands in step/runge_kutta_kernel.h.
#include <string>

#include "core/error.h"
#include "step/integrators.h"
#include "step/runge_kutta_kernel.h"
#include "step/world.h"

namespace sinew::inline step {

void RungeKutta(const mjModel* m, mjData* d, int N) {
  if (N != kRungeKuttaStages) {
    throw Error("Runge-Kutta of order " + std::to_string(N) + " is not provided", "use order 4");
  }
  RungeKuttaStages(World(m, d));
}

}  // namespace sinew::inline step
