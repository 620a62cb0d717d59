#include "force/passive.h"

#include "force/flex_force.h"
#include "force/passive_kernel.h"
#include "plugin/hooks.h"

namespace sinew {

SINEW_DISPATCH void Passive(const mjModel* m, mjData* d) {
  Passive<double>(ModelView<double>(m), DataView<double>(d), [m, d] { FlexForces(m, d); });
  if (PassiveDisabled(m)) return;
  if (mjcb_passive) mjcb_passive(m, d);
  ComputePlugins(m, d, mjPLUGIN_PASSIVE);
}

}  // namespace sinew
