#include "gradient/balance_derivative.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "gradient/constraint_columns.h"
#include "gradient/good_state.h"
#include "gradient/names.h"
#include "gradient/smooth_columns.h"
#include "step/forward.h"

namespace sinew {
namespace {

// Returns the model, for what needs the results.
const mjModel* AfterForward(const mjModel* m, mjData* d) {
  RequireGoodState(m, d);
  ForwardSkip(m, d, mjSTAGE_NONE, /*skip_sensors=*/true);
  RequireGoodNumbers("qacc", d->qacc, m->nv);
  return m;
}

void RequireRegular(const mjModel* m, const double* change) {
  for (int i = 0; i < m->nv; ++i) {
    if (std::isfinite(change[i])) continue;
    throw Error("the factors of the dynamics are singular at " + NameOf(m, mjOBJ_JOINT, m->dof_jntid[i]),
                "add armature, or mass and inertia to its bodies");
  }
}

}  // namespace

BalanceDerivative::BalanceDerivative(const mjModel* m, mjData* d, ForceChanges* changes)
    : m_(m), frame_(d), columns_(StateSizes(m)), step_(AfterForward(m, d), d, frame_) {
  if (!step_.AtBalance()) {
    throw Error("the constraint solver has not converged: its result has no derivative",
                "raise iterations, or lower tolerance, in <option>");
  }
  const TendonRows tendons(m, d);
  AddSmoothColumns(m, d, point(), Applied::kActs, columns_);
  AddTendonColumns(m, d, tendons, point(), columns_);
  activations_ = AddActuatorColumns(m, d, tendons, point(), columns_);
  AddConstraintColumns(m, d, tendons, point().a, columns_.force, changes);
}

void BalanceDerivative::Solve() {
  const size_t nv = static_cast<size_t>(m_->nv);
  std::vector<double> a(nv), b(nv);
  const bool has_step = point().HasStep();
  const Accelerations change = {a.data(), has_step ? b.data() : a.data()};
  for (int c = 0; c < StateSizes(m_).all(); ++c) {
    step_.Solve(columns_.force[c], has_step ? columns_.step[c] : nullptr, change);
    std::copy_n(change.a, nv, columns_.force[c]);
    std::copy_n(change.b, nv, columns_.step[c]);
    RequireRegular(m_, change.b);
  }
}

BalanceDerivative::Slopes BalanceDerivative::Transposed(const double* by_b) const {
  const size_t nv = static_cast<size_t>(m_->nv);
  Slopes slopes = {std::vector<double>(nv), std::vector<double>(point().HasStep() ? nv : 0)};
  step_.SolveTransposed(by_b, slopes.force.data(), slopes.step.data());
  RequireRegular(m_, slopes.force.data());
  return slopes;
}

}  // namespace sinew
