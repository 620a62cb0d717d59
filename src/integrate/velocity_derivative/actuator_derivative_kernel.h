// Derivative of actuator forces with respect to velocity: Q += sum_i df_i/d(velocity_i) moment_i' moment_i.
#ifndef SINEW_INTEGRATE_VELOCITY_DERIVATIVE_ACTUATOR_DERIVATIVE_KERNEL_H_
#define SINEW_INTEGRATE_VELOCITY_DERIVATIVE_ACTUATOR_DERIVATIVE_KERNEL_H_

#include "force/actuation_kernel.h"
#include "integrate/velocity_derivative/sparsity_kernel.h"

namespace sinew::inline integrate {
inline namespace SINEW_ISA {

// Derivative of a motor's torque, at its resistance when cold. The voltage depends on velocity through the controller,
// and the winding's current follows it within the step by the factor 1 - e^{-h/te}.
template <class S>
S MotorSlope(const DcMotor<S>& motor, S velocity, S control, S h) {
  S voltage_slope(0);
  if (motor.input == MotorInput::kPosition) voltage_slope = -motor.kd;
  if (motor.input == MotorInput::kVelocity) voltage_slope = -motor.kp;
  if (motor.input == MotorInput::kTorque) {
    // below its limit, the voltage makes up for the back-EMF
    const S voltage = motor.R * control / motor.K + motor.K * velocity;
    voltage_slope = Select((motor.Vmax > S(0)) & (Abs(voltage) >= motor.Vmax), S(0), motor.K);
  }
  S slope = motor.K * (voltage_slope - motor.K) / motor.R;
  if (motor.current_state >= 0) slope *= S(1) - Exp(-h / motor.te);
  slope += DrySlope(motor, velocity);
  return motor.bristle_state >= 0 ? slope - motor.sigma1 : slope;
}

// d force / d velocity of one actuator, for its present control (without delay or limit) or activation.
template <class S>
S ActuatorSlope(const ModelView<S>& m, const DataView<S>& d, int i) {
  if (m.actuator_gaintype(i) == mjGAIN_DCMOTOR) {
    return MotorSlope(MakeDcMotor(m, i), d.actuator_velocity(i), d.ctrl(i), m.opt_timestep());
  }
  if (m.actuator_gaintype(i) == kMusculotendon) return MusculotendonSlope(m, d, i);

  const S slope = m.actuator_biastype(i) == mjBIAS_AFFINE ? m.actuator_biasprm(i)[2] : S(0);
  const int type = m.actuator_gaintype(i);
  if (type != mjGAIN_AFFINE && type != mjGAIN_MUSCLE) return slope;
  const auto prm = m.actuator_gainprm(i);
  S gain_slope = prm[2];
  if (type == mjGAIN_MUSCLE) {
    const auto muscle = MakeMuscle<S>(m.actuator_lengthrange(i), m.actuator_acc0(i), prm);
    gain_slope = MuscleGainSlope(muscle, d.actuator_length(i), d.actuator_velocity(i));
  }
  return slope + gain_slope * (m.actuator_actnum(i) > 0 ? DrivingInput(m, d, i) : d.ctrl(i));
}

// A force at its limit does not change with velocity.
template <class S>
MaskOf<S> ForceWithinLimits(const ModelView<S>& m, const DataView<S>& d, int i) {
  if (!m.actuator_forcelimited(i)) return S(0) == S(0);
  const S force = d.actuator_force(i), low = m.actuator_forcerange(i)[0], high = m.actuator_forcerange(i)[1];
  return (force > low) & (force < high);
}

// Whether a joint's limit of actuator forces holds them, so that nothing moves them.
template <class S>
MaskOf<S> IsHeldByJoint(const ModelView<S>& m, const DataView<S>& d, int joint) {
  if (!m.jnt_actfrclimited(joint)) return S(1) < S(0);
  const S force = d.qfrc_actuator(m.jnt_dofadr(joint));
  const RowOf<S> range = m.jnt_actfrcrange(joint);
  return (force <= range[0]) | (force >= range[1]);
}

template <class S>
void AddActuatorDerivative(const ModelView<S>& m, const DataView<S>& d, S* Q) {
  if (m.opt_disableflags() & mjDSBL_ACTUATION) return;
  const SquarePattern pattern = DofPattern(m.raw());
  for (int i = 0; i < m.nu(); ++i) {
    if (ActuatorDisabled(m, i)) continue;
    const S slope = Select(ForceWithinLimits(m, d, i), ActuatorSlope(m, d, i), S(0));
    if (!Any(slope != S(0))) continue;
    const int adr = d.moment_rowadr(i);
    AddOuterProduct(pattern, d.actuator_moment_data() + adr, d.moment_colind_data() + adr, d.moment_rownnz(i), slope,
                    Q);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_VELOCITY_DERIVATIVE_ACTUATOR_DERIVATIVE_KERNEL_H_
