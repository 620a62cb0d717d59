// Parameters of direct current motors beyond 3.8.0 (docs/how/actuation.md), in columns that it does not use.
#ifndef SINEW_MODEL_STORAGE_MOTOR_EXTENSION_H_
#define SINEW_MODEL_STORAGE_MOTOR_EXTENSION_H_

#include <mujoco/mujoco.h>

namespace sinew::inline model {

// Columns of biasprm, and the value of gainprm[kMotorInput] of a motor whose input is a torque.
enum MotorBias { kDryFriction = 6, kDrySpeed };
inline constexpr int kMotorInput = 8, kTorqueInput = 3;

inline bool IsExtendedMotor(const mjModel& m, int actuator) {
  return m.actuator_gaintype[actuator] == mjGAIN_DCMOTOR &&
         (m.actuator_gainprm[mjNGAIN * actuator + kMotorInput] == kTorqueInput ||
          m.actuator_biasprm[mjNBIAS * actuator + kDryFriction] != 0);
}

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STORAGE_MOTOR_EXTENSION_H_
