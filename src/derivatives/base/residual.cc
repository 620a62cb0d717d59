#include "derivatives/base/residual.h"

#include <algorithm>

#include "constraint/jacobian_product.h"
#include "constraint/update.h"
#include "force/activation_kernel.h"
#include "inertia/inertia.h"
#include "integrate/integrate.h"
#include "integrate/velocity_derivative/smooth.h"
#include "step/forward.h"

namespace sinew::inline derivatives {

ResidualParts MakeResidual(const mjModel* m, StackFrame& frame) {
  return {frame.Doubles(m->nv), frame.Doubles(m->nv), frame.Doubles(m->na)};
}

void UpdateForces(const mjModel* m, mjData* d, bool with_step, const ResidualParts& result) {
  FwdActuation(m, d);
  SmoothForce(m, d);
  if (with_step) UpdateImplicit(m, d);
  std::copy_n(d->act, m->na, result.act);
  NextActivations<double>(m, d, d->act_dot, result.act);
}

bool EvaluateResidual(const mjModel* m, mjData* d, const Accelerations& at, bool with_step,
                      const ResidualParts& result) {
  StackFrame frame(d, WhenFull::kReport);
  double *jar = frame.Doubles(d->nefc), *Ma = frame.Doubles(m->nv);
  if (frame.full()) return false;
  MulJacVec(m, d, jar, at.a);
  for (int i = 0; i < d->nefc; ++i) jar[i] -= d->efc_aref[i];
  std::fill_n(d->qfrc_constraint, m->nv, 0.0);
  ConstraintUpdate(m, d, jar, nullptr, /*cone_hessian=*/false);

  MulM(m, d, Ma, at.a);
  for (int i = 0; i < m->nv; ++i) result.force[i] = Ma[i] - d->qfrc_smooth[i] - d->qfrc_constraint[i];
  if (!with_step) return true;
  MulImplicit(m, d, result.step, at.b);
  for (int i = 0; i < m->nv; ++i) result.step[i] = Ma[i] - result.step[i];
  return true;
}

ConstraintList::ConstraintList(const mjData* d, StackFrame& frame) : ncon_(d->ncon), nefc_(d->nefc) {
  geom_ = frame.Ints(2 * ncon_);
  type_ = frame.Ints(nefc_);
  id_ = frame.Ints(nefc_);
  if (frame.full()) return;
  for (int i = 0; i < ncon_; ++i) std::copy_n(d->contact[i].geom, 2, geom_ + 2 * i);
  std::copy_n(d->efc_type, nefc_, type_);
  std::copy_n(d->efc_id, nefc_, id_);
}

bool ConstraintList::SameIn(const mjData* d) const {
  if (d->ncon != ncon_ || d->nefc != nefc_) return false;
  for (int i = 0; i < ncon_; ++i) {
    if (!std::equal(d->contact[i].geom, d->contact[i].geom + 2, geom_ + 2 * i)) return false;
  }
  return std::equal(type_, type_ + nefc_, d->efc_type) && std::equal(id_, id_ + nefc_, d->efc_id);
}

}  // namespace sinew::inline derivatives
