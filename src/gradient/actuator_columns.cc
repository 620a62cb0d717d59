#include "gradient/actuator_columns.h"

#include <algorithm>

#include "derivative/actuator_derivative_kernel.h"
#include "gradient/dual_order.h"
#include "gradient/names.h"
#include "model/integrator.h"

namespace sinew {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;

// ---- activations

// Slopes of act_dot. Filters follow (control - act) / tau; muscles have rates of their own for both directions, which
// are smooth in control and activation, so that dual numbers differentiate them.
void SetRates(const Model& m, const Data& d, int i, double control, ActivationSlopes& slopes) {
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
      const D rate =
          MuscleActivationRate(D::Variable(control, 0), D::Variable(d.act(DrivingActivation(m, i)), 1), parameters);
      slopes.rate_by_control = rate.slope[0];
      slopes.rate_by_act = rate.slope[1];
      break;
    }
    default:
      break;
  }
}

// The activation after a step follows from its rate (force/activation_kernel.h): act + gain * rate, within its range.
ActivationSlopes SlopesOfActivation(const Model& m, const Data& d, int i, double control) {
  ActivationSlopes slopes;
  if (m.opt_disableflags() & mjDSBL_ACTUATION) return slopes;
  const int adr = DrivingActivation(m, i);
  SetRates(m, d, i, control, slopes);
  if (!ControlActs(m, i, d.ctrl(i)) || ControlIsDelayed(m, i)) slopes.rate_by_control = 0;
  const ActivationEnd end = EndOfActivation(m, d, i, d.act_dot(adr));
  slopes.next_by_act = end.is_held ? 0 : 1 + end.gain * slopes.rate_by_act;
  slopes.next_by_control = end.is_held ? 0 : end.gain * slopes.rate_by_control;
  return slopes;
}

// ---- forces

// Dofs whose actuators together are at the limit of their joint, so that nothing moves their force. What they have of
// the balance before actuators add to it is put back in the end. (The integrators' slopes take no notice of limits.)
class HeldDofs {
 public:
  HeldDofs(const Model& m, const Data& d, const StateSizes& sizes, const Columns& force) : columns_(sizes.all()) {
    for (int joint = 0; joint < m.njnt(); ++joint) {
      if (IsHeldByJoint(m, d, joint)) dof_.push_back(m.jnt_dofadr(joint));
    }
    for (const int dof : dof_) {
      for (int c = 0; c < columns_; ++c) kept_.push_back(force[c][dof]);
    }
  }
  void PutBack(Columns& force) const {
    const double* next = kept_.data();
    for (const int dof : dof_) {
      for (int c = 0; c < columns_; ++c) force[c][dof] = *next++;
    }
  }

 private:
  int columns_;
  std::vector<int> dof_;
  std::vector<double> kept_;
};

}  // namespace

// An exact filter moves by tau (1 - exp(-h / tau)) times its rate instead of h; disabled actuators rest.
ActivationEnd EndOfActivation(const ModelView<double>& m, const DataView<double>& d, int i, double rate) {
  const bool rests = ActuatorDisabled(m, i) || (m.opt_disableflags() & mjDSBL_ACTUATION) != 0;
  const double h = m.opt_timestep();
  double gain = rests ? 0 : h;
  if (!rests && m.actuator_dyntype(i) == mjDYN_FILTEREXACT) {
    const double tau = Max(kMinVal, m.actuator_dynprm(i)[0]);
    gain = tau * (1 - Exp(-h / tau));
  }
  const double next = d.act(DrivingActivation(m, i)) + (rests ? 0 : gain * rate);
  const auto range = m.actuator_actrange(i);
  return {gain, m.actuator_actlimited(i) && (next < range[0] || next > range[1])};
}

bool IsHeldByJoint(const ModelView<double>& m, const DataView<double>& d, int joint) {
  if (!m.jnt_actfrclimited(joint)) return false;
  const double force = d.qfrc_actuator(m.jnt_dofadr(joint));
  const auto range = m.jnt_actfrcrange(joint);
  return force <= range[0] || force >= range[1];
}

std::string ObstacleOfActuators(const mjModel* model) {
  const Model m(model);
  for (int i = 0; i < m.nu(); ++i) {
    const auto refuse = [&](const char* what) { return NameOf(model, mjOBJ_ACTUATOR, i) + what; };
    const int gain = m.actuator_gaintype(i), bias = m.actuator_biastype(i);
    if (gain == mjGAIN_DCMOTOR) {
      if (m.actuator_actnum(i) > 0) return refuse(" is a motor with states");
      const bool on_tendon = m.actuator_trntype(i) == mjTRN_TENDON;
      if (on_tendon && m.tendon_actfrclimited(m.actuator_trnid(i)[0]))
        return refuse(" is a motor on a tendon with a limit");
      continue;
    }
    if (gain != mjGAIN_FIXED && gain != mjGAIN_AFFINE && gain != mjGAIN_MUSCLE) {
      return refuse(" is a muscle with an elastic tendon, or a user's");
    }
    if (bias != mjBIAS_NONE && bias != mjBIAS_AFFINE && bias != mjBIAS_MUSCLE) return refuse(" has a user's bias");
    if (m.actuator_actnum(i) > 1) return refuse(" has several activations");
    if (m.actuator_dyntype(i) > mjDYN_MUSCLE) return refuse(" has a user's activation dynamics");
  }
  for (int joint = 0; joint < m.njnt(); ++joint) {
    if (m.jnt_actfrclimited(joint) && m.jnt_actgravcomp(joint)) {
      return NameOf(model, mjOBJ_JOINT, joint) + " limits the force of actuators and compensates gravity with it";
    }
  }
  return {};
}

std::vector<ActivationSlopes> AddActuatorColumns(const mjModel* model, mjData* data, const TendonRows& tendons,
                                                 const BalancePoint& at, BalanceColumns& out) {
  const Model m(model);
  const Data d(data);
  const StateSizes sizes(model);
  std::vector<ActivationSlopes> slopes(static_cast<size_t>(m.nu()));
  const HeldDofs held(m, d, sizes, out.force);
  const double h = m.opt_timestep();
  const bool implicit = at.HasStep() && IsImplicit(model);
  const std::vector<double> shares = SharesOfSlopes(m, d);
  for (int i = 0; i < m.nu(); ++i) {
    const bool has_act = m.actuator_actnum(i) > 0;
    ActivationSlopes& of_act = slopes[static_cast<size_t>(i)];
    if (has_act) of_act = SlopesOfActivation(m, d, i, LimitedControl(m, d, i));
    if ((m.opt_disableflags() & mjDSBL_ACTUATION) || ActuatorDisabled(m, i)) continue;
    ForceSlopes force = SlopesOfForce(m, d, i, InputOfForce(m, d, i));
    for (double* slope : {&force.along.f_length, &force.along.f_velocity, &force.f_input}) *slope *= shares[Size(i)];
    const ActuatorRow actuator_row(m, d, tendons, i);
    const Row& row = actuator_row.row();
    AddChannel(row, force.along, data->qvel, sizes, out.force, actuator_row.length());
    const double by_control = InputByControl(m, d, i, of_act);
    row.Subtract(force.f_input * by_control, out.force[sizes.control() + i]);
    const double by_act = has_act ? InputByActivation(m, i, of_act) : 0;
    const int activation = has_act ? sizes.activation() + DrivingActivation(m, i) : -1;
    if (has_act) row.Subtract(force.f_input * by_act, out.force[activation]);
    if (!implicit) continue;
    const ImplicitRow implicit_row(model, row, at.b);
    AddImplicitChannel(row, implicit_row, force.along, data->qvel, h, sizes, out.step, actuator_row.length());
    // the matrix takes the control as it stands, without range and delay
    implicit_row.Add(h * force.g_input * (has_act ? by_control : 1), out.step[sizes.control() + i]);
    if (has_act) implicit_row.Add(h * force.g_input * by_act, out.step[activation]);
  }
  held.PutBack(out.force);
  return slopes;
}

}  // namespace sinew
