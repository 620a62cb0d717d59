// Derivatives of the balance (columns.h) of a small system whose constraints are slots (solve/slots.h), for one world
// and for lanes.
//
// A lane without a slot has zeros there and adds exact zeros, as in solve/slot_newton_kernel.h; dofs and columns are
// visited in one order: a lane has the bits of a world alone.
#ifndef SINEW_GRADIENT_SLOT_COLUMNS_KERNEL_H_
#define SINEW_GRADIENT_SLOT_COLUMNS_KERNEL_H_

#include "constraint/impedance.h"
#include "derivative/actuator_derivative_kernel.h"
#include "gradient/contact_columns_kernel.h"
#include "gradient/smooth_columns_kernel.h"
#include "kinematics/transmission_kernel.h"
#include "math/column_block.h"
#include "solve/slot_newton_kernel.h"

namespace sinew {
inline namespace SINEW_ISA {

// Columns of nv numbers in blocks (math/column_block.h), from the one of number `first` on.
template <class S>
class BlockedColumns {
 public:
  static constexpr int kBlock = kBlockColumnsOf<S>;
  struct Column {
    S* first;
    S& operator[](int dof) const { return *BlockRow(first, dof); }
  };

  BlockedColumns() = default;
  BlockedColumns(S* values, int nv, int first = 0) : values_(values), nv_(nv), first_(first) {}

  static int Blocks(int columns) { return (columns + kBlock - 1) / kBlock; }
  static int Numbers(int nv, int columns) { return Blocks(columns) * kBlock * nv; }

  Column operator[](int column) const {
    const auto c = static_cast<unsigned>(first_ + column), block = static_cast<unsigned>(kBlock);
    return {Block(static_cast<int>(c / block)) + c % block};
  }
  BlockedColumns From(int first) const { return BlockedColumns(values_, nv_, first_ + first); }
  S* Block(int block) const { return values_ + static_cast<ptrdiff_t>(block) * kBlock * nv_; }

 private:
  S* values_ = nullptr;
  int nv_ = 0, first_ = 0;
};

// ---- what positions have to do with a row

// The residual of a row along its Jacobian: x = J a + B J v + stiffness r; its force has, as the impedance changes,
// the relative slope `scale` by the distance r.
template <class S>
struct RowLaw {
  S B, stiffness, scale;
};

// `distance`: without the margin.
template <class S>
RowLaw<S> LawOfRow(double K, double B, const ImpedanceAt<S>& at, S distance) {
  return {Uniform<S>(B), Uniform<S>(K) * (at.value + at.slope * distance), at.slope / (at.value * (S(1) - at.value))};
}
// Friction loss has no distance.
template <class S>
RowLaw<S> LawOfFriction(double B) {
  return {Uniform<S>(B), S(0), S(0)};
}

// How a row turns with the position of its column j: by entry (i, j) of `values`, or not at all.
template <class S>
struct RowTurn {
  int n = 0;
  const S* values = nullptr;  // n x n, row-major

  // The change of J x with the position of column j.
  S Times(const int* dof, int j, const S* x) const {
    S sum(0);
    for (int k = 0; k < n; ++k) sum += values[k * n + j] * x[dof[k]];
    return sum;
  }
};

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

// Takes the part of a slot of one row from the columns. The force follows the residual with slope -D where the cost is
// quadratic, and R as the impedance changes with the distance: R scales by (1 - d) / d, and so does the force. Its
// lever J may turn with the position as well.
template <class S, class Out>
void SubtractSlotRow(const DataView<S>& d, const SlotProblem<S>& p, int s, const RowLaw<S>& law, const RowTurn<S>& turn,
                     const Out& by_position, const Out& by_velocity) {
  const Slot& slot = p.slot[s];
  const int n = slot.ncol;
  const S *J = p.jacobian[s], force = p.force[slot.first], weight = p.weight[slot.weight];
  for (int j = 0; j < n; ++j) {
    S residual = law.stiffness * J[j];
    if (turn.n > 0) residual += turn.Times(slot.col, j, p.qacc) + law.B * turn.Times(slot.col, j, d.qvel_data());
    const S with_position = -weight * residual + force * law.scale * J[j];
    const S with_velocity = -weight * law.B * J[j];
    const auto of_position = by_position[slot.col[j]], of_velocity = by_velocity[slot.col[j]];
    for (int i = 0; i < n; ++i) {
      of_position[slot.col[i]] -= J[i] * with_position;
      of_velocity[slot.col[i]] -= J[i] * with_velocity;
      if (turn.n > 0) of_position[slot.col[i]] -= turn.values[i * n + j] * force;
    }
  }
}

// ---- contacts

// A contact of a slot: where it is, what its rows make of it, and how it moves with its geoms.
template <class S>
struct SlotContact {
  int slot, body[2];
  Vec3<S> point;
  ContactAxes<S> axes;
  S friction[5];
  S distance;
  double margin;
  const double *solref, *solreffriction, *solimp;  // the second null where tangents have the damping of the normal
  ContactSidesOf<S> sides;
};

// Directions of a pyramid are those of the frame, multiplied by the coefficients of friction.
template <class S>
void AddPyramid(const SlotProblem<S>& p, const Slot& slot, const S* friction, ContactLaw<S>& law) {
  const S *force = p.force + slot.first, *weight = p.weight + slot.weight;
  law.force[0] = force[0];
  law.H[0][0] = weight[0];
  for (int k = 1; k < slot.dim; ++k) {
    const S mu = friction[k - 1];
    law.force[k] = mu * force[k];
    law.H[0][k] = law.H[k][0] = mu * weight[2 * k - 1];
    law.H[k][k] = mu * mu * weight[2 * k];
  }
}

// An elliptic cone in its middle zone has a full Hessian; in the bottom zone each direction is quadratic by itself.
template <class S>
void AddCone(const SlotProblem<S>& p, const Slot& slot, ContactLaw<S>& law) {
  for (int k = 0; k < slot.dim; ++k) {
    law.force[k] = p.force[slot.first + k];
    law.H[k][k] = p.weight[slot.weight + k];
  }
  if (slot.kind != SlotKind::kElliptic) return;
  const ConePoint<S> cone = ConeOf(p, slot, p.residual + slot.first);
  if (!Any(cone.zone.middle)) return;
  S H[kMaxSlotDim][kMaxSlotDim];
  ConeHessian(p, slot, cone, H);
  for (int k = 0; k < slot.dim; ++k) {
    for (int l = 0; l < slot.dim; ++l) law.H[k][l] = Select(cone.zone.middle, H[k][l], law.H[k][l]);
  }
}

template <class S>
ContactLaw<S> LawOf(const ModelView<S>& m, const SlotProblem<S>& p, const SlotContact<S>& contact) {
  const Slot& slot = p.slot[contact.slot];
  ContactLaw<S> law = {};
  law.dim = slot.dim;
  const ImpedanceAt<S> at = EvaluateImpedance<S>(contact.solimp, contact.distance, contact.margin);
  const ReferenceGains gains = GainsOf(m.raw(), contact.solref, contact.solreffriction, at.dwidth);
  const RowLaw<S> normal = LawOfRow<S>(gains.K, gains.B, at, contact.distance - Uniform<S>(contact.margin));
  for (int k = 0; k < slot.dim; ++k) law.B[k] = k == 0 ? normal.B : Uniform<S>(gains.tangent_B);
  law.stiffness = normal.stiffness;
  law.scale = normal.scale;
  if (slot.kind == SlotKind::kPyramid) {
    AddPyramid(p, slot, contact.friction, law);
  } else {
    AddCone(p, slot, law);
  }
  return law;
}

// Lanes in which the contact pushes, or would begin to.
template <class S>
MaskOf<S> Acts(const SlotProblem<S>& p, int s) {
  const Slot& slot = p.slot[s];
  MaskOf<S> acts = S(1) < S(0);
  for (int k = 0; k < slot.dim; ++k) acts = acts | (p.force[slot.first + k] != S(0));
  for (int k = 0; k < WeightCount(slot); ++k) acts = acts | (p.weight[slot.weight + k] != S(0));
  return acts;
}

// ---- actuators and tendons

// A force along a row and its slopes by the length and the velocity there.
template <class S>
struct RowForce {
  S f, f_length, f_velocity;
};

// A row of `count` entries, with the slopes of its length by the dofs, which are J where these are not given.
template <class S>
struct ForceRow {
  int count;
  const int* dof;
  const S* J;
  const S* length = J;
  RowTurn<S> turn = {};

  // Takes a force along the row from the columns. `felt`: what a dof feels of it.
  template <class Out, class Felt>
  void Subtract(const RowForce<S>& force, const S* qvel, const Felt& felt, const Out& by_position,
                const Out& by_velocity) const {
    for (int j = 0; j < count; ++j) {
      S along = force.f_length * length[j];
      if (turn.n > 0) along += force.f_velocity * turn.Times(dof, j, qvel);
      const auto column = by_position[dof[j]];
      Subtract(along, felt, column);
      for (int i = 0; i < turn.n; ++i) column[dof[i]] -= felt(dof[i], turn.values[i * turn.n + j] * force.f);
      Subtract(force.f_velocity * J[j], felt, by_velocity[dof[j]]);
    }
  }
  // column -= J' scale
  template <class Column, class Felt>
  void Subtract(S scale, const Felt& felt, const Column& column) const {
    for (int i = 0; i < count; ++i) column[dof[i]] -= felt(dof[i], J[i] * scale);
  }
};

// The matrix of implicitfast has h J' g J in the pattern of inertia: its product with b has J_i r_i at dof i, where r_i
// takes the dofs that inertia couples with i.
template <class S>
class ImplicitForceRow {
 public:
  // `rate`: scratch for as many numbers as the row has.
  ImplicitForceRow(const ForceRow<S>& row, const RowPattern& inertia, const S* b, S* rate)
      : row_(row), inertia_(inertia), b_(b), rate_(rate) {
    for (int i = 0; i < row.count; ++i) {
      rate[i] = S(0);
      for (int k = 0; k < row.count; ++k) {
        if (inertia.Couples(row.dof[i], row.dof[k])) rate[i] += row.J[k] * b[row.dof[k]];
      }
    }
  }

  // column += scale J_i r_i
  template <class Column>
  void Add(S scale, const Column& column) const {
    for (int i = 0; i < row_.count; ++i) column[row_.dof[i]] += scale * (row_.J[i] * rate_[i]);
  }
  // The change of h J' g J b, with g in the place of the force.
  template <class Out>
  void AddSlopes(const RowForce<S>& slope, S h, const S* qvel, const Out& by_position, const Out& by_velocity) const {
    for (int j = 0; j < row_.count; ++j) {
      S along = slope.f_length * row_.length[j];
      if (row_.turn.n > 0) along += slope.f_velocity * row_.turn.Times(row_.dof, j, qvel);
      const auto column = by_position[row_.dof[j]];
      Add(h * along, column);
      Add(h * slope.f_velocity * row_.J[j], by_velocity[row_.dof[j]]);
      for (int i = 0; i < row_.turn.n; ++i) {
        column[row_.dof[i]] +=
            h * slope.f * (row_.J[i] * Turn(i, j) + row_.turn.values[i * row_.turn.n + j] * rate_[i]);
      }
    }
  }

 private:
  // The change of r_i with the position of column j.
  S Turn(int i, int j) const {
    S sum(0);
    for (int k = 0; k < row_.turn.n; ++k) {
      if (inertia_.Couples(row_.dof[i], row_.dof[k])) sum += row_.turn.values[k * row_.turn.n + j] * b_[row_.dof[k]];
    }
    return sum;
  }

  const ForceRow<S>& row_;
  const RowPattern& inertia_;
  const S* b_;
  S* rate_;
};

// Where an integrator's matrix has slopes of forces along rows: implicitfast; b null: it has none.
template <class S, class Out>
struct ImplicitPart {
  const S* b;
  S* rate;  // scratch, nv
  RowPattern inertia;
  Out by_position, by_velocity;
};

// Springs and dampers of tendons over joints.
template <class S, class Out>
void AddTendons(const ModelView<S>& m, const DataView<S>& d, const Out& by_position, const Out& by_velocity,
                const ImplicitPart<S, Out>& implicit) {
  const auto all = [](int, S x) { return x; };
  for (int t = 0; t < m.ntendon(); ++t) {
    const Polynomial<S> stiffness = TendonStiffness(m, t), damping = TendonDamping(m, t);
    RowForce<S> force = {S(0), S(0), S(0)};  // f has no part, as the row does not turn
    if (!stiffness.IsZero() && !(m.opt_disableflags() & mjDSBL_SPRING)) {
      const S x = TendonDisplacement(m, d, t);
      force.f_length = Select(x != S(0), -stiffness.Slope(x), S(0));
    }
    const bool damps = !damping.IsZero() && !(m.opt_disableflags() & mjDSBL_DAMPER);
    if (damps) {
      force.f_velocity = -DamperSlope(damping, d.ten_velocity(t));
    }
    const int adr = m.ten_J_rowadr(t);
    const ForceRow<S> row = {m.ten_J_rownnz(t), m.raw()->ten_J_colind + adr, d.ten_J_data() + adr};
    row.Subtract(force, d.qvel_data(), all, by_position, by_velocity);
    if (!implicit.b || !damps) continue;
    const RowForce<S> slope = {force.f_velocity, S(0), -DamperCurvature(damping, d.ten_velocity(t))};
    ImplicitForceRow<S>(row, implicit.inertia, implicit.b, implicit.rate)
        .AddSlopes(slope, m.opt_timestep(), d.qvel_data(), implicit.by_position, implicit.by_velocity);
  }
}

// The row of an actuator on a joint or on a tendon over joints, with what those of balls and free joints have beside
// it.
template <class S>
class ActuatorMoment {
 public:
  ActuatorMoment(const ModelView<S>& m, const DataView<S>& d, int actuator)
      : row_{d.moment_rownnz(actuator), d.moment_colind_data() + d.moment_rowadr(actuator),
             d.actuator_moment_data() + d.moment_rowadr(actuator)} {
    const int transmission = m.actuator_trntype(actuator), joint = m.actuator_trnid(actuator)[0];
    if (transmission == mjTRN_TENDON) return;
    const int type = m.jnt_type(joint);
    if (type != mjJNT_BALL && type != mjJNT_FREE) return;
    row_.length = length_;
    if (type == mjJNT_BALL) {
      SetBallLength(m, d, actuator, joint);
    } else {
      for (S& slope : length_) slope = S(0);  // a pose has no length
    }
    if (transmission == mjTRN_JOINTINPARENT) SetTurn(type == mjJNT_FREE ? 3 : 0);
  }
  ActuatorMoment(const ActuatorMoment&) = delete;  // the row refers to its numbers
  ActuatorMoment& operator=(const ActuatorMoment&) = delete;

  const ForceRow<S>& row() const { return row_; }

 private:
  // A ball has the length L = g . log(R). In its parent's axes R' g turns as well, but log(R) . R' g = log(R) . g
  void SetBallLength(const ModelView<S>& m, const DataView<S>& d, int actuator, int joint) {
    const Quat<S> identity = {S(1), S(0), S(0), S(0)};
    const RowOf<S> gear = m.actuator_gear(actuator);
    const Mat3<S> turn = DifferentiateRotationVector(JointRotation(m, d, joint), identity);
    const Vec3<S> length = MulTransposed(turn, Vec3<S>{gear[0], gear[1], gear[2]});
    for (int k = 0; k < 3; ++k) length_[k] = length[k];
  }
  // The torque gear turns with the parent: g in its axes has the row R' g, which a turn x of the child changes by
  // (R' g) x x. `first`: of the rotation's entries.
  void SetTurn(int first) {
    const int n = row_.count;
    for (int k = 0; k < n * n; ++k) turn_[k] = S(0);
    const Vec3<S> g = LoadVec3(row_.J + first);
    for (int j = 0; j < 3; ++j) {
      Vec3<S> x = Zero3<S>();
      x[j] = S(1);
      const Vec3<S> change = Cross(g, x);
      for (int k = 0; k < 3; ++k) turn_[(first + k) * n + first + j] = change[k];
    }
    row_.turn = {n, turn_};
  }

  ForceRow<S> row_;
  S length_[6], turn_[36];
};

// An actuator's force, its slopes by length and velocity, and those by its control and its activations; and the same
// of g, the slope by velocity that implicit integrators take in.
template <class S>
struct ActuatorSlopes {
  RowForce<S> along;
  S f_control;
  const S* f_act;  // of each activation
  RowForce<S> slope;
  S g_control;
  const S* g_act;
};

}  // namespace SINEW_ISA
}  // namespace sinew

#endif  // SINEW_GRADIENT_SLOT_COLUMNS_KERNEL_H_
