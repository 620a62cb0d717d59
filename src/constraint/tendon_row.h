// A row along a tendon's Jacobian, as friction loss and limits of tendons have.
#ifndef SINEW_CONSTRAINT_TENDON_ROW_H_
#define SINEW_CONSTRAINT_TENDON_ROW_H_

#include "constraint/row_builder.h"

namespace sinew {

// Opens one row on the tendon's columns and fills it with sign * ten_J; false when there is nothing to write.
inline bool OpenTendonRow(RowBuilder& build, int tendon, double sign, RowBlock* rows) {
  const mjModel* m = build.model();
  const int adr = m->ten_J_rowadr[tendon], count = m->ten_J_rownnz[tendon];
  if (!build.Open(1, count, m->ten_J_colind + adr, rows)) return false;
  for (int c = 0; c < count; ++c) (*rows)(0, c) = sign * build.data()->ten_J[adr + c];
  return true;
}

}  // namespace sinew

#endif  // SINEW_CONSTRAINT_TENDON_ROW_H_
