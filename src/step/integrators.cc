#include "step/integrators.h"

#include "core/error.h"
#include "core/stack.h"
#include "core/timer.h"
#include "integrate/integrate.h"
#include "model/kinds/integrator.h"
#include "model/state/awake.h"
#include "model/storage/error_control.h"
#include "step/held_rows.h"
#include "step/step_kernel.h"
#include "step/world.h"

namespace sinew::inline step {
namespace {

// Positions of the dofs that follow the midpoint rule follow the mean of old and new velocity. Their acceleration
// becomes the mean of the step.
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

void Integrate(const mjModel* m, mjData* d, int integrator) {
  switch (integrator) {
    case mjINT_EULER:
      return Euler(m, d);
    case mjINT_RK4:
      return RungeKutta(m, d, 4);
    case kMerson:
    case kRungeKutta3:
    case kEuler2:
      return AdaptiveSteps(m, d);
    default:
      return Implicit(m, d);
  }
}

void Euler(const mjModel* m, mjData* d, bool reuse_factors) { EulerStages(World(m, d), reuse_factors); }

void Implicit(const mjModel* m, mjData* d, bool reuse_factors) {
  if (!IsImplicit(m)) {
    throw Error("the model's integrator is not implicit", "choose integrator implicit or implicitfast");
  }
  StageTimer timer(d, mjTIMER_ADVANCE);
  StackFrame frame(d);
  double* qacc = frame.Doubles(m->nv);
  ImplicitAcceleration(m, d, reuse_factors, qacc);
  HoldEqualities(m, d, qacc);
  const MidpointDofs dofs = MoveFreeBodies(m, d, frame);
  if (dofs.any) return AdvanceFreeBodies(m, d, dofs, qacc, frame);
  Advance(m, d, d->act_dot, qacc);
}

void Advance(const mjModel* m, mjData* d, const double* act_dot, const double* qacc, const double* qvel) {
  AdvanceStages(World(m, d), act_dot, qacc, qvel);
}

}  // namespace sinew::inline step
