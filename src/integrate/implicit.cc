// Implicit in velocity: one Newton step for the velocity at the end of the time step,
//
//   (M - h Q) a = M qacc,    Q = d (smooth forces) / d qvel
//
// with Q whole (implicit), or symmetric and without the bias force (implicitfast). Constraint forces are explicit.
// Bodies that float freely follow the midpoint rule instead (midpoint_kernel.h); elastic cells of flexes are implicit
// in position, too (implicit_cells.h).
#include <algorithm>

#include "core/stack.h"
#include "integrate/implicit_cells.h"
#include "integrate/integrate.h"
#include "integrate/midpoint_kernel.h"
#include "integrate/velocity_derivative/smooth.h"
#include "model/kinds/integrator.h"
#include "model/kinds/speculative.h"

namespace sinew::inline integrate {
namespace {

// Whether any contact lets a body land: it has to move with the velocity that the solver has found.
bool Lands(const mjModel* m, const mjData* d, int body) {
  if (!(m->opt.enableflags & kSpeculative)) return false;
  const int tree = m->body_treeid[body];
  const auto is_of_tree = [&](int geom) { return geom >= 0 && m->body_treeid[m->geom_bodyid[geom]] == tree; };
  return std::any_of(d->contact, d->contact + d->ncon, [&](const mjContact& contact) {
    return contact.efc_address >= 0 && IsLanding(contact) &&
           (is_of_tree(contact.geom[0]) || is_of_tree(contact.geom[1]));
  });
}

}  // namespace

MidpointDofs MoveFreeBodies(const mjModel* m, mjData* d, StackFrame& frame) {
  MidpointDofs dofs = {frame.Doubles(m->nv), frame.Alloc<bool>(m->nv), false};
  double* force = frame.Doubles(m->nv);
  for (int i = 0; i < m->nv; ++i) {
    force[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i] + d->qfrc_bias[i];
    dofs.chosen[i] = false;
  }
  if (m->opt.enableflags & mjENBL_INVDISCRETE) return dofs;  // inverse dynamics does not have the midpoint rule

  const ModelView<double> model(m);
  const DataView<double> data(d);
  for (int joint = 0; joint < m->njnt; ++joint) {
    if (!IsFreeAssembly(model, joint) || (IsDiscrete(m) && !IsFreeOfMetric(model, data, joint))) continue;
    if (Lands(m, d, m->jnt_bodyid[joint])) continue;
    const int first = MidpointFreeBody(model, data, joint, force, dofs.qvel);
    for (int i = first; i < m->jnt_dofadr[joint] + 6; ++i) dofs.chosen[i] = true;
    dofs.any = true;
  }
  return dofs;
}

void ImplicitAcceleration(const mjModel* m, mjData* d, bool reuse_factors, double* acceleration) {
  if (IsDiscrete(m)) {
    std::copy_n(d->qacc, m->nv, acceleration);
    if (HasImplicitCells(m, d)) ApplyImplicitCells(m, d, acceleration);
    return;
  }
  for (int i = 0; i < m->nv; ++i) acceleration[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
  if (!reuse_factors) FactorImplicit(m, d);
  SolveImplicit(m, d, acceleration);
  if (HasImplicitCells(m, d)) ApplyImplicitCells(m, d, acceleration);
}

}  // namespace sinew::inline integrate
