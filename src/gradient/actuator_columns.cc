#include "gradient/actuator_columns.h"

#include <algorithm>

#include "derivative/actuator_derivative_kernel.h"
#include "derivative/rotation.h"
#include "gradient/dual_order.h"
#include "gradient/names.h"
#include "kinematics/transmission_kernel.h"

namespace sinew {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;

// ---- activations

// A control outside of its range has no effect; at its ends it counts as inside, as for finite differences.
bool ControlActs(const Model& m, int i, double control) {
  if (!m.actuator_ctrllimited(i) || (m.opt_disableflags() & mjDSBL_CLAMPCTRL)) return true;
  return control >= m.actuator_ctrlrange(i)[0] && control <= m.actuator_ctrlrange(i)[1];
}

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
  if (!ControlActs(m, i, d.ctrl(i))) slopes.rate_by_control = 0;
  const ActivationEnd end = EndOfActivation(m, d, i, d.act_dot(adr));
  slopes.next_by_act = end.is_held ? 0 : 1 + end.gain * slopes.rate_by_act;
  slopes.next_by_control = end.is_held ? 0 : end.gain * slopes.rate_by_control;
  return slopes;
}

// ---- forces

// A function of length and velocity with its slopes.
using Surface = Dual<double, 2>;

// What the force along the transmission, f, and the integrator's slope of it by velocity, g, gain with length, velocity
// and input.
struct ForceSlopes {
  ChannelForce along;
  double f_input = 0, g_input = 0;
};

// value + slopes of gain or bias, and of their slopes by velocity
struct Law {
  Surface value, velocity_slope;
};

// Gain or bias as a function of length and velocity: constant, affine, or a muscle's curves.
Law LawOf(const Model& m, const Data& d, int i, bool is_gain) {
  const auto prm = is_gain ? m.actuator_gainprm(i) : m.actuator_biasprm(i);
  const int type = is_gain ? m.actuator_gaintype(i) : m.actuator_biastype(i);
  const Surface L = Surface::Variable(d.actuator_length(i), 0), V = Surface::Variable(d.actuator_velocity(i), 1);
  const bool affine = is_gain ? type == mjGAIN_AFFINE : type == mjBIAS_AFFINE;
  const bool muscle = is_gain ? type == mjGAIN_MUSCLE : type == mjBIAS_MUSCLE;
  if (affine) return {Surface(prm[0]) + Surface(prm[1]) * L + Surface(prm[2]) * V, Surface(prm[2])};
  if (!muscle) return {Surface(is_gain ? prm[0] : 0.0), Surface(0.0)};

  Surface parameters[9];
  for (int k = 0; k < 9; ++k) parameters[k] = Surface(prm[k]);
  const Surface range[2] = {Surface(m.actuator_lengthrange(i)[0]), Surface(m.actuator_lengthrange(i)[1])};
  const auto curves = MakeMuscle<Surface>(range, Surface(m.actuator_acc0(i)), parameters);
  if (!is_gain) return {MuscleBias(curves, L), Surface(0.0)};
  return {MuscleGain(curves, L, V), MuscleGainSlope(curves, L, V)};
}

// The integrators' slope g takes the control as it stands, without its range.
ForceSlopes SlopesOfForce(const Model& m, const Data& d, int i, double input) {
  const Law gain = LawOf(m, d, i, true), bias = LawOf(m, d, i, false);
  const Surface force = gain.value * Surface(input) + bias.value;
  const double plain = m.actuator_actnum(i) > 0 ? input : d.ctrl(i);
  const Surface slope = gain.velocity_slope * Surface(plain) + bias.velocity_slope;
  ForceSlopes result;
  result.along = {d.actuator_force(i), force.slope[0], force.slope[1], slope.value, slope.slope[0], slope.slope[1]};
  result.f_input = gain.value.value;
  result.g_input = gain.velocity_slope.value;
  return result;
}

// ---- rows

// The torque gear of a ball or free joint turns with its parent, or with its child: then its row is constant. In the
// parent's axes gear g, the row is R' g, which a turn x of the child changes by (R' g) x x.
class ActuatorRow {
 public:
  ActuatorRow(const Model& m, const Data& d, const TendonRows& tendons, int i) {
    const int adr = d.moment_rowadr(i);
    row_ = {d.moment_rownnz(i), d.moment_colind_data() + adr, d.actuator_moment_data() + adr, nullptr};
    if (m.actuator_trntype(i) == mjTRN_TENDON) {
      SetTendon(tendons[m.actuator_trnid(i)[0]], m, i);
    } else {
      SetJoint(m, i);
    }
  }
  const Row& row() const { return row_; }

 private:
  void SetJoint(const Model& m, int i) {
    const int joint = m.actuator_trnid(i)[0], type = m.jnt_type(joint);
    if (m.actuator_trntype(i) != mjTRN_JOINTINPARENT || (type != mjJNT_BALL && type != mjJNT_FREE)) return;
    const int first = type == mjJNT_FREE ? 3 : 0, n = row_.count;
    turn_.assign(static_cast<size_t>(n * n), 0.0);
    const Vec3<double> g = LoadVec3(row_.J + first);
    for (int j = 0; j < 3; ++j) {
      Vec3<double> x = {0, 0, 0};
      x[j] = 1;
      const Vec3<double> change = Cross(g, x);
      for (int k = 0; k < 3; ++k) turn_[static_cast<size_t>((first + k) * n + first + j)] = change[k];
    }
    row_.K = turn_.data();
  }
  void SetTendon(const Row& tendon, const Model& m, int i) {
    if (!tendon.K) return;
    turn_.assign(tendon.K, tendon.K + tendon.count * tendon.count);
    for (double& x : turn_) x *= m.actuator_gear(i)[0];
    row_.K = turn_.data();
  }

  Row row_;
  std::vector<double> turn_;
};

// Dofs whose actuators together are at the limit of their joint, so that nothing moves their force.
std::vector<bool> DofsAtLimit(const Model& m, const Data& d) {
  std::vector<bool> at_limit(static_cast<size_t>(m.nv()));
  for (int joint = 0; joint < m.njnt(); ++joint) {
    if (IsHeldByJoint(m, d, joint)) at_limit[static_cast<size_t>(m.jnt_dofadr(joint))] = true;
  }
  return at_limit;
}

// Lengths of balls are no integrals of their rows: L = g . log(R).
void AddBallLength(const Model& m, const Data& d, int i, const Row& row, double f_length, BalanceColumns& out) {
  const int joint = m.actuator_trnid(i)[0];
  const Quat<double> rotation = JointRotation(m, d, joint);
  const Mat3<double> turn = DifferentiateSubQuat(rotation, IdentityQuat<double>()).a;
  Vec3<double> slope = MulTransposed(turn, LoadVec3(row.J));
  if (m.actuator_trntype(i) == mjTRN_JOINTINPARENT) {
    // R' g turns as well, but log(R) . R' g = log(R) . g
    const auto gear = m.actuator_gear(i);
    slope = MulTransposed(turn, Vec3<double>{gear[0], gear[1], gear[2]});
  }
  for (int k = 0; k < 3; ++k) row.Subtract(f_length * slope[k], out.force[row.dof[k]]);
}

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
    const int transmission = m.actuator_trntype(i), gain = m.actuator_gaintype(i), bias = m.actuator_biastype(i);
    if (!HasFixedMomentPattern(m, i)) return refuse(" acts on a site, a slider-crank or a body");
    if (gain != mjGAIN_FIXED && gain != mjGAIN_AFFINE && gain != mjGAIN_MUSCLE) {
      return refuse(" is a motor with states, a muscle with an elastic tendon, or a user's");
    }
    if (bias != mjBIAS_NONE && bias != mjBIAS_AFFINE && bias != mjBIAS_MUSCLE) return refuse(" has a user's bias");
    if (m.actuator_actnum(i) > 1) return refuse(" has several activations");
    if (m.actuator_dyntype(i) > mjDYN_MUSCLE) return refuse(" has a user's activation dynamics");
    if (transmission == mjTRN_TENDON) continue;
    const int type = m.jnt_type(m.actuator_trnid(i)[0]);
    const bool varies = gain != mjGAIN_FIXED || bias != mjBIAS_NONE;
    if (type == mjJNT_BALL && m.actuator_trntype(i) == mjTRN_JOINTINPARENT && varies) {
      return refuse(" measures a ball in its parent's axes");
    }
  }
  for (int t = 0; t < m.ntendon(); ++t) {
    if (m.tendon_actfrclimited(t)) return NameOf(model, mjOBJ_TENDON, t) + " limits the force of its actuators";
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
  const std::vector<bool> at_limit = DofsAtLimit(m, d);
  const double h = m.opt_timestep();
  const bool implicit =
      at.HasStep() && (model->opt.integrator == mjINT_IMPLICIT || model->opt.integrator == mjINT_IMPLICITFAST);
  for (int i = 0; i < m.nu(); ++i) {
    const double control = LimitedControl(m, d, i);
    const bool has_act = m.actuator_actnum(i) > 0;
    ActivationSlopes& of_act = slopes[static_cast<size_t>(i)];
    if (has_act) of_act = SlopesOfActivation(m, d, i, control);
    if ((m.opt_disableflags() & mjDSBL_ACTUATION) || ActuatorDisabled(m, i)) continue;
    const double input = has_act ? DrivingInput(m, d, i) : control;
    ForceSlopes force = SlopesOfForce(m, d, i, input);
    if (!ForceWithinLimits(m, d, i)) {  // the force stays, but its direction may change with positions
      force.along = {force.along.f, 0, 0, 0, 0, 0};
      force.f_input = force.g_input = 0;
    }

    const ActuatorRow actuator_row(m, d, tendons, i);
    Row row = actuator_row.row();
    if (m.actuator_trntype(i) != mjTRN_TENDON && row.count == 1 && at_limit[static_cast<size_t>(row.dof[0])]) continue;
    const bool ball = m.actuator_trntype(i) != mjTRN_TENDON && row.count == 3;
    const bool free = m.actuator_trntype(i) != mjTRN_TENDON && row.count == 6;
    if (ball) AddBallLength(m, d, i, row, force.along.f_length, out);
    if (ball || free) force.along.f_length = 0;
    AddChannel(row, force.along, data->qvel, h, implicit, at, sizes, out);

    // inputs
    const double by_control =
        has_act ? (m.actuator_actearly(i) ? of_act.next_by_control : 0) : (ControlActs(m, i, d.ctrl(i)) ? 1 : 0);
    row.Subtract(force.f_input * by_control, out.force[sizes.control() + i]);
    const double rate = implicit ? row.Times(at.b) : 0;
    if (implicit) row.Subtract(-h * force.g_input * by_control * rate, out.step[sizes.control() + i]);
    if (!has_act) continue;
    const double by_act = m.actuator_actearly(i) ? of_act.next_by_act : 1;
    const int column = sizes.activation() + DrivingActivation(m, i);
    row.Subtract(force.f_input * by_act, out.force[column]);
    if (implicit) row.Subtract(-h * force.g_input * by_act * rate, out.step[column]);
  }
  return slopes;
}

}  // namespace sinew
