// The dual problem of each world is made by scalar code; its matrix and vectors are put side by side for the sweeps,
// and the forces that these find are put back.
#include "batch/lane_sweeps.h"

#include <algorithm>

#include "solve/dual.h"
#include "solve/solve.h"

namespace sinew {

// Worlds that have too many rows are solved at once: a matrix of all lanes should stay in the cache.
const LaneRows* LaneSweeps::SolveUpToSweeps(std::vector<WorldLane>& lanes) {
  constexpr int kMaxRows = 64;
  rows_ = {};
  const bool sweeps = SolverOfLanes(*lanes.front().model) == LaneSolver::kSweeps;
  for (WorldLane& lane : lanes) {
    mjData* d = lane.world.get();
    if (sweeps && d->nefc > 0 && d->nefc <= kMaxRows) lane.dual.emplace(lane.model, d);
    if (lane.dual && lane.dual->full()) lane.dual.reset();
    if (lane.dual) {
      rows_.count = std::max(rows_.count, d->nefc);
    } else {
      SolveConstraints(lane.model, d);
    }
  }
  if (rows_.count == 0) return nullptr;
  if (TakeMemory(lanes.size())) {
    for (size_t l = 0; l < lanes.size(); ++l) Gather(lanes, l);
    return &rows_;
  }
  for (WorldLane& lane : lanes) {
    if (!lane.dual) continue;
    lane.dual.reset();
    SolveConstraints(lane.model, lane.world.get());
  }
  return nullptr;
}

void LaneSweeps::FinishSweeps(std::vector<WorldLane>& lanes, const LaneNumbers& force, const LaneNumbers& sweeps) {
  const size_t width = lanes.size();
  for (size_t l = 0; l < width; ++l) {
    WorldLane& lane = lanes[l];
    if (!lane.dual) continue;
    for (int i = 0; i < lane.world->nefc; ++i) {
      lane.dual->problem().force[i] = NumberAt(force, static_cast<size_t>(i) * width + l);
    }
    lane.dual->TakeForces(static_cast<int>(NumberAt(sweeps, l)));
    lane.dual->Finish();
    lane.dual.reset();
  }
}

// Room for the rows of all lanes; what a lane does not fill is zero.
bool LaneSweeps::TakeMemory(size_t width) {
  const size_t count = static_cast<size_t>(rows_.count);
  const size_t numbers = width * (count * count + 6 * count + 1);
  if (!numbers_.Resize(numbers)) return false;
  double* next = numbers_.get();
  std::fill_n(next, numbers, 0.0);
  const auto take = [&next, width](size_t size) {
    double* taken = next;
    next += size * width;
    return taken;
  };
  rows_.A = take(count * count);
  rows_.diagonal = take(count);
  rows_.inverse = take(count);
  rows_.low = take(count);
  rows_.high = take(count);
  rows_.force = take(count);
  rows_.residual = take(count);
  rows_.present = take(1);
  return true;
}

// Writes one lane's rows to their places.
void LaneSweeps::Gather(const std::vector<WorldLane>& lanes, size_t l) {
  const WorldLane& lane = lanes[l];
  if (!lane.dual) return;
  const auto in_lane = [l, width = lanes.size()](const double* numbers, size_t i) -> double& {
    return const_cast<double*>(numbers)[i * width + l];
  };
  const DualProblem& dual = lane.dual->dual();
  const RowSet& rows = dual.rows();
  const size_t count = static_cast<size_t>(rows_.count);
  in_lane(rows_.present, 0) = 1;
  for (int row = 0; row < rows.nefc; ++row) {
    const auto i = static_cast<size_t>(row);
    dual.ForRow(row,
                [&](int column, double value) { in_lane(rows_.A, i * count + static_cast<size_t>(column)) = value; });
    const RowBounds bounds = BoundsOfRow(rows, row);
    in_lane(rows_.low, i) = bounds.low;
    in_lane(rows_.high, i) = bounds.high;
    in_lane(rows_.diagonal, i) = dual.Diagonal(row);
    in_lane(rows_.inverse, i) = dual.InverseDiagonal(row);
    in_lane(rows_.force, i) = dual.Force(row);
    in_lane(rows_.residual, i) = dual.Residual(row);
  }
}

}  // namespace sinew
