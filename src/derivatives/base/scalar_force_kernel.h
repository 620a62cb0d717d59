// A scalar force along a row: what a joint's or tendon's actuator, spring, damper or constraint exerts, for one world
// and for lanes.
//
//   force  J' f(L, L', ...)    L' = J v,   dJ_i/dq_j = K_ij
//
// Columns have their numbers by [column][dof], wherever they are.
#ifndef SINEW_DERIVATIVES_BASE_SCALAR_FORCE_KERNEL_H_
#define SINEW_DERIVATIVES_BASE_SCALAR_FORCE_KERNEL_H_

#include "constraint/row_terms_kernel.h"
#include "derivatives/base/smooth_columns_kernel.h"
#include "force/spring_kernel.h"
#include "kinematics/transmission_kernel.h"
#include "math/rotation_vector.h"

namespace sinew::inline derivatives {
inline namespace SINEW_ISA {

// All of a force acts on a dof.
struct FullShare {
  template <class S>
  S operator()(int, S force) const {
    return force;
  }
};

// Whether a number is zero, which leaves work out where one world has few others than zeros.
template <class S>
bool IsZeroAlone(S x) {
  if constexpr (LaneTraits<S>::kWidth == 1 && std::is_same_v<S, double>) return x == 0;
  return false;
}

// A row has few columns; K is null where the row is constant.
template <class S>
struct ScalarForceRow {
  int count;
  const int* dof;
  const S* J;
  const S* K;  // count x count, row-major; or null

  S Times(const S* x) const {
    S sum(0);
    for (int k = 0; k < count; ++k) sum += J[k] * x[dof[k]];
    return sum;
  }
  // The change of J x with the position of column j.
  S TurnTimes(int j, const S* x) const {
    S sum(0);
    for (int k = 0; K && k < count; ++k) sum += K[k * count + j] * x[dof[k]];
    return sum;
  }
  // column -= J' scale. `share`: the part of it that acts on a dof.
  template <class Column, class Share = FullShare>
  void Subtract(S scale, const Column& column, const Share& share = {}) const {
    if (IsZeroAlone(scale)) return;
    for (int k = 0; k < count; ++k) column[dof[k]] -= share(dof[k], J[k] * scale);
  }
  // column -= (dJ/dq_j)' scale
  template <class Column, class Share = FullShare>
  void SubtractRotated(int j, S scale, const Column& column, const Share& share = {}) const {
    if (!K || IsZeroAlone(scale)) return;
    for (int k = 0; k < count; ++k) column[dof[k]] -= share(dof[k], K[k * count + j] * scale);
  }
};

// ---- forces

// A force along a row and its slopes by the length and the velocity there.
template <class S>
struct RowForce {
  S f, f_length, f_velocity;
};

// Takes the force from the residual. `length`: slopes of the length by the dofs of the row.
template <class S, class Share, class Out>
void AddScalarForce(const ScalarForceRow<S>& row, const RowForce<S>& force, const S* length, const S* qvel,
                    const Share& share, const Out& by_position, const Out& by_velocity) {
  for (int j = 0; j < row.count; ++j) {
    const auto column = by_position[row.dof[j]];
    row.Subtract(force.f_length * length[j] + force.f_velocity * row.TurnTimes(j, qvel), column, share);
    row.SubtractRotated(j, force.f, column, share);
    row.Subtract(force.f_velocity * row.J[j], by_velocity[row.dof[j]], share);
  }
}

// Scratch for a row of n dofs: n numbers, and n x n marks.
template <class S>
struct ImplicitMemory {
  S* rate;
  bool* coupled;
};

// A row as the matrix of an implicit integrator has it, h J' g J without what couples dofs that the matrix does not:
// its product with b has J_i r_i at dof i, where r_i takes the dofs k that are coupled with i.
template <class S>
class ImplicitRowOf {
 public:
  // coupled(dof, dof): whether the matrix couples them.
  template <class Coupled>
  ImplicitRowOf(const ScalarForceRow<S>& row, const S* b, const ImplicitMemory<S>& memory, const Coupled& coupled)
      : row_(row), b_(b), memory_(memory) {
    for (int i = 0; i < row.count; ++i) {
      memory.rate[i] = S(0);
      for (int k = 0; k < row.count; ++k) {
        const bool both = memory.coupled[Index(i, k)] = coupled(row.dof[i], row.dof[k]);
        all_coupled_ &= both;
        if (both) memory.rate[i] += row.J[k] * b[row.dof[k]];
      }
    }
  }

  S Rate(int i) const { return memory_.rate[i]; }
  // The change of r_i with the position of column j, as the row turns.
  S Turn(int i, int j) const {
    S sum(0);
    for (int k = 0; row_.K && k < row_.count; ++k) {
      if (memory_.coupled[Index(i, k)]) sum += row_.K[k * row_.count + j] * b_[row_.dof[k]];
    }
    return sum;
  }
  // All r_i are the same.
  bool all_coupled() const { return all_coupled_; }
  // column += scale J_i r_i
  template <class Column>
  void Add(S scale, const Column& column) const {
    for (int i = 0; i < row_.count; ++i) column[row_.dof[i]] += scale * row_.J[i] * memory_.rate[i];
  }

 private:
  ptrdiff_t Index(int i, int k) const { return static_cast<ptrdiff_t>(i) * row_.count + k; }

  const ScalarForceRow<S> row_;
  const S* b_;
  ImplicitMemory<S> memory_;
  bool all_coupled_ = true;
};

// Adds h J' g J b to the step, with g and its slopes as `slope`.
template <class S, class Out>
void AddImplicitScalarForce(const ScalarForceRow<S>& row, const ImplicitRowOf<S>& implicit, const RowForce<S>& slope,
                            const S* length, const S* qvel, S h, const Out& by_position, const Out& by_velocity) {
  for (int j = 0; j < row.count; ++j) {
    const auto column = by_position[row.dof[j]];
    implicit.Add(h * (slope.f_length * length[j] + slope.f_velocity * row.TurnTimes(j, qvel)), column);
    implicit.Add(h * slope.f_velocity * row.J[j], by_velocity[row.dof[j]]);
    if (!row.K || IsZeroAlone(slope.f)) continue;
    S turn = implicit.all_coupled() ? implicit.Turn(0, j) : S(0);
    for (int i = 0; i < row.count; ++i) {
      if (!implicit.all_coupled()) turn = implicit.Turn(i, j);
      column[row.dof[i]] += h * slope.f * (row.J[i] * turn + row.K[i * row.count + j] * implicit.Rate(i));
    }
  }
}

// ---- constraints

// The residual of a row along its Jacobian: x = J a + B J v + stiffness r; its force has, as the impedance changes,
// the relative slope `scale` by the distance r.
template <class S>
struct RowLaw {
  S B, stiffness, scale;
};

// `distance`: without the margin.
template <class S>
RowLaw<S> LawOfRow(const RowTerms<S>& at, S distance) {
  return {at.B, at.K * (at.impedance + at.slope * distance), at.slope / (at.impedance * (S(1) - at.impedance))};
}
// Friction loss has no distance.
template <class S>
RowLaw<S> LawOfFriction(S B) {
  return {B, S(0), S(0)};
}

// The force of a row, and the curvature of its cost.
template <class S>
struct RowLoad {
  S force, weight;
};

// How the force changes with the position and the velocity of a dof; and the row's velocity with the position.
template <class S>
struct RowSlopes {
  S by_position, by_velocity, turned;
};

// By column j. The force follows the residual with slope -D where the cost is quadratic, and R as the impedance changes
// with the distance: R scales by (1 - d) / d, and so does the force. `position`: the slope of the distance by the dof.
template <class S>
RowSlopes<S> SlopesOfRow(const RowLaw<S>& law, const RowLoad<S>& load, const ScalarForceRow<S>& row, int j, S position,
                         const S* qacc, const S* qvel) {
  const S turned = row.TurnTimes(j, qvel);
  const S residual = row.TurnTimes(j, qacc) + law.B * turned + law.stiffness * position;
  return {-load.weight * residual + load.force * law.scale * position, -load.weight * law.B * row.J[j], turned};
}

// Takes the change with column j from the residual; the row's lever J turns with the position as well.
template <class S, class Column>
void SubtractRow(const ScalarForceRow<S>& row, int j, const RowLoad<S>& load, const RowSlopes<S>& slopes,
                 const Column& by_position, const Column& by_velocity) {
  row.Subtract(slopes.by_position, by_position);
  row.SubtractRotated(j, load.force, by_position);
  row.Subtract(slopes.by_velocity, by_velocity);
}

// The angle of a ball has J = -k with the axis k, which a turn dx of the child changes by (1 - k k') Jr^-1 dx / angle:
// a rotation vector moves by the inverse of the right Jacobian, and only what is across the axis turns the axis.
template <class S>
void TurnOfBall(const ModelView<S>& m, const DataView<S>& d, int joint, S (&K)[9]) {
  const Quat<S> quat = Normalized(LoadQuat(d.qpos_data() + m.jnt_qposadr(joint)));
  const Quat<S> identity = {S(1), S(0), S(0), S(0)};
  Vec3<S> axis = RotationVector(quat);
  const S angle = Normalize(axis);
  const Mat3<S> turn = DifferentiateRotationVector(quat, identity);
  for (int j = 0; j < 3; ++j) {
    const Vec3<S> column = turn.Column(j), change = column - axis * Dot(axis, column);
    for (int i = 0; i < 3; ++i) K[3 * i + j] = Select(angle > S(0), -change[i] / angle, S(0));
  }
}

// ---- tendons and actuators

// The forces of a tendon's spring and damper, and the slope by velocity that implicit integrators take in.
template <class S>
struct TendonForces {
  bool any;
  RowForce<S> along, slope;
};
template <class S>
void AddLigaments(const ModelView<S>& m, const DataView<S>& d, int tendon, const SpringLawList& laws,
                  TendonForces<S>& forces) {
  const S length = d.ten_length(tendon);
  forces.any = true;
  if (!(m.opt_disableflags() & mjDSBL_SPRING)) {
    const LawSpring<S> spring = SpringOf(laws, length);
    forces.along.f += spring.force;
    forces.along.f_length -= spring.slope;
  }
  if (m.opt_disableflags() & mjDSBL_DAMPER) return;
  const LawDamper<S> damper = DamperOf<S>(laws, length, d.ten_velocity(tendon));
  forces.along.f += damper.force;
  forces.along.f_length -= damper.by_position;
  forces.along.f_velocity -= damper.slope;
  forces.slope.f -= damper.slope;
  forces.slope.f_length -= damper.curvature;
}

template <class S>
TendonForces<S> ForcesOfTendon(const ModelView<S>& m, const DataView<S>& d, int tendon) {
  const Polynomial<S> stiffness = TendonStiffness(m, tendon), damping = TendonDamping(m, tendon);
  TendonForces<S> forces = {false, {S(0), S(0), S(0)}, {S(0), S(0), S(0)}};
  if (!stiffness.IsZero() && !(m.opt_disableflags() & mjDSBL_SPRING)) {
    const S x = TendonDisplacement(m, d, tendon);
    forces.any = true;
    forces.along.f += SpringForce(stiffness, x);
    forces.along.f_length = Select(x != S(0), -stiffness.Slope(x), S(0));
  }
  if (!damping.IsZero() && !(m.opt_disableflags() & mjDSBL_DAMPER)) {
    const S v = d.ten_velocity(tendon);
    forces.any = true;
    forces.along.f += DamperForce(damping, v);
    forces.along.f_velocity = forces.slope.f = -DamperSlope(damping, v);
    forces.slope.f_velocity = -DamperCurvature(damping, v);
  }
  if (const SpringLawList laws = SpringLaws(m.raw()).OfTendon(tendon)) AddLigaments(m, d, tendon, laws, forces);
  return forces;
}

// The row of an actuator on a joint or on a tendon over joints. Lengths of balls are integrals of the rows of servos
// alone, and free joints have none.
template <class S>
class ActuatorMoment {
 public:
  ActuatorMoment(const ModelView<S>& m, const DataView<S>& d, int actuator)
      : row_{d.moment_rownnz(actuator), d.moment_colind_data() + d.moment_rowadr(actuator),
             d.actuator_moment_data() + d.moment_rowadr(actuator), nullptr} {
    const int transmission = m.actuator_trntype(actuator), joint = m.actuator_trnid(actuator)[0];
    if (transmission == mjTRN_TENDON) return;
    const int type = m.jnt_type(joint);
    if (type != mjJNT_BALL && type != mjJNT_FREE) return;
    has_length_ = true;
    for (S& turn : turn_) turn = S(0);
    if (transmission == mjTRN_JOINTINPARENT) SetTurn(type == mjJNT_FREE ? 3 : 0);
    if (type == mjJNT_BALL) {
      SetBall(m, d, actuator, joint);
    } else {
      for (S& slope : length_) slope = S(0);  // a pose has no length
    }
  }
  ActuatorMoment(const ActuatorMoment&) = delete;  // the row refers to its numbers
  ActuatorMoment& operator=(const ActuatorMoment&) = delete;

  const ScalarForceRow<S>& row() const { return row_; }
  // Slopes of the length by the dofs of the row.
  const S* length() const { return has_length_ ? length_ : row_.J; }
  bool has_length() const { return has_length_; }

 private:
  // A ball has the length L = g . log(R), whose gradient is the row of a servo and turns with the ball.
  void SetBall(const ModelView<S>& m, const DataView<S>& d, int actuator, int joint) {
    const Quat<S> identity = {S(1), S(0), S(0), S(0)}, rotation = JointRotation(m, d, joint);
    const RowOf<S> row = m.actuator_gear(actuator);
    const Vec3<S> gear = {row[0], row[1], row[2]}, r = RotationVector(rotation);
    const Mat3<S> turn = DifferentiateRotationVector(rotation, identity);
    const Vec3<S> length = MulTransposed(turn, gear);
    for (int k = 0; k < 3; ++k) length_[k] = length[k];
    const MaskOf<S> is_servo = UsesLength(m, actuator);
    if (!Any(is_servo)) return;
    for (int j = 0; j < 3; ++j) {
      const Vec3<S> change = GradientChange(r, gear, turn.Column(j));
      for (int k = 0; k < 3; ++k) turn_[3 * k + j] = Select(is_servo, change[k], turn_[3 * k + j]);
    }
    row_.K = turn_;
  }
  // The torque gear turns with the parent: g in its axes has the row R' g, which a turn x of the child changes by
  // (R' g) x x. `first`: of the rotation's entries.
  void SetTurn(int first) {
    const int n = row_.count;
    const Vec3<S> g = LoadVec3(row_.J + first);
    for (int j = 0; j < 3; ++j) {
      Vec3<S> x = Zero3<S>();
      x[j] = S(1);
      const Vec3<S> change = Cross(g, x);
      for (int k = 0; k < 3; ++k) turn_[(first + k) * n + first + j] = change[k];
    }
    row_.K = turn_;
  }

  ScalarForceRow<S> row_;
  bool has_length_ = false;
  S length_[6], turn_[36];
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_SCALAR_FORCE_KERNEL_H_
