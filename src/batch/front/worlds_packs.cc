// Steps of worlds in the lanes of packs.
#include <time.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "batch/front/worlds.h"
#include "batch/pack/lane_pack.h"
#include "model/state/state.h"

namespace sinew::inline batch {
namespace {

// The parts of the state that steps change: the first in a row, up to the warm start. Rollouts set those behind it.
constexpr int kMotionParts = std::countr_zero(static_cast<unsigned>(mjSTATE_WARMSTART)) + 1;

// Of this thread, where the system tells it: a thread that waits for a processor does not use time.
double ProcessorSeconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec now;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0) {
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
#endif
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

// Each thread has a pack of its own, made when worlds first step: a batch that only computes stages needs none.
void Worlds::MakePacks() {
  for (Worker& worker : workers_) {
    if (!worker.pack) worker.pack = std::make_unique<LanePack>(ModelOfPacks(), config_.precision);
  }
}

// Rows of a pack are in the order of components, whatever the layout of the batch.
void Worlds::CopyToRow(int world, mjtNum* row) const {
  for (const StateRows& part : components_) row = std::copy_n(part.of(world), part.size, row);
}
void Worlds::CopyFromRow(const mjtNum* row, int world, int parts) {
  for (const StateRows& part : std::span(components_).first(static_cast<size_t>(parts))) {
    std::copy_n(row, part.size, part.of(world));
    row += part.size;
  }
}

// Packs look neither at controls nor at the time, which comes first.
bool Worlds::HasGoodInputs(const mjtNum* row) const {
  const auto is_good = [](mjtNum x) { return x >= -mjMAXVAL && x <= mjMAXVAL; };
  const mjtNum* ctrl = row + StateSize(*model_, mjSTATE_CTRL - 1);
  return is_good(row[0]) && std::all_of(ctrl, ctrl + model_->nu, is_good);
}

// Steps of a chunk of worlds, in a pack or one at a time, whichever takes less time.
void Worlds::RunSteps(Worker& worker, const Selection& worlds, int begin, int end, const Work& work, const Call& call) {
  const int count = end - begin, passes = call.passes_in_packs();
  const bool is_free = IsFreeToChoose();
  const bool in_pack = !is_free || worker.choice.TakesPack(count, passes);
  const bool is_timed = is_free && worker.choice.WantsTime();
  const double start = is_timed ? ProcessorSeconds() : 0;
  if (in_pack) {
    RunPack(worker, worlds, begin, end, work, call);
  } else {
    RunAlone(worker, worlds, begin, end, work, call);
  }
  if (is_timed) worker.choice.Note(count, passes, ProcessorSeconds() - start);
}

// Steps of the worlds of a pack. A world that warns of anything is stepped again from its row, alone, which finds out
// what and why; its numbers are the same. So is one whose arena may be too small.
void Worlds::RunPack(Worker& worker, const Selection& worlds, int begin, int end, const Work& work, const Call& call) {
  LanePack& pack = *worker.pack;
  const auto size = static_cast<size_t>(state_size_);
  std::vector<mjtNum> rows(size * static_cast<size_t>(pack.width()));
  unsigned alone = 0;  // a bit for each lane whose world has to run by itself
  const auto row_of = [&](int lane) { return rows.data() + size * static_cast<size_t>(lane); };
  const auto load = [&](int lane) {
    if (!HasGoodInputs(row_of(lane))) alone |= 1u << lane;
    pack.LoadState(lane, row_of(lane));
  };
  for (int lane = 0; lane < pack.width(); ++lane) {
    // lanes without a world repeat the last one
    const int world = worlds.WorldAt(std::min(begin + lane, end - 1));
    CopyToRow(world, row_of(lane));
    if (!LoadParameters(worker, pack, lane, world)) alone |= 1u << lane;
    if (!call.rollout) load(lane);
  }
  const unsigned with_world = (1u << (end - begin)) - 1;
  if (!call.rollout && (alone & with_world) == with_world) {
    worker.worlds += end - begin;
    worker.alone += end - begin;
    return RunAlone(worker, worlds, begin, end, work, call);
  }
  for (int step = 0; step < call.packed_steps; ++step) {
    for (int lane = 0; call.rollout && lane < pack.width(); ++lane) {
      call.rollout->SetInputs(std::min(begin + lane, end - 1), step, row_of(lane));
      load(lane);
    }
    // rows are written, which may take as long as the rest of a step, where somebody looks at them
    const bool is_last = call.outputs && step == call.packed_steps - 1;
    const bool is_recorded = call.rollout && call.rollout->NeedsRows();
    pack.KeepForces(is_recorded || (is_last && (needs_rows_ || keeps_contacts())));
    pack.Step();
    for (int lane = 0; lane < pack.width(); ++lane) {
      const LaneStatus& status = pack.status(lane);
      if (status.warnings != 0 || status.is_short_of_room) alone |= 1u << lane;
    }
    if (!call.rollout) continue;
    for (int lane = 0; lane < pack.width(); ++lane) {
      pack.SaveMotion(lane, row_of(lane));
      if (begin + lane < end) call.rollout->Record(begin + lane, step, row_of(lane), pack, lane);
    }
  }
  if (call.packed_forward) pack.Forward();
  worker.lanes += pack.width();
  for (int place = begin; place < end; ++place) {
    const int lane = place - begin, world = worlds.WorldAt(place);
    ++worker.worlds;
    if (alone & (1u << lane)) {
      ++worker.alone;
      RunWorld(worker, world, place, work, call);
      continue;
    }
    failed_[static_cast<size_t>(world)] = 0;
    errors_[static_cast<size_t>(world)].clear();
    if (call.packed_steps > 0) {
      order_.Note(world, pack.status(lane).constraints);
      pack.SaveMotion(lane, row_of(lane));
      CopyFromRow(row_of(lane), world, call.rollout ? mjNSTATE : kMotionParts);
    }
    if (call.rollout) call.rollout->End(place, call.packed_steps);
    FinishLane(pack, lane, world, call);
  }
}

// Stages and outputs of a lane, in its world: contacts and rows are there.
void Worlds::FinishLane(LanePack& pack, int lane, int world, const Call& call) {
  if (!call.outputs || (outputs_.empty() && !keeps_contacts())) return;
  mjData* d = &pack.world(lane);
  const bool is_done = call.packed_stage == mjSTAGE_NONE && !needs_body_forces_ && !needs_subtree_velocities_;
  if (is_done || call.packed_forward) {
    pack.Save(lane, d, output_arrays_);
  } else {
    pack.Save(lane, d);
    FinishStages(&pack.model(lane), d, call.packed_stage);
    CompleteOutputs(&pack.model(lane), d);
  }
  CopyOutputs(world, *d);
  if (keeps_contacts()) CopyContacts(pack.model(lane), world, *d, call.contacts);
}

Worlds::Use Worlds::UseOfPacks() const {
  PackUse sum = {};
  long long lanes = 0, worlds = 0, alone = 0;
  for (const Worker& worker : workers_) {
    if (!worker.pack) continue;
    const PackUse use = worker.pack->use();
    sum.slots += use.slots;
    sum.slots_of_packs += use.slots_of_packs;
    sum.work += use.work;
    sum.work_of_packs += use.work_of_packs;
    sum.iterations += use.iterations;
    sum.iterations_of_packs += use.iterations_of_packs;
    lanes += worker.lanes;
    worlds += worker.worlds;
    alone += worker.alone;
  }
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  const auto count = [](long long number) { return static_cast<double>(number); };
  return {share(count(worlds), count(lanes)), share(sum.slots, sum.slots_of_packs), share(sum.work, sum.work_of_packs),
          share(sum.iterations, sum.iterations_of_packs), share(count(alone), count(worlds))};
}

bool Worlds::IsFreeToChoose() const {
  return config_.stepping == Stepping::kFaster && config_.precision == Precision::kDouble;
}

bool Worlds::CanRunInPacks() const { return config_.stepping != Stepping::kAlone && !ObstacleOfAll(); }

// Whether lanes can compute all stages that a call ends with, and what outputs need beside them.
bool Worlds::CanFinishInPacks(int stage) const {
  return stage == mjSTAGE_ACC && !outputs_.empty() && !needs_rows_ && !needs_contacts_ && !keeps_contacts() &&
         !needs_body_forces_ && !needs_subtree_velocities_ && CanRunInPacks();
}

}  // namespace sinew::inline batch
