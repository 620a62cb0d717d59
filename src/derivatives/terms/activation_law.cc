#include "derivatives/terms/activation_law.h"

#include "derivatives/base/dual_order.h"
#include "derivatives/terms/motor_law.h"
#include "force/actuation_kernel.h"

namespace sinew::inline derivatives {
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
  slopes.next_by_act = end.by_start + end.by_rate * slopes.rate_by_act;
  slopes.next_by_control = end.by_rate * slopes.rate_by_control;
  return slopes;
}

// As NextActivation (force/activation_kernel.h), with the rate as a variable. Disabled actuators rest, but for
// bristles.
ActivationEnd EndOfActivation(const Model& m, const Data& d, int i, int adr, double rate) {
  if (m.opt_disableflags() & mjDSBL_ACTUATION) return {1, 0, 0};
  using D = Dual<double, 3>;
  const D start = D::Variable(d.act(adr), 0), at_rate = ActuatorDisabled(m, i) ? D(0) : D::Variable(rate, 1);
  const D h(m.opt_timestep());
  D next = start + h * at_rate;
  if (m.actuator_dyntype(i) == mjDYN_FILTEREXACT) {
    const double tau = Max(kMinVal, m.actuator_dynprm(i)[0]);
    next = start + at_rate * D(tau * (1 - Exp(-m.opt_timestep() / tau)));
  } else if (m.actuator_dyntype(i) == mjDYN_DCMOTOR) {
    const int first = m.actuator_actadr(i);
    const DcMotor<D> motor = ConstantMotor<D>(MakeDcMotor(m, i), first);
    next = EndOfMotorState(motor, adr - first, start, at_rate, D::Variable(d.actuator_velocity(i), 2), h);
  } else if (m.actuator_dyntype(i) == kMusculotendon && adr == DrivingActivation(m, i)) {
    const D least(m.actuator_dynprm(i)[kLeastActivation]);
    next = Clamp(Clamp(start, least, D(1)) + h * at_rate, least, D(1));
  }
  if (m.actuator_actlimited(i)) next = Clamp(next, D(m.actuator_actrange(i)[0]), D(m.actuator_actrange(i)[1]));
  return {next.slope[0], next.slope[1], next.slope[2]};
}

bool IsDelayed(const Model& m, int i) {
  return m.nhistory() > 0 && m.raw()->actuator_delay[i] != 0 && m.actuator_history(i)[0] > 0;
}

bool ControlActs(const Model& m, const Data& d, int i) {
  if (!m.actuator_ctrllimited(i) || (m.opt_disableflags() & mjDSBL_CLAMPCTRL)) return true;
  const double control = IsDelayed(m, i) ? DelayedControl(m, d, i) : d.ctrl(i);
  return control >= m.actuator_ctrlrange(i)[0] && control <= m.actuator_ctrlrange(i)[1];
}

}  // namespace sinew::inline derivatives
