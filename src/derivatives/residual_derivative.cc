#include "derivatives/residual_derivative.h"

#include <algorithm>

#include "core/error.h"
#include "derivatives/base/good_state.h"
#include "derivatives/contact_geometry/witness_points.h"
#include "derivatives/integrators/metric_columns.h"
#include "derivatives/small_systems/slot_linearization.h"
#include "derivatives/terms/compliant_columns.h"
#include "derivatives/terms/constraint_columns.h"
#include "derivatives/terms/flex_columns.h"
#include "derivatives/terms/muscle_law.h"
#include "derivatives/terms/smooth_columns.h"
#include "force/compliant_contact.h"
#include "integrate/implicit_cells.h"
#include "math/column_block.h"
#include "step/forward.h"
#include "step/world.h"

namespace sinew {

mjModel WithPrimalSolver(const mjModel& m) {
  mjModel primal = m;
  if (m.opt.solver == mjSOL_PGS) primal.opt.solver = mjSOL_NEWTON;
  return primal;
}

RowWeights ForwardAtSolution(const mjModel* given, mjData* d, const Smoothing& smoothing) {
  RequireGoodState(given, d);
  RequireFiberLengths(given, d);
  const mjModel primal = WithPrimalSolver(*given);
  const mjModel* const m = &primal;
  PositionStage(m, d, /*skip_sensors=*/true);
  if (MakeContactsExact(m, d)) {
    const World world(m, d);
    world.MakeConstraint();
    world.Island();
    world.Transmission();
    world.ProjectConstraint();
  }
  ForwardSkip(m, d, mjSTAGE_POS, /*skip_sensors=*/true);
  RequireGoodNumbers("qacc", d->qacc, m->nv);
  if (smoothing.Acts()) return SolveSmoothed(m, d, smoothing);
  return {};
}

void ThrowNotConverged() {
  throw Error("the constraint solver has not converged: its result has no derivative",
              "raise iterations, or lower tolerance, in <option>");
}

// Kernels over slots have no smoothed rows, and keep no changes of forces.
ResidualDerivative::ResidualDerivative(const mjModel* m, mjData* d, const Smoothing& smoothing, ForceChanges* changes,
                                       ControlColumns controls)
    : m_(m), frame_(d), columns_(StateSizes(m)), smoothed_(ForwardAtSolution(m, d, smoothing)) {
  if (!smoothing.Acts() && !changes && IsResidualInSlots(m) && !HasCompliantContact(d)) {
    slots_.emplace(m, d, frame_);
    slots_->CopyTo(columns_);
    if (m->na > 0) activations_ = RowsOfActivations(m, d, TendonRows(m, d), point(), controls);
    return;
  }
  step_.emplace(m, d, frame_, smoothed_.weight.empty() ? nullptr : &smoothed_);
  if (!step_->AtSolution()) ThrowNotConverged();
  AddColumns(d, smoothing, changes, controls);
}

void ResidualDerivative::AddForces(mjData* d, const TendonRows& tendons, const ResidualPoint& at,
                                   ControlColumns controls, ResidualColumns& out) const {
  AddSmoothColumns(m_, d, at, Applied::kActs, out);
  AddTendonColumns(m_, d, tendons, at, out);
  AddFlexColumns(m_, d, at, out);
  AddCompliantColumns(m_, d, at, out);
  AddActuatorColumns(m_, d, tendons, at, out, controls);
  AddMetricColumns(m_, d, tendons, at.a, out.force);
}

void ResidualDerivative::AddColumns(mjData* d, const Smoothing& smoothing, ForceChanges* changes,
                                    ControlColumns controls) {
  const TendonRows tendons(m_, d);
  const double *a = step_->nominal().a, *b = step_->nominal().b;
  AddForces(d, tendons, {a, b}, controls, columns_);
  if (HasImplicitCells(m_, d)) {
    cells_.emplace(m_, d, b);
    ResidualColumns ahead{StateSizes(m_)};
    const std::vector<double> rest(Size(m_->nv)), difference = cells_->Difference(b);
    AddForces(d, tendons, {rest.data(), difference.data()}, controls, ahead);
    cells_->AddColumns(ahead.step, columns_.step);
  }
  activations_ = RowsOfActivations(m_, d, tendons, point(), controls);
  AddConstraintColumns(m_, d, tendons, a, columns_.force, smoothing, changes);
}

void ResidualDerivative::Solve() {
  if (!slots_) return SolveBlocks();
  slots_->Solve();
  slots_->CopySolutionTo(columns_);
}

// A block of columns at a time, row by row.
void ResidualDerivative::SolveBlocks() {
  const int nv = static_cast<int>(m_->nv), all = StateSizes(m_).all();
  const size_t size = Size(nv * kBlockColumns);
  const bool has_step = point().HasStep();
  std::vector<double> force(size), step(has_step ? size : 0), scratch(2 * size);
  for (int first = 0; first < all; first += kBlockColumns) {
    const int count = std::min(kBlockColumns, all - first);
    const auto load = [&](const Columns& columns, std::vector<double>& block) {
      if (count < kBlockColumns) std::fill(block.begin(), block.end(), 0.0);
      for (int c = 0; c < count; ++c) {
        for (int i = 0; i < nv; ++i) BlockRow(block.data(), i)[c] = columns[first + c][i];
      }
    };
    const auto store = [&](const std::vector<double>& block, Columns& columns) {
      for (int c = 0; c < count; ++c) {
        for (int i = 0; i < nv; ++i) columns[first + c][i] = BlockRow(block.data(), i)[c];
      }
    };
    load(columns_.force, force);
    if (has_step) load(columns_.step, step);
    step_->SolveBlock(force.data(), step.data(), scratch.data());
    store(force, columns_.force);
    store(has_step ? step : force, columns_.step);
    for (int c = first; c < first + count; ++c) {
      if (cells_) cells_->Advance(columns_.step[c]);
      RequireRegular(m_, columns_.step[c]);
    }
  }
}

ResidualDerivative::Slopes ResidualDerivative::Transposed(const double* by_b, const double* by_a) const {
  const size_t nv = static_cast<size_t>(m_->nv);
  Slopes slopes = {std::vector<double>(nv), std::vector<double>(point().HasStep() ? nv : 0)};
  if (slots_) {
    slots_->SolveTransposed(by_b, slopes.force.data(), slopes.step.data());
  } else {
    std::vector<double> by_plain(by_b, by_b + nv);
    if (cells_) cells_->AdvanceTransposed(by_plain.data());
    step_->SolveTransposed(by_plain.data(), slopes.force.data(), slopes.step.data());
  }
  if (by_a) {
    const Slopes more = TransposedSolution(by_a);
    for (size_t i = 0; i < nv; ++i) slopes.force[i] += more.force[i];
  }
  RequireRegular(m_, slopes.force.data());
  return slopes;
}

ResidualDerivative::Slopes ResidualDerivative::TransposedSolution(const double* by_a) const {
  Slopes slopes = {std::vector<double>(Size(m_->nv)), {}};
  if (slots_) {
    slots_->SolveTransposedSolution(by_a, slopes.force.data());
  } else {
    step_->SolveTransposedSolution(by_a, slopes.force.data());
  }
  RequireRegular(m_, slopes.force.data());
  return slopes;
}

}  // namespace sinew
