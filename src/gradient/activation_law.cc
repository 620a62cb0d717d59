// Kernels join masks by & and |, as lanes must; those of dual numbers are bool, of which clang warns.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wbitwise-instead-of-logical"
#endif

#include "gradient/activation_law.h"

#include "force/actuation_kernel.h"
#include "gradient/dual_order.h"

namespace sinew {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;

// Slopes of act_dot. Filters follow (control - act) / tau; muscles have rates of their own for both directions, which
// are smooth in control and activation, so that dual numbers differentiate them.
void SetRates(const Model& m, const Data& d, int i, ActivationSlopes& slopes) {
  const auto prm = m.actuator_dynprm(i);
  switch (m.actuator_dyntype(i)) {
    case mjDYN_INTEGRATOR:
      slopes.rate_by_control = 1;
      break;
    case mjDYN_FILTER:
    case mjDYN_FILTEREXACT:
      slopes.rate_by_control = 1 / Max(kMinVal, prm[0]);
      slopes.rate_by_act = -slopes.rate_by_control;
      break;
    case mjDYN_MUSCLE: {
      using D = Dual<double, 2>;
      const D parameters[3] = {D(prm[0]), D(prm[1]), D(prm[2])};
      const D control = D::Variable(LimitedControl(m, d, i), 0);
      const D rate = MuscleActivationRate(control, D::Variable(d.act(DrivingActivation(m, i)), 1), parameters);
      slopes.rate_by_control = rate.slope[0];
      slopes.rate_by_act = rate.slope[1];
      break;
    }
    default:
      break;
  }
}

}  // namespace

// The activation after a step follows from its rate (force/activation_kernel.h): act + gain * rate, within its range.
ActivationSlopes SlopesOfActivation(const Model& m, const Data& d, int i) {
  ActivationSlopes slopes;
  if (m.opt_disableflags() & mjDSBL_ACTUATION) return slopes;
  const int adr = DrivingActivation(m, i);
  SetRates(m, d, i, slopes);
  if (!ControlActs(m, d, i)) slopes.rate_by_control = 0;
  const ActivationEnd end = EndOfActivation(m, d, i, adr, d.act_dot(adr));
  slopes.next_by_act = end.is_held ? 0 : 1 + end.gain * slopes.rate_by_act;
  slopes.next_by_control = end.is_held ? 0 : end.gain * slopes.rate_by_control;
  return slopes;
}

// An exact filter moves by tau (1 - exp(-h / tau)) times its rate instead of h; disabled actuators rest. The activation
// of a muscle with a tendon has a range of its own, from which the step begins.
ActivationEnd EndOfActivation(const Model& m, const Data& d, int i, int adr, double rate) {
  const bool rests = ActuatorDisabled(m, i) || (m.opt_disableflags() & mjDSBL_ACTUATION) != 0;
  const double h = m.opt_timestep();
  double gain = rests ? 0 : h, start = d.act(adr);
  if (!rests && m.actuator_dyntype(i) == mjDYN_FILTEREXACT) {
    const double tau = Max(kMinVal, m.actuator_dynprm(i)[0]);
    gain = tau * (1 - Exp(-h / tau));
  }
  if (m.actuator_dyntype(i) == kMusculotendon && adr == DrivingActivation(m, i)) {
    if (m.opt_disableflags() & mjDSBL_ACTUATION) return {0, 1, false};
    const double least = m.actuator_dynprm(i)[kLeastActivation];
    start = Clamp(start, least, 1.0);
    const double next = start + gain * rate;
    return {gain, start == d.act(adr) ? 1.0 : 0.0, next < least || next > 1};
  }
  const double next = start + gain * rate;
  const auto range = m.actuator_actrange(i);
  return {gain, 1, m.actuator_actlimited(i) && (next < range[0] || next > range[1])};
}

bool ControlActs(const Model& m, const Data& d, int i) {
  if (m.nhistory() > 0 && m.raw()->actuator_delay[i] != 0) return false;
  if (!m.actuator_ctrllimited(i) || (m.opt_disableflags() & mjDSBL_CLAMPCTRL)) return true;
  return d.ctrl(i) >= m.actuator_ctrlrange(i)[0] && d.ctrl(i) <= m.actuator_ctrlrange(i)[1];
}

}  // namespace sinew
