// This file has the calls on many worlds: a call's work on one world stands in a lambda, and RunWorld brings the
// world's state into a mjData, runs the work, and brings the state back. Threads take worlds in chunks from a
// counter; nothing that one world computes is read by another, so that the order in which they run does not matter.
#include "batch/worlds.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <utility>

#include "batch/lane_pack.h"
#include "constraint/body_forces.h"
#include "core/error.h"
#include "core/handlers.h"
#include "core/memory.h"
#include "core/processors.h"
#include "core/trap.h"
#include "kinematics/velocity.h"
#include "model/cause.h"
#include "model/fields.h"
#include "model/names.h"
#include "model/state.h"
#include "model/validate.h"
#include "step/forward.h"
#include "step/sleep.h"
#include "step/step.h"

namespace sinew {
namespace {

constexpr int kWholeState = mjSTATE_INTEGRATION;

// Large enough that handing out chunks costs nothing, small enough that the last ones keep all threads at work.
constexpr int kChunksPerThread = 16, kLargestChunk = 32;

// This handler drops warnings; counters of the world have them anyway.
void Ignore(const char*) {}

// What a thread's warnings do while it works on worlds.
class QuietWarnings {
 public:
  explicit QuietWarnings(bool quiet) : quiet_(quiet), previous_(ThreadWarningHandler()) {
    if (quiet_) SetThreadWarningHandler(Ignore);
  }
  ~QuietWarnings() {
    if (quiet_) SetThreadWarningHandler(previous_);
  }
  QuietWarnings(const QuietWarnings&) = delete;
  QuietWarnings& operator=(const QuietWarnings&) = delete;

 private:
  bool quiet_;
  MessageHandler previous_;
};

// Returns the name of an object in quotes, or its number.
std::string Quoted(const mjModel& m, int type, int id) {
  const char* name = Id2Name(m, type, id);
  return name ? std::string("'").append(name).append("'") : std::to_string(id);
}

// "qacc of joint 'knee' (body 'shin')"
std::string Coordinate(const mjModel& m, const char* array, int joint) {
  return std::string(array) + " of joint " + Quoted(m, mjOBJ_JOINT, joint) + " (body " +
         Quoted(m, mjOBJ_BODY, m.jnt_bodyid[joint]) + ")";
}

// Returns the joint that owns number i of qpos: the last one that begins at or before it.
int JointOfPosition(const mjModel& m, int i) {
  int joint = static_cast<int>(m.njnt) - 1;
  while (joint > 0 && m.jnt_qposadr[joint] > i) --joint;
  return joint;
}

// Warnings of bad positions, velocities and accelerations are all a divergence.
WorldStatus StatusOf(int warning) {
  switch (warning) {
    case mjWARN_INERTIA:
      return WorldStatus::kSingular;
    case mjWARN_CONTACTFULL:
    case mjWARN_CNSTRFULL:
      return WorldStatus::kArenaFull;
    case mjWARN_BADCTRL:
      return WorldStatus::kBadControl;
    default:
      return WorldStatus::kDiverged;
  }
}

// What keeps all worlds from packs.
const char* ObstacleToPacks(const mjModel& m, const WorldsConfig& config) {
  if (const char* obstacle = ObstacleToLanes(m)) return obstacle;
  return config.persistent ? "a mjData for each world" : nullptr;
}

}  // namespace

Worlds::Busy::Busy(Worlds* worlds) : worlds_(worlds) {
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
  const size_t worlds = static_cast<size_t>(count);
  const int threads = std::min({config.threads > 0 ? config.threads : UsableProcessors(), count, mjMAXTHREAD + 1});
  state_size_ = StateSize(m, kWholeState);
  states_.resize(worlds * static_cast<size_t>(state_size_));
  ptrdiff_t offset = 0;
  for (int i = 0; i < mjNSTATE; ++i) {
    const int size = StateSize(m, 1 << i);
    // By world, a component begins at its offset in each row; by component, all worlds' numbers of it lie together.
    const bool by_world = config.layout == StateLayout::kByWorld;
    components_[i] = {states_.data() + (by_world ? offset : offset * count), by_world ? state_size_ : size, size};
    offset += size;
  }
  warnings_.resize(worlds * mjNWARNING);
  order_.Resize(count);
  failed_.resize(worlds);
  statuses_.resize(worlds);
  errors_.resize(worlds);
  causes_.resize(worlds);
  episodes_.resize(worlds);

  workers_.resize(static_cast<size_t>(threads));
  if (threads > 1) pool_ = std::make_unique<ThreadPool>(static_cast<size_t>(threads - 1));
  // One mjData is made and copied, as making one computes what all share. Its state is that of every world at the
  // start.
  DataPtr first(MakeData(m));
  SleepInitially(&m, first.get());
  for (int i = 0; i < count; ++i) SaveState(m, i, *first);
  if (config.persistent) {
    for (int i = 1; i < count; ++i) persistent_.emplace_back(CopyData(nullptr, m, *first));
    persistent_.emplace_back(std::move(first));
  } else {
    for (size_t i = 1; i < workers_.size(); ++i) workers_[i].data.reset(CopyData(nullptr, m, *first));
    workers_[0].data = std::move(first);
  }
}

Worlds::~Worlds() {
  if (beside_.joinable()) beside_.join();
}

// ---- arguments

// Errors name the element, before anything runs. Numbers must ascend, so that no world runs twice at once.
void Worlds::CheckSelection(const Selection& worlds) const {
  if (!worlds.ids) return;
  if (worlds.count < 0) throw Error("nid is " + std::to_string(worlds.count), "give how many ids there are");
  for (int i = 0; i < worlds.count; ++i) {
    const int id = worlds.ids[i];
    if (id < 0 || id >= count_) {
      throw Error("ids[" + std::to_string(i) + "] is " + std::to_string(id),
                  "worlds are numbered from 0 to " + std::to_string(count_ - 1));
    }
    if (i > 0 && id <= worlds.ids[i - 1]) {
      throw Error(
          "ids[" + std::to_string(i) + "] is " + std::to_string(id) + " after " + std::to_string(worlds.ids[i - 1]),
          "sort the ids, each once");
    }
  }
}

void Worlds::CheckStage(int stage) const {
  if (stage < mjSTAGE_NONE || stage > mjSTAGE_ACC) {
    throw Error("stage is " + std::to_string(stage), "give a value of mjtStage");
  }
}

// ---- state

// Rows laid out by component are loaded component by component; both ways give the same state.
void Worlds::LoadState(const mjModel& m, int world, mjData* d) const {
  if (config_.layout == StateLayout::kByWorld) {
    SetState(m, d, components_[0].of(world), kWholeState);
  } else {
    for (int i = 0; i < mjNSTATE; ++i) SetState(m, d, components_[i].of(world), 1 << i);
  }
  std::copy_n(warnings_.data() + static_cast<size_t>(world) * mjNWARNING, mjNWARNING, d->warning);
}

void Worlds::SaveState(const mjModel& m, int world, const mjData& d) {
  if (config_.layout == StateLayout::kByWorld) {
    sinew::GetState(m, d, components_[0].of(world), kWholeState);
  } else {
    for (int i = 0; i < mjNSTATE; ++i) sinew::GetState(m, d, components_[i].of(world), 1 << i);
  }
  std::copy_n(d.warning, mjNWARNING, warnings_.data() + static_cast<size_t>(world) * mjNWARNING);
}

// ---- fields

// The address stays the same for as long as the worlds live: a field that is asked for again gives the same array.
WorldArray Worlds::Output(std::string_view name) {
  for (const auto& output : outputs_) {
    if (output->field.name == name) return {output->values.data(), output->field.size, output->field.kind};
  }
  const Busy busy(this);
  const DataField field = FindDataField(*model_, name);
  auto output = std::make_unique<OutputArray>(OutputArray{field, {}});
  output->values.resize(field.Bytes() * static_cast<size_t>(count_) + 1);  // never without an address
  for (int i = 0; i < count_ && persistent(); ++i) {
    const size_t world = static_cast<size_t>(i);
    std::memcpy(output->values.data() + world * field.Bytes(), field.In(*persistent_[world]), field.Bytes());
  }
  outputs_.push_back(std::move(output));
  if (field.array) AddTo(output_arrays_, *field.array);
  needs_rows_ |= !field.array && name != "ncon";
  // Stages skip these fields unless a sensor reads them.
  if (config_.complete_outputs) {
    needs_body_forces_ |= name == "cacc" || name == "cfrc_int" || name == "cfrc_ext";
    needs_rows_ |= needs_body_forces_;
    needs_subtree_velocities_ |= name == "subtree_linvel" || name == "subtree_angmom";
  }
  return {outputs_.back()->values.data(), field.size, field.kind};
}

void Worlds::CopyOutputs(int world, const mjData& d) {
  for (const auto& output : outputs_) {
    const size_t bytes = output->field.Bytes();
    if (bytes > 0) {
      std::memcpy(output->values.data() + static_cast<size_t>(world) * bytes, output->field.In(d), bytes);
    }
  }
}

namespace {

// "opt.timestep" and "timestep" of mjOption are told apart by the place.
bool IsSame(const ModelParameter& a, const ModelParameter& b) { return a.array == b.array && a.offset == b.offset; }

}  // namespace

// Every world starts with the model's own values. Fields that SetConst has expanded become the user's by this call.
WorldArray Worlds::Expand(std::string_view name) {
  if (has_models()) throw Error("worlds have models of their own", "write '" + std::string(name) + "' there");
  const ModelParameter field = FindModelParameter(*model_, name);
  for (const auto& parameter : parameters_) {
    if (!IsSame(parameter->field, field)) continue;
    parameter->given = true;
    return {parameter->values.data(), field.size, field.kind};
  }
  const Busy busy(this);
  auto parameter = std::make_unique<Parameter>(Parameter{field, {}, {}, true});
  parameter->values.resize(field.Bytes() * static_cast<size_t>(count_) + 1);
  for (int i = 0; i < count_ && field.size > 0; ++i) {
    std::memcpy(parameter->Row(i), field.In(std::as_const(*model_)), field.Bytes());
  }
  // The values of the model were checked when it was compiled.
  parameter->checked = parameter->values;
  parameters_.push_back(std::move(parameter));
  return {parameters_.back()->values.data(), field.size, field.kind};
}

WorldArray Worlds::Expanded(std::string_view name) const {
  const ModelParameter field = FindModelParameter(*model_, name);
  for (const auto& parameter : parameters_) {
    if (IsSame(parameter->field, field)) return {parameter->values.data(), field.size, field.kind};
  }
  return {nullptr, field.size, field.kind};
}

// The model that a world runs on. Values that changed since they were last found right are looked at first.
const mjModel* Worlds::ModelFor(Worker& worker, int world) {
  if (has_models()) return models_[static_cast<size_t>(world)];
  if (parameters_.empty()) return model_.get();
  if (!worker.model) worker.model.reset(CopyModel(nullptr, *model_));
  bool structure_changed = false;
  for (const auto& parameter : parameters_) {
    const ModelParameter& field = parameter->field;
    if (field.size == 0) continue;
    char *row = parameter->Row(world), *checked = parameter->CheckedRow(world);
    if (parameter->given && std::memcmp(row, checked, field.Bytes()) != 0) {
      CheckParameter(field, row);
      structure_changed |= field.kind != ElementKind::kNum && field.kind != ElementKind::kFloat;
    }
    std::memcpy(field.In(*worker.model), row, field.Bytes());
  }
  // Integers are indices and types, whose errors reach over several fields: the whole model is checked.
  if (structure_changed) Validate(*worker.model);
  for (const auto& parameter : parameters_) {
    if (parameter->given && parameter->field.size > 0) {
      std::memcpy(parameter->CheckedRow(world), parameter->Row(world), parameter->field.Bytes());
    }
  }
  return worker.model.get();
}

// The models stay the caller's and have to live until others are set. Sizes are compared for all of them first, so
// that an error changes nothing.
void Worlds::SetModels(const mjModel* const* models) {
  const Busy busy(this);
  if (!models) {
    models_.clear();
    return;
  }
  if (!parameters_.empty()) {
    throw Error("field '" + std::string(parameters_[0]->field.name) + "' has values of its own in each world",
                "use either that or models, in batches of their own");
  }
  for (int i = 0; i < count_; ++i) {
    const std::string which = "models[" + std::to_string(i) + "]";
    if (!models[i]) throw Error(which + " is NULL", "give a model for each world");
    try {
      CheckSameLayout(*model_, *models[i]);
    } catch (const Error& error) {
      throw Error(which + ": " + error.problem(), error.remedy());
    }
  }
  models_.assign(models, models + count_);
}

void Worlds::GetModel(int world, mjModel* m) {
  const Busy busy(this);
  if (world < 0 || world >= count_) throw Error("there is no world " + std::to_string(world));
  CopyModel(m, *ModelFor(workers_[0], world));
}

// Worlds that are not persistent have a state alone; the rest of their mjData is computed from it here.
void Worlds::GetData(int world, mjData* d) {
  const Busy busy(this);
  if (world < 0 || world >= count_) throw Error("there is no world " + std::to_string(world));
  const mjModel* m = ModelFor(workers_[0], world);
  const QuietWarnings quiet(!config_.report_warnings);
  if (persistent()) CopyData(d, *m, *persistent_[static_cast<size_t>(world)]);
  LoadState(*m, world, d);
  if (persistent()) return;
  sinew::Forward(m, d);
  std::copy_n(warnings_.data() + static_cast<size_t>(world) * mjNWARNING, mjNWARNING, d->warning);
}

// ---- running

// Chunks of the selected worlds, for the threads of the pool.
class Worlds::Job {
 public:
  Job(Worlds* worlds, const Selection& selection, const Work& work, const Call& call)
      : worlds_(worlds), selection_(selection), work_(work), call_(call), total_(worlds->CountOf(selection)) {
    const int threads = worlds->threads();
    chunk_ = std::clamp(total_ / (threads * kChunksPerThread), 1, kLargestChunk);
    // A chunk is a pack then.
    if (call.packed_steps > 0) chunk_ = worlds->workers_[0].pack->width();
  }

  // Runs the chunks on the pool's threads and this one, and returns when all are done.
  void Run() {
    const int chunks = (total_ + chunk_ - 1) / chunk_;
    mjTask tasks[mjMAXTHREAD];
    const int helpers = std::min(worlds_->threads(), chunks) - 1;
    for (int i = 0; i < helpers; ++i) {
      tasks[i] = {[](void* job) -> void* {
                    static_cast<Job*>(job)->RunChunks();
                    return nullptr;
                  },
                  this, mjTASK_NEW};
      worlds_->pool_->Enqueue(&tasks[i]);
    }
    RunChunks();
    for (int i = 0; i < helpers; ++i) Join(tasks[i]);
  }

 private:
  void RunChunks() {
    const QuietWarnings quiet(!worlds_->config_.report_warnings);
    // Each thread has a worker of its own: model, data and pack are used by nobody else.
    const int number = worlds_->pool_ ? WorkerOf(*worlds_->pool_) : 0;
    Worker& worker = worlds_->workers_[static_cast<size_t>(number)];
    for (int begin = next_.fetch_add(chunk_); begin < total_; begin = next_.fetch_add(chunk_)) {
      const int end = std::min(begin + chunk_, total_);
      if (call_.packed_steps > 0) {
        worlds_->RunPack(worker, selection_, begin, end, work_, call_);
        continue;
      }
      for (int place = begin; place < end; ++place) {
        worlds_->RunWorld(worker, WorldAt(selection_, place), place, work_, call_);
      }
    }
  }

  Worlds* worlds_;
  const Selection& selection_;
  const Work& work_;
  const Call& call_;
  int total_, chunk_;
  std::atomic<int> next_{0};
};

// Returns how many of the selected worlds failed.
int Worlds::Run(const Selection& worlds, const Work& work, const Call& call) {
  Job(this, worlds, work, call).Run();
  int failures = 0;
  for (int place = 0; place < CountOf(worlds); ++place)
    failures += failed_[static_cast<size_t>(WorldAt(worlds, place))];
  return failures;
}

// An error leaves the world as it was: its state is saved at the end only.
void Worlds::RunWorld(Worker& worker, int world, int place, const Work& work, const Call& call) {
  const size_t w = static_cast<size_t>(world);
  failed_[w] = 0;
  errors_[w].clear();
  mjData* d = DataFor(worker, world);
  std::string error;
  const mjModel* m = model_.get();
  const auto run = [&] {
    try {
      m = ModelFor(worker, world);
      LoadState(*m, world, d);
      work(m, d, world, place);
    } catch (const Error& caught) {
      error = caught.what();
    } catch (const std::exception& caught) {
      error = caught.what();
    }
  };
  // mju_error may leave by longjmp, which Trap catches: only a pointer to the work goes through it.
  const auto* pointer = &run;
  using Run = const decltype(run);
  const bool raised = Trap([](void* context) { (**static_cast<Run**>(context))(); }, &pointer);
  if (raised) error = TrappedText();
  if (error.empty()) {
    if (call.save) SaveState(*m, world, *d);
    if (call.outputs) CopyOutputs(world, *d);
    return;
  }
  failed_[w] = 1;
  errors_[w] = error;
  if (statuses_[w] == 0) statuses_[w] = static_cast<int>(WorldStatus::kFailed);
  ResetData(*model_, d);  // whatever the error left open
  LoadState(*model_, world, d);
}

// Rows of a pack are in the order of components, whatever the layout of the batch.
void Worlds::CopyToRow(int world, mjtNum* row) const {
  for (const WorldNumbers& part : components_) row = std::copy_n(part.of(world), part.size, row);
}
// What steps change comes first in a row; the warm start is the last of it.
void Worlds::CopyMotionFromRow(const mjtNum* row, int world) {
  constexpr int kParts = std::countr_zero(static_cast<unsigned>(mjSTATE_WARMSTART)) + 1;
  for (const WorldNumbers& part : std::span(components_).first(kParts)) {
    std::copy_n(row, part.size, part.of(world));
    row += part.size;
  }
}

// Packs do not look at controls.
bool Worlds::HasGoodControls(const mjtNum* row) const {
  const mjtNum* ctrl = row + StateSize(*model_, mjSTATE_CTRL - 1);
  return std::all_of(ctrl, ctrl + model_->nu, [](mjtNum x) { return x >= -mjMAXVAL && x <= mjMAXVAL; });
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
    if (!HasGoodControls(row_of(lane))) alone |= 1u << lane;
    pack.LoadState(lane, row_of(lane));
  };
  for (int lane = 0; lane < pack.width(); ++lane) {
    // lanes without a world repeat the last one
    CopyToRow(WorldAt(worlds, std::min(begin + lane, end - 1)), row_of(lane));
    if (!call.rollout) load(lane);
  }
  pack.KeepForces(needs_rows_ || (call.rollout && call.rollout->NeedsRows()));
  for (int step = 0; step < call.packed_steps; ++step) {
    for (int lane = 0; call.rollout && lane < pack.width(); ++lane) {
      call.rollout->SetInputs(std::min(begin + lane, end - 1), step, row_of(lane));
      load(lane);
    }
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
  worker.lanes += pack.width();
  for (int place = begin; place < end; ++place) {
    const int lane = place - begin, world = WorldAt(worlds, place);
    ++worker.worlds;
    if (alone & (1u << lane)) {
      ++worker.alone;
      RunWorld(worker, world, place, work, call);
      continue;
    }
    failed_[static_cast<size_t>(world)] = 0;
    errors_[static_cast<size_t>(world)].clear();
    order_.Note(world, pack.status(lane).constraints);
    pack.SaveMotion(lane, row_of(lane));
    CopyMotionFromRow(row_of(lane), world);
    FinishLane(pack, lane, world, call);
  }
}

// Stages and outputs of a lane, in its world: contacts and rows are there.
void Worlds::FinishLane(LanePack& pack, int lane, int world, const Call& call) {
  if (outputs_.empty()) return;
  auto* d = const_cast<mjData*>(&pack.world(lane));  // the pack's scratch memory
  if (call.packed_stage == mjSTAGE_NONE && !needs_body_forces_ && !needs_subtree_velocities_) {
    pack.Save(lane, d, output_arrays_);
    return CopyOutputs(world, *d);
  }
  pack.Save(lane, d);
  FinishStages(model_.get(), d, call.packed_stage);
  CompleteOutputs(model_.get(), d);
  CopyOutputs(world, *d);
}

Worlds::Use Worlds::UseOfPacks() const {
  PackUse sum = {};
  long long lanes = 0, worlds = 0, alone = 0;
  for (const Worker& worker : workers_) {
    if (!worker.pack) continue;
    const PackUse use = worker.pack->use();
    sum.slots += use.slots;
    sum.slots_of_packs += use.slots_of_packs;
    sum.iterations += use.iterations;
    sum.iterations_of_packs += use.iterations_of_packs;
    lanes += worker.lanes;
    worlds += worker.worlds;
    alone += worker.alone;
  }
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  const auto count = [](long long number) { return static_cast<double>(number); };
  return {share(count(worlds), count(lanes)), share(sum.slots, sum.slots_of_packs),
          share(sum.iterations, sum.iterations_of_packs), share(count(alone), count(worlds))};
}

// Whether this call may use packs, and there is one for each thread.
bool Worlds::CanRunInPacks() const {
  return !obstacle_ && !has_models() && parameters_.empty() && !ObstacleToLanes(*model_);
}

// One step; false when something was wrong with it, which is kept if it is the first.
bool Worlds::StepOnce(const mjModel* m, mjData* d, int world) {
  int before[mjNWARNING];
  for (int i = 0; i < mjNWARNING; ++i) before[i] = d->warning[i].number;
  const double time = d->time;
  TakeCause();
  sinew::Step(m, d);
  // a reset, which clears counters, sets the time back
  const bool reset = !(d->time > time);
  bool fine = true;
  Cause& cause = causes_[static_cast<size_t>(world)];
  for (int i = 0; i < mjNWARNING; ++i) {
    if (d->warning[i].number <= (reset ? 0 : before[i])) continue;
    fine = false;
    if (cause.kind >= 0) continue;
    cause = {i, d->warning[i].lastinfo, time, 0, TakeCause()};
    statuses_[static_cast<size_t>(world)] = static_cast<int>(StatusOf(i));
  }
  return fine;
}

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

// Each thread has a pack of its own, made when worlds first step: a batch that only computes stages needs none.
void Worlds::MakePacks() {
  for (Worker& worker : workers_) {
    if (!worker.pack) worker.pack = std::make_unique<LanePack>(*model_, config_.precision);
  }
}

// Steps worlds without checks of arguments, for Step and for the thread of StepAsync. Packs are made on first use:
// not every batch steps.
int Worlds::StepNow(const Selection& worlds, int steps, int stage) {
  const auto work = [&](const mjModel* m, mjData* d, int world, int) {
    const bool known = causes_[static_cast<size_t>(world)].kind >= 0;
    for (int i = 0; i < steps; ++i) StepOnce(m, d, world);
    if (!known) MeasureArena(*m, world, steps, {});
    FinishStages(m, d, stage);
    CompleteOutputs(m, d);
  };
  if (steps == 0 || !CanRunInPacks()) return Run(worlds, work, {});
  MakePacks();
  const std::vector<int>& order = order_.Sort(worlds.ids, CountOf(worlds));
  return Run({order.data(), CountOf(worlds)}, work, {.packed_steps = steps, .packed_stage = stage});
}

int Worlds::Step(const Selection& worlds, int steps, int stage) {
  const Busy busy(this);
  CheckSelection(worlds);
  CheckStage(stage);
  if (steps < 0) throw Error("nstep is " + std::to_string(steps), "steps cannot be negative");
  return StepNow(worlds, steps, stage);
}

int Worlds::Forward(const Selection& worlds, int stage) {
  const Busy busy(this);
  CheckSelection(worlds);
  CheckStage(stage);
  const auto work = [&](const mjModel* m, mjData* d, int, int) {
    FinishStages(m, d, stage);
    if (stage == mjSTAGE_ACC) CompleteOutputs(m, d);
  };
  return Run(worlds, work, {});
}

// Parameters are drawn before constants are derived from them, and both before the state is set, which keyframes and
// random positions do in this order.
int Worlds::Reset(const Selection& worlds, const int* keys, int stage) {
  // Expand holds the worlds by itself, and has to be done with before this call does.
  if (RandomizesConstants()) ExpandConstants();
  const Busy busy(this);
  CheckSelection(worlds);
  CheckStage(stage);
  for (int place = 0; keys && place < CountOf(worlds); ++place) {
    const int world = WorldAt(worlds, place);
    const mjModel& m = has_models() ? *models_[static_cast<size_t>(world)] : *model_;
    if (keys[place] < -1 || keys[place] >= m.nkey) {
      throw Error("key[" + std::to_string(place) + "] is " + std::to_string(keys[place]) + ", and the model has " +
                      std::to_string(m.nkey) + " keyframes",
                  "-1 is none");
    }
  }
  for (int place = 0; place < CountOf(worlds); ++place) {
    const int world = WorldAt(worlds, place);
    const size_t w = static_cast<size_t>(world);
    causes_[w] = {};
    statuses_[w] = 0;
    ++episodes_[w];
    DrawParameters(world);
  }
  if (RandomizesConstants()) DeriveAll(worlds);
  const auto work = [&](const mjModel* m, mjData* d, int world, int place) {
    ResetData(*m, d);
    if (keys && keys[place] >= 0) {
      ResetDataKeyframe(*m, d, keys[place]);
    } else {
      SleepInitially(m, d);
    }
    DrawState(*m, world, d);
    FinishStages(m, d, stage);
    if (stage == mjSTAGE_ACC) CompleteOutputs(m, d);
  };
  return Run(worlds, work, {});
}

// Worlds keep the order of the selection here, in which the records are. In packs, a world that warns of anything is
// rolled out again, alone and from the start, which writes all of its rows once more.
int Worlds::Rollout(const Selection& worlds, int steps, const mjtNum* control, int control_signature,
                    std::span<const RolloutRecord> records) {
  const Busy busy(this);
  CheckSelection(worlds);
  const RolloutPlan plan(*model_, steps, control, control_signature, records);
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
    for (; done < steps; ++done) plan.Repeat(place, done);
  };
  if (steps == 0 || !plan.FitsPacks() || !CanRunInPacks()) return Run(worlds, work, {});
  MakePacks();
  return Run(worlds, work, {.packed_steps = steps, .packed_stage = mjSTAGE_NONE, .rollout = &plan});
}

// This is for callers that know more than batches do; outputs are left as they are.
int Worlds::Apply(const Selection& worlds, const Work& work, bool save) {
  const Busy busy(this);
  CheckSelection(worlds);
  return Run(worlds, work, {.save = save, .outputs = false});
}

// ---- a step beside the caller

// The selection is copied, as the caller's array may be gone before the step ends. Errors in arguments throw here,
// those of the step in Wait.
void Worlds::StepAsync(const Selection& worlds, int steps, int stage) {
  if (beside_.joinable()) throw Error("a step is under way", "wait for its end");
  CheckSelection(worlds);
  CheckStage(stage);
  if (steps < 0) throw Error("nstep is " + std::to_string(steps), "steps cannot be negative");
  auto busy = std::make_unique<Busy>(this);
  std::vector<int> ids(worlds.ids, worlds.ids + (worlds.ids ? worlds.count : 0));
  const bool all = worlds.ids == nullptr;
  beside_error_ = nullptr;
  beside_ = std::thread([this, ids = std::move(ids), all, steps, stage] {
    try {
      // an empty vector may have no address, which would stand for all worlds
      static constexpr int kNone = 0;
      const int* selected = ids.empty() ? &kNone : ids.data();
      const Selection selection{all ? nullptr : selected, static_cast<int>(ids.size())};
      beside_failures_ = StepNow(selection, steps, stage);
    } catch (...) {
      beside_error_ = std::current_exception();
    }
  });
  beside_busy_ = std::move(busy);  // until Wait, however soon the step ends
}

int Worlds::Wait() {
  if (!beside_.joinable()) throw Error("no step is under way", "begin one first");
  beside_.join();
  beside_ = std::thread();
  beside_busy_.reset();
  if (beside_error_) std::rethrow_exception(std::exchange(beside_error_, nullptr));
  return beside_failures_;
}

// ---- status

// The text is empty for a world without an error, and valid until the next call.
const char* Worlds::ErrorOf(int world) const {
  if (world < 0 || world >= count_) throw Error("there is no world " + std::to_string(world));
  return errors_[static_cast<size_t>(world)].c_str();
}

// The cause is one line that names element, body and time [s].
std::string Worlds::CauseOf(int world) const {
  if (world < 0 || world >= count_) throw Error("there is no world " + std::to_string(world));
  const size_t w = static_cast<size_t>(world);
  const Cause& cause = causes_[w];
  if (cause.kind < 0) return errors_[w];
  const mjModel& m = *model_;
  char when[64];
  std::snprintf(when, sizeof(when), " at t = %.6g s", cause.time);
  const std::string why = cause.number ? std::string(": ") + TextOf(m, cause.number) : "";
  switch (cause.kind) {
    case mjWARN_BADQPOS:
      return "diverged in " + Coordinate(m, "qpos", JointOfPosition(m, cause.info)) + when + why;
    case mjWARN_BADQVEL:
      return "diverged in " + Coordinate(m, "qvel", m.dof_jntid[cause.info]) + when + why;
    case mjWARN_BADQACC:
      return "diverged in " + Coordinate(m, "qacc", m.dof_jntid[cause.info]) + when + why;
    case mjWARN_BADCTRL:
      return "control of actuator " + Quoted(m, mjOBJ_ACTUATOR, cause.info) + " is no number" + when;
    case mjWARN_INERTIA:
      return "inertia matrix is close to singular at dof " + std::to_string(cause.info) + when;
    default:
      break;
  }
  const std::string what = cause.kind == mjWARN_CONTACTFULL ? "contacts" : "constraint rows";
  const std::string need = cause.arena > 0 ? ", needs " + std::to_string(cause.arena) + " bytes" : "";
  return "arena full" + need + ", has " + std::to_string(m.narena) + "; " + what + " were left out" + when;
}

// How large an arena the steps of this call would have needed, where the arena was full: they are repeated from the
// state before the call, which is still in the rows, with larger ones.
void Worlds::MeasureArena(const mjModel& m, int world, int steps, ControlAt control) {
  Cause& cause = causes_[static_cast<size_t>(world)];
  if (cause.kind != mjWARN_CONTACTFULL && cause.kind != mjWARN_CNSTRFULL) return;
  cause.arena = ArenaNeeded(m, world, steps, control);
}

long long Worlds::ArenaNeeded(const mjModel& m, int world, int steps, ControlAt control) const {
  // Up to 4096 times the arena is tried; 0 is returned where that is not enough.
  constexpr int kDoublings = 12;
  mjModel larger = m;  // shares its arrays
  for (int i = 0; i < kDoublings; ++i) {
    larger.narena *= 2;
    const DataPtr d(MakeData(larger));
    LoadState(larger, world, d.get());
    for (int step = 0; step < steps; ++step) {
      if (control) control(d.get(), step);
      sinew::Step(&larger, d.get());
    }
    const bool fits = d->warning[mjWARN_CONTACTFULL].number + d->warning[mjWARN_CNSTRFULL].number == 0;
    // the stack begins at the end of the arena: whole cache lines leave its addresses aligned as they are here
    if (fits) return static_cast<long long>(AlignUp(static_cast<size_t>(d->maxuse_arena), 64));
  }
  return 0;
}

}  // namespace sinew
