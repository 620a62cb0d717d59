#include "force/passive.h"

#include "core/stack.h"
#include "force/adhesion.h"
#include "force/compliant_contact.h"
#include "force/flex_force.h"
#include "force/passive_kernel.h"
#include "math/dense.h"
#include "model/state/awake.h"
#include "plugin/hooks.h"

namespace sinew::inline force {
namespace {

// Sleeping dofs keep their forces, also where a flex has vertices on them.
void FlexForcesOfAwake(const mjModel* m, mjData* d) {
  if (m->nflex == 0 || !AnyAsleep(m, d)) return FlexForces(m, d);
  StackFrame frame(d);
  const int nv = static_cast<int>(m->nv);
  double *spring = frame.Doubles(nv), *damper = frame.Doubles(nv);
  Copy(spring, d->qfrc_spring, nv);
  Copy(damper, d->qfrc_damper, nv);
  FlexForces(m, d);
  for (int i = 0; i < nv; ++i) {
    if (d->tree_awake[m->dof_treeid[i]]) continue;
    d->qfrc_spring[i] = spring[i];
    d->qfrc_damper[i] = damper[i];
  }
}

}  // namespace

SINEW_DISPATCH void Passive(const mjModel* m, mjData* d) {
  const bool others_add = mjcb_passive || m->nplugin > 0;
  Passive<double>(
      ModelView<double>(m), DataView<double>(d), [m, d] { FlexForcesOfAwake(m, d); }, others_add);
  AddCompliantForces(m, d);
  AddAdhesion(m, d, /*rows_in_lanes=*/false);
  if (PassiveDisabled(m)) return;
  if (mjcb_passive) mjcb_passive(m, d);
  ComputePlugins(m, d, mjPLUGIN_PASSIVE);
}

}  // namespace sinew::inline force
