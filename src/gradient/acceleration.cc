#include "gradient/acceleration.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "gradient/constraint_columns.h"
#include "gradient/names.h"
#include "gradient/smooth_columns.h"
#include "linearization/balance.h"
#include "step/forward.h"

namespace sinew {
namespace {

// The first number that no step can begin with, by name.
void RequireGoodNumbers(const char* name, const double* values, mjtSize n) {
  constexpr double kMax = 1e10;  // what a step accepts
  for (mjtSize i = 0; i < n; ++i) {
    if (std::abs(values[i]) <= kMax) continue;
    throw Error(std::string("derivatives of a bad state: ") + name + "[" + std::to_string(i) + "] is " +
                    std::to_string(values[i]),
                "set a finite value below 1e10");
  }
}

void RequireGoodState(const mjModel* m, const mjData* d) {
  RequireGoodNumbers("qpos", d->qpos, m->nq);
  RequireGoodNumbers("qvel", d->qvel, m->nv);
  RequireGoodNumbers("act", d->act, m->na);
  RequireGoodNumbers("ctrl", d->ctrl, m->nu);
  RequireGoodNumbers("qfrc_applied", d->qfrc_applied, m->nv);
  RequireGoodNumbers("xfrc_applied", d->xfrc_applied, 6 * m->nbody);
}

}  // namespace

AccelerationDerivative::AccelerationDerivative(const mjModel* m, mjData* d)
    : columns_(StateSizes(m)), b_(static_cast<size_t>(m->nv)) {
  RequireGoodState(m, d);
  ForwardSkip(m, d, mjSTAGE_NONE, /*skip_sensors=*/true);
  RequireGoodNumbers("qacc", d->qacc, m->nv);

  StackFrame frame(d);
  const StepLinearization step(m, d, frame);
  if (!step.AtBalance()) {
    throw Error("the constraint solver has not converged: its result has no derivative",
                "raise iterations, or lower tolerance, in <option>");
  }
  const Accelerations& nominal = step.nominal();
  std::copy_n(nominal.b, m->nv, b_.begin());
  const BalancePoint at = {nominal.a, nominal.b};
  const TendonRows tendons(m, d);
  AddSmoothColumns(m, d, at, columns_);
  AddTendonColumns(m, d, tendons, at, columns_);
  activations_ = AddActuatorColumns(m, d, tendons, at, columns_);
  AddConstraintColumns(m, d, tendons, at.a, columns_.force);

  std::vector<double> a(static_cast<size_t>(m->nv)), b(static_cast<size_t>(m->nv));
  const Accelerations change = {a.data(), at.HasStep() ? b.data() : a.data()};
  for (int c = 0; c < StateSizes(m).all(); ++c) {
    step.Solve(columns_.force[c], at.HasStep() ? columns_.step[c] : nullptr, change);
    std::copy_n(change.a, m->nv, columns_.force[c]);
    std::copy_n(change.b, m->nv, columns_.step[c]);
    for (int i = 0; i < m->nv; ++i) {
      if (!std::isfinite(change.b[i])) {
        throw Error("the factors of the dynamics are singular at " + NameOf(m, mjOBJ_JOINT, m->dof_jntid[i]),
                    "add armature, or mass and inertia to its bodies");
      }
    }
  }
}

}  // namespace sinew
