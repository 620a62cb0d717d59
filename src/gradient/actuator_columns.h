// Actuators: how their forces and activations change with positions, velocities, activations and controls.
#ifndef SINEW_GRADIENT_ACTUATOR_COLUMNS_H_
#define SINEW_GRADIENT_ACTUATOR_COLUMNS_H_

#include <string>
#include <vector>

#include "gradient/actuator_law.h"

namespace sinew {

// How an activation ends a step that it goes through at a rate: it moves by gain * rate, unless its range holds it.
struct ActivationEnd {
  double gain;
  bool is_held;
};
ActivationEnd EndOfActivation(const ModelView<double>& m, const DataView<double>& d, int actuator, double rate);

// Whether a joint's limit of actuator forces holds them, so that nothing moves them.
bool IsHeldByJoint(const ModelView<double>& m, const DataView<double>& d, int joint);

// Why an actuator of the model has no slopes here; empty if all have.
std::string ObstacleOfActuators(const mjModel* m);

// Adds the derivatives of actuator forces, and returns the slopes of activations, one for each actuator.
std::vector<ActivationSlopes> AddActuatorColumns(const mjModel* m, mjData* d, const TendonRows& tendons,
                                                 const BalancePoint& at, BalanceColumns& out);

}  // namespace sinew

#endif  // SINEW_GRADIENT_ACTUATOR_COLUMNS_H_
