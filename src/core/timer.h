// Internal timers of mjData: cumulative duration and number of calls of each stage, in the unit of the installed clock.
// Without a clock (mjcb_time) durations stay zero and only calls are counted.
#ifndef SINEW_CORE_TIMER_H_
#define SINEW_CORE_TIMER_H_

#include <mujoco/mujoco.h>

namespace sinew::inline core {

class StageTimer {
 public:
  StageTimer(mjData* d, mjtTimer stage) : stat_(d->timer[stage]), start_(Now()) {}
  ~StageTimer() {
    stat_.duration += Now() - start_;
    ++stat_.number;
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  static double Now() { return mjcb_time ? mjcb_time() : 0; }

  mjTimerStat& stat_;
  double start_;
};

}  // namespace sinew::inline core

#endif  // SINEW_CORE_TIMER_H_
