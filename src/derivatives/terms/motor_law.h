// DC motors (force/dcmotor_kernel.h) as functions of state and control: their kernels on dual numbers.
#ifndef SINEW_DERIVATIVES_TERMS_MOTOR_LAW_H_
#define SINEW_DERIVATIVES_TERMS_MOTOR_LAW_H_

#include "derivatives/terms/activation_law.h"
#include "force/dcmotor_kernel.h"

namespace sinew::inline derivatives {

using MotorNumber = Dual<double, kByState + kMostActivations>;

// The force that range and tendon limit, the force that is added after that (cogging and friction), and the slope by
// velocity of implicit integrators, which depends on the control as given, without range and delay.
struct MotorForce {
  MotorNumber electrical, mechanical, slope;
};
MotorForce ForceOfMotor(const ModelView<double>& m, const DataView<double>& d, int actuator);

// Of the states, in their order: the rates at one instant, or what they are after a step with fixed stages.
struct MotorChanges {
  MotorNumber state[kMostActivations];
};
MotorChanges RatesOfMotor(const ModelView<double>& m, const DataView<double>& d, int actuator);
MotorChanges EndsOfMotor(const ModelView<double>& m, const DataView<double>& d, int actuator);

// The motor with constant parameters; its states count from the first one.
template <class D>
DcMotor<D> ConstantMotor(const DcMotor<double>& motor, int first) {
  const auto state = [&](int adr) { return adr < 0 ? -1 : adr - first; };
  return {.R = D(motor.R),
          .K = D(motor.K),
          .kp = D(motor.kp),
          .ki = D(motor.ki),
          .kd = D(motor.kd),
          .Vmax = D(motor.Vmax),
          .input = motor.input,
          .te = D(motor.te),
          .current_rate_max = D(motor.current_rate_max),
          .alpha = D(motor.alpha),
          .T0 = D(motor.T0),
          .RT = D(motor.RT),
          .C = D(motor.C),
          .Ta = D(motor.Ta),
          .slew = D(motor.slew),
          .integral_max = D(motor.integral_max),
          .sigma0 = D(motor.sigma0),
          .sigma1 = D(motor.sigma1),
          .coulomb = D(motor.coulomb),
          .stiction = D(motor.stiction),
          .stribeck = D(motor.stribeck),
          .cogging = D(motor.cogging),
          .poles = D(motor.poles),
          .phase = D(motor.phase),
          .dry = D(motor.dry),
          .dry_speed = D(motor.dry_speed),
          .slew_state = state(motor.slew_state),
          .integral_state = state(motor.integral_state),
          .temperature_state = state(motor.temperature_state),
          .bristle_state = state(motor.bristle_state),
          .current_state = state(motor.current_state)};
}

// A state after a step at a rate. An integral that is wound up stays at its bound, whichever way it is moved.
template <class D>
D EndOfMotorState(const DcMotor<D>& motor, int k, const D& act, const D& rate, const D& velocity, const D& h) {
  const D next = NextMotorState(motor, k, act, rate, velocity, h);
  const double bound = motor.integral_max.value;
  const bool stays = k == motor.integral_state && bound > 0 && Abs(act.value) >= bound && rate.value == 0;
  return stays ? D(next.value) : next;
}

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_MOTOR_LAW_H_
