// Actuation (actuation_kernel.h, activation_kernel.h).
#ifndef SINEW_FORCE_ACTUATION_H_
#define SINEW_FORCE_ACTUATION_H_

#include <mujoco/mujoco.h>

namespace sinew {

// act_dot, actuator_force, qfrc_actuator from controls and activations.
void Actuation(const mjModel* m, mjData* d);

// Activation act_adr of an actuator after a step at rate act_dot, within its range.
double NextActivation(const mjModel* m, const mjData* d, int actuator, int act_adr, double act_dot);

}  // namespace sinew

#endif  // SINEW_FORCE_ACTUATION_H_
