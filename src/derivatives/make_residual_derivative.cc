// The two engines of ResidualDerivative: small systems by kernels over contact slots, others by the factors that the
// step has left.
#include "derivatives/make_residual_derivative.h"

#include <algorithm>
#include <optional>

#include "core/stack.h"
#include "derivatives/base/step_linearization.h"
#include "derivatives/integrators/implicit_cell_columns.h"
#include "derivatives/integrators/metric_columns.h"
#include "derivatives/small_systems/slot_linearization.h"
#include "derivatives/terms/compliant_columns.h"
#include "derivatives/terms/constraint_columns.h"
#include "derivatives/terms/flex_columns.h"
#include "derivatives/terms/forward_at_solution.h"
#include "derivatives/terms/smooth_columns.h"
#include "force/compliant_contact.h"
#include "integrate/implicit_cells.h"
#include "math/column_block.h"

namespace sinew::inline derivatives {
namespace {

// Kernels over slots have no smoothed rows, and keep no changes of forces.
class SmallSystemDerivative final : public ResidualDerivative {
 public:
  SmallSystemDerivative(const mjModel* m, mjData* d, ControlColumns controls)
      : ResidualDerivative(m), frame_(d), slots_(m, d, frame_) {
    slots_.CopyTo(columns_);
    if (m->na > 0) activations_ = RowsOfActivations(m, d, TendonRows(m, d), slots_.point(), controls);
  }

  ResidualPoint point() const override { return slots_.point(); }

  void Solve() override {
    slots_.Solve();
    slots_.CopySolutionTo(columns_);
  }

 private:
  void SolveTransposed(const double* change, double* force, double* step) const override {
    slots_.SolveTransposed(change, force, step);
  }
  void SolveTransposedSolution(const double* change, double* force) const override {
    slots_.SolveTransposedSolution(change, force);
  }

  StackFrame frame_;
  SlotDerivative slots_;
};

class FactorDerivative final : public ResidualDerivative {
 public:
  FactorDerivative(const mjModel* m, mjData* d, const Smoothing& smoothing, RowWeights smoothed, ForceChanges* changes,
                   ControlColumns controls)
      : ResidualDerivative(m),
        frame_(d),
        smoothed_(std::move(smoothed)),
        step_(m, d, frame_, smoothed_.weight.empty() ? nullptr : &smoothed_) {
    if (!step_.AtSolution()) ThrowNotConverged();
    AddColumns(d, smoothing, changes, controls);
  }

  ResidualPoint point() const override {
    return {step_.nominal().a, cells_ ? cells_->acceleration() : step_.nominal().b};
  }

  void Solve() override;

 private:
  void AddColumns(mjData* d, const Smoothing& smoothing, ForceChanges* changes, ControlColumns controls);
  // Of all but constraints.
  void AddForces(mjData* d, const TendonRows& tendons, const ResidualPoint& at, ControlColumns controls,
                 ResidualColumns& out) const;
  void SolveTransposed(const double* change, double* force, double* step) const override {
    std::vector<double> by_plain(change, change + m_->nv);
    if (cells_) cells_->AdvanceTransposed(by_plain.data());
    step_.SolveTransposed(by_plain.data(), force, step);
  }
  void SolveTransposedSolution(const double* change, double* force) const override {
    step_.SolveTransposedSolution(change, force);
  }

  StackFrame frame_;
  RowWeights smoothed_;
  StepLinearization step_;
  std::optional<ImplicitCells> cells_;  // after which velocities follow their accelerations
};

void FactorDerivative::AddForces(mjData* d, const TendonRows& tendons, const ResidualPoint& at, ControlColumns controls,
                                 ResidualColumns& out) const {
  AddSmoothColumns(m_, d, at, Applied::kActs, out);
  AddTendonColumns(m_, d, tendons, at, out);
  AddFlexColumns(m_, d, at, out);
  AddCompliantColumns(m_, d, at, out);
  AddActuatorColumns(m_, d, tendons, at, out, controls);
  AddMetricColumns(m_, d, tendons, at.a, out.force);
}

void FactorDerivative::AddColumns(mjData* d, const Smoothing& smoothing, ForceChanges* changes,
                                  ControlColumns controls) {
  const TendonRows tendons(m_, d);
  const double *a = step_.nominal().a, *b = step_.nominal().b;
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

// A block of columns at a time, row by row.
void FactorDerivative::Solve() {
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
    step_.SolveBlock(force.data(), step.data(), scratch.data());
    store(force, columns_.force);
    store(has_step ? step : force, columns_.step);
    for (int c = first; c < first + count; ++c) {
      if (cells_) cells_->Advance(columns_.step[c]);
      RequireRegular(m_, columns_.step[c]);
    }
  }
}

}  // namespace

std::unique_ptr<ResidualDerivative> MakeResidualDerivative(const mjModel* m, mjData* d, const Smoothing& smoothing,
                                                           ForceChanges* changes, ControlColumns controls) {
  RowWeights smoothed = ForwardAtSolution(m, d, smoothing);
  if (!smoothing.Acts() && !changes && IsResidualInSlots(m) && !HasCompliantContact(d)) {
    return std::make_unique<SmallSystemDerivative>(m, d, controls);
  }
  return std::make_unique<FactorDerivative>(m, d, smoothing, std::move(smoothed), changes, controls);
}

}  // namespace sinew::inline derivatives
