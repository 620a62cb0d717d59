// Kernels join masks by & and |, as lanes must; those of dual numbers are bool, of which clang warns.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wbitwise-instead-of-logical"
#endif

#include "gradient/actuator_law.h"

#include "derivative/actuator_derivative_kernel.h"
#include "derivative/rotation.h"
#include "gradient/dual_order.h"
#include "gradient/fiber_law.h"
#include "kinematics/transmission_kernel.h"

namespace sinew {
namespace {

using Model = ModelView<double>;
using Data = DataView<double>;

// A function of length and velocity with its slopes.
using Surface = Dual<double, 2>;

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

// What drives the force of an actuator without activation is its control; with one, the activation before the step, or,
// where it acts early, after it. The integrators' slope g takes a control as it stands, without range and delay.
void SetInputSlopes(const Model& m, const Data& d, int i, double f_input, double g_input, ForceSlopes& out) {
  if (m.actuator_actnum(i) == 0) {
    out.f_control = ControlActs(m, d, i) ? f_input : 0;
    out.g_control = g_input;
    return;
  }
  const ActivationSlopes slopes = m.actuator_actearly(i) ? SlopesOfActivation(m, d, i) : ActivationSlopes();
  const int last = m.actuator_actnum(i) - 1;
  out.f_control = f_input * slopes.next_by_control;
  out.g_control = g_input * slopes.next_by_control;
  out.f_act[last] = f_input * slopes.next_by_act;
  out.g_act[last] = g_input * slopes.next_by_act;
}

// Slopes are by length, velocity and control.
using MotorNumber = Dual<double, 3>;

// What a motor without states has.
DcMotor<MotorNumber> ConstantMotor(const DcMotor<double>& motor) {
  DcMotor<MotorNumber> out = {};
  out.R = MotorNumber(motor.R);
  out.K = MotorNumber(motor.K);
  out.kp = MotorNumber(motor.kp);
  out.kd = MotorNumber(motor.kd);
  out.Vmax = MotorNumber(motor.Vmax);
  out.cogging = MotorNumber(motor.cogging);
  out.poles = MotorNumber(motor.poles);
  out.phase = MotorNumber(motor.phase);
  out.dry = MotorNumber(motor.dry);
  out.dry_speed = MotorNumber(motor.dry_speed);
  out.ki = MotorNumber(0.0);
  out.input = motor.input;
  out.slew_state = out.integral_state = out.temperature_state = out.bristle_state = out.current_state = -1;
  return out;
}

// Its range limits the electrical torque, and cogging and friction come after that. The integrators' slope takes the
// control as it stands, and no range but where the whole torque has reached it.
ForceSlopes SlopesOfMotor(const Model& m, const Data& d, int i) {
  const double control = LimitedControl(m, d, i);
  const DcMotor<MotorNumber> motor = ConstantMotor(MakeDcMotor(m, i));
  const MotorMotion<MotorNumber> motion = {MotorNumber::Variable(d.actuator_length(i), 0),
                                           MotorNumber::Variable(d.actuator_velocity(i), 1)};
  const auto input = [](double u) { return MotorNumber::Variable(u, 2); };
  const MotorNumber h(m.opt_timestep()), *none = nullptr;
  MotorNumber torque = SteadyTorque(motor, none, input(control), motion, h);
  const auto range = m.actuator_forcerange(i);
  if (m.actuator_forcelimited(i) && (torque.value <= range[0] || torque.value >= range[1])) torque = MotorNumber(0.0);
  torque += MotorMechanicalTorque(motor, none, motion);
  MotorNumber slope(0.0);
  if (ForceWithinLimits(m, d, i)) slope = MotorSlope(motor, motion.velocity, input(d.ctrl(i)), h);
  ForceSlopes result;
  result.along = {d.actuator_force(i), torque.slope[0], torque.slope[1], slope.value, slope.slope[0], slope.slope[1]};
  SetInputSlopes(m, d, i, torque.slope[2], slope.slope[2], result);
  if (HasNoLength(m, i)) result.along.f_length = result.along.g_length = 0;
  return result;
}

ForceSlopes SlopesOfMuscle(const Model& m, const Data& d, int i) {
  ForceSlopes result;
  result.along.f = d.actuator_force(i);
  if (!ForceWithinLimits(m, d, i)) return result;
  const auto [force, slope] = ForceOfFiber(m, d, i);
  result.along = {d.actuator_force(i), force.slope[kByLength], force.slope[kByVelocity],
                  slope.value,         slope.slope[kByLength], slope.slope[kByVelocity]};
  if (HasNoLength(m, i)) result.along.f_length = result.along.g_length = 0;
  for (int k = 0; k < kMostStates; ++k) {
    result.f_act[k] = force.slope[kByState + k];
    result.g_act[k] = slope.slope[kByState + k];
  }
  return result;
}

}  // namespace

ForceSlopes SlopesOfForce(const Model& m, const Data& d, int i) {
  if (m.actuator_gaintype(i) == mjGAIN_DCMOTOR) return SlopesOfMotor(m, d, i);
  if (IsMusculotendon(m.raw(), i)) return SlopesOfMuscle(m, d, i);
  const double input = m.actuator_actnum(i) > 0 ? DrivingInput(m, d, i) : LimitedControl(m, d, i);
  ForceSlopes result;
  result.along.f = d.actuator_force(i);
  if (!ForceWithinLimits(m, d, i)) return result;
  const Law gain = LawOf(m, d, i, true), bias = LawOf(m, d, i, false);
  const Surface force = gain.value * Surface(input) + bias.value;
  const double plain = m.actuator_actnum(i) > 0 ? input : d.ctrl(i);
  const Surface slope = gain.velocity_slope * Surface(plain) + bias.velocity_slope;
  result.along = {d.actuator_force(i), force.slope[0], force.slope[1], slope.value, slope.slope[0], slope.slope[1]};
  if (HasNoLength(m, i)) result.along.f_length = result.along.g_length = 0;
  SetInputSlopes(m, d, i, gain.value.value, gain.velocity_slope.value, result);
  return result;
}

std::vector<double> SharesOfSlopes(const Model& m, const Data& d) {
  std::vector<double> shares(Size(m.nu()), 1.0);
  for (int t = 0; t < m.ntendon(); ++t) {
    if (!m.tendon_actfrclimited(t)) continue;
    const auto acts = [&](int i) {
      return m.actuator_trntype(i) == mjTRN_TENDON && m.actuator_trnid(i)[0] == t && !ActuatorDisabled(m, i);
    };
    double total = 0, geared = 0;
    for (int i = 0; i < m.nu(); ++i) {
      if (!acts(i)) continue;
      const double force = ActuatorForce(m, d, i, LimitedControl(m, d, i));
      total += force;
      geared += m.actuator_gear(i)[0] * force;
    }
    const double bound = Clamp(total, m.tendon_actfrcrange(t)[0], m.tendon_actfrcrange(t)[1]);
    if (bound == total || total == 0) continue;
    for (int i = 0; i < m.nu(); ++i) {
      const double gear = m.actuator_gear(i)[0];
      if (acts(i)) shares[Size(i)] = gear == 0 ? 0 : bound / total * (1 - geared / (total * gear));
    }
  }
  return shares;
}

// ---- rows

bool HasNoLength(const Model& m, int i) {
  return m.actuator_trntype(i) == mjTRN_BODY || (m.actuator_trntype(i) == mjTRN_SITE && m.actuator_trnid(i)[1] == -1);
}

namespace {

OwnRow RowOfTransmission(const Model& m, const Data& d, int i) {
  switch (m.actuator_trntype(i)) {
    case mjTRN_BODY:
      return RowOfAdhesion(m.raw(), d.raw(), i);
    case mjTRN_SLIDERCRANK:
      return RowOfSliderCrank(m.raw(), d.raw(), i);
    default:
      return HasNoLength(m, i) ? RowOfSite(m.raw(), d.raw(), i) : RowOfRelativeSite(m.raw(), d.raw(), i);
  }
}

}  // namespace

ActuatorRow::ActuatorRow(const Model& m, const Data& d, const TendonRows& tendons, int i) {
  if (m.actuator_trntype(i) == mjTRN_TENDON) {
    own_.Assign(tendons[m.actuator_trnid(i)[0]], m.actuator_gear(i)[0]);
    row_ = own_.row();
  } else if (HasFixedMomentPattern(m, i)) {
    const int adr = d.moment_rowadr(i);
    row_ = {d.moment_rownnz(i), d.moment_colind_data() + adr, d.actuator_moment_data() + adr, nullptr};
    SetJoint(m, d, i);
  } else {
    own_ = RowOfTransmission(m, d, i);
    row_ = own_.row();
    if (HasNoLength(m, i)) own_.length.assign(own_.J.size(), 0.0);
  }
}

// The torque gear of a ball or free joint turns with its parent, or with its child: then its row is constant. In the
// parent's axes gear g, the row is R' g, which a turn x of the child changes by (R' g) x x.
void ActuatorRow::SetJoint(const Model& m, const Data& d, int i) {
  const int joint = m.actuator_trnid(i)[0], type = m.jnt_type(joint);
  if (type == mjJNT_FREE) own_.length.assign(6, 0.0);
  if (type == mjJNT_BALL) SetBallLength(m, d, i);
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

// A ball has the length L = g . log(R). In its parent's axes R' g turns as well, but log(R) . R' g = log(R) . g
void ActuatorRow::SetBallLength(const Model& m, const Data& d, int i) {
  const Quat<double> rotation = JointRotation(m, d, m.actuator_trnid(i)[0]);
  const Mat3<double> turn = DifferentiateSubQuat(rotation, IdentityQuat<double>()).a;
  const auto gear = m.actuator_gear(i);
  own_.length.resize(3);
  StoreVec3(MulTransposed(turn, Vec3<double>{gear[0], gear[1], gear[2]}), own_.length.data());
}

}  // namespace sinew
