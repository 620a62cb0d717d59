// The activations of an actuator after a step, or, at one instant, their rates, as functions of the state.
#ifndef SINEW_DERIVATIVES_TERMS_ACTIVATION_LAW_H_
#define SINEW_DERIVATIVES_TERMS_ACTIVATION_LAW_H_

#include "math/dual.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline derivatives {

// The variables of an actuator: length and velocity of its transmission, control, and its own activations in their
// order.
inline constexpr int kMostActivations = 5;
enum StateVariable { kByLength, kByVelocity, kByControl, kByState };

// Slopes of the activation that drives an actuator, of one alone: after the step, and of its rate.
struct ActivationSlopes {
  double next_by_act = 1, next_by_control = 0;
  double rate_by_act = 0, rate_by_control = 0;
};
ActivationSlopes SlopesOfActivation(const ModelView<double>& m, const DataView<double>& d, int actuator);

// Slopes of how an activation ends a step that it goes through at a rate: by where it has begun, by the rate, and by
// the velocity of the transmission that the world has last computed. All are zero where a range holds it.
struct ActivationEnd {
  double by_start, by_rate, by_velocity;
};
ActivationEnd EndOfActivation(const ModelView<double>& m, const DataView<double>& d, int actuator, int adr,
                              double rate);

// Whether the control that acts now is one of the past.
bool IsDelayed(const ModelView<double>& m, int actuator);

// Whether the control that acts now has a part in this step. Outside of its range it has no effect; at its ends it
// counts as inside, as for finite differences.
bool ControlActs(const ModelView<double>& m, const DataView<double>& d, int actuator);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_ACTIVATION_LAW_H_
