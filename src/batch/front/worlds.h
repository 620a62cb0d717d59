// Worlds: many simulations of one model on a few threads.
//
//   state rows ──load──> mjData of a thread ──step, step, ...──> save ──> state rows, outputs, status
//                             ^
//   parameters of a world ────┘   (fields of mjModel that were given values of their own)
//
// A world is its state (mjSTATE_INTEGRATION), its warning counters and its parameters; all else follows from them. So a
// thread takes the next chunk of worlds that nobody has taken, and results depend neither on threads nor on the other
// worlds of a pack.
#ifndef SINEW_BATCH_FRONT_WORLDS_H_
#define SINEW_BATCH_FRONT_WORLDS_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "batch/front/rollout_plan.h"
#include "batch/pack/lane_pack.h"
#include "batch/plan/pack_order.h"
#include "batch/plan/selection.h"
#include "batch/plan/step_choice.h"
#include "batch/plan/worlds_fields.h"
#include "core/function_ref.h"
#include "core/thread_pool.h"
#include "model/state/bad_number.h"
#include "model/state/state.h"
#include "model/storage/data.h"
#include "model/storage/model.h"

namespace sinew::inline batch {

// How states lie in memory: all numbers of a world together, or all worlds of a component together.
enum class StateLayout { kByWorld, kByComponent };

// How worlds step whose model and parameters suit packs. Both ways give the same numbers in double precision.
enum class Stepping { kFaster, kPacks, kAlone };  // in the order of sinewFASTER, sinewALWAYS, sinewNEVER

struct WorldsConfig {
  int threads = 0;          // with the caller's; 0 or less: one for each processor that the process may use
  bool persistent = false;  // a mjData for each world instead of one for each thread
  StateLayout layout = StateLayout::kByWorld;
  bool report_warnings = false;              // warnings go to handlers, and not only to the status of their world
  bool complete_outputs = false;             // compute what an output needs even where a step would not
  Precision precision = Precision::kDouble;  // of steps in packs; in single precision all steps that can are there
  Stepping stepping = Stepping::kFaster;
  uint32_t first_world = 0;  // number of the first world among those of all machines, for random numbers
};

enum class WorldStatus : int {
  kRunning = 0,
  kDiverged = 1,    // a position, velocity or acceleration is not a number, or huge
  kBadControl = 2,  // a control is; all controls counted as zero
  kArenaFull = 3,   // contacts or constraint rows were left out
  kSingular = 4,    // an inertia matrix is
  kFailed = 5,      // an error was raised; the world is as it was before the call
  kBadTime = 6      // the time is not a number, or huge; the world goes on
};

// One array for all worlds: `size` elements of each, worlds one after the other.
struct WorldArray {
  void* data;
  size_t size;
  ElementKind kind;
};

// A contact as it is kept after a call, with its force and torque in its own frame.
struct KeptContact {
  int geom[2], flex[2], dim;
  double dist, pos[3], frame[9], friction[5], force[6];
};

// How a random quantity is made of its base: the state after the reset, or the parameter of the model.
enum class Draw { kUniform, kLogUniform, kNormal };  // normal: mean and deviation take the place of the ends
enum class Combine { kSet, kAdd, kScale };

// Worlds is many worlds of one model, which is copied. Calls are made by one thread at a time, and a second one throws;
// rows of states, outputs and parameters may be read and written between calls.
class Worlds {
 public:
  // Throws for a count that is not positive, and for models that need persistent worlds.
  Worlds(const mjModel& m, int count, const WorldsConfig& config);
  ~Worlds();
  Worlds(const Worlds&) = delete;
  Worlds& operator=(const Worlds&) = delete;

  int count() const { return count_; }
  int threads() const { return static_cast<int>(workers_.size()); }
  bool persistent() const { return !persistent_.empty(); }
  const mjModel& model() const { return *model_; }
  // Why worlds run one at a time and not in the lanes of packs, as far as it is known: the model, or a parameter that
  // some world has for itself. Null: steps can run in packs. The text stays until the next call.
  const char* obstacle_to_packs() const;

  // ---- what can be written between calls, and what they leave; addresses never change

  StateRows State(int component) const { return components_[component]; }
  mjtNum* states() { return states_.data(); }
  int state_size() const { return state_size_; }
  mjWarningStat* warnings() { return warnings_.data(); }

  // Registers an array of mjData, which every call fills. Throws for unknown fields.
  WorldArray Output(std::string_view name);
  // Gives a field of mjModel values of its own in each world. Bounds of geoms follow sizes, unless they are asked for.
  WorldArray Expand(std::string_view name);
  // The same values, without an array when the field has none of its own.
  WorldArray Expanded(std::string_view name) const;

  // Whether every call that fills outputs keeps the contacts of its worlds as well; they are as old as outputs are.
  void KeepContacts(bool keep);
  bool keeps_contacts() const { return !contacts_.empty(); }
  // Visits what the last call has kept: visit(place, contacts).
  using VisitContacts = FunctionRef<void(int place, std::span<const KeptContact> contacts)>;
  void ForEachContacts(const Selection& worlds, const VisitContacts& visit);

  // ---- calls; all return how many worlds failed. Errors in arguments throw, and nothing has changed.

  int Step(const Selection& worlds, int steps, int stage);
  int Forward(const Selection& worlds, int stage);
  // `keys`: a keyframe for each selected world, -1 for none; null: none for all.
  int Reset(const Selection& worlds, const int* keys, int stage);
  int Rollout(const Selection& worlds, int steps, const RolloutInputs& inputs, std::span<const RolloutRecord> records);
  int SetConst(const Selection& worlds);

  // Any work on the worlds, in any order; `place` counts the selected ones. With `save` its state is kept.
  using Work = FunctionRef<void(const mjModel* m, mjData* d, int world, int place)>;
  int Apply(const Selection& worlds, const Work& work, bool save);

  // A and B of the selected worlds, one behind the other, in packs where these are not in their way. `alone` computes
  // them for one world.
  int Linearize(const Selection& worlds, mjtNum* A, mjtNum* B, const Work& alone);

  // Begins a step and returns; Wait ends it. Nothing else may be called in between.
  void StepAsync(const Selection& worlds, int steps, int stage);
  int Wait();

  // Worlds run on these models, one each, until null is given. Their layout must be that of the model.
  void SetModels(const mjModel* const* models);
  bool has_models() const { return !models_.empty(); }

  // The model and data of one world.
  void GetModel(int world, mjModel* m);
  void GetData(int world, mjData* d);

  // How well packs were used since the worlds were made: as shares of 1, or 0 where there was nothing to share.
  struct Use {
    double lanes;       // lanes that had a world
    double slots;       // slots of the worlds, of those that their packs had
    double work;        // the same of their work in the Hessian
    double iterations;  // of the solver: what worlds needed, of what their packs did
    double alone;       // worlds that had to run again, alone
  };
  Use UseOfPacks() const;

  // ---- random quantities, drawn anew at each reset of a world

  void SetSeed(uint64_t seed);
  // `low` and `high` have one number for each of the field, or one for all. Replaces what the field had.
  void Randomize(std::string_view name, std::span<const double> low, std::span<const double> high, Draw draw,
                 Combine combine);
  // Gives worlds the numbers of the model again.
  void ClearRandomization();

  // ---- status

  // Tells for each world whether the latest call raised an error in it (1) or not (0).
  const int* failures() const { return failed_.data(); }
  const char* ErrorOf(int world) const;
  // Both give the first failure in a world since its last reset: as WorldStatus, and as the cause in words, which are
  // empty where nothing happened.
  const int* statuses() const { return statuses_.data(); }
  std::string CauseOf(int world) const;

 private:
  // A thread has these for itself.
  struct Worker {
    ModelPtr model;  // with the parameters of the world that runs; null: that of all
    DataPtr data;
    std::unique_ptr<LanePack> pack;              // null until it is used
    StepChoice choice;                           // between the pack and one world at a time
    std::unique_ptr<LanePack> gradient_pack;     // the same, for derivatives
    long long lanes = 0, worlds = 0, alone = 0;  // that packs ran, lanes with a world, and those that ran again alone
  };
  // Says what failed first in a world since its last reset.
  struct Cause {
    static constexpr int kBadTime = mjNWARNING;

    int kind = -1;  // mjtWarning, or kBadTime
    int info = 0;
    double time = 0;
    long long arena = 0;  // bytes that would have been enough
    BadNumber number;     // what a coordinate has diverged from; none: it is not known
  };
  struct Parameter {
    ModelParameter field;
    std::vector<char> values;   // count * bytes
    std::vector<char> checked;  // the same, as they were last found right
    bool given;                 // by the user; otherwise derived by SetConst, or from sizes
    bool is_shared;             // all lanes of a pack have the model's value: a world with another one runs by itself
    char* Row(int world) { return values.data() + static_cast<size_t>(world) * field.Bytes(); }
    char* CheckedRow(int world) { return checked.data() + static_cast<size_t>(world) * field.Bytes(); }
    // Whether the program has changed the values of a world since they were last found right.
    bool HasChanged(int world);
  };
  // Whether a world with its parameters can be in a pack.
  enum class Fit : char { kUnknown, kYes, kNo };
  // OutputArray is a field of mjData with room for all worlds.
  struct OutputArray {
    DataField field;
    std::vector<char> values;
  };
  // Range is one random quantity: where it is, its bounds for each number, and how it is drawn and combined.
  struct Range {
    int component;     // of the state, or -1
    size_t parameter;  // otherwise
    std::string name;
    std::vector<double> low, high;
    Draw draw;
    Combine combine;
  };
  // Sets the controls of a step in the world's data.
  using ControlAt = FunctionRef<void(mjData* d, int step)>;
  // Where derivatives go, by the places of worlds in the selection.
  struct TransitionPlan {
    Selection worlds;
    mjtNum *A, *B;
    int state, controls;  // sizes of the matrices
  };
  // What a call leaves of contacts: what was there before, without forces where it ends with stages that have none.
  enum class ContactPart { kOld, kPlaces, kForces };
  // The settings of a call: its work around the function that it runs on each world.
  struct Call {
    bool save = true, outputs = true;
    ContactPart contacts = ContactPart::kForces;  // what is known of contacts where outputs are copied
    int packed_steps = 0, packed_stage = 0;       // with steps, worlds run in packs where that is faster
    bool packed_forward = false;                  // then a forward pass in packs, in place of these stages
    const RolloutPlan* rollout = nullptr;         // of these steps; null: controls stay, and nothing is kept
    const TransitionPlan* transition = nullptr;   // derivatives in packs; null: none

    int passes_in_packs() const { return packed_steps + packed_forward; }
  };
  // Holds the worlds for one call; throws when another one does.
  class Busy {
   public:
    explicit Busy(Worlds* worlds);
    ~Busy() { worlds_->busy_.store(false, std::memory_order_release); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

   private:
    Worlds* worlds_;
  };
  class Job;

  void CopyToRow(int world, mjtNum* row) const;
  void CopyFromRow(const mjtNum* row, int world, int parts);
  void MakePacks();
  void AllocateRows();
  void MakeWorldData();
  void CheckSelection(const Selection& worlds) const;
  void CheckStage(int stage) const;
  int CountOf(const Selection& worlds) const { return worlds.CountOf(count_); }

  int Run(const Selection& worlds, const Work& work, const Call& call);
  int RunOne(int world, const Work& work, const Call& call);
  void RunWorld(Worker& worker, int world, int place, const Work& work, const Call& call);
  const mjModel* ModelFor(Worker& worker, int world);
  WorldArray ExpandOne(std::string_view name);
  void FollowSizes(mjModel& own, int world);
  void NoteChecked(int world);
  void ForgetFits() { fits_.assign(static_cast<size_t>(count_), Fit::kUnknown); }
  mjData* DataFor(Worker& worker, int world) {
    return persistent() ? persistent_[static_cast<size_t>(world)].get() : worker.data.get();
  }
  void LoadState(int world, mjData* d) const;
  void SaveState(int world, const mjData& d);
  void CopyOutputs(int world, const mjData& d);
  void CopyContacts(const mjModel& m, int world, const mjData& d, ContactPart part);
  static ContactPart ContactsAfter(int steps, int stage);
  bool StepOnce(const mjModel* m, mjData* d, int world);
  void FinishStages(const mjModel* m, mjData* d, int stage) const;
  void CompleteOutputs(const mjModel* m, mjData* d) const;
  void MeasureArena(const mjModel& m, int world, int steps, ControlAt control);
  long long ArenaNeeded(const mjModel& m, int world, int steps, ControlAt control) const;
  const char* ObstacleOfAll() const;
  bool CanRunInPacks() const;
  bool IsFreeToChoose() const;  // between packs and one world at a time
  bool CanFinishInPacks(int stage) const;
  int ForwardInPacks(const Selection& worlds);
  const mjModel& ModelOfPacks() const { return pack_model_ ? *pack_model_ : *model_; }
  static bool FitsPacks(const mjModel& m, const Parameter& parameter, const char* row);
  bool AgreeWithFirst(Parameter& parameter) const;
  void AgreeInPacks();
  bool HasChanged(int world) const;
  Fit FindFit(Worker& worker, int world);
  bool HasOwnBounds() const;
  std::string ObstacleOfBounds() const;
  bool LoadParameters(Worker& worker, LanePack& pack, int lane, int world);
  bool HasGoodInputs(const mjtNum* row) const;
  void RunAlone(Worker& worker, const Selection& worlds, int begin, int end, const Work& work, const Call& call);
  void RunSteps(Worker& worker, const Selection& worlds, int begin, int end, const Work& work, const Call& call);
  void RunPack(Worker& worker, const Selection& worlds, int begin, int end, const Work& work, const Call& call);
  void LinearizePack(Worker& worker, const Selection& worlds, int begin, int end, const Work& alone, const Call& call);
  void FinishLane(LanePack& pack, int lane, int world, const Call& call);
  // Steps of a call that follow each other in the same packs, and the stage that the call ends with.
  struct StepsOfCall {
    int steps, stage;
    bool are_last;
  };
  void StepWorld(const mjModel* m, mjData* d, int world, const StepsOfCall& of);
  int StepNow(const Selection& worlds, int steps, int stage);
  int StepInPacks(const Selection& worlds, int steps, int stage, ContactPart contacts);
  void RestoreFailed(const Selection& worlds, const std::vector<mjtNum>& before,
                     const std::vector<mjWarningStat>& warnings);
  bool ForgetStepOfParent();
  bool RandomizesConstants() const;
  void ExpandConstants();
  int DeriveAll(const Selection& worlds);
  void DeriveConstants(mjModel* m, Worker& worker, int world);
  void CheckKeys(const Selection& worlds, const int* keys) const;
  bool HaveOneStart() const;
  int CopyStart(const Selection& worlds, const int* keys);
  int MakeStarts(const Selection& worlds, const int* keys);
  int FinishReset(const Selection& worlds, int stage);
  void DrawState(int world) const;
  void DrawParameters(int world);
  double DrawNumber(const Range& range, size_t index, int world, size_t element, double base) const;

  ModelPtr model_;
  ModelPtr pack_model_;  // with what all worlds agree on, where that is not the model's; null: the model
  mjModel primal_;       // the same arrays, for derivatives, which are those of the minimum that Newton's method finds
  int count_;
  WorldsConfig config_;
  const char* obstacle_;
  std::string output_obstacle_;             // an output that packs do not compute
  mutable std::string parameter_obstacle_;  // the text of obstacle_to_packs
  int state_size_;
  std::vector<mjtNum> states_;
  // The address of each component of the state in `states_`.
  StateRows components_[mjNSTATE];
  std::vector<StateRows> parts_;  // those that the model has: of a small world, few
  std::vector<mjWarningStat> warnings_;
  std::vector<std::unique_ptr<OutputArray>> outputs_;
  ArraySet output_arrays_{};  // those that outputs are copied from
  bool needs_rows_ = false;   // in packs: counts and forces of rows
  bool needs_contacts_ = false;
  bool needs_body_forces_ = false, needs_subtree_velocities_ = false;
  std::vector<std::vector<KeptContact>> contacts_;  // of each world; empty: they are not kept
  std::vector<std::unique_ptr<Parameter>> parameters_;
  std::vector<Fit> fits_;  // of each world, as its parameters were last found right; empty without parameters
  std::vector<const mjModel*> models_;
  std::vector<Worker> workers_;
  PackOrder order_;
  std::vector<DataPtr> persistent_;
  std::unique_ptr<ThreadPool> pool_;
  std::atomic<bool> busy_{false};

  std::vector<int> failed_, statuses_;
  std::vector<std::string> errors_;
  std::vector<Cause> causes_;

  uint64_t seed_ = 0;
  std::vector<Range> ranges_;
  // Random numbers depend on how often each world has been reset so far.
  std::vector<uint32_t> episodes_;

  // the step that runs beside the caller, and the process that it was begun in
  std::thread beside_;
  int beside_forks_ = 0;
  std::unique_ptr<Busy> beside_busy_;
  int beside_failures_ = 0;
  std::exception_ptr beside_error_;
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_FRONT_WORLDS_H_
