#include "viewer/session/speed_meter.h"

namespace sinew {

// Sums are taken anew each time: differences would keep the rounding of all that has left the window.
void SpeedMeter::Add(double clock, double simulated) {
  parts_.push_back({clock, simulated});
  while (parts_.size() > 1 && clock_ + clock - parts_.front().clock >= kWindow) {
    clock_ -= parts_.front().clock;
    parts_.pop_front();
  }
  clock_ = simulated_ = 0;
  for (const Part& part : parts_) {
    clock_ += part.clock;
    simulated_ += part.simulated;
  }
}

}  // namespace sinew
