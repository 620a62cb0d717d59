// The input that a rollout sets before each step of a world, and the output that it keeps after it.
#ifndef SINEW_BATCH_FRONT_ROLLOUT_PLAN_H_
#define SINEW_BATCH_FRONT_ROLLOUT_PLAN_H_

#include <mujoco/mujoco.h>

#include <optional>
#include <span>
#include <vector>

#include "batch/pack/lane_pack.h"
#include "batch/plan/worlds_fields.h"

namespace sinew::inline batch {

// An output that a rollout keeps of every step: a field, or parts of the state when that is null. The buffer has a row
// for each selected world and step.
struct RolloutRecord {
  const char* field;
  int signature;
  void* buffer;
};

// Parts of the state that are set before each step.
struct RolloutInputs {
  const mjtNum* numbers = nullptr;  // of each world and step, or of each step for all worlds; null: they stay
  int signature = 0;                // of mjSTATE_USER
  bool is_shared = false;
  int* rows = nullptr;  // of each world: how many rows were kept before it failed, that of the failure too; or null
};

class RolloutPlan {
 public:
  // Throws for what is no field, no part of the state that users set, or has no memory.
  RolloutPlan(const mjModel& m, int steps, const RolloutInputs& inputs, std::span<const RolloutRecord> records);

  // Whether packs compute all that is kept. Values that stages compute for sensors alone may be missing there.
  bool FitsPacks() const { return fits_packs_; }
  bool NeedsRows() const { return needs_rows_; }

  // `place`: the world's number among those of the rollout. `row`: its state, mjSTATE_INTEGRATION.
  void SetInputs(int place, int step, mjtNum* row) const;
  void SetInputs(int place, int step, mjData* d) const;
  void Record(int place, int step, const mjtNum* row, const LanePack& pack, int lane) const;
  void Record(int place, int step, const mjData& d) const;
  // A world that has gone wrong after so many rows repeats the last one until the end, so that every row holds numbers.
  void End(int place, int rows) const;

 private:
  // A part of a state: where it is in a row that has all parts of mjSTATE_INTEGRATION, and how many numbers it has.
  struct Part {
    int offset, size;
  };
  // A record with its field or the parts of its state looked up: what is copied at each step, and how many bytes a row
  // of its buffer has.
  struct Target {
    std::optional<DataField> field;
    std::vector<Part> parts;
    int signature;
    size_t bytes;
    char* buffer;
  };

  size_t Row(int place, int step) const {
    return static_cast<size_t>(place) * static_cast<size_t>(steps_) + static_cast<size_t>(step);
  }
  const mjtNum* InputsOf(int place, int step) const {
    return inputs_.numbers + Row(inputs_.is_shared ? 0 : place, step) * input_size_;
  }
  static std::vector<Part> PartsOf(const mjModel& m, int signature);
  void AddField(const char* name, Target& target);

  const mjModel& m_;
  int steps_;
  RolloutInputs inputs_;
  std::vector<Part> input_parts_;
  size_t input_size_;
  std::vector<Target> targets_;
  ArraySet arrays_{};  // that records are copied from
  bool fits_packs_ = true, needs_rows_ = false;
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_FRONT_ROLLOUT_PLAN_H_
