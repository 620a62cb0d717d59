#include "step/held_rows.h"

#include <algorithm>

#include "constraint/jacobian_product.h"
#include "core/stack.h"
#include "core/warning.h"
#include "inertia/inertia.h"
#include "integrate/held_rows_kernel.h"
#include "integrate/velocity_derivative/smooth.h"
#include "simd/pack.h"

namespace sinew::inline step {
namespace {

bool IsHeldRow(const mjModel* m, const mjData* d, int row) { return IsHeld(m, d->efc_id[row]); }

void CopyRow(const mjModel* m, const mjData* d, int row, double* to) {
  const JacobianRows rows = AllRows(m, d);
  if (!rows.rownnz) return void(std::copy_n(rows.J + static_cast<ptrdiff_t>(row) * m->nv, m->nv, to));
  std::fill_n(to, m->nv, 0.0);
  for (int k = rows.rowadr[row]; k < rows.rowadr[row] + rows.rownnz[row]; ++k) to[rows.colind[k]] = rows.J[k];
}

template <class Solve>
void Hold(const mjModel* m, mjData* d, const Solve& solve, double* acceleration) {
  int count = 0;
  for (int row = 0; row < d->ne; ++row) count += IsHeldRow(m, d, row);
  if (count == 0) return;
  StackFrame frame(d, WhenFull::kReport);
  const auto allocate = [&](int n) { return frame.Doubles(n); };
  const HeldRows<double> rows = AllocateHeldRows<double>(count, static_cast<int>(m->nv), allocate);
  if (frame.full()) return RaiseWarning(d, mjWARN_CNSTRFULL, d->nefc);
  int next = 0;
  for (int row = 0; row < d->ne; ++row) {
    if (!IsHeldRow(m, d, row)) continue;
    CopyRow(m, d, row, rows.J + static_cast<ptrdiff_t>(next) * m->nv);
    rows.D[next++] = d->efc_D[row];
  }
  HoldRows(rows, d->qacc, solve, acceleration);
}

}  // namespace

void HoldEqualities(const mjModel* m, mjData* d, double* acceleration) {
  if (HoldsRows(m))
    Hold(
        m, d, [m, d](double* x) { SolveImplicit(m, d, x); }, acceleration);
}

void ReleaseEqualities(const mjModel* m, mjData* d, double* acceleration) {
  if (HoldsRows(m))
    Hold(
        m, d, [m, d](double* x) { SolveM(m, d, x, x, 1); }, acceleration);
}

}  // namespace sinew::inline step
