// Resets: where no parameter of a world's own decides the state that a model begins with, rows of states are copied.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "batch/front/worlds.h"
#include "core/error.h"
#include "model/state/state.h"
#include "step/sleep.h"

namespace sinew::inline batch {

void Worlds::CheckKeys(const Selection& worlds, const int* keys) const {
  for (int place = 0; keys && place < CountOf(worlds); ++place) {
    const int world = worlds.WorldAt(place);
    const mjModel& m = has_models() ? *models_[static_cast<size_t>(world)] : *model_;
    if (keys[place] < -1 || keys[place] >= m.nkey) {
      throw Error("key[" + std::to_string(place) + "] is " + std::to_string(keys[place]) + ", and the model has " +
                      std::to_string(m.nkey) + " keyframes",
                  "-1 is none");
    }
  }
}

// Parameters are drawn before constants are derived from them, and both before the state is set, which keyframes and
// random positions do in this order.
int Worlds::Reset(const Selection& worlds, const int* keys, int stage) {
  // Expand holds the worlds by itself, and has to be done with before this call does.
  const bool randomizes_constants = RandomizesConstants();
  if (randomizes_constants) ExpandConstants();
  const Busy busy(this);
  CheckSelection(worlds);
  CheckStage(stage);
  CheckKeys(worlds, keys);
  for (int place = 0; place < CountOf(worlds); ++place) {
    const int world = worlds.WorldAt(place);
    const size_t w = static_cast<size_t>(world);
    causes_[w] = {};
    statuses_[w] = 0;
    ++episodes_[w];
    DrawParameters(world);
  }
  if (randomizes_constants) DeriveAll(worlds);
  AgreeInPacks();
  const int failures = HaveOneStart() ? CopyStart(worlds, keys) : MakeStarts(worlds, keys);
  if (CanFinishInPacks(stage)) return ForwardInPacks(worlds);
  // Without outputs, nobody sees what stages compute, unless there are callbacks. Parameters are looked at all the
  // same.
  const bool is_seen = persistent() || !outputs_.empty() || keeps_contacts() || !CanRunInPacks();
  if (is_seen) return FinishReset(worlds, stage);
  return parameters_.empty() ? failures : Run(worlds, [](const mjModel*, mjData*, int, int) {}, {.outputs = false});
}

// Whether all worlds begin with the same state, of which nothing is kept elsewhere.
bool Worlds::HaveOneStart() const {
  constexpr std::string_view kOfState[] = {"qpos0", "body_pos", "body_quat", "eq_active0"};
  return !persistent() && !has_models() && model_->nplugin == 0 && model_->nhistory == 0 &&
         std::none_of(parameters_.begin(), parameters_.end(), [&](const auto& parameter) {
           const std::string_view name = parameter->field.name;
           return std::find(std::begin(kOfState), std::end(kOfState), name) != std::end(kOfState);
         });
}

// The state of a keyframe is made when a world first asks for it; -1: that of the model.
int Worlds::CopyStart(const Selection& worlds, const int* keys) {
  const mjModel& m = *model_;
  mjData* d = workers_[0].data.get();
  const auto size = static_cast<size_t>(state_size_);
  std::vector<std::vector<mjtNum>> row_of_key(static_cast<size_t>(m.nkey) + 1);
  for (int place = 0; place < CountOf(worlds); ++place) {
    const int world = worlds.WorldAt(place), key = keys ? keys[place] : -1;
    std::vector<mjtNum>& row = row_of_key[static_cast<size_t>(key + 1)];
    if (row.empty()) {
      ResetData(m, d);
      if (keys) SetToKeyframe(m, d, key);
      row.resize(size + 1);
      sinew::GetState(m, *d, row.data(), mjSTATE_INTEGRATION);
    }
    CopyFromRow(row.data(), world, mjNSTATE);
    const auto w = static_cast<size_t>(world);
    std::fill_n(warnings_.begin() + static_cast<ptrdiff_t>(w * mjNWARNING), mjNWARNING, mjWarningStat{});
    failed_[w] = 0;
    errors_[w].clear();
    DrawState(world);
  }
  return 0;
}

int Worlds::MakeStarts(const Selection& worlds, const int* keys) {
  const auto work = [&](const mjModel* m, mjData* d, int, int place) {
    ResetData(*m, d);
    SleepInitially(m, d);
    if (keys) SetToKeyframe(*m, d, keys[place]);
  };
  const int failures = Run(worlds, work, {.outputs = false});
  for (int place = 0; place < CountOf(worlds); ++place) {
    const int world = worlds.WorldAt(place);
    if (!failed_[static_cast<size_t>(world)]) DrawState(world);
  }
  return failures;
}

// Stages compute on data in which nothing is left of another world.
int Worlds::FinishReset(const Selection& worlds, int stage) {
  const auto work = [&](const mjModel* m, mjData* d, int world, int) {
    ResetData(*m, d);
    SleepInitially(m, d);
    LoadState(world, d);
    FinishStages(m, d, stage);
    if (stage == mjSTAGE_ACC) CompleteOutputs(m, d);
  };
  return Run(worlds, work, {.contacts = ContactsAfter(1, stage)});
}

}  // namespace sinew::inline batch
