// Calls that make steps. In packs a call of many steps is made in parts of a few, and worlds are put together anew
// before each: what they touch changes from step to step.
#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "batch/front/worlds.h"
#include "core/error.h"

namespace sinew::inline batch {
namespace {

// Sets of constraints that are four steps old order worlds nearly as well as those of the last step; where worlds do
// not differ, nothing is lost by waiting.
constexpr int kStepsOfPart = 4, kStepsOfLikeWorlds = 16;

}  // namespace

// The steps of a world by itself; behind the last ones of a call come the stages and what outputs need beside them.
void Worlds::StepWorld(const mjModel* m, mjData* d, int world, const StepsOfCall& of) {
  const bool known = causes_[static_cast<size_t>(world)].kind >= 0;
  std::vector<mjtNum> qvel;  // before the last step, which outputs belong to without stages; else empty
  bool fine = true;
  for (int i = 0; i < of.steps; ++i) {
    const bool is_kept = of.are_last && needs_body_forces_ && of.stage == mjSTAGE_NONE && i == of.steps - 1;
    if (is_kept) qvel.assign(d->qvel, d->qvel + m->nv);
    fine &= StepOnce(m, d, world);
  }
  if (!fine && !known) MeasureArena(*m, world, of.steps, {});
  if (!of.are_last || (of.stage == mjSTAGE_NONE && !needs_body_forces_ && !needs_subtree_velocities_)) return;
  FinishStages(m, d, of.stage);
  std::swap_ranges(qvel.begin(), qvel.end(), d->qvel);
  CompleteOutputs(m, d);
  std::swap_ranges(qvel.begin(), qvel.end(), d->qvel);
}

// Steps worlds without checks of arguments, for Step and for the thread of StepAsync. Packs are made on first use:
// not every batch steps.
int Worlds::StepNow(const Selection& worlds, int steps, int stage) {
  AgreeInPacks();
  const ContactPart contacts = ContactsAfter(steps, stage);
  const bool is_one = CountOf(worlds) == 1 && IsFreeToChoose();
  const auto work = [&](const mjModel* m, mjData* d, int world, int) { StepWorld(m, d, world, {steps, stage, true}); };
  if (is_one) return RunOne(worlds.WorldAt(0), work, {.contacts = contacts});
  if (steps == 0 || !CanRunInPacks()) return Run(worlds, work, {.contacts = contacts});
  MakePacks();
  return StepInPacks(worlds, steps, stage, contacts);
}

int Worlds::StepInPacks(const Selection& worlds, int steps, int stage, ContactPart contacts) {
  Selection left = worlds;
  std::vector<int> fine;  // the worlds of `left` where some have failed
  std::vector<mjtNum> before;
  std::vector<mjWarningStat> warnings;
  for (int done = 0, part = 0; done < steps; done += part) {
    const std::span<const int> order = order_.Sort(left);
    part = std::min(steps - done, order_.divides() ? kStepsOfPart : kStepsOfLikeWorlds);
    const bool is_last = done + part == steps;
    if (done == 0 && !is_last) {
      before = states_;
      warnings = warnings_;
    }
    Call call = {.outputs = is_last, .contacts = contacts, .packed_steps = part};
    if (is_last) {
      call.packed_stage = stage;
      call.packed_forward = CanFinishInPacks(stage);
    }
    const auto work = [&](const mjModel* m, mjData* d, int world, int) {
      StepWorld(m, d, world, {part, stage, is_last});
    };
    const int failures = Run(Selection(order), work, call);
    if (failures == 0) continue;
    if (!before.empty()) RestoreFailed(left, before, warnings);
    std::vector<int> others;
    for (int place = 0; place < CountOf(left); ++place) {
      const int world = left.WorldAt(place);
      if (!failed_[static_cast<size_t>(world)]) others.push_back(world);
    }
    fine = std::move(others);
    left = Selection(fine);
  }
  return CountOf(worlds) - CountOf(left);
}

// An error leaves a world as it was before the call, of which earlier parts may have gone well.
void Worlds::RestoreFailed(const Selection& worlds, const std::vector<mjtNum>& before,
                           const std::vector<mjWarningStat>& warnings) {
  for (int place = 0; place < CountOf(worlds); ++place) {
    const auto world = static_cast<size_t>(worlds.WorldAt(place));
    if (!failed_[world]) continue;
    for (const StateRows& part : components_) {
      mjtNum* numbers = part.of(static_cast<int>(world));
      std::copy_n(before.data() + (numbers - states_.data()), part.size, numbers);
    }
    std::copy_n(warnings.data() + world * mjNWARNING, mjNWARNING, warnings_.data() + world * mjNWARNING);
  }
}

int Worlds::Step(const Selection& worlds, int steps, int stage) {
  const Busy busy(this);
  CheckSelection(worlds);
  CheckStage(stage);
  if (steps < 0) throw Error("nstep is " + std::to_string(steps), "steps cannot be negative");
  return StepNow(worlds, steps, stage);
}

}  // namespace sinew::inline batch
