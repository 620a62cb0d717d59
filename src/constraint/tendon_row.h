// A row along a tendon's Jacobian, as friction loss and limits of tendons have.
#ifndef SINEW_CONSTRAINT_TENDON_ROW_H_
#define SINEW_CONSTRAINT_TENDON_ROW_H_

#include <algorithm>

#include "constraint/row_builder.h"
#include "constraint/tendon_row_kernel.h"

namespace sinew::inline constraint {

// row += scale * tendon Jacobian, whose columns are among the row's
inline void AddTendonRow(const mjModel* m, const mjData* d, int tendon, double scale, const RowBlock& rows) {
  AddTendonJacobian(m, d->ten_J, tendon, scale, rows.dof, [&rows](int c) -> double& { return rows(0, c); });
}

// Opens one row on the tendon's columns and fills it with sign * ten_J; false when there is nothing to write. A joint
// that the tendon names twice has two columns in ten_J and one in the row.
inline bool OpenTendonRow(RowBuilder& build, int tendon, double sign, RowBlock* rows) {
  const mjModel* m = build.model();
  const int* columns = m->ten_J_colind + m->ten_J_rowadr[tendon];
  const int* end = std::unique_copy(columns, columns + m->ten_J_rownnz[tendon], build.dofs());
  const int count = static_cast<int>(end - build.dofs());
  if (!build.Open(1, count, build.dofs(), rows)) return false;
  for (int c = 0; c < count; ++c) (*rows)(0, c) = 0;
  AddTendonRow(m, build.data(), tendon, sign, *rows);
  return true;
}

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_TENDON_ROW_H_
