// Actuation: from controls to generalized forces.
//
//   in:  ctrl, act, actuator_length, actuator_velocity, actuator_moment, qfrc_gravcomp
//   out: act_dot (na), actuator_force (nu), qfrc_actuator (nv)
//
//   force = gain(length, velocity) * input + bias(length, velocity),    qfrc = moment' force
//
// The input is the control, or the activation of an actuator that has one.
#ifndef SINEW_FORCE_ACTUATION_KERNEL_H_
#define SINEW_FORCE_ACTUATION_KERNEL_H_

#include "force/activation_kernel.h"
#include "math/sparse.h"
#include "model/state/awake_kernel.h"
#include "model/state/bad_number.h"
#include "model/state/history.h"
#include "plugin/hooks.h"

namespace sinew::inline force {
inline namespace SINEW_ISA {

// ---- controls

// Control of the past, for an actuator with a delay; every lane has a buffer of its own.
template <class S>
S DelayedControl(const ModelView<S>& m, const DataView<S>& d, int actuator) {
  using T = typename LaneTraits<S>::Lane;
  constexpr int kLanes = LaneTraits<S>::kWidth;
  if (m.actuator_history(actuator)[0] <= 0) return d.ctrl(actuator);
  S control;
  const auto order = static_cast<Interpolation>(m.actuator_history(actuator)[1]);
  const S time = d.time() - m.actuator_delay(actuator);
  for (int lane = 0; lane < kLanes; ++lane) {
    T* base = reinterpret_cast<T*>(d.history_data() + m.actuator_historyadr(actuator)) + lane;
    const HistoryBuffer<T> buffer(base, m.actuator_history(actuator)[0], 1, kLanes);
    const T then = reinterpret_cast<const T*>(&time)[lane];
    const int exact = buffer.Exact(then, order);
    reinterpret_cast<T*>(&control)[lane] = exact >= 0 ? *buffer.Value(exact) : buffer.Interpolate(then, order, 0);
  }
  return control;
}

// A control within the range of its actuator, where the model has it limited.
template <class S>
S ClampedControl(const ModelView<S>& m, int actuator, S control) {
  if (!m.actuator_ctrllimited(actuator) || (m.opt_disableflags() & mjDSBL_CLAMPCTRL)) return control;
  return Clamp(control, m.actuator_ctrlrange(actuator)[0], m.actuator_ctrlrange(actuator)[1]);
}

// Control as it acts now, within its range. d->ctrl itself is never changed.
template <class S>
S LimitedControl(const ModelView<S>& m, const DataView<S>& d, int actuator) {
  const bool delayed = m.nhistory() > 0 && m.raw()->actuator_delay[actuator] != 0;
  return ClampedControl(m, actuator, delayed ? DelayedControl(m, d, actuator) : d.ctrl(actuator));
}

// Controls as they act now, written to actuator_force, which is not known yet. One that is not finite or of
// unreasonable size disables them all.
template <class S>
void LimitControls(const ModelView<S>& m, const DataView<S>& d) {
  constexpr double kMaxControl = 1e10;
  MaskOf<S> good = S(0) == S(0);
  for (int i = 0; i < m.nu(); ++i) {
    const S control = LimitedControl(m, d, i);
    const MaskOf<S> fine = Abs(control) <= S(kMaxControl);  // false for NaN
    d.actuator_force(i) = control;
    good = good & fine;
    if constexpr (kHasCallbacks<S>) {
      if (fine) continue;
      RaiseBadNumber(*m.raw(), d.raw(), {mjWARN_BADCTRL, i, "ctrl"});
      break;
    }
  }
  if (All(good)) return;
  for (int i = 0; i < m.nu(); ++i) d.actuator_force(i) = Select(good, d.actuator_force(i), S(0));
}

// ---- force of one actuator

template <class S>
S Gain(const ModelView<S>& m, const DataView<S>& d, int i) {
  const auto prm = m.actuator_gainprm(i);
  const S length = d.actuator_length(i), velocity = d.actuator_velocity(i);
  switch (m.actuator_gaintype(i)) {
    case mjGAIN_FIXED:
      return prm[0];
    case mjGAIN_AFFINE:
      return prm[0] + prm[1] * length + prm[2] * velocity;
    case mjGAIN_MUSCLE:
      return MuscleGain(MakeMuscle<S>(m.actuator_lengthrange(i), m.actuator_acc0(i), prm), length, velocity);
    default:
      if constexpr (kHasCallbacks<S>) {
        if (mjcb_act_gain) return mjcb_act_gain(m.raw(), d.raw(), i);
      }
      return S(1);
  }
}

template <class S>
S Bias(const ModelView<S>& m, const DataView<S>& d, int i) {
  const auto prm = m.actuator_biasprm(i);
  const S length = d.actuator_length(i);
  switch (m.actuator_biastype(i)) {
    case mjBIAS_AFFINE:
      return prm[0] + prm[1] * length + prm[2] * d.actuator_velocity(i);
    case mjBIAS_MUSCLE:
      return MuscleBias(MakeMuscle<S>(m.actuator_lengthrange(i), m.actuator_acc0(i), prm), length);
    case mjBIAS_USER:
      if constexpr (kHasCallbacks<S>) {
        if (mjcb_act_bias) return mjcb_act_bias(m.raw(), d.raw(), i);
      }
      return S(0);
    default:
      return S(0);
  }
}

// The activation that drives the actuator: the present one, or that of the end of the step (actearly).
template <class S>
S DrivingInput(const ModelView<S>& m, const DataView<S>& d, int i) {
  const int adr = DrivingActivation(m, i);
  return m.actuator_actearly(i) ? NextActivation(m, d, i, adr, d.act_dot(adr)) : d.act(adr);
}

// Electrical torque of a motor: of its current at the end of the step, or of the current that its voltage drives at
// once.
template <class S>
S MotorTorque(const ModelView<S>& m, const DataView<S>& d, int i, S control) {
  const DcMotor<S> motor = MakeDcMotor(m, i);
  if (motor.current_state >= 0) return motor.K * DrivingInput(m, d, i);
  return SteadyTorque(motor, d.act_data(), control, MotionOf(d, i), m.opt_timestep());
}

template <class S>
S ActuatorForce(const ModelView<S>& m, const DataView<S>& d, int i, S control) {
  if (m.actuator_gaintype(i) == mjGAIN_DCMOTOR) return MotorTorque(m, d, i, control);
  if (m.actuator_gaintype(i) == kMusculotendon) return MusculotendonForce(m, d, i, control);
  const S input = m.actuator_actnum(i) > 0 ? DrivingInput(m, d, i) : control;
  return Gain(m, d, i) * input + Bias(m, d, i);
}

// ---- limits

// Scales the forces of all actuators of a tendon so that their sum stays within the tendon's range.
template <class S>
void LimitTendonForce(const ModelView<S>& m, const DataView<S>& d, int tendon) {
  const auto acts = [&](int i) { return m.actuator_trntype(i) == mjTRN_TENDON && m.actuator_trnid(i)[0] == tendon; };
  S total(0);
  for (int i = 0; i < m.nu(); ++i) {
    if (acts(i)) total += d.actuator_force(i);
  }
  const S low = m.tendon_actfrcrange(tendon)[0], high = m.tendon_actfrcrange(tendon)[1];
  const S bound = Clamp(total, low, high);
  const MaskOf<S> keep = (bound == total) | (total == S(0));
  if (All(keep)) return;
  const S scale = Select(keep, S(1), bound / Select(keep, S(1), total));
  for (int i = 0; i < m.nu(); ++i) {
    if (acts(i)) d.actuator_force(i) *= scale;
  }
}

template <class S>
void LimitTendonForces(const ModelView<S>& m, const DataView<S>& d) {
  for (int t = 0; t < m.ntendon(); ++t) {
    if (m.tendon_actfrclimited(t)) LimitTendonForce(m, d, t);
  }
}

// The force that leaves the actuator: within its range, but for cogging and bearing friction of motors.
template <class S>
S LimitedForce(const ModelView<S>& m, const DataView<S>& d, int i) {
  S force = d.actuator_force(i);
  if (m.actuator_forcelimited(i)) {
    force = Clamp(force, m.actuator_forcerange(i)[0], m.actuator_forcerange(i)[1]);
  }
  if (m.actuator_gaintype(i) == mjGAIN_DCMOTOR && !ActuatorDisabled(m, i) && IsAwakeActuator(m, d, i)) {
    force += MotorMechanicalTorque(MakeDcMotor(m, i), d.act_data(), MotionOf(d, i));
  }
  return force;
}

// ---- generalized force

template <class S>
void AddGeneralizedForce(const DataView<S>& d, int i, S force) {
  const int adr = d.moment_rowadr(i);
  AddSparse(d.qfrc_actuator_data(), d.actuator_moment_data() + adr, d.moment_colind_data() + adr, d.moment_rownnz(i),
            force);
}

// Adds gravity compensation to the forces of actuators at joints, and applies the limits of joints.
template <class S>
void JointActuatorForces(const ModelView<S>& m, const DataView<S>& d) {
  const bool has_compensation = m.ngravcomp() > 0;
  for (int joint = 0; joint < m.njnt(); ++joint) {
    const int dof = m.jnt_dofadr(joint);
    if (has_compensation && m.jnt_actgravcomp(joint)) {
      const int end = joint + 1 < m.njnt() ? m.jnt_dofadr(joint + 1) : m.nv();
      for (int k = dof; k < end; ++k) d.qfrc_actuator(k) += d.qfrc_gravcomp(k);
    }
    if (m.jnt_actfrclimited(joint)) {
      d.qfrc_actuator(dof) = Clamp(d.qfrc_actuator(dof), m.jnt_actfrcrange(joint)[0], m.jnt_actfrcrange(joint)[1]);
    }
  }
}

// ---- the stage

// All actuators have rates, also disabled ones; activations rest while what they move sleeps.
template <class S>
void ActivationRates(const ModelView<S>& m, const DataView<S>& d) {
  bool has_muscles = false;
  for (int i = 0; i < m.nu(); ++i) {
    const int first = m.actuator_actadr(i), count = m.actuator_actnum(i);
    if (count <= 0) continue;
    has_muscles |= IsMusculotendon(m.raw(), i);
    if (IsAwakeActuator(m, d, i)) {
      ActivationRate(m, d, i, d.actuator_force(i));
    } else {
      for (int k = first; k < first + count; ++k) d.act_dot(k) = S(0);
    }
  }
  if (!has_muscles) return;
  ForMuscleGroups(
      m, [&](int i) { return IsAwakeActuator(m, d, i); },
      [&](const MuscleGroup<S>& group) { FiberMotions(m, d, group); });
}

template <class S>
void Actuation(const ModelView<S>& m, const DataView<S>& d) {
  for (int k = 0; k < m.nv(); ++k) d.qfrc_actuator(k) = S(0);
  if (m.nu() == 0) return;
  if (m.opt_disableflags() & mjDSBL_ACTUATION) {
    for (int i = 0; i < m.nu(); ++i) d.actuator_force(i) = S(0);
    return;
  }
  LimitControls(m, d);

  if (m.na() > 0) ActivationRates(m, d);
  if constexpr (kHasCallbacks<S>) PluginActDot(m.raw(), d.raw());

  // forces
  const bool has_plugins = m.nplugin() > 0;
  for (int i = 0; i < m.nu(); ++i) {
    const bool acts = (!has_plugins || m.actuator_plugin(i) < 0) && !ActuatorDisabled(m, i) && IsAwakeActuator(m, d, i);
    d.actuator_force(i) = acts ? ActuatorForce(m, d, i, d.actuator_force(i)) : S(0);
  }
  if constexpr (kHasCallbacks<S>) ComputePlugins(m.raw(), d.raw(), mjPLUGIN_ACTUATOR);

  // limits, and moment' force
  LimitTendonForces(m, d);
  for (int i = 0; i < m.nu(); ++i) {
    const S force = LimitedForce(m, d, i);
    d.actuator_force(i) = force;
    AddGeneralizedForce(d, i, force);
  }
  JointActuatorForces(m, d);
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_ACTUATION_KERNEL_H_
