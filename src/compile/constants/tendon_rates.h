// How fast elastic tendons of muscles vibrate against the bodies that they move, for implicit steps.
#ifndef SINEW_COMPILE_CONSTANTS_TENDON_RATES_H_
#define SINEW_COMPILE_CONSTANTS_TENDON_RATES_H_

#include <mujoco/mujoco.h>

namespace sinew::inline compile {

// Writes actuator_biasprm[kTendonRate] of all muscles with elastic tendons, 1/s^2 (ForetoldTime,
// force/fiber_kernel.h). `d` has positions, moments of actuators and the factors of M, at qpos0.
void SetTendonRates(mjModel* m, mjData* d);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_CONSTANTS_TENDON_RATES_H_
