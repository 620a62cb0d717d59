// The dual problem of each world is made by scalar code; its matrix and vectors are put side by side for the sweeps,
// and the forces that these find are put back.
#include "batch/pairs/lane_sweeps.h"

#include <algorithm>

#include "solve/dual.h"
#include "solve/solve.h"

namespace sinew::inline batch {

// Worlds that have too many rows are solved at once: a matrix of all lanes should stay in the cache.
const LaneRows* LaneSweeps::SolveUpToSweeps(std::vector<WorldLane>& lanes) {
  rows_ = {};
  const bool sweeps = SolverOfLanes(*lanes.front().model) == LaneSolver::kSweeps;
  for (WorldLane& lane : lanes) {
    mjData* d = lane.world.get();
    if (sweeps && d->nefc > 0 && d->nefc <= kMaxSweptRows) lane.dual.emplace(lane.model, d);
    if (lane.dual && lane.dual->full()) lane.dual.reset();
    if (lane.dual) {
      rows_.count = std::max(rows_.count, d->nefc);
    } else {
      SolveConstraints(lane.model, d);
    }
  }
  if (rows_.count == 0) return nullptr;
  if (TakeMemory(lanes.size(), 0)) {
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
    lane.dual->TakeForces(static_cast<int>(NumberAt(sweeps, l)), lane.world->nA);
    lane.dual->Finish();
    lane.dual.reset();
  }
}

// Rows as the worlds have them, with the forces that they start from; lanes make the rest. Worlds without rows are
// done. Null where memory is short: nothing is done.
const LaneRows* LaneSweeps::GatherRows(std::vector<WorldLane>& lanes, bool is_single) {
  rows_ = {};
  bool has_room = true;
  for (WorldLane& lane : lanes) {
    mjData* d = lane.world.get();
    if (d->nefc == 0) SolveConstraints(lane.model, d);
    if (d->nefc == 0) continue;
    lane.forces.emplace(lane.model, d);
    has_room = has_room && !lane.forces->full();
    rows_.count = std::max(rows_.count, d->nefc);
  }
  has_room = has_room && TakeMemory(lanes.size(), static_cast<size_t>(lanes.front().model->nv));
  for (size_t l = 0; l < lanes.size(); ++l) {
    if (!has_room) lanes[l].forces.reset();
    if (lanes[l].forces) is_single ? GatherRowsOf<float>(lanes, l) : GatherRowsOf<double>(lanes, l);
  }
  return has_room ? &rows_ : nullptr;
}

void LaneSweeps::PushRows(std::vector<WorldLane>& lanes, const LaneNumbers& force, const LaneNumbers& sweeps) {
  const size_t width = lanes.size();
  for (size_t l = 0; l < width; ++l) {
    WorldLane& lane = lanes[l];
    if (!lane.forces) continue;
    const int count = lane.world->nefc;
    for (int i = 0; i < count; ++i) {
      lane.forces->problem().force[i] = NumberAt(force, static_cast<size_t>(i) * width + l);
    }
    lane.forces->TakeForces(static_cast<int>(NumberAt(sweeps, l)), count * count);
    lane.forces->Push();
    lane.forces.reset();
  }
}

// Room for the rows of all lanes; what a lane does not fill is zero. `nv`: columns of the Jacobian, from which lanes
// make the matrix; zero where worlds have made it.
bool LaneSweeps::TakeMemory(size_t width, size_t nv) {
  constexpr size_t kPadding = 3;  // rows of J behind the last one, which are zero
  const size_t count = static_cast<size_t>(rows_.count);
  const size_t jacobian = nv > 0 ? (count + kPadding + 1) * nv + 4 * count + 1 : 0;
  const size_t numbers = width * (count * count + 7 * count + 1 + jacobian);
  if (!numbers_.Resize(numbers)) return false;
  double* next = numbers_.get();
  const size_t made = nv > 0 ? width * count * count : 0;  // in lanes
  std::fill_n(next + made, numbers - made, 0.0);
  const auto take = [&next, width](size_t size) {
    const LaneSpan<double> taken = {next, static_cast<int>(size * width)};
    next = taken.end();
    return taken;
  };
  rows_.A = take(count * count);
  rows_.diagonal = take(count);
  rows_.inverse = take(count);
  rows_.low = take(count);
  rows_.high = take(count);
  rows_.weight = take(count);
  rows_.force = take(count);
  rows_.residual = take(count);
  rows_.present = take(1);
  if (nv == 0) return true;
  rows_.J = take((count + kPadding) * nv);
  rows_.columns = take(nv);
  rows_.b = take(count);
  rows_.R = take(count);
  rows_.in_fours = take(count);
  rows_.whole_fours = take(1);
  rows_.island = take(count);
  return true;
}

// The same for a lane whose matrix is made in lanes, in the precision of the pack.
template <class Number>
void LaneSweeps::GatherRowsOf(const std::vector<WorldLane>& lanes, size_t l) {
  const WorldLane& lane = lanes[l];
  const Problem& problem = lane.forces->problem();
  const RowSet& rows = problem.rows;
  const auto nv = static_cast<size_t>(problem.nv), width = lanes.size();
  const auto in_lane = [l, width](LaneSpan<double> numbers, size_t i) -> Number& {
    return reinterpret_cast<Number*>(numbers.data)[i * width + l];
  };
  in_lane(rows_.present, 0) = 1;
  rows_.islands = std::max(rows_.islands, problem.islands);
  in_lane(rows_.whole_fours, 0) = static_cast<Number>(rows.nefc / 4 * 4);
  for (size_t i = 0; i < static_cast<size_t>(rows.nefc); ++i) {
    const double* J = lane.world->efc_J + i * nv;
    for (size_t c = 0; c < nv; ++c) in_lane(rows_.J, i * nv + c) = static_cast<Number>(J[c]);
    const RowBounds bounds = BoundsOfRow(rows, static_cast<int>(i));
    in_lane(rows_.low, i) = static_cast<Number>(bounds.low);
    in_lane(rows_.high, i) = static_cast<Number>(bounds.high);
    in_lane(rows_.weight, i) = static_cast<Number>(problem.weight[i]);
    in_lane(rows_.b, i) = static_cast<Number>(lane.world->efc_b[i]);
    in_lane(rows_.R, i) = static_cast<Number>(rows.R[i]);
    in_lane(rows_.island, i) = static_cast<Number>(problem.row_island[i]);
    in_lane(rows_.force, i) = static_cast<Number>(problem.force[i]);
  }
}

// Writes one lane's rows to their places.
void LaneSweeps::Gather(const std::vector<WorldLane>& lanes, size_t l) {
  const WorldLane& lane = lanes[l];
  if (!lane.dual) return;
  const auto in_lane = [l, width = lanes.size()](LaneSpan<double> numbers, size_t i) -> double& {
    return numbers.data[i * width + l];
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
    in_lane(rows_.weight, i) = dual.Weight(row);
    in_lane(rows_.diagonal, i) = dual.Diagonal(row);
    in_lane(rows_.inverse, i) = dual.InverseDiagonal(row);
    in_lane(rows_.force, i) = dual.Force(row);
    in_lane(rows_.residual, i) = dual.Residual(row);
  }
}

}  // namespace sinew::inline batch
