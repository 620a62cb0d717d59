// Implicit in velocity: one Newton step for the velocity at the end of the time step,
//
//   (M - h Q) a = M qacc,    Q = d (smooth forces) / d qvel
//
// with Q whole (implicit), or symmetric and without the bias force (implicitfast). Constraint forces are explicit.
// Bodies that float freely follow the midpoint rule instead (midpoint_kernel.h).
#include "core/error.h"
#include "core/stack.h"
#include "core/timer.h"
#include "derivative/smooth.h"
#include "integrate/integrate.h"
#include "integrate/midpoint_kernel.h"
#include "model/awake.h"

namespace sinew {
namespace {

// Velocities at the end of the step of the dofs that follow the midpoint rule, and which they are.
struct MidpointDofs {
  double* qvel;
  bool* chosen;
  bool any;
};

MidpointDofs FreeBodies(const mjModel* m, mjData* d, StackFrame& frame) {
  MidpointDofs dofs = {frame.Doubles(m->nv), frame.Alloc<bool>(m->nv), false};
  double* force = frame.Doubles(m->nv);
  for (int i = 0; i < m->nv; ++i) {
    force[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i] + d->qfrc_bias[i];
    dofs.chosen[i] = false;
  }
  if (m->opt.enableflags & mjENBL_INVDISCRETE) return dofs;  // inverse dynamics knows nothing of the midpoint rule

  const ModelView<double> model(m);
  const DataView<double> data(d);
  for (int joint = 0; joint < m->njnt; ++joint) {
    if (!IsLoneFreeBody(model, joint)) continue;
    const int first = MidpointFreeBody(model, data, joint, force, dofs.qvel);
    for (int i = first; i < m->jnt_dofadr[joint] + 6; ++i) dofs.chosen[i] = true;
    dofs.any = true;
  }
  return dofs;
}

// Positions of the chosen dofs follow the mean of old and new velocity. Their acceleration becomes the mean of the
// step.
void AdvanceFreeBodies(const mjModel* m, mjData* d, const MidpointDofs& dofs, const double* qacc, StackFrame& frame) {
  const double h = m->opt.timestep;
  double *mean = frame.Doubles(m->nv), *old = frame.Doubles(m->nv);
  for (int i = 0; i < m->nv; ++i) {
    old[i] = d->qvel[i];
    mean[i] = dofs.chosen[i] ? 0.5 * (old[i] + dofs.qvel[i]) : old[i] + h * qacc[i];
  }
  Advance(m, d, d->act_dot, qacc, mean);
  for (int i = 0; i < m->nv; ++i) {
    const bool fell_asleep = SleepEnabled(m) && !d->tree_awake[m->dof_treeid[i]];
    if (!dofs.chosen[i] || fell_asleep) continue;
    d->qvel[i] = dofs.qvel[i];
    d->qacc[i] = (dofs.qvel[i] - old[i]) / h;
  }
}

}  // namespace

void Implicit(const mjModel* m, mjData* d, bool reuse_factors) {
  if (m->opt.integrator != mjINT_IMPLICIT && m->opt.integrator != mjINT_IMPLICITFAST) {
    throw Error("the model's integrator is not implicit", "choose integrator implicit or implicitfast");
  }
  StageTimer timer(d, mjTIMER_ADVANCE);
  StackFrame frame(d);
  double* qacc = frame.Doubles(m->nv);
  for (int i = 0; i < m->nv; ++i) qacc[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
  if (!reuse_factors) FactorImplicit(m, d);
  SolveImplicit(m, d, qacc);

  const MidpointDofs dofs = FreeBodies(m, d, frame);
  if (dofs.any) return AdvanceFreeBodies(m, d, dofs, qacc, frame);
  Advance(m, d, d->act_dot, qacc);
}

}  // namespace sinew
