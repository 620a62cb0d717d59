#include "force/actuation.h"

#include "force/actuation_kernel.h"

namespace sinew {

SINEW_DISPATCH void Actuation(const mjModel* m, mjData* d) {
  Actuation<double>(ModelView<double>(m), DataView<double>(d));
}

double NextActivation(const mjModel* m, const mjData* d, int actuator, int act_adr, double act_dot) {
  // the view gives access for writing, which this kernel does not use
  const DataView<double> view(const_cast<mjData*>(d));
  return NextActivation<double>(ModelView<double>(m), view, actuator, act_adr, act_dot);
}

}  // namespace sinew
