#include "derivatives/base/residual_derivative.h"

#include <cmath>

#include "core/error.h"
#include "derivatives/base/names.h"

namespace sinew::inline derivatives {

ResidualDerivative::Slopes ResidualDerivative::Transposed(const double* by_b, const double* by_a) const {
  const size_t nv = Size(m_->nv);
  Slopes slopes = {std::vector<double>(nv), std::vector<double>(point().HasStep() ? nv : 0)};
  SolveTransposed(by_b, slopes.force.data(), slopes.step.data());
  if (by_a) {
    const Slopes more = TransposedSolution(by_a);
    for (size_t i = 0; i < nv; ++i) slopes.force[i] += more.force[i];
  }
  RequireRegular(m_, slopes.force.data());
  return slopes;
}

ResidualDerivative::Slopes ResidualDerivative::TransposedSolution(const double* by_a) const {
  Slopes slopes = {std::vector<double>(Size(m_->nv)), {}};
  SolveTransposedSolution(by_a, slopes.force.data());
  RequireRegular(m_, slopes.force.data());
  return slopes;
}

void RequireRegular(const mjModel* m, const double* change) {
  for (int i = 0; i < m->nv; ++i) {
    if (std::isfinite(change[i])) continue;
    throw Error("the factors of the dynamics are singular at " + NameOf(m, mjOBJ_JOINT, m->dof_jntid[i]),
                "add armature, or mass and inertia to its bodies");
  }
}

void ThrowNotConverged() {
  throw Error("the constraint solver has not converged: its result has no derivative",
              "raise iterations, or lower tolerance, in <option>");
}

}  // namespace sinew::inline derivatives
