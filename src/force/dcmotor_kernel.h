// A direct current motor (docs/how/actuation.md): voltage from a controller, winding with resistance and inductance,
// heat, cogging torque, and bearing friction after LuGre (Canudas de Wit et al. 1995).
//
//   R i + te R di/dt = V - K v       te: electrical time constant L/R, K v: back-EMF
//   torque = K i + A sin(Np q + phi) - (sigma0 z + sigma1 dz/dt)
//
// Every state is optional; those that are present follow each other in act.
#ifndef SINEW_FORCE_DCMOTOR_KERNEL_H_
#define SINEW_FORCE_DCMOTOR_KERNEL_H_

#include "math/vec3.h"
#include "model/storage/motor_extension.h"
#include "model/view/model_view.h"
#include "simd/functions.h"

namespace sinew::inline force {
inline namespace SINEW_ISA {

// The quantity that the input sets. With kTorque it is the torque of the motor, whose current the voltage drives at
// once, as far as its limit allows.
enum class MotorInput { kVoltage = 0, kPosition = 1, kVelocity = 2, kTorque = 3 };

// Parameters of actuator rows gainprm, dynprm and biasprm by name, and the place of each state, -1 where absent.
template <class S>
struct DcMotor {
  S R, K;              // resistance at the reference temperature [ohm], motor constant [N m/A, V s]
  S kp, ki, kd, Vmax;  // controller: gains, limit of the voltage (0: none)
  MotorInput input;
  S te, current_rate_max;  // electrical time constant [s], limit of di/dt (0: none)
  S alpha, T0, RT, C, Ta;  // heat: coefficient of R and its reference, thermal resistance and capacity, ambient
  S slew, integral_max;    // limits of the input's rate and of the integral (0: none)
  S sigma0, sigma1, coulomb, stiction, stribeck;  // friction: bristle stiffness, damping; Fc, Fs, vs
  S cogging, poles, phase;                        // cogging torque A sin(Np q + phi)
  S dry, dry_speed;                               // friction against the motion, and where it changes its sign
  int slew_state, integral_state, temperature_state, bristle_state, current_state;
};

// Values of the states, zero where absent.
template <class S>
struct MotorState {
  S input, integral, temperature, bristle, current;
};

// Length and velocity of the transmission.
template <class S>
struct MotorMotion {
  S position, velocity;
};

// A state is there when the parameter that needs it is positive.
template <class S>
void AssignMotorStates(const ModelView<S>& m, int actuator, DcMotor<S>& motor) {
  const bool dynamic = m.actuator_dyntype(actuator) == mjDYN_DCMOTOR;
  const mjtNum* prm = m.raw()->actuator_dynprm + mjNDYN * actuator;
  int next = m.actuator_actadr(actuator);
  const auto assign = [&](bool present) { return dynamic && present ? next++ : -1; };
  motor.slew_state = assign(prm[7] > 0);
  motor.integral_state = assign(m.raw()->actuator_gainprm[mjNGAIN * actuator + 5] > 0);
  motor.temperature_state = assign(prm[2] > 0);
  motor.bristle_state = assign(prm[5] > 0);
  motor.current_state = assign(prm[0] > 0);
}

template <class S>
DcMotor<S> MakeDcMotor(const ModelView<S>& m, int actuator) {
  const auto gain = m.actuator_gainprm(actuator);
  const auto dyn = m.actuator_dynprm(actuator);
  const auto bias = m.actuator_biasprm(actuator);
  DcMotor<S> motor = {};

  // winding and controller
  motor.R = gain[0];
  motor.K = gain[1];
  motor.alpha = gain[2];
  motor.T0 = gain[3];
  motor.kp = gain[4];
  motor.ki = gain[5];
  motor.kd = gain[6];
  motor.Vmax = gain[7];
  motor.input = static_cast<MotorInput>(m.raw()->actuator_gainprm[mjNGAIN * actuator + 8]);

  // states
  motor.te = dyn[0];
  motor.current_rate_max = dyn[1];
  motor.RT = dyn[2];
  motor.C = dyn[3];
  motor.Ta = dyn[4];
  motor.sigma0 = dyn[5];
  motor.sigma1 = dyn[6];
  motor.slew = dyn[7];
  motor.integral_max = dyn[8];

  // cogging and friction
  motor.cogging = bias[0];
  motor.poles = bias[1];
  motor.phase = bias[2];
  motor.coulomb = bias[3];
  motor.stiction = bias[4];
  motor.stribeck = bias[5];
  motor.dry = bias[kDryFriction] / Max(S(kMinVal), Abs(S(m.actuator_gear(actuator)[0])));
  motor.dry_speed = bias[kDrySpeed] * Abs(S(m.actuator_gear(actuator)[0]));

  AssignMotorStates(m, actuator, motor);
  return motor;
}

template <class S>
MotorState<S> ReadMotorState(const DcMotor<S>& motor, const S* act) {
  const auto value = [&](int state) { return state < 0 ? S(0) : act[state]; };
  return {value(motor.slew_state), value(motor.integral_state), value(motor.temperature_state),
          value(motor.bristle_state), value(motor.current_state)};
}

// The input, which may change by at most slew * h in a step.
template <class S>
S SlewedInput(const DcMotor<S>& motor, const MotorState<S>& state, S input, S h) {
  if (motor.slew_state < 0) return input;
  return Clamp(input, state.input - motor.slew * h, state.input + motor.slew * h);
}

// Resistance of the winding, which grows with its temperature; the state is the rise above the ambient temperature Ta.
template <class S>
S WindingResistance(const DcMotor<S>& motor, const MotorState<S>& state) {
  if (motor.temperature_state < 0) return motor.R;
  return motor.R * (S(1) + motor.alpha * (state.temperature + motor.Ta - motor.T0));
}

// Voltage at the winding. In voltage mode the limit is not part of it.
template <class S>
S ControlVoltage(const DcMotor<S>& motor, const MotorState<S>& state, S input, const MotorMotion<S>& motion) {
  switch (motor.input) {
    case MotorInput::kPosition:
      return motor.kp * (input - motion.position) + motor.ki * state.integral - motor.kd * motion.velocity;
    case MotorInput::kVelocity:
      return motor.kp * (input - motion.velocity) + motor.ki * (state.integral - motion.position);
    case MotorInput::kTorque:
      return WindingResistance(motor, state) * input / motor.K + motor.K * motion.velocity;
    default:
      return input;
  }
}
template <class S>
S LimitedVoltage(const DcMotor<S>& motor, S voltage) {
  return Select(motor.Vmax > S(0), Clamp(voltage, -motor.Vmax, motor.Vmax), voltage);
}

// Rate at which a deflected bristle relaxes, da/dt of dz/dt = a z + v: -sigma0 |v| / g(v), g the Stribeck curve.
template <class S>
S BristleDecay(const DcMotor<S>& motor, S velocity) {
  const S ratio = velocity / motor.stribeck;
  const S g = motor.coulomb + (motor.stiction - motor.coulomb) * Exp(-(ratio * ratio));
  return -motor.sigma0 * Abs(velocity) / Max(S(kMinVal), g);
}
template <class S>
S BristleRate(const DcMotor<S>& motor, const MotorState<S>& state, S velocity) {
  return BristleDecay(motor, velocity) * state.bristle + velocity;
}

// (e^{ah} - 1) / a, the factor of a rate in the exact step of dx/dt = a x + b; h in the limit of a = 0
template <class S>
S ExactStep(S a, S h) {
  const MaskOf<S> still = Abs(a) <= S(kMinVal);
  return Select(still, h, (Exp(a * h) - S(1)) / Select(still, S(1), a));
}

// Rates of all states, into act_dot at their places. `input` has not been slewed.
template <class S>
void MotorRates(const DcMotor<S>& motor, const S* act, S raw_input, const MotorMotion<S>& motion, S h, S* act_dot) {
  const MotorState<S> state = ReadMotorState(motor, act);
  const S input = SlewedInput(motor, state, raw_input, h);
  if (motor.slew_state >= 0) act_dot[motor.slew_state] = (input - state.input) / h;

  // the integral stops growing at its bound
  if (motor.integral_state >= 0) {
    const S x = state.integral, rate = motor.input == MotorInput::kPosition ? input - motion.position : input;
    const auto wound_up = (motor.integral_max > S(0)) &
                          (((x >= motor.integral_max) & (rate > S(0))) | ((x <= -motor.integral_max) & (rate < S(0))));
    act_dot[motor.integral_state] = Select(wound_up, S(0), rate);
  }

  // winding
  const S R = WindingResistance(motor, state);
  const S voltage = LimitedVoltage(motor, ControlVoltage(motor, state, input, motion));
  const S steady_current = (voltage - motor.K * motion.velocity) / R;
  if (motor.temperature_state >= 0) {
    const S current = motor.current_state >= 0 ? state.current : steady_current;
    act_dot[motor.temperature_state] = (R * current * current - state.temperature / motor.RT) / motor.C;
  }
  if (motor.current_state >= 0) {
    const S rate = (steady_current - state.current) / motor.te, bound = motor.current_rate_max;
    act_dot[motor.current_state] = Select(bound > S(0), Clamp(rate, -bound, bound), rate);
  }

  if (motor.bristle_state >= 0) act_dot[motor.bristle_state] = BristleRate(motor, state, motion.velocity);
}

// State `index` of act after a step in which its rate was `rate`. Current and bristle, whose rates are linear in the
// state, are integrated exactly; the bristle from the velocity alone, so that it also follows a disabled motor.
template <class S>
S NextMotorState(const DcMotor<S>& motor, int index, S value, S rate, S velocity, S h) {
  if (index == motor.current_state) return value + rate * ExactStep(S(-1) / motor.te, h);
  if (index == motor.bristle_state) {
    const S a = BristleDecay(motor, velocity);
    return value * Exp(a * h) + velocity * ExactStep(a, h);
  }
  const S next = value + rate * h;
  if (index != motor.integral_state) return next;
  return Select(motor.integral_max > S(0), Clamp(next, -motor.integral_max, motor.integral_max), next);
}

// Electrical torque without a current state: K i with the current that the voltage drives at once.
template <class S>
S SteadyTorque(const DcMotor<S>& motor, const S* act, S raw_input, const MotorMotion<S>& motion, S h) {
  const MotorState<S> state = ReadMotorState(motor, act);
  const S input = SlewedInput(motor, state, raw_input, h);
  S voltage = ControlVoltage(motor, state, input, motion);
  if (motor.input != MotorInput::kVoltage) voltage = LimitedVoltage(motor, voltage);
  return motor.K / WindingResistance(motor, state) * (voltage - motor.K * motion.velocity);
}

// Friction of constant size against the motion: f v / sqrt(v^2 + w^2), or f sgn(v) for w = 0; and its derivative.
template <class S>
S DryTorque(const DcMotor<S>& motor, S velocity) {
  const S size = Sqrt(velocity * velocity + motor.dry_speed * motor.dry_speed);
  return Select(size > S(0), -motor.dry * velocity / Select(size > S(0), size, S(1)), S(0));
}
template <class S>
S DrySlope(const DcMotor<S>& motor, S velocity) {
  const S w2 = motor.dry_speed * motor.dry_speed, size = Sqrt(velocity * velocity + w2);
  return Select(w2 > S(0), -motor.dry * w2 / Max(S(kMinVal), size * size * size), S(0));
}

// Cogging torque and bearing friction.
template <class S>
S MotorMechanicalTorque(const DcMotor<S>& motor, const S* act, const MotorMotion<S>& motion) {
  S cogging = motor.cogging * Sin(motor.poles * motion.position + motor.phase);
  if (Any(motor.dry != S(0))) cogging += DryTorque(motor, motion.velocity);
  if (motor.bristle_state < 0) return cogging;
  const MotorState<S> state = ReadMotorState(motor, act);
  return cogging - (motor.sigma0 * state.bristle + motor.sigma1 * BristleRate(motor, state, motion.velocity));
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_DCMOTOR_KERNEL_H_
