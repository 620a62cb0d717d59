// Activation dynamics: how act follows the control.
//
//   in:  control, act, actuator_length, actuator_velocity          out: act_dot
#ifndef SINEW_FORCE_ACTIVATION_KERNEL_H_
#define SINEW_FORCE_ACTIVATION_KERNEL_H_

#include <type_traits>

#include "force/dcmotor_kernel.h"
#include "force/fiber_kernel.h"
#include "force/muscle_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"

namespace sinew::inline force {
inline namespace SINEW_ISA {

// Callbacks take one world only: packs do without them.
template <class S>
inline constexpr bool kHasCallbacks = std::is_same_v<S, mjtNum>;

template <class S>
MotorMotion<S> MotionOf(const DataView<S>& d, int actuator) {
  return {d.actuator_length(actuator), d.actuator_velocity(actuator)};
}

// The activation that drives the actuator: the last one it has.
template <class S>
int DrivingActivation(const ModelView<S>& m, int actuator) {
  return m.actuator_actadr(actuator) + m.actuator_actnum(actuator) - 1;
}

// A user's dynamics return the rate of a single activation; several are written to act_dot by the callback itself.
template <class S>
void UserActivationRate(const ModelView<S>& m, const DataView<S>& d, int actuator) {
  const int first = m.actuator_actadr(actuator), count = m.actuator_actnum(actuator);
  for (int k = first; k < first + count; ++k) d.act_dot(k) = S(0);
  if constexpr (kHasCallbacks<S>) {
    if (!mjcb_act_dyn) return;
    const mjtNum rate = mjcb_act_dyn(m.raw(), d.raw(), actuator);
    if (count == 1) d.act_dot(first) = rate;
  }
}

// Sets act_dot of one actuator with activations, from its limited control; elastic muscles' fibres follow
// (FiberMotions).
template <class S>
void ActivationRate(const ModelView<S>& m, const DataView<S>& d, int actuator, S control) {
  const int last = DrivingActivation(m, actuator);
  const auto prm = m.actuator_dynprm(actuator);
  switch (m.actuator_dyntype(actuator)) {
    case mjDYN_INTEGRATOR:
      d.act_dot(last) = control;
      break;
    case mjDYN_FILTER:
    case mjDYN_FILTEREXACT:
      d.act_dot(last) = (control - d.act(last)) / Max(S(kMinVal), prm[0]);
      break;
    case mjDYN_MUSCLE:
      d.act_dot(last) = MuscleActivationRate(control, d.act(last), prm);
      break;
    case mjDYN_DCMOTOR:
      MotorRates(MakeDcMotor(m, actuator), d.act_data(), control, MotionOf(d, actuator), m.opt_timestep(),
                 d.act_dot_data());
      break;
    case mjDYN_USER:
      UserActivationRate(m, d, actuator);
      break;
    case kMusculotendon:
      FiberActivationRate(m, d, actuator, control);
      break;
    default:
      break;
  }
}

// Activation `adr` of the actuator after a step at rate act_dot, within its range. Filters and motors with linear rates
// are integrated exactly, others by Euler.
template <class S>
S NextActivation(const ModelView<S>& m, const DataView<S>& d, int actuator, int adr, S act_dot) {
  const S h = m.opt_timestep(), act = d.act(adr);
  S next;
  switch (m.actuator_dyntype(actuator)) {
    case mjDYN_FILTEREXACT: {
      // a constant control over the step: act + act_dot tau (1 - e^{-h/tau})
      const S tau = Max(S(kMinVal), m.actuator_dynprm(actuator)[0]);
      next = act + act_dot * tau * (S(1) - Exp(-h / tau));
      break;
    }
    case mjDYN_DCMOTOR:
      next = NextMotorState(MakeDcMotor(m, actuator), adr, act, act_dot, d.actuator_velocity(actuator), h);
      break;
    case kMusculotendon:
      next = NextFiberState(m, actuator, adr, act, act_dot);
      break;
    default:
      next = act + act_dot * h;
  }
  if (!m.actuator_actlimited(actuator)) return next;
  return Clamp(next, m.actuator_actrange(actuator)[0], m.actuator_actrange(actuator)[1]);
}

// All activations (na) after a step. Those of disabled actuators stand still, within their range.
template <class S>
void NextActivations(const ModelView<S>& m, const DataView<S>& d, const S* act_dot, S* next) {
  if (m.opt_disableflags() & mjDSBL_ACTUATION) return;
  for (int i = 0; i < m.nu(); ++i) {
    const int first = m.actuator_actadr(i), end = first + m.actuator_actnum(i);
    for (int k = first; k < end; ++k) next[k] = NextActivation(m, d, i, k, ActuatorDisabled(m, i) ? S(0) : act_dot[k]);
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline force

#endif  // SINEW_FORCE_ACTIVATION_KERNEL_H_
