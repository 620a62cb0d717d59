// How fast a simulation is, by the clock on the wall.
#ifndef SINEW_APPS_VIEWER_SESSION_SPEED_METER_H_
#define SINEW_APPS_VIEWER_SESSION_SPEED_METER_H_

#include <deque>

namespace sinew {

class SpeedMeter {
 public:
  static constexpr double kWindow = 1;  // seconds of the clock that the mean is taken over

  // Forgets what was measured.
  void Start() { *this = SpeedMeter(); }
  // So many seconds of the clock have passed, in which so many were simulated.
  void Add(double clock, double simulated);
  // Simulated seconds per second of the clock; 0 before anything is added.
  double speed() const { return clock_ > 0 ? simulated_ / clock_ : 0; }

 private:
  struct Part {
    double clock, simulated;
  };
  std::deque<Part> parts_;
  double clock_ = 0, simulated_ = 0;
};

}  // namespace sinew

#endif  // SINEW_APPS_VIEWER_SESSION_SPEED_METER_H_
