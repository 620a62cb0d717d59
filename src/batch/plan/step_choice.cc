#include "batch/plan/step_choice.h"

#include <algorithm>

namespace sinew::inline batch {

// A sample far above the average is of a thread that had to wait for a processor: it counts as twice the average.
void StepChoice::Average::Add(double sample, double weight) {
  ++samples;
  if (samples <= kFirstSamples) {
    seconds = sample;
  } else {
    seconds += weight * (std::min(sample, 2 * seconds) - seconds);
  }
}

bool StepChoice::Decide(int worlds, int steps) const {
  if (!pack_.is_known()) return true;
  if (!world_.is_known()) return false;
  const bool pack_is_faster = SecondsOf(true, worlds) <= SecondsOf(false, worlds);
  if (took_pack_ != pack_is_faster) return pack_is_faster;  // the last one was a trial, or the worlds have changed
  const double loss = SecondsOf(!pack_is_faster, worlds) - SecondsOf(pack_is_faster, worlds);
  const bool tries_other_way = loss * steps < kShareOfTrials * since_trial_;
  return tries_other_way ? !pack_is_faster : pack_is_faster;
}

// A pack does for one world all that this world does alone.
bool StepChoice::TakesPack(int worlds, int steps) {
  wants_time_ = false;
  if (worlds == 1) return false;
  const bool takes_pack = Decide(worlds, steps);
  if (takes_pack != took_pack_) since_trial_ = 0;
  const bool is_known = pack_.is_known() && world_.is_known();
  is_trial_ = is_known && takes_pack != (SecondsOf(true, worlds) <= SecondsOf(false, worlds));
  wants_time_ = !is_known || takes_pack != took_pack_ || ++chunks_ % kChunksBetweenTimes == 0;
  took_pack_ = takes_pack;
  since_trial_ += SecondsOf(takes_pack, worlds) * steps;
  return takes_pack;
}

void StepChoice::Note(int worlds, int steps, double seconds) {
  const double step = seconds / steps;
  const double weight = is_trial_ ? 1 : 0.25;  // what is known of the slower way is old
  if (took_pack_) {
    pack_.Add(step, weight);
  } else {
    world_.Add(step / worlds, weight);
  }
}

}  // namespace sinew::inline batch
