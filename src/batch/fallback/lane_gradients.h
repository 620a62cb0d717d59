// Terms of derivatives in lanes that scalar code computes in the worlds of the lanes: slopes of actuators' forces, and
// how contacts move with their geoms. Numbers of lanes lie side by side, as in batch/fallback/lane_worlds.h.
#ifndef SINEW_BATCH_FALLBACK_LANE_GRADIENTS_H_
#define SINEW_BATCH_FALLBACK_LANE_GRADIENTS_H_

#include "batch/fallback/lane_worlds.h"

namespace sinew::inline batch {

// Of each actuator: the slopes of its force by length, velocity, control, and its activations; then the slope g by
// velocity that implicit integrators take in, and the slopes of g.
struct ActuatorNumbers {
  static constexpr int kLength = 0, kVelocity = 1, kControl = 2, kActivation = 3, kMostActivations = 5;
  static constexpr int kOfSlope = kActivation + kMostActivations;  // the first of g
  static constexpr int kCount = 2 * kOfSlope + 1;
};

// For the actuators of a lane's world, which has controls, activations, and what actuators have made of them.
void FindActuatorSlopes(const LaneWorlds& worlds, int lane, double* numbers);

// Shifts of a contact (derivatives/base/contact_columns_kernel.h): for each geom and each of the six components of its
// motion, those of the distance, the point and the frame.
inline constexpr int kShiftNumbers = 7, kSidesNumbers = 2 * 6 * kShiftNumbers;

// For a contact of a lane whose pair has a formula, from the poses of its geoms in the lane's world. False where there
// is no derivative, or no formula.
bool DifferentiateContact(const LaneWorlds& worlds, int lane, const LaneContact& contact, double* numbers);

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_FALLBACK_LANE_GRADIENTS_H_
