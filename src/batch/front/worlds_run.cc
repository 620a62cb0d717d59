// This file runs the work of a call: RunWorld brings a world's state into a mjData, runs the work, and brings the state
// back. Threads take worlds in chunks from a counter; nothing that one world computes is read by another, so that the
// order in which they run does not matter.
//
// clang-format off
//   worlds    0 1 2 3 | 4 5 6 7 | 8 9 10 11 | 12 13 14 15 | ...      chunks; of packs: as many worlds as lanes
//                |         |          |            |
//   next_     ---+---------+----------+------------+----------->     an atomic counter: who is free takes the next chunk
//                |         |          |            |
//   thread 0  [ pack ]     |      [ pack ]         |                 the calling thread, with worker 0
//   thread 1            [ pack ]                [ pack ]             a helper of the pool, with worker 1
//
//   worker    one mjModel, one mjData, one LanePack, used by its thread alone
//   pack      lane 0: world 4    lane 1: world 5    lane 2: world 6    lane 3: world 7
//   after     a world that warned, or whose arena may be too small, is stepped again by RunWorld, with the same numbers
// clang-format on
#include <algorithm>

#include "batch/front/worlds.h"
#include "core/error.h"
#include "core/handlers.h"
#include "core/trap.h"
#include "model/state/cause.h"
#include "step/forward.h"
#include "step/step.h"

namespace sinew::inline batch {
namespace {

// Large enough that handing out chunks costs nothing, small enough that the last ones keep all threads at work.
constexpr int kChunksPerThread = 16, kLargestChunk = 32;

// A handler that drops warnings; counters of the world have them anyway.
void Ignore(const char*) {}

// Suppresses the warnings of a thread, if `quiet`, while it works on worlds.
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

bool IsBadTime(double time) { return !(time >= -mjMAXVAL && time <= mjMAXVAL); }

}  // namespace

// Chunks of the selected worlds, for the threads of the pool.
class Worlds::Job {
 public:
  Job(Worlds* worlds, const Selection& selection, const Work& work, const Call& call)
      : worlds_(worlds), selection_(selection), work_(work), call_(call), total_(worlds->CountOf(selection)) {
    const int threads = worlds->threads();
    chunk_ = std::clamp(total_ / (threads * kChunksPerThread), 1, kLargestChunk);
    // A chunk is a pack then.
    if (call.passes_in_packs() > 0) chunk_ = worlds->workers_[0].pack->width();
    if (call.transition) chunk_ = worlds->workers_[0].gradient_pack->width();
  }

  // Runs the chunks on the pool's threads and this one, and returns when all are done.
  void Run() {
    if (total_ == 0) return;
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
    // Each thread has a worker of its own: model, data and pack are used by no other thread.
    const int number = worlds_->pool_ ? WorkerOf(*worlds_->pool_) : 0;
    Worker& worker = worlds_->workers_[static_cast<size_t>(number)];
    if (total_ <= chunk_) return RunChunk(worker, 0, total_);  // of this thread, which has no other to count with
    for (int begin = next_.fetch_add(chunk_); begin < total_; begin = next_.fetch_add(chunk_)) {
      RunChunk(worker, begin, std::min(begin + chunk_, total_));
    }
  }

  void RunChunk(Worker& worker, int begin, int end) {
    if (call_.transition) return worlds_->LinearizePack(worker, selection_, begin, end, work_, call_);
    if (call_.passes_in_packs() > 0) return worlds_->RunSteps(worker, selection_, begin, end, work_, call_);
    worlds_->RunAlone(worker, selection_, begin, end, work_, call_);
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
  for (int place = 0; place < CountOf(worlds); ++place) failures += failed_[static_cast<size_t>(worlds.WorldAt(place))];
  return failures;
}

// A single world, for which packs are never faster, on the calling thread and without chunks.
int Worlds::RunOne(int world, const Work& work, const Call& call) {
  const QuietWarnings quiet(!config_.report_warnings);
  RunWorld(workers_[0], world, 0, work, call);
  return failed_[static_cast<size_t>(world)];
}

// A chunk of worlds, one at a time.
void Worlds::RunAlone(Worker& worker, const Selection& worlds, int begin, int end, const Work& work, const Call& call) {
  for (int place = begin; place < end; ++place) RunWorld(worker, worlds.WorldAt(place), place, work, call);
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
      LoadState(world, d);
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
  LeaveCausesOut(false);
  if (raised) error = TrappedText();
  if (error.empty()) {
    if (call.save) SaveState(world, *d);
    if (call.outputs) CopyOutputs(world, *d);
    if (call.outputs && keeps_contacts()) CopyContacts(*m, world, *d, call.contacts);
    return;
  }
  failed_[w] = 1;
  errors_[w] = error;
  if (statuses_[w] == 0) statuses_[w] = static_cast<int>(WorldStatus::kFailed);
  ResetData(*model_, d);  // whatever the error left open
  LoadState(world, d);
}

// One step; false when something was wrong with it, which is kept if it is the first.
bool Worlds::StepOnce(const mjModel* m, mjData* d, int world) {
  int before[mjNWARNING];
  for (int i = 0; i < mjNWARNING; ++i) before[i] = d->warning[i].number;
  const double time = d->time;
  Cause& cause = causes_[static_cast<size_t>(world)];
  TakeCause();
  LeaveCausesOut(cause.kind >= 0);  // until RunWorld ends
  sinew::Step(m, d);
  // a reset, which clears counters, sets the time back
  const bool reset = !(d->time > time);
  bool fine = true;
  for (int i = 0; i < mjNWARNING; ++i) {
    if (d->warning[i].number <= (reset ? 0 : before[i])) continue;
    fine = false;
    if (cause.kind >= 0) continue;
    cause = {i, d->warning[i].lastinfo, time, 0, TakeCause()};
    statuses_[static_cast<size_t>(world)] = static_cast<int>(StatusOf(i));
  }
  if (IsBadTime(d->time) && cause.kind < 0) {
    cause = {Cause::kBadTime, 0, d->time, 0, {}};
    statuses_[static_cast<size_t>(world)] = static_cast<int>(WorldStatus::kBadTime);
  }
  return fine;
}

// Worlds that are not persistent have a state alone; the rest of their mjData is computed from it here.
void Worlds::GetData(int world, mjData* d) {
  const Busy busy(this);
  if (world < 0 || world >= count_) throw Error("there is no world " + std::to_string(world));
  if (!HasLayoutOf(*model_, *d)) {
    throw Error("argument 'd' was made for another model than that of the batch",
                "make it with mj_makeData of that one");
  }
  const mjModel* m = ModelFor(workers_[0], world);
  const QuietWarnings quiet(!config_.report_warnings);
  if (persistent()) CopyData(d, *m, *persistent_[static_cast<size_t>(world)]);
  LoadState(world, d);
  if (persistent()) return;
  sinew::Forward(m, d);
  std::copy_n(warnings_.data() + static_cast<size_t>(world) * mjNWARNING, mjNWARNING, d->warning);
}

}  // namespace sinew::inline batch
