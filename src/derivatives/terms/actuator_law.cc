#include "derivatives/terms/actuator_law.h"

#include <utility>

#include "derivatives/base/dual_order.h"
#include "derivatives/base/rotation.h"
#include "derivatives/terms/motor_law.h"
#include "derivatives/terms/muscle_law.h"
#include "integrate/velocity_derivative/actuator_derivative_kernel.h"
#include "kinematics/transmission_kernel.h"

namespace sinew::inline derivatives {
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

// The input of an actuator's force is its control without activation; with one, the activation before the step, or,
// where it acts early, after it. The integrators' slope g takes a control as it stands, without range and delay.
void SetInputSlopes(const Model& m, const Data& d, int i, double f_input, double g_input, ForceSlopes& out) {
  if (m.actuator_actnum(i) == 0) {
    out.f_control = ControlActs(m, d, i) ? f_input : 0;
    out.g_plain = g_input;
    return;
  }
  const ActivationSlopes slopes = m.actuator_actearly(i) ? SlopesOfActivation(m, d, i) : ActivationSlopes();
  const int last = m.actuator_actnum(i) - 1;
  out.f_control = f_input * slopes.next_by_control;
  out.g_control = g_input * slopes.next_by_control;
  out.f_act[last] = f_input * slopes.next_by_act;
  out.g_act[last] = g_input * slopes.next_by_act;
}

// Into those of the force and of the integrator's slope.
template <int N>
void SetSlopes(const Model& m, int i, const Dual<double, N>& force, const Dual<double, N>& slope, ForceSlopes& out) {
  const double f = out.along.f;
  out.along = {f,           force.slope[kByLength], force.slope[kByVelocity],
               slope.value, slope.slope[kByLength], slope.slope[kByVelocity]};
  out.f_control = force.slope[kByControl];
  out.g_control = slope.slope[kByControl];
  for (int k = 0; k < m.actuator_actnum(i); ++k) {
    out.f_act[k] = force.slope[kByState + k];
    out.g_act[k] = slope.slope[kByState + k];
  }
}

// With a gain and a bias.
void SetPlainSlopes(const Model& m, const Data& d, int i, double share, bool has_slope, ForceSlopes& out) {
  const bool has_act = m.actuator_actnum(i) > 0;
  const double input = has_act ? DrivingInput(m, d, i) : LimitedControl(m, d, i), plain = has_act ? input : d.ctrl(i);
  const Law gain = LawOf(m, d, i, true), bias = LawOf(m, d, i, false);
  const Surface force = gain.value * Surface(input) + bias.value;
  const Surface slope = (gain.velocity_slope * Surface(plain) + bias.velocity_slope) * Surface(has_slope ? 1.0 : 0.0);
  out.along = {out.along.f, share * force.slope[0], share * force.slope[1],
               slope.value, slope.slope[0],         slope.slope[1]};
  SetInputSlopes(m, d, i, share * gain.value.value, has_slope ? gain.velocity_slope.value : 0, out);
}

// The forces of the actuators on one tendon, whose sum has a limit.
struct TendonSum {
  double total = 0, bound = 0;
  std::vector<std::pair<int, double>> forces;  // actuators, driving forces

  bool holds() const { return bound != total && total != 0; }
};

double DrivingForce(const Model& m, const Data& d, int i) {
  if (IsMusculotendon(m.raw(), i)) return ForceOfFiber(m, d, i).force.value;
  return ActuatorForce(m, d, i, LimitedControl(m, d, i));
}

TendonSum SumOfTendon(const Model& m, const Data& d, int tendon) {
  TendonSum sum;
  for (int i = 0; i < m.nu(); ++i) {
    if (m.actuator_trntype(i) != mjTRN_TENDON || m.actuator_trnid(i)[0] != tendon || ActuatorDisabled(m, i)) continue;
    sum.forces.emplace_back(i, DrivingForce(m, d, i));
    sum.total += sum.forces.back().second;
  }
  sum.bound = Clamp(sum.total, m.tendon_actfrcrange(tendon)[0], m.tendon_actfrcrange(tendon)[1]);
  return sum;
}

// Whether the actuator's own range leaves a driving force as it is.
bool IsInRange(const Model& m, int i, double force) {
  return !m.actuator_forcelimited(i) || (force > m.actuator_forcerange(i)[0] && force < m.actuator_forcerange(i)[1]);
}

}  // namespace

ForceSlopes SlopesOfForce(const Model& m, const Data& d, int i, double share) {
  ForceSlopes result;
  result.along.f = d.actuator_force(i);
  const bool has_slope = ForceWithinLimits(m, d, i);
  if (m.actuator_gaintype(i) == mjGAIN_DCMOTOR) {
    const auto [electrical, mechanical, slope] = ForceOfMotor(m, d, i);
    const MotorNumber none(0.0);
    SetSlopes(m, i, electrical * MotorNumber(share) + mechanical, has_slope ? slope : none, result);
  } else if (IsMusculotendon(m.raw(), i)) {
    const auto [force, slope] = ForceOfFiber(m, d, i);
    const StateNumber none(0.0);
    SetSlopes(m, i, force * StateNumber(share), has_slope ? slope : none, result);
  } else {
    SetPlainSlopes(m, d, i, share, has_slope, result);
  }
  if (HasNoLength(m, i)) result.along.f_length = result.along.g_length = 0;
  return result;
}

std::vector<ForceShare> SharesOfSlopes(const Model& m, const Data& d) {
  std::vector<ForceShare> shares(Size(m.nu()));
  for (int i = 0; i < m.nu(); ++i) {
    if (m.actuator_forcelimited(i) && !IsInRange(m, i, DrivingForce(m, d, i))) shares[Size(i)] = {0, 0, 0};
  }
  for (int t = 0; t < m.ntendon(); ++t) {
    if (!m.tendon_actfrclimited(t)) continue;
    const TendonSum sum = SumOfTendon(m, d, t);
    if (!sum.holds()) continue;
    const double scale = sum.bound / sum.total;
    double geared = 0;
    for (const auto& [i, force] : sum.forces) {
      if (IsInRange(m, i, scale * force)) geared += m.actuator_gear(i)[0] * force;
    }
    for (const auto& [i, force] : sum.forces) {
      const bool free = IsInRange(m, i, scale * force);
      const double gear = m.actuator_gear(i)[0];
      ForceShare& share = shares[Size(i)];
      share.along = gear == 0 ? 0 : scale * ((free ? 1 : 0) - geared / (sum.total * gear));
      share.own = free ? scale : 0;
      share.sum = free ? -scale * force / sum.total : 0;
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
    row_ = moment_.emplace(m, d, i).row();
  } else {
    own_ = RowOfTransmission(m, d, i);
    row_ = own_.row();
    if (HasNoLength(m, i)) own_.length.assign(own_.J.size(), 0.0);
  }
}

}  // namespace sinew::inline derivatives
