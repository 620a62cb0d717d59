#include "batch/front/rollout_plan.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "core/error.h"
#include "model/state/state.h"

namespace sinew::inline batch {
std::vector<RolloutPlan::Part> RolloutPlan::PartsOf(const mjModel& m, int signature) {
  std::vector<Part> parts;
  int offset = 0;
  for (int part = 1; part <= mjSTATE_INTEGRATION; part <<= 1) {
    if (!(mjSTATE_INTEGRATION & part)) continue;
    const int size = StateSize(m, part);
    if (signature & part) parts.push_back({offset, size});
    offset += size;
  }
  return parts;
}

RolloutPlan::RolloutPlan(const mjModel& m, int steps, const RolloutInputs& inputs,
                         std::span<const RolloutRecord> records)
    : m_(m), steps_(steps), inputs_(inputs), input_parts_(PartsOf(m, inputs.signature)) {
  if (steps < 0) throw Error("nstep is " + std::to_string(steps), "steps cannot be negative");
  if (inputs.signature & ~mjSTATE_USER) {
    throw Error("control_spec is " + std::to_string(inputs.signature), "give bits of mjSTATE_USER");
  }
  input_size_ = static_cast<size_t>(StateSize(m, inputs.signature));
  for (const RolloutRecord& record : records) {
    if (!record.buffer) throw Error("a record has no buffer", "give memory for worlds x steps x size");
    Target target = {std::nullopt, {}, record.signature, 0, static_cast<char*>(record.buffer)};
    if (record.field) {
      AddField(record.field, target);
    } else {
      target.parts = PartsOf(m, record.signature);
      target.bytes = static_cast<size_t>(StateSize(m, record.signature)) * sizeof(mjtNum);
      fits_packs_ &= (record.signature & ~mjSTATE_INTEGRATION) == 0;
    }
    targets_.push_back(target);
  }
}

// A field of mjData is looked up once. Packs leave out what stages compute for sensors alone, so that such records have
// their worlds stepped alone.
void RolloutPlan::AddField(const char* name, Target& target) {
  target.field = FindDataField(m_, name);
  target.bytes = target.field->Bytes();
  const std::string_view field = target.field->name;
  for (const char* of_sensors : {"cacc", "cfrc_int", "cfrc_ext", "subtree_linvel", "subtree_angmom"}) {
    fits_packs_ &= field != of_sensors;
  }
  if (!target.field->array) {
    needs_rows_ |= field != "ncon";
    return;
  }
  AddTo(arrays_, *target.field->array);
}

// Rows hold the parts of a state in the order of their bits, as do inputs.
void RolloutPlan::SetInputs(int place, int step, mjtNum* row) const {
  if (!inputs_.numbers) return;
  const mjtNum* from = InputsOf(place, step);
  for (const Part& part : input_parts_) {
    std::copy_n(from, part.size, row + part.offset);
    from += part.size;
  }
}

void RolloutPlan::SetInputs(int place, int step, mjData* d) const {
  if (inputs_.numbers) SetState(m_, d, InputsOf(place, step), inputs_.signature);
}

// The lane's world has the counts; arrays are written there too.
void RolloutPlan::Record(int place, int step, const mjtNum* row, const LanePack& pack, int lane) const {
  auto& d = const_cast<mjData&>(pack.world(lane));  // the pack's scratch memory
  pack.Save(lane, &d, arrays_);
  for (const Target& target : targets_) {
    char* to = target.buffer + Row(place, step) * target.bytes;
    if (target.field) {
      std::memcpy(to, target.field->In(d), target.bytes);
      continue;
    }
    for (const Part& part : target.parts) {
      const size_t bytes = static_cast<size_t>(part.size) * sizeof(mjtNum);
      std::memcpy(to, row + part.offset, bytes);
      to += bytes;
    }
  }
}

void RolloutPlan::Record(int place, int step, const mjData& d) const {
  for (const Target& target : targets_) {
    char* to = target.buffer + Row(place, step) * target.bytes;
    if (target.field) {
      std::memcpy(to, target.field->In(d), target.bytes);
    } else {
      GetState(m_, d, reinterpret_cast<mjtNum*>(to), target.signature);
    }
  }
}

void RolloutPlan::End(int place, int rows) const {
  if (inputs_.rows) inputs_.rows[place] = rows;
  for (int step = rows; step < steps_; ++step) {
    for (const Target& target : targets_) {
      char* to = target.buffer + Row(place, step) * target.bytes;
      std::memcpy(to, to - target.bytes, target.bytes);
    }
  }
}

}  // namespace sinew::inline batch
