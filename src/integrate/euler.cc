// Semi-implicit Euler. Joint damping is implicit, since explicit damping is unstable when the damping rate exceeds 2/h:
//
//   (M + h B) a = M qacc,    B the diagonal of damping slopes
#include "core/stack.h"
#include "core/timer.h"
#include "derivative/smooth.h"
#include "integrate/integrate.h"

namespace sinew {

bool HasImplicitDamping(const mjModel* m) {
  if (m->opt.disableflags & (mjDSBL_EULERDAMP | mjDSBL_DAMPER)) return false;
  for (int i = 0; i < m->nv; ++i) {
    const mjtNum* higher = m->dof_dampingpoly + mjNPOLY * i;
    const bool has_actuator = m->jnt_actuatorid[m->dof_jntid[i]] != -1;
    if (m->dof_damping[i] > 0 || higher[0] != 0 || higher[1] != 0 || has_actuator) return true;
  }
  return false;
}

void Euler(const mjModel* m, mjData* d, bool reuse_factors) {
  StageTimer timer(d, mjTIMER_ADVANCE);
  if (!HasImplicitDamping(m)) return Advance(m, d, d->act_dot, d->qacc);

  StackFrame frame(d);
  double* qacc = frame.Doubles(m->nv);
  for (int i = 0; i < m->nv; ++i) qacc[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
  if (!reuse_factors) FactorImplicit(m, d);
  SolveImplicit(m, d, qacc);
  Advance(m, d, d->act_dot, qacc);
}

}  // namespace sinew
