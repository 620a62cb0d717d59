#include "derivatives/terms/motor_law.h"

#include <algorithm>

#include "derivatives/base/dual_order.h"
#include "integrate/velocity_derivative/actuator_derivative_kernel.h"

namespace sinew::inline derivatives {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;
using D = MotorNumber;

// A motor, and what it depends on as variables.
struct MotorVariables {
  int first, count;
  DcMotor<D> motor;
  MotorMotion<D> motion;
  D control, h;
  D act[kMostActivations];

  MotorVariables(const Model& m, const Data& d, int i)
      : first(m.actuator_actadr(i)),
        count(m.actuator_actnum(i)),
        motor(ConstantMotor<D>(MakeDcMotor(m, i), first)),
        motion{D::Variable(d.actuator_length(i), kByLength), D::Variable(d.actuator_velocity(i), kByVelocity)},
        h(m.opt_timestep()) {
    const double acting = LimitedControl(m, d, i);
    control = ControlActs(m, d, i) ? D::Variable(acting, kByControl) : D(acting);
    std::fill_n(act, kMostActivations, D(0));
    for (int k = 0; k < count; ++k) act[k] = D::Variable(d.act(first + k), kByState + k);
  }

  // Of all states, zero for what is not there.
  MotorChanges Rates() const {
    MotorChanges rates;
    std::fill_n(rates.state, kMostActivations, D(0));
    MotorRates(motor, act, control, motion, h, rates.state);
    return rates;
  }
  D End(const Model& m, int i, int k, const D& rate) const {
    const D next = EndOfMotorState(motor, k, act[k], rate, motion.velocity, h);
    if (!m.actuator_actlimited(i)) return next;
    return Clamp(next, D(m.actuator_actrange(i)[0]), D(m.actuator_actrange(i)[1]));
  }
};

}  // namespace

MotorForce ForceOfMotor(const Model& m, const Data& d, int i) {
  const MotorVariables at(m, d, i);
  MotorForce force;
  if (const int k = at.motor.current_state; k < 0) {
    force.electrical = SteadyTorque(at.motor, at.act, at.control, at.motion, at.h);
  } else {
    const D current = m.actuator_actearly(i) ? at.End(m, i, k, at.Rates().state[k]) : at.act[k];
    force.electrical = at.motor.K * current;
  }
  force.mechanical = MotorMechanicalTorque(at.motor, at.act, at.motion);
  force.slope = MotorSlope(at.motor, at.motion.velocity, D::Variable(d.ctrl(i), kByControl), at.h);
  return force;
}

MotorChanges RatesOfMotor(const Model& m, const Data& d, int i) { return MotorVariables(m, d, i).Rates(); }

// The bristle of a disabled motor follows its motion; its other states rest.
MotorChanges EndsOfMotor(const Model& m, const Data& d, int i) {
  const MotorVariables at(m, d, i);
  MotorChanges ends;
  std::copy_n(at.act, kMostActivations, ends.state);
  if (m.opt_disableflags() & mjDSBL_ACTUATION) return ends;
  const MotorChanges rates = at.Rates();
  for (int k = 0; k < at.count; ++k) ends.state[k] = at.End(m, i, k, ActuatorDisabled(m, i) ? D(0) : rates.state[k]);
  return ends;
}

}  // namespace sinew::inline derivatives
