// Derivatives of steps of worlds in the lanes of packs.
#include <algorithm>
#include <memory>
#include <vector>

#include "batch/front/worlds.h"
#include "batch/pack/lane_pack.h"
#include "derivatives/small_systems/slot_linearization.h"
#include "derivatives/terms/forward_at_solution.h"
#include "derivatives/transition.h"
#include "model/state/state.h"

namespace sinew::inline batch {

// Packs of derivatives are double, and their solver is Newton's method.
int Worlds::Linearize(const Selection& worlds, mjtNum* A, mjtNum* B, const Work& alone) {
  const Busy busy(this);
  CheckSelection(worlds);
  const Call one_by_one = {.save = false, .outputs = false};
  AgreeInPacks();
  if (!CanRunInPacks() || !AreTransitionsInLanes(&ModelOfPacks())) return Run(worlds, alone, one_by_one);
  primal_ = WithPrimalSolver(ModelOfPacks());
  for (Worker& worker : workers_) {
    if (!worker.gradient_pack) worker.gradient_pack = std::make_unique<LanePack>(primal_);
  }
  const int nu = static_cast<int>(model_->nu), state = 2 * static_cast<int>(model_->nv) + static_cast<int>(model_->na);
  const TransitionPlan plan = {worlds, A, B, state, nu};
  Call call = one_by_one;
  call.transition = &plan;
  return Run(Selection(order_.Sort(worlds)), alone, call);
}

// A world whose lane has no derivatives is differentiated alone, which finds out why; its numbers are the same.
void Worlds::LinearizePack(Worker& worker, const Selection& worlds, int begin, int end, const Work& alone,
                           const Call& call) {
  LanePack& pack = *worker.gradient_pack;
  const TransitionPlan& plan = *call.transition;
  const auto size = [](int rows, int columns) { return static_cast<size_t>(rows) * static_cast<size_t>(columns); };
  const size_t size_A = size(plan.state, plan.state), size_B = size(plan.state, plan.controls);
  const size_t nv = static_cast<size_t>(model_->nv), width = static_cast<size_t>(pack.width());
  std::vector<mjtNum> row(static_cast<size_t>(state_size_)), b(nv * width), unwanted(std::max(size_A, size_B));
  std::vector<LaneTransition> lanes(width);
  std::vector<char> goes_alone(width);
  for (int lane = 0; lane < pack.width(); ++lane) {
    // lanes without a world repeat the last one
    const int world = worlds.WorldAt(std::min(begin + lane, end - 1)), place = plan.worlds.PlaceOf(world);
    const auto part = [&](mjtNum* all, size_t of_world) {
      return all && begin + lane < end ? all + static_cast<size_t>(place) * of_world : unwanted.data();
    };
    const auto l = static_cast<size_t>(lane);
    lanes[l] = {part(plan.A, size_A), part(plan.B, size_B), b.data() + nv * l, unwanted.data(), false, {}};
    CopyToRow(world, row.data());
    goes_alone[l] = !LoadParameters(worker, pack, lane, world);
    pack.LoadState(lane, row.data());
  }
  const bool is_run = pack.Linearize(lanes.data());
  for (int at = begin; at < end; ++at) {
    const int lane = at - begin, world = worlds.WorldAt(at);
    const auto l = static_cast<size_t>(lane);
    if (!is_run || goes_alone[l] || !lanes[l].is_done) {
      RunWorld(worker, world, plan.worlds.PlaceOf(world), alone, call);
      continue;
    }
    failed_[static_cast<size_t>(world)] = 0;
    errors_[static_cast<size_t>(world)].clear();
    order_.Note(world, lanes[l].constraints);
    CompleteTransition(&pack.model(lane), &pack.world(lane), lanes[l].b,
                       {plan.A ? lanes[l].A : nullptr, plan.B ? lanes[l].B : nullptr, nullptr, nullptr});
  }
}

}  // namespace sinew::inline batch
