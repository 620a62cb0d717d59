#include "model/kinds/integrator.h"

namespace sinew::inline model {

bool IsImplicit(const mjModel* m) {
  return m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST || IsDiscrete(m);
}

bool IsDiscrete(const mjModel* m) { return m->opt.integrator == kDiscrete; }

}  // namespace sinew::inline model
