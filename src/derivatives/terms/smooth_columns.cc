#include "derivatives/terms/smooth_columns.h"

#include <algorithm>

#include "derivatives/base/smooth_columns_kernel.h"
#include "derivatives/base/tree_memory.h"
#include "derivatives/terms/compensation_columns.h"
#include "derivatives/terms/fluid_columns.h"
#include "derivatives/terms/simple_dofs.h"
#include "model/kinds/integrator.h"

namespace sinew::inline derivatives {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;
using Tree = TreeDerivative<double>;

bool HasFixedWrenches(const Model& m, const Data& d, Applied applied) {
  return HasGravityCompensation(m.raw()) || (applied == Applied::kActs && !NothingApplied(m, d));
}

// The implicit integrator's X has h dc/dv. The bias force is a quadratic form of velocities, so that
//   d/dq (dc/dv b) = (dc/dq(v + b) - dc/dq(v - b)) / 2,    d/dv (dc/dv b) = dc/dv at the velocity b
// exactly; b is scaled to the size of v.
void AddBiasOfStep(const Model& m, const Data& d, const ResidualPoint& at, TreeMemory& memory, Columns& step) {
  const size_t nv = static_cast<size_t>(m.nv());
  const double h = m.opt_timestep();
  const double scale = at.ScaleToVelocities(d.qvel_data(), m.nv());
  if (scale == 0) return;
  std::vector<double> rest(nv), velocity(nv), sides(nv * nv), by_v(nv * nv);
  const auto add = [&](double of_v, double of_b, const auto& columns_of_v) {
    for (int i = 0; i < m.nv(); ++i) velocity[static_cast<size_t>(i)] = of_v * d.qvel(i) + of_b * at.b[i];
    std::fill(sides.begin(), sides.end(), 0.0);
    PassMotion(m, d, {velocity.data(), rest.data(), /*gravity=*/false}, memory.tree());
    AddSubtrees(m, memory.tree());
    AddTreeColumns(m, d, memory.tree(), ColumnView{sides.data(), m.nv()}, columns_of_v);
  };
  for (const double side : {1.0, -1.0}) {
    add(1, side * scale, NoColumns());
    for (size_t k = 0; k < nv * nv; ++k) step[0][k] -= side * 0.5 * h / scale * sides[k];
  }
  add(0, scale, ColumnView{by_v.data(), m.nv()});
  for (size_t k = 0; k < nv * nv; ++k) step[m.nv()][k] -= h / scale * by_v[k];
}

// The implicit integrators' X has -h times the slopes of the medium's forces.
void AddMediumOfStep(const Model& m, const Data& d, const ResidualPoint& at, const Tree& tree, Columns& step) {
  TreeMemory ahead(m.raw());
  const std::vector<double> rest(Size(m.nv()));
  PassMotion(m, d, {at.b, rest.data(), /*gravity=*/false}, ahead.tree());
  AddFluidOfStep(m.raw(), d.raw(), tree, ahead.tree(), step);
}

}  // namespace

SINEW_DISPATCH void AddSmoothColumns(const mjModel* model, mjData* data, const ResidualPoint& at, Applied applied,
                                     ResidualColumns& out) {
  const Model m(model);
  const Data d(data);
  // The memory is shared: each pass over the trees starts anew.
  TreeMemory memory(model);
  const Tree tree = HasFixedWrenches(m, d, applied) ? memory.WithApplied(model) : memory.tree();
  AddTrees(m, d, at.a, applied == Applied::kActs, tree, out.force.From(0), out.force.FromVelocity());
  if (HasMedium(m) && !PassiveDisabled(model)) {
    AddFluidColumns(model, data, memory.tree(), out.force);
    if (at.HasStep() && IsImplicit(model)) {
      AddStepOfBodies(model, StateSizes(model), at, out.step, [&](const ResidualPoint& part, Columns& step) {
        AddMediumOfStep(m, d, part, memory.tree(), step);
      });
    }
  }
  AddActuatorCompensation(model, data, -1, out.force);  // theirs counts with actuators
  if (at.HasStep()) {
    std::vector<double> scratch(Size(2 * m.nv()));
    AddInertiaOfStep(m, d, at.a, at.b, scratch.data(), memory.tree(), out.step.From(0));
  }
  if (at.HasStep() && model->opt.integrator == mjINT_IMPLICIT) AddBiasOfStep(m, d, at, memory, out.step);
  if (PassiveDisabled(model)) return;
  AddJointSprings(m, d, out.force.From(0));
  AddDofDamping(m, d, at.HasStep() ? at.b : nullptr, out.force.FromVelocity(), out.step.FromVelocity());
  AddLimitForces(m, d, at.HasStep() && IsImplicit(model) ? at.b : nullptr, out.force.From(0), out.force.FromVelocity(),
                 out.step.From(0));
}

}  // namespace sinew::inline derivatives
