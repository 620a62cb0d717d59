// Rows of equalities between two scalars, joint positions or tendon lengths (equality_kernel.h).
#include "constraint/equality_kernel.h"
#include "constraint/equality_row.h"
#include "constraint/kinds.h"
#include "constraint/tendon_row.h"
#include "math/vec3.h"
#include "model/state/awake.h"

namespace sinew::inline constraint {
namespace {

// Ascending union of the columns of two tendons; the second may be missing (-1). Returns their number.
int TendonPairColumns(const mjModel* m, int tendon1, int tendon2, int* dofs) {
  const int* a = m->ten_J_colind + m->ten_J_rowadr[tendon1];
  const int* a_end = a + m->ten_J_rownnz[tendon1];
  const int* b = tendon2 < 0 ? nullptr : m->ten_J_colind + m->ten_J_rowadr[tendon2];
  const int* b_end = tendon2 < 0 ? nullptr : b + m->ten_J_rownnz[tendon2];
  int count = 0;
  while (a != a_end || b != b_end) {
    const bool take_a = a != a_end && (b == b_end || *a <= *b);
    const int dof = take_a ? *a : *b;
    while (a != a_end && *a == dof) ++a;
    while (b != b_end && *b == dof) ++b;
    dofs[count++] = dof;
  }
  return count;
}

}  // namespace

void AddJointEquality(RowBuilder& build, const JointCouplings& couplings, int id) {
  const mjModel* m = build.model();
  const mjData* d = build.data();
  const int joint1 = m->eq_obj1id[id], joint2 = m->eq_obj2id[id];
  const int body1 = m->jnt_bodyid[joint1], body2 = joint2 < 0 ? body1 : m->jnt_bodyid[joint2];
  if (IsPairAsleep(m, d, body1, body2)) return;

  const ScalarEquality<double> equality = JointEquality(ModelView<double>(m), couplings, d->qpos, id);
  const int dof1 = m->jnt_dofadr[joint1];
  RowBlock rows;
  if (joint2 < 0) {
    if (!build.Open(1, 1, &dof1, &rows)) return;
    rows(0, 0) = 1;
    CloseScalar(build, rows, id, equality.residual, m->dof_invweight0[dof1]);
    return;
  }

  const int dof2 = m->jnt_dofadr[joint2];
  const int columns[2] = {dof1 < dof2 ? dof1 : dof2, dof1 < dof2 ? dof2 : dof1};
  if (!build.Open(1, 2, columns, &rows)) return;
  rows(0, dof1 < dof2 ? 0 : 1) = 1;
  rows(0, dof1 < dof2 ? 1 : 0) = equality.slope;
  CloseScalar(build, rows, id, equality.residual, m->dof_invweight0[dof1] + m->dof_invweight0[dof2]);
}

void AddTendonEquality(RowBuilder& build, int id) {
  const mjModel* m = build.model();
  const mjData* d = build.data();
  const int tendon1 = m->eq_obj1id[id], tendon2 = m->eq_obj2id[id];
  const int count = TendonPairColumns(m, tendon1, tendon2, build.dofs());
  RowBlock rows;
  if (!build.Open(1, count, build.dofs(), &rows)) return;

  const double* c = m->eq_data + mjNEQDATA * id;
  const double y1 = d->ten_length[tendon1] - m->tendon_length0[tendon1];
  for (int k = 0; k < count; ++k) rows(0, k) = 0;
  AddTendonRow(m, d, tendon1, 1, rows);
  const bool has_second = tendon2 >= 0;
  const double y2 = has_second ? d->ten_length[tendon2] - m->tendon_length0[tendon2] : 0;
  const ScalarEquality<double> equality(c, y1, has_second, y2);
  double weight = m->tendon_invweight0[tendon1];
  if (has_second) {
    AddTendonRow(m, d, tendon2, equality.slope, rows);
    weight += m->tendon_invweight0[tendon2];
  }
  CloseScalar(build, rows, id, equality.residual, weight);
}

}  // namespace sinew::inline constraint
