#include "model/integrator.h"

namespace sinew {

bool IsImplicit(const mjModel* m) {
  return m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
}

}  // namespace sinew
