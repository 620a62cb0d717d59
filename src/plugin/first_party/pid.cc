// mujoco.pid: a servo with proportional, integral and derivative gain.
//
//   f = kp e + ki I + kd (dc/dt - v),    e = c - l,    dI/dt = e
//
// l and v are length and velocity of the actuator. The set point c is its control, within ctrlrange, or the activation
// of its built-in dynamics; dc/dt is the rate of that activation, and zero for a control.
//   slewmax   largest rate of c: from one step to the next it changes by slewmax h at most
//   imax      largest force of the integral: |ki I| <= imax
// Activations of the actuator: I with ki; the previous c with slewmax; then those of the built-in dynamics.
#include <algorithm>
#include <memory>
#include <vector>

#include "plugin/first_party/config.h"
#include "plugin/first_party/first_party.h"
#include "plugin/first_party/instance.h"
#include "simd/functions.h"

namespace sinew::inline plugin {
namespace {

constexpr const char* kAttributes[] = {"kp", "ki", "kd", "imax", "slewmax"};

bool HasDynamics(const mjModel* m, int actuator) { return m->actuator_dyntype[actuator] != mjDYN_NONE; }
int LastActivation(const mjModel* m, int actuator) {
  return m->actuator_actadr[actuator] + m->actuator_actnum[actuator] - 1;
}

// The activation of built-in dynamics at the end of the step.
double NextActivation(const mjModel* m, const mjData* d, int actuator) {
  const int adr = LastActivation(m, actuator);
  const double h = m->opt.timestep;
  double next = d->act[adr] + h * d->act_dot[adr];
  if (m->actuator_dyntype[actuator] == mjDYN_FILTEREXACT) {
    const double tau = std::max(mjMINVAL, m->actuator_dynprm[mjNDYN * actuator]);
    next = d->act[adr] + d->act_dot[adr] * tau * (1 - Exp(-h / tau));
  }
  const mjtNum* range = m->actuator_actrange + 2 * actuator;
  return m->actuator_actlimited[actuator] ? std::clamp(next, range[0], range[1]) : next;
}

class Pid {
 public:
  // Null, with a warning, for an attribute that makes no sense, or an actuator with another number of activations.
  static Pid* Make(const mjModel* m, int instance) {
    auto pid = std::make_unique<Pid>();
    for (int i = 0; i < 5; ++i) {
      double* number[] = {&pid->kp_, &pid->ki_, &pid->kd_, &pid->imax_, &pid->slewmax_};
      ReadNumber(m, instance, kAttributes[i], number[i]);
    }
    pid->slews_ = IsGiven(m, instance, "slewmax");
    pid->clamps_ = pid->ki_ != 0 && IsGiven(m, instance, "imax");
    const char* complaint = nullptr;
    if (pid->clamps_ && pid->imax_ / pid->ki_ < 0) complaint = "mujoco.pid: imax / ki is negative, give both one sign";
    if (pid->slewmax_ < 0) complaint = "mujoco.pid: slewmax is negative, it must be zero or more";
    if (complaint) {
      mju_warning("%s", complaint);
      return nullptr;
    }
    for (int i = 0; i < m->nu; ++i) {
      if (m->actuator_plugin[i] != instance) continue;
      const int expected = (pid->ki_ != 0) + pid->slews_ + HasDynamics(m, i);
      if (m->actuator_actnum[i] != expected) {
        mju_warning("mujoco.pid: actuator %d has actdim %d, expected %d: add actdim=\"%d\" to its element", i,
                    m->actuator_actnum[i], expected, expected);
        return nullptr;
      }
      pid->actuators_.push_back(i);
    }
    return pid.release();
  }

  void SetActDot(const mjModel* m, mjData* d) const {
    for (int i : actuators_) {
      const double c = SetPoint(m, d, i, /*next=*/false), error = c - d->actuator_length[i];
      int adr = m->actuator_actadr[i];
      if (ki_ != 0) {
        const double rate = clamps_ ? (NextIntegral(m, d, i, error) - d->act[adr]) / m->opt.timestep : error;
        d->act_dot[adr++] = rate;
      }
      if (slews_) d->act_dot[adr] = (c - d->act[adr]) / m->opt.timestep;
    }
  }

  void SetForce(const mjModel* m, mjData* d) const {
    for (int i : actuators_) {
      const bool next = m->actuator_actearly[i] != 0;
      const double error = SetPoint(m, d, i, next) - d->actuator_length[i];
      const double rate = HasDynamics(m, i) ? d->act_dot[LastActivation(m, i)] : 0;
      double force = kp_ * error;
      if (ki_ != 0) force += ki_ * NextIntegral(m, d, i, error);
      d->actuator_force[i] = force + kd_ * (rate - d->actuator_velocity[i]);
    }
  }

 private:
  double SetPoint(const mjModel* m, const mjData* d, int i, bool next) const {
    double c = mju_isBad(d->ctrl[i]) ? 0 : d->ctrl[i];
    if (HasDynamics(m, i)) {
      c = next ? NextActivation(m, d, i) : d->act[LastActivation(m, i)];
    } else if (m->actuator_ctrllimited[i]) {
      c = std::clamp(c, m->actuator_ctrlrange[2 * i], m->actuator_ctrlrange[2 * i + 1]);
    }
    if (!slews_ || d->time <= 0) return c;  // there is no previous set point yet
    const double previous = d->act[m->actuator_actadr[i] + (ki_ != 0)], most = slewmax_ * m->opt.timestep;
    return std::clamp(c, previous - most, previous + most);
  }

  // I at the end of the step.
  double NextIntegral(const mjModel* m, const mjData* d, int i, double error) const {
    const double integral = d->act[m->actuator_actadr[i]] + error * m->opt.timestep;
    return clamps_ ? std::clamp(integral, -imax_ / ki_, imax_ / ki_) : integral;
  }

  double kp_ = 0, ki_ = 0, kd_ = 0, imax_ = 0, slewmax_ = 0;
  bool clamps_ = false, slews_ = false;
  std::vector<int> actuators_;
};

}  // namespace

mjpPlugin PidPlugin() {
  mjpPlugin plugin = PluginOf<Pid::Make>("mujoco.pid", kAttributes, mjPLUGIN_ACTUATOR);
  plugin.actuator_act_dot = [](const mjModel* m, mjData* d, int instance) {
    InstanceOf<Pid>(d, instance).SetActDot(m, d);
  };
  plugin.compute = [](const mjModel* m, mjData* d, int instance, int) { InstanceOf<Pid>(d, instance).SetForce(m, d); };
  return plugin;
}

}  // namespace sinew::inline plugin
