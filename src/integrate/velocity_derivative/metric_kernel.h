// The metric of the integrator `discrete`, in which accelerations over a step, those of constraints included, are found
// (docs/how/integrators.md):
//
//   X = M + h D + h^2 K,    D, K: how fast forces fall with velocities and with positions
//
// Forces are evaluated where the initial velocity leads within the step: f(q + h v, v). The change of that velocity
// over the step, h a, changes them by -(h D + h^2 K) a. Only terms that keep X positive definite count: slopes that
// damp and that pull back, along the rows of dofs, tendons and actuators, and drag.
//
//   in:  state, ten_J, actuator_moment, forces, M
//   out: qDeriv = -(D + h K); X in the place of qLU, on the pattern of M; qH, qHDiagInv, its factors;
//        qfrc_smooth, to which f(q + h v, v) - f(q, v) is added
#ifndef SINEW_INTEGRATE_VELOCITY_DERIVATIVE_METRIC_KERNEL_H_
#define SINEW_INTEGRATE_VELOCITY_DERIVATIVE_METRIC_KERNEL_H_

#include "force/passive_kernel.h"
#include "inertia/inertia.h"
#include "integrate/velocity_derivative/actuator_derivative_kernel.h"
#include "integrate/velocity_derivative/bushing_derivative_kernel.h"
#include "integrate/velocity_derivative/fluid_derivative_kernel.h"
#include "integrate/velocity_derivative/implicit_kernel.h"

namespace sinew::inline integrate {
inline namespace SINEW_ISA {

// A force along a row: how much it is larger where the step leads, and its slope D + h K, which is not negative.
template <class S>
struct ImplicitForce {
  S change, slope;
};

// ---- springs and dampers

// The change of a spring's force from `before` to `after` within the step h, and h times its slope.
template <class S>
ImplicitForce<S> StepOfSpring(const Polynomial<S>& stiffness, S before, S after, S h) {
  const S slope = Select(after == S(0), S(0), Max(S(0), stiffness.Slope(after)));
  return {SpringForce(stiffness, after) - SpringForce(stiffness, before), h * slope};
}

// A vector of displacements, whose force has the direction of the displacement; its secant slope stands for all
// directions.
template <class S>
void AddVectorSpring(const ModelView<S>& m, const DataView<S>& d, int dof, const Polynomial<S>& stiffness,
                     const Vec3<S>& x, S* Q) {
  const SquarePattern pattern = DofPattern(m.raw());
  const S h = m.opt_timestep();
  const Vec3<S> after = x + LoadVec3(d.qvel_data() + dof) * h;
  const Vec3<S> change = SpringForce(stiffness, after) - SpringForce(stiffness, x);
  const S slope = Max(S(0), stiffness(Norm(after)));
  for (int k = 0; k < 3; ++k) {
    d.qfrc_smooth(dof + k) += change[k];
    Q[pattern.rowadr[dof + k] + pattern.diag[dof + k]] -= h * slope;
  }
}

template <class S>
void AddJointSpringMetric(const ModelView<S>& m, const DataView<S>& d, int joint, S* Q) {
  const Polynomial<S> stiffness = JointStiffness(m, joint);
  if (stiffness.IsZero()) return;
  const SquarePattern pattern = DofPattern(m.raw());
  int adr = m.jnt_qposadr(joint), dof = m.jnt_dofadr(joint);
  const S h = m.opt_timestep();
  switch (m.jnt_type(joint)) {
    case mjJNT_FREE:
      AddVectorSpring(m, d, dof, stiffness, PositionDisplacement(m, d, adr), Q);
      adr += 3;
      dof += 3;
      [[fallthrough]];
    case mjJNT_BALL:
      AddVectorSpring(m, d, dof, stiffness, RotationDisplacement(m, d, adr), Q);
      break;
    default: {
      const S x = JointDisplacement(m, d, joint);
      const ImplicitForce<S> step = StepOfSpring<S>(stiffness, x, x + h * d.qvel(dof), h);
      d.qfrc_smooth(dof) += step.change;
      Q[pattern.rowadr[dof] + pattern.diag[dof]] -= step.slope;
    }
  }
}

template <class S>
void AddJointMetric(const ModelView<S>& m, const DataView<S>& d, S* Q) {
  const SquarePattern pattern = DofPattern(m.raw());
  const int disabled = m.opt_disableflags();
  for (int joint = 0; joint < m.njnt() && !(disabled & mjDSBL_SPRING); ++joint) {
    if (IsAwakeBody(m, d, m.jnt_bodyid(joint))) AddJointSpringMetric(m, d, joint, Q);
  }
  for (int i = 0; i < m.nv() && !(disabled & mjDSBL_DAMPER); ++i) {
    const Polynomial<S> damping = DofDamping(m, i);
    if (damping.IsZero()) continue;
    Q[pattern.rowadr[i] + pattern.diag[i]] -= Max(S(0), DamperSlope(damping, d.qvel(i)));
  }
}

// Limit forces or ligaments of one element, at the coordinate or length x.
template <class S>
ImplicitForce<S> StepOfLaws(const ModelView<S>& m, const SpringLawList& laws, const S& x, const S& velocity) {
  ImplicitForce<S> step = {S(0), S(0)};
  const S h = m.opt_timestep();
  if (!(m.opt_disableflags() & mjDSBL_SPRING)) {
    const LawSpring<S> after = SpringOf<S>(laws, x + h * velocity);
    step = {after.force - SpringOf<S>(laws, x).force, h * Max(S(0), after.slope)};
  }
  if (!(m.opt_disableflags() & mjDSBL_DAMPER)) step.slope += Max(S(0), DamperOf<S>(laws, x, velocity).slope);
  return step;
}

template <class S>
void AddJointLawMetric(const ModelView<S>& m, const DataView<S>& d, S* Q) {
  const SquarePattern pattern = DofPattern(m.raw());
  ForJointLaws(m, d, SpringLaws(m.raw()), [&](int joint, const SpringLawList& laws) {
    const int dof = m.jnt_dofadr(joint);
    const ImplicitForce<S> step = StepOfLaws<S>(m, laws, LawCoordinate(m, d, joint), d.qvel(dof));
    d.qfrc_smooth(dof) += step.change;
    Q[pattern.rowadr[dof] + pattern.diag[dof]] -= step.slope;
  });
}

// Where the step leads, the displacement is e + h e'.
template <class S>
void AddBushingMetric(const ModelView<S>& m, const DataView<S>& d, S* Q) {
  const S h = m.opt_timestep();
  AddBushingDerivative(m, d, h, Q);
  if (m.opt_disableflags() & mjDSBL_SPRING) return;
  ForBushings(m, d, [&](const BushingAt<S>& bushing) {
    if (bushing.JoinsBranches()) return;
    BushingVector<S> change = bushing.Rate(d.qvel_data());
    for (int k = 0; k < kBushingAxes; ++k) change[k] *= h;
    bushing.Subtract(bushing.Elastic(change), d.qfrc_smooth_data());
  });
}

template <class S>
ImplicitForce<S> StepOfTendon(const ModelView<S>& m, const DataView<S>& d, int tendon) {
  ImplicitForce<S> step = {S(0), S(0)};
  const S h = m.opt_timestep(), velocity = d.ten_velocity(tendon), move = h * velocity;
  const Polynomial<S> stiffness = TendonStiffness(m, tendon), damping = TendonDamping(m, tendon);
  if (!stiffness.IsZero() && !(m.opt_disableflags() & mjDSBL_SPRING)) {
    const S before = TendonDisplacement(m, d, tendon);
    step = StepOfSpring<S>(stiffness, before, TendonDisplacementAt(m, tendon, d.ten_length(tendon) + move), h);
  }
  if (!damping.IsZero() && !(m.opt_disableflags() & mjDSBL_DAMPER)) {
    step.slope += Max(S(0), DamperSlope(damping, velocity));
  }
  return step;
}

// ---- actuators

// d force / d length of an actuator whose gain and bias are affine; other forces have none, or, as those of muscles
// with tendons, are already taken where the step leads.
template <class S>
S LengthSlope(const ModelView<S>& m, const DataView<S>& d, int i) {
  S slope(0);
  if (m.actuator_biastype(i) == mjBIAS_AFFINE) slope += m.actuator_biasprm(i)[1];
  if (m.actuator_gaintype(i) == mjGAIN_AFFINE) {
    slope += m.actuator_gainprm(i)[1] * (m.actuator_actnum(i) > 0 ? DrivingInput(m, d, i) : d.ctrl(i));
  }
  return slope;
}

// Whether the limit of a joint's, or a tendon's, actuator forces holds their sum, so that nothing moves it.
template <class S>
MaskOf<S> IsHeldByTarget(const ModelView<S>& m, const DataView<S>& d, int i) {
  const int type = m.actuator_trntype(i), target = m.actuator_trnid(i)[0];
  if (type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT) return IsHeldByJoint(m, d, target);
  if (type != mjTRN_TENDON || !m.tendon_actfrclimited(target)) return S(1) < S(0);
  constexpr double kRounding = 1e-6;  // of the sum of scaled forces
  S sum(0);
  for (int u = 0; u < m.nu(); ++u) {
    if (m.actuator_trntype(u) == mjTRN_TENDON && m.actuator_trnid(u)[0] == target) sum += d.actuator_force(u);
  }
  const S low = m.tendon_actfrcrange(target)[0], high = m.tendon_actfrcrange(target)[1];
  const S slack = S(kRounding) * (high - low);
  return (sum <= low + slack) | (sum >= high - slack);
}

template <class S>
ImplicitForce<S> StepOfActuator(const ModelView<S>& m, const DataView<S>& d, int i) {
  const S h = m.opt_timestep();
  const MaskOf<S> free = ForceWithinLimits(m, d, i) & !IsHeldByTarget(m, d, i);
  const S by_length = Select(free, Min(S(0), LengthSlope(m, d, i)), S(0));
  const S by_velocity = Select(free, Min(S(0), ActuatorSlope(m, d, i)), S(0));
  return {h * by_length * d.actuator_velocity(i), -(by_velocity + h * by_length)};
}

// ---- drag

// The part of the medium's resistance that takes energy at any velocity: the coefficients of drag are held.
template <class S>
Spatial<VelocityDual<S>> HeldDrag(const Spatial<S>& velocity, const Spatial<S>& wrench) {
  const S speed2 = Dot(velocity.lin, velocity.lin), spin2 = Dot(velocity.rot, velocity.rot);
  const auto share = [](S power, S square) {
    const MaskOf<S> moves = square > S(0);
    return Select(moves, Min(S(0), power / Select(moves, square, S(1))), S(0));
  };
  const S of_speed = share(Dot(wrench.lin, velocity.lin), speed2),
          of_spin = share(Dot(wrench.rot, velocity.rot), spin2);
  Spatial<VelocityDual<S>> drag;
  for (int k = 0; k < 6; ++k) {
    drag[k] = VelocityDual<S>(S(0));
    drag[k].slope[k] = k < 3 ? of_spin : of_speed;
  }
  return drag;
}

template <class S>
void AddDragMetric(const ModelView<S>& m, const DataView<S>& d, Spatial<S>* columns, S* Q) {
  if (!HasMedium(m)) return;
  ForEachFluidWrench(m, d, [&](const ImmersedFrame<S>& frame, const Spatial<S>& wrench) {
    AddWrenchDerivative(m, d, frame, HeldDrag(RelativeVelocity(m, d, frame), wrench), true, columns, Q);
  });
}

// ---- all

// A row adds J' slope J to the metric where inertia couples all of its dofs. The slopes of tendons that run over
// branches, whose dofs it does not couple, are returned in `row_slope` (ntendon) instead, and belong to rows of
// constraints (constraint/friction_loss.cc); those of other actuators across branches stay out, and act where the step
// begins.
template <class S>
class MetricRows {
 public:
  MetricRows(const ModelView<S>& m, const DataView<S>& d, S* row_slope, S* Q)
      : m_(m), d_(d), row_slope_(row_slope), Q_(Q) {
    for (int t = 0; t < m.ntendon(); ++t) row_slope[t] = S(0);
  }

  void AddPassiveTendons() const {
    for (int t = 0; t < m_.ntendon(); ++t) AddTendon(t, StepOfTendon(m_, d_, t), S(1));
    ForTendonLaws(m_, SpringLaws(m_.raw()), [&](int t, const SpringLawList& laws) {
      AddTendon(t, StepOfLaws<S>(m_, laws, d_.ten_length(t), d_.ten_velocity(t)), S(1));
    });
  }
  void AddActuators() const {
    if (m_.opt_disableflags() & mjDSBL_ACTUATION) return;
    for (int i = 0; i < m_.nu(); ++i) {
      if (ActuatorDisabled(m_, i)) continue;
      const ImplicitForce<S> step = StepOfActuator(m_, d_, i);
      if (!Any((step.slope != S(0)) | (step.change != S(0)))) continue;
      if (m_.actuator_trntype(i) == mjTRN_TENDON) {
        AddTendon(m_.actuator_trnid(i)[0], step, m_.actuator_gear(i)[0]);
        continue;
      }
      const int adr = d_.moment_rowadr(i), count = d_.moment_rownnz(i);
      const int* dofs = d_.moment_colind_data() + adr;
      if (IsJointTransmission(i) || IsCoupledByInertia(m_.raw(), dofs, count)) {
        AddRow(dofs, d_.actuator_moment_data() + adr, count, step);
      }
    }
  }
  // Tendons inside of branches, once their slopes are complete.
  void Finish() const {
    for (int t = 0; t < m_.ntendon(); ++t) {
      const int adr = m_.ten_J_rowadr(t), count = m_.ten_J_rownnz(t);
      const int* dofs = m_.raw()->ten_J_colind + adr;
      if (!Any(row_slope_[t] != S(0)) || !IsCoupledByInertia(m_.raw(), dofs, count)) continue;
      AddOuterProduct(DofPattern(m_.raw()), d_.ten_J_data() + adr, dofs, count, -row_slope_[t], Q_);
      row_slope_[t] = S(0);
    }
  }

 private:
  bool IsJointTransmission(int i) const {
    return m_.actuator_trntype(i) == mjTRN_JOINT || m_.actuator_trntype(i) == mjTRN_JOINTINPARENT;
  }
  void AddRow(const int* dofs, const S* J, int count, const ImplicitForce<S>& step) const {
    AddOuterProduct(DofPattern(m_.raw()), J, dofs, count, -step.slope, Q_);
    AddSparse(d_.qfrc_smooth_data(), J, dofs, count, step.change);
  }
  void AddTendon(int t, const ImplicitForce<S>& step, S gear) const {
    row_slope_[t] += gear * gear * step.slope;
    const int adr = m_.ten_J_rowadr(t);
    AddSparse(d_.qfrc_smooth_data(), d_.ten_J_data() + adr, m_.raw()->ten_J_colind + adr, m_.ten_J_rownnz(t),
              gear * step.change);
  }

  const ModelView<S>& m_;
  const DataView<S>& d_;
  S *row_slope_, *Q_;
};

// `columns` and `row_slope`: scratch for nv columns, and the slopes that are returned.
template <class S>
void MakeMetric(const ModelView<S>& m, const DataView<S>& d, Spatial<S>* columns, S* row_slope) {
  S* Q = d.qDeriv_data();
  for (int k = 0; k < m.nD(); ++k) Q[k] = S(0);
  const MetricRows<S> rows(m, d, row_slope, Q);
  rows.AddActuators();
  if (!PassiveDisabled(m.raw())) {
    AddJointMetric(m, d, Q);
    AddJointLawMetric(m, d, Q);
    AddBushingMetric(m, d, Q);
    rows.AddPassiveTendons();
    AddDragMetric(m, d, columns, Q);
  }
  rows.Finish();
  const S h = m.opt_timestep();
  for (int k = 0; k < m.nC(); ++k) d.qLU(k) = d.M(k) - h * Q[m.mapD2M(k)];
  FactorImplicitLDL(m, d);
}

// qfrc_smooth and qacc_smooth in the metric.
template <class S>
void MetricAcceleration(const ModelView<S>& m, const DataView<S>& d, Spatial<S>* columns, S* row_slope) {
  SmoothForce(m, d);
  MakeMetric(m, d, columns, row_slope);
  for (IdRuns dofs = AwakeDofs(m, d); !dofs.Done(); dofs.Next()) {
    for (int i = dofs.begin(); i < dofs.end(); ++i) d.qacc_smooth(i) = d.qfrc_smooth(i);
    SolveLDL(d.qacc_smooth_data(), d.qH_data(), d.qHDiagInv_data(), InertiaPattern(m.raw(), dofs.begin(), dofs.end()));
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_VELOCITY_DERIVATIVE_METRIC_KERNEL_H_
