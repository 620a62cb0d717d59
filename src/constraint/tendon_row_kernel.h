// A row along a tendon's Jacobian, for one world and for lanes.
#ifndef SINEW_CONSTRAINT_TENDON_ROW_KERNEL_H_
#define SINEW_CONSTRAINT_TENDON_ROW_KERNEL_H_

#include <mujoco/mujoco.h>

#include "simd/isa.h"

namespace sinew::inline constraint {
inline namespace SINEW_ISA {

// Adds scale * tendon Jacobian to a row whose columns, `dof`, contain those of the tendon; entry(c) is that of column
// c. A joint that the tendon names twice has two columns in ten_J and one in the row.
template <class S, class Entry>
void AddTendonJacobian(const mjModel* m, const S* ten_J, int tendon, S scale, const int* dof, const Entry& entry) {
  const int adr = m->ten_J_rowadr[tendon];
  int c = 0;
  for (int i = adr; i < adr + m->ten_J_rownnz[tendon]; ++i) {
    while (dof[c] != m->ten_J_colind[i]) ++c;
    entry(c) += scale * ten_J[i];
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_TENDON_ROW_KERNEL_H_
