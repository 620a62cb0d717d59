// Derivatives of the residual (columns.h) of a small system whose constraints are slots (solve/slots.h), for one world
// and for lanes.
//
// A lane without a slot has zeros there and adds exact zeros, as in solve/slot_newton_kernel.h; dofs and columns are
// visited in one order: a lane has the bits of a world alone.
#ifndef SINEW_DERIVATIVES_SMALL_SYSTEMS_SLOT_COLUMNS_KERNEL_H_
#define SINEW_DERIVATIVES_SMALL_SYSTEMS_SLOT_COLUMNS_KERNEL_H_

#include "constraint/impedance.h"
#include "derivatives/base/contact_columns_kernel.h"
#include "derivatives/base/scalar_force_kernel.h"
#include "derivatives/base/smooth_columns_kernel.h"
#include "integrate/velocity_derivative/actuator_derivative_kernel.h"
#include "math/column_block.h"
#include "solve/slot_newton_kernel.h"

namespace sinew::inline derivatives {
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

// ---- rows and tendons

// Takes the part of a slot of one row from the columns. K: how the row turns, or null.
template <class S, class Out>
void SubtractSlotRow(const DataView<S>& d, const SlotProblem<S>& p, int s, const RowLaw<S>& law, const S* K,
                     const Out& by_position, const Out& by_velocity) {
  const Slot& slot = p.slot[s];
  const ScalarForceRow<S> row = {slot.ncol, slot.col, p.jacobian[s], K};
  const RowLoad<S> load = {p.force[slot.first], p.weight[slot.weight]};
  for (int j = 0; j < row.count; ++j) {
    const RowSlopes<S> slopes = SlopesOfRow(law, load, row, j, row.J[j], p.qacc, d.qvel_data());
    SubtractRow(row, j, load, slopes, by_position[row.dof[j]], by_velocity[row.dof[j]]);
  }
}

// Where an integrator's matrix has slopes of forces along rows: implicitfast; b null: it has none.
template <class S, class Out>
struct ImplicitPart {
  const S* b;
  ImplicitMemory<S> memory;  // for rows of nv dofs
  RowPattern inertia;
  Out by_position, by_velocity;

  ImplicitRowOf<S> Of(const ScalarForceRow<S>& row) const {
    return ImplicitRowOf<S>(row, b, memory, [this](int i, int k) { return inertia.Couples(i, k); });
  }
};

// Springs and dampers of tendons over joints, whose rows do not turn.
template <class S, class Out>
void AddTendons(const ModelView<S>& m, const DataView<S>& d, const Out& by_position, const Out& by_velocity,
                const ImplicitPart<S, Out>& implicit) {
  for (int t = 0; t < m.ntendon(); ++t) {
    const TendonForces<S> forces = ForcesOfTendon(m, d, t);
    if (!forces.any) continue;
    const int adr = m.ten_J_rowadr(t);
    const ScalarForceRow<S> row = {m.ten_J_rownnz(t), m.raw()->ten_J_colind + adr, d.ten_J_data() + adr, nullptr};
    AddScalarForce(row, forces.along, row.J, d.qvel_data(), FullShare(), by_position, by_velocity);
    if (!implicit.b) continue;
    AddImplicitScalarForce(row, implicit.Of(row), forces.slope, row.J, d.qvel_data(), m.opt_timestep(),
                           implicit.by_position, implicit.by_velocity);
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
  S distance;  // without the margin
  RowTerms<S> terms;
  ContactSidesOf<S> sides;
  SurfaceTwists<S> surface;
  double adhesion = 0;
  AnchorLaw<S> held;
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

// A lane without the contact has no D.
template <class S>
void AddAdhesion(const SlotProblem<S>& p, const Slot& slot, double adhesion, ContactLaw<S>& law) {
  const bool pyramidal = slot.kind == SlotKind::kPyramid;
  const S D = p.D[slot.first], R = Select(D > S(0), S(1) / D, S(0));
  law.adhesion = adhesion;
  law.bias = AdhesionReference(R, adhesion, pyramidal ? 2 * (slot.dim - 1) : slot.dim, pyramidal);
}

template <class S>
ContactLaw<S> LawOf(const SlotProblem<S>& p, const SlotContact<S>& contact) {
  const Slot& slot = p.slot[contact.slot];
  ContactLaw<S> law = {};
  law.dim = slot.dim;
  const RowLaw<S> normal = LawOfRow(contact.terms, contact.distance);
  for (int k = 0; k < slot.dim; ++k) law.B[k] = k == 0 ? normal.B : contact.terms.tangent_B;
  law.stiffness = normal.stiffness;
  law.scale = normal.scale;
  if (slot.kind == SlotKind::kPyramid) {
    AddPyramid(p, slot, contact.friction, law);
  } else {
    AddCone(p, slot, law);
  }
  if (contact.adhesion > 0) AddAdhesion(p, slot, contact.adhesion, law);
  law.held = contact.held;
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

// ---- actuators

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
}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_SMALL_SYSTEMS_SLOT_COLUMNS_KERNEL_H_
