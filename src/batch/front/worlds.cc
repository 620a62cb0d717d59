// The calls on many worlds: the work of a call on one world is a lambda, which Run (worlds_run.cc) distributes to the
// threads.
#include "batch/front/worlds.h"

#include <algorithm>
#include <utility>

#include "batch/pack/lane_pack.h"
#include "collision/triangles/surface_tables.h"
#include "constraint/body_forces.h"
#include "core/error.h"
#include "core/fork.h"
#include "core/machine_memory.h"
#include "core/processors.h"
#include "kinematics/velocity.h"
#include "model/state/state.h"
#include "step/forward.h"
#include "step/sleep.h"

namespace sinew::inline batch {
namespace {

constexpr int kWholeState = mjSTATE_INTEGRATION;

// The error in a forked process, reported once, about a step that its parent had begun.
constexpr char kStepOfParent[] = "a step was under way when this process was forked, and has no end here";
constexpr char kResetAfterFork[] = "reset the worlds or write their states";

// Returns the reason for which no world can run in packs, or null.
const char* ObstacleToPacks(const mjModel& m, const WorldsConfig& config) {
  if (const char* obstacle = ObstacleToLanes(m)) return obstacle;
  return config.persistent ? "a mjData for each world" : nullptr;
}

}  // namespace

Worlds::Busy::Busy(Worlds* worlds) : worlds_(worlds) {
  if (worlds->ForgetStepOfParent()) throw Error(kStepOfParent, kResetAfterFork);
  if (worlds->busy_.exchange(true)) throw Error("another call on these worlds is under way", "wait for its end");
}

// ---- making

Worlds::Worlds(const mjModel& m, int count, const WorldsConfig& config)
    : model_(CopyModel(nullptr, m)), count_(count), config_(config), obstacle_(ObstacleToPacks(m, config)) {
  if (count < 1) throw Error("a batch of " + std::to_string(count) + " worlds", "ask for at least one");
  if ((m.opt.enableflags & mjENBL_SLEEP) && !config.persistent) {
    throw Error("sleeping is enabled, and what sleeps is not part of the state", "make the batch persistent");
  }
  // More threads than worlds would have nothing to do. The caller's thread works too, hence one more than the pool
  // may have.
  const int threads = std::min({config.threads > 0 ? config.threads : UsableProcessors(), count, mjMAXTHREAD + 1});
  AllocateRows();
  workers_.resize(static_cast<size_t>(threads));
  if (threads > 1) pool_ = std::make_unique<ThreadPool>(static_cast<size_t>(threads - 1));
  MakeMeshTables(*model_);
  MakeWorldData();
}

void Worlds::AllocateRows() {
  const size_t worlds = static_cast<size_t>(count_);
  state_size_ = StateSize(*model_, kWholeState);
  const size_t of_state = static_cast<size_t>(state_size_) * sizeof(mjtNum) + mjNWARNING * sizeof(mjWarningStat);
  const size_t of_status = 2 * sizeof(int) + sizeof(std::string) + sizeof(Cause) + sizeof(uint32_t);
  CheckFreeMemory(of_state + of_status + PackOrder::kBytesOfWorld, worlds, "worlds");
  states_.resize(worlds * static_cast<size_t>(state_size_));
  ptrdiff_t offset = 0;
  for (int i = 0; i < mjNSTATE; ++i) {
    const int size = StateSize(*model_, 1 << i);
    // By world, a component begins at its offset in each row; by component, all worlds' numbers of it lie together.
    const bool by_world = config_.layout == StateLayout::kByWorld;
    components_[i] = {states_.data() + (by_world ? offset : offset * count_), by_world ? state_size_ : size, size, i};
    if (size > 0) parts_.push_back(components_[i]);
    offset += size;
  }
  warnings_.resize(worlds * mjNWARNING);
  order_.Resize(count_);
  failed_.resize(worlds);
  statuses_.resize(worlds);
  errors_.resize(worlds);
  causes_.resize(worlds);
  episodes_.resize(worlds);
}

// One mjData is made and copied, as making one computes what all share. Its state is that of every world at the start.
void Worlds::MakeWorldData() {
  const mjModel& m = *model_;
  DataPtr first(MakeData(m));
  SleepInitially(&m, first.get());
  if (config_.persistent) {
    const size_t bytes = sizeof(mjData) + static_cast<size_t>(first->nbuffer);
    CheckFreeMemory(bytes, static_cast<size_t>(count_), "worlds with data of their own");
  }
  for (int i = 0; i < count_; ++i) SaveState(i, *first);
  if (config_.persistent) {
    for (int i = 1; i < count_; ++i) persistent_.emplace_back(CopyData(nullptr, m, *first));
    persistent_.emplace_back(std::move(first));
  } else {
    for (size_t i = 1; i < workers_.size(); ++i) workers_[i].data.reset(CopyData(nullptr, m, *first));
    workers_[0].data = std::move(first);
  }
}

Worlds::~Worlds() {
  if (!ForgetStepOfParent() && beside_.joinable()) beside_.join();
}

// ---- arguments

// Errors name the element, before anything runs. Numbers must ascend, so that no world runs twice at once.
void Worlds::CheckSelection(const Selection& worlds) const {
  const std::span<const int> ids = worlds.ids();
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::string which = "ids[" + std::to_string(i) + "] is " + std::to_string(ids[i]);
    if (ids[i] < 0 || ids[i] >= count_) {
      throw Error(which, "worlds are numbered from 0 to " + std::to_string(count_ - 1));
    }
    if (i > 0 && ids[i] <= ids[i - 1]) {
      throw Error(which + " after " + std::to_string(ids[i - 1]), "sort the ids, each once");
    }
  }
}

void Worlds::CheckStage(int stage) const {
  if (stage < mjSTAGE_NONE || stage > mjSTAGE_ACC) {
    throw Error("stage is " + std::to_string(stage), "give a value of mjtStage");
  }
}

// ---- state

void Worlds::LoadState(int world, mjData* d) const {
  SetStateParts(d, parts_, world);
  std::copy_n(warnings_.data() + static_cast<size_t>(world) * mjNWARNING, mjNWARNING, d->warning);
}

void Worlds::SaveState(int world, const mjData& d) {
  GetStateParts(d, parts_, world);
  std::copy_n(d.warning, mjNWARNING, warnings_.data() + static_cast<size_t>(world) * mjNWARNING);
}

// ---- calls

// Derived fields after steps belong to the state before the last one; these stages bring them up to date.
void Worlds::FinishStages(const mjModel* m, mjData* d, int stage) const {
  if (stage >= mjSTAGE_POS) PositionStage(m, d, /*skip_sensors=*/false);
  if (stage >= mjSTAGE_VEL) VelocityStage(m, d, /*skip_sensors=*/false);
  if (stage >= mjSTAGE_ACC) ForwardSkip(m, d, mjSTAGE_VEL, /*skip_sensors=*/false);
}

// Fields that stages compute only for sensors.
void Worlds::CompleteOutputs(const mjModel* m, mjData* d) const {
  if (needs_subtree_velocities_) SubtreeVel(m, d);
  if (needs_body_forces_) RnePostConstraint(m, d);
}

// All stages of the worlds, in packs. A world that cannot be there is computed by itself.
int Worlds::ForwardInPacks(const Selection& worlds) {
  const auto alone = [this](const mjModel* m, mjData* d, int, int) { FinishStages(m, d, mjSTAGE_ACC); };
  MakePacks();
  return Run(worlds, alone, {.packed_forward = true});
}

int Worlds::Forward(const Selection& worlds, int stage) {
  const Busy busy(this);
  CheckSelection(worlds);
  CheckStage(stage);
  AgreeInPacks();
  if (CanFinishInPacks(stage)) return ForwardInPacks(worlds);
  const auto work = [&](const mjModel* m, mjData* d, int, int) {
    FinishStages(m, d, stage);
    if (stage == mjSTAGE_ACC) CompleteOutputs(m, d);
  };
  return Run(worlds, work, {.contacts = ContactsAfter(0, stage)});
}

// Worlds keep the order of the selection here, in which the records are. In packs, a world that warns of anything is
// rolled out again, alone and from the start, which writes all of its rows once more.
int Worlds::Rollout(const Selection& worlds, int steps, const RolloutInputs& inputs,
                    std::span<const RolloutRecord> records) {
  const Busy busy(this);
  CheckSelection(worlds);
  AgreeInPacks();
  const RolloutPlan plan(*model_, steps, inputs, records);
  const auto work = [&](const mjModel* m, mjData* d, int world, int place) {
    const auto set = [&](mjData* data, int step) { plan.SetInputs(place, step, data); };
    const bool known = causes_[static_cast<size_t>(world)].kind >= 0;
    int done = 0;
    for (bool fine = true; fine && done < steps; ++done) {
      set(d, done);
      fine = StepOnce(m, d, world);
      plan.Record(place, done, *d);
    }
    if (!known) MeasureArena(*m, world, done, set);
    plan.End(place, done);
  };
  if (steps == 0 || !plan.FitsPacks() || !CanRunInPacks()) return Run(worlds, work, {});
  MakePacks();
  return Run(worlds, work, {.packed_steps = steps, .packed_stage = mjSTAGE_NONE, .rollout = &plan});
}

// Apply is for callers that use more than batches offer; outputs are left as they are.
int Worlds::Apply(const Selection& worlds, const Work& work, bool save) {
  const Busy busy(this);
  CheckSelection(worlds);
  return Run(worlds, work, {.save = save, .outputs = false});
}

// ---- a step beside the caller

// In a forked process, the thread of a step that its parent has begun is not there, and cannot be waited for. Worlds
// are then as that step had left them. Returns whether there was one.
bool Worlds::ForgetStepOfParent() {
  if (!beside_.joinable() || beside_forks_ == ForksSoFar()) return false;
  static_cast<void>(new std::thread(std::move(beside_)));  // its handle is never freed: that would end the process
  beside_busy_.reset();
  return true;
}

// The selection is copied, as the caller's array may be gone before the step ends. Errors in arguments throw here,
// those of the step in Wait.
void Worlds::StepAsync(const Selection& worlds, int steps, int stage) {
  if (ForgetStepOfParent()) throw Error(kStepOfParent, kResetAfterFork);
  if (beside_.joinable()) throw Error("a step is under way", "wait for its end");
  CheckSelection(worlds);
  CheckStage(stage);
  if (steps < 0) throw Error("nstep is " + std::to_string(steps), "steps cannot be negative");
  auto busy = std::make_unique<Busy>(this);
  std::vector<int> ids(worlds.ids().begin(), worlds.ids().end());
  beside_error_ = nullptr;
  beside_forks_ = ForksSoFar();
  beside_ = std::thread([this, ids = std::move(ids), all = worlds.is_all(), steps, stage] {
    try {
      beside_failures_ = StepNow(all ? Selection() : Selection(ids), steps, stage);
    } catch (...) {
      beside_error_ = std::current_exception();
    }
  });
  beside_busy_ = std::move(busy);  // until Wait, however soon the step ends
}

int Worlds::Wait() {
  if (ForgetStepOfParent()) throw Error(kStepOfParent, kResetAfterFork);
  if (!beside_.joinable()) throw Error("no step is under way", "begin one first");
  beside_.join();
  beside_ = std::thread();
  beside_busy_.reset();
  if (beside_error_) std::rethrow_exception(std::exchange(beside_error_, nullptr));
  return beside_failures_;
}

}  // namespace sinew::inline batch
