#include "derivatives/terms/compensation_columns.h"

#include <algorithm>

#include "derivatives/base/rnea_derivatives_kernel.h"
#include "derivatives/base/smooth_columns_kernel.h"
#include "derivatives/base/tree_memory.h"

namespace sinew::inline derivatives {

// Forces that keep their directions in the world, on bodies at rest and without weight.
void AddActuatorCompensation(const mjModel* model, mjData* data, double scale, Columns& force) {
  const ModelView<double> m(model);
  const DataView<double> d(data);
  const auto* const flags = model->jnt_actgravcomp;
  const bool any = std::any_of(flags, flags + model->njnt, [](auto flag) { return flag != 0; });
  if (!any || !HasGravityCompensation(model)) return;
  TreeMemory memory(model);
  const TreeDerivative<double> tree = memory.WithApplied(model);
  const std::vector<double> rest(Size(m.nv()));
  PassMotion(m, d, {rest.data(), rest.data(), /*gravity=*/false}, tree);
  AddFixedWrenches(m, d, /*applied=*/false, tree);
  AddSubtrees(m, tree);
  std::vector<double> by_q(Size(m.nv()) * Size(m.nv()));
  AddTreeColumns(m, d, tree, ColumnView{by_q.data(), m.nv()}, NoColumns());
  for (int i = 0; i < m.nv(); ++i) {
    if (!m.jnt_actgravcomp(m.dof_jntid(i))) continue;
    for (int c = 0; c < m.nv(); ++c) force[c][i] += scale * by_q[Size(c) * Size(m.nv()) + Size(i)];
  }
}

}  // namespace sinew::inline derivatives
