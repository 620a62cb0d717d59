#include "constraint/make_constraint.h"

#include <algorithm>

#include "constraint/arena_fields.h"
#include "constraint/kinds.h"
#include "constraint/row_builder.h"
#include "constraint/weight_order.h"
#include "core/stack.h"
#include "force/adhesion.h"
#include "force/compliant_contact.h"

namespace sinew::inline constraint {
namespace {

bool Disabled(const mjModel* m, mjtDisableBit bit) { return (m->opt.disableflags & bit) != 0; }

void AddEqualities(RowBuilder& build) {
  const mjModel* m = build.model();
  const JointCouplings couplings(m);
  for (int id = 0; id < m->neq; ++id) {
    if (!build.data()->eq_active[id]) continue;
    switch (m->eq_type[id]) {
      case mjEQ_CONNECT:
        AddConnect(build, id);
        break;
      case mjEQ_WELD:
        AddWeld(build, id);
        break;
      case mjEQ_JOINT:
        AddJointEquality(build, couplings, id);
        break;
      case mjEQ_TENDON:
        AddTendonEquality(build, id);
        break;
      case mjEQ_FLEX:
        AddFlexEdges(build, id);
        break;
      case mjEQ_FLEXVERT:
        AddFlexVertices(build, id);
        break;
      case mjEQ_FLEXSTRAIN:
        AddFlexStrain(build, id);
        break;
      default:
        break;
    }
  }
}

// Rows at which each class ends.
struct ClassEnds {
  int equality, friction, limit;
};
ClassEnds AddAll(RowBuilder& build) {
  const mjModel* m = build.model();
  ClassEnds end;
  if (!Disabled(m, mjDSBL_EQUALITY)) AddEqualities(build);
  end.equality = build.rows();
  if (!Disabled(m, mjDSBL_FRICTIONLOSS)) {
    AddDofFriction(build);
    AddTendonFriction(build);
  }
  AddTendonMetricRows(build);
  AddFlexMetricRows(build);
  end.friction = build.rows();
  if (!Disabled(m, mjDSBL_LIMIT)) {
    AddJointLimits(build);
    AddTendonLimits(build);
  }
  end.limit = build.rows();
  if (!Disabled(m, mjDSBL_CONTACT)) AddContacts(build);
  return end;
}

// Arrays of this stage, and those that later stages fill row by row.
constexpr ArenaRange kRowFields = ArenaFields(offsetof(mjData, efc_type), offsetof(mjData, tendon_efcadr));
constexpr ArenaRange kMotionFields = ArenaFields(offsetof(mjData, efc_vel), offsetof(mjData, efc_b));
constexpr ArenaRange kForceFields = ArenaFields(offsetof(mjData, efc_state), offsetof(mjData, efc_force));

bool TakeRows(const mjModel* m, mjData* d) { return TakeArenaFields<kRowFields, kMotionFields, kForceFields>(m, d); }

// tendon_efcadr: the first row that a tendon takes part in, through an equality, friction loss or a limit; or -1.
void NoteTendons(const mjModel* m, mjData* d) {
  std::fill_n(d->tendon_efcadr, m->ntendon, -1);
  for (int row = d->ne + d->nf + d->nl - 1; row >= 0 && m->ntendon > 0; --row) {
    const int type = d->efc_type[row], id = d->efc_id[row];
    const bool of_tendon = type == mjCNSTR_FRICTION_TENDON || type == mjCNSTR_LIMIT_TENDON;
    if (of_tendon && id >= 0) d->tendon_efcadr[id] = row;  // flexes have rows of this type, too (metric_row.h)
    if (type != mjCNSTR_EQUALITY || m->eq_type[id] != mjEQ_TENDON) continue;
    d->tendon_efcadr[m->eq_obj1id[id]] = row;
    if (m->eq_obj2id[id] >= 0) d->tendon_efcadr[m->eq_obj2id[id]] = row;
  }
}

void MakeRows(const mjModel* m, mjData* d) {
  StackFrame frame(d);
  RowBuilder build(m, d, frame);
  AddAll(build);
  if (build.rows() == 0 && m->ntendon == 0) {
    TakeRows(m, d);  // arrays without elements have an address, as language bindings read it
    return;
  }

  d->nefc = build.rows();
  d->nJ = build.nonzeros();
  if (!TakeRows(m, d)) {
    DropConstraints(d);
    return;
  }
  double* weights = WeightsMayShift(m, d) ? frame.Doubles(d->nefc) : nullptr;
  build.StartWriting(weights);
  const ClassEnds end = AddAll(build);
  build.Finish();
  if (weights) ShiftWeights(m, d, weights, build.rows(), frame);

  // dense rows that turned out to be zero were dropped
  d->nefc = build.rows();
  d->ne = end.equality;
  d->nf = end.friction - end.equality;
  d->nl = end.limit - end.friction;
  d->maxuse_efc = std::max(d->maxuse_efc, d->nefc);
  NoteTendons(m, d);
}

}  // namespace

void MakeConstraint(const mjModel* m, mjData* d) {
  ClearRows(d);
  MarkCompliantContacts(m, d);
  ActivateAdhesiveContacts(m, d);
  d->maxuse_con = std::max(d->maxuse_con, d->ncon);
  if (!Disabled(m, mjDSBL_CONSTRAINT)) MakeRows(m, d);
}

}  // namespace sinew::inline constraint
