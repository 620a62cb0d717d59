// Equalities under the integrators implicit and implicitfast, which find the acceleration of the step, a' = X^-1 M
// qacc, from forces of constraints that hold with M. Where X is far from M, as stiff actuators and muscles make it,
// equalities would open: rows accelerate by J a' instead of J qacc. Their forces change by l, as the regularization R
// of the rows has it,
//
//   X a = M qacc + J' l,    J a + R l = J qacc    so that    (J X^-1 J' + R) l = J (qacc - a'),   a = a' + X^-1 J' l
#ifndef SINEW_INTEGRATE_HELD_ROWS_KERNEL_H_
#define SINEW_INTEGRATE_HELD_ROWS_KERNEL_H_

#include <mujoco/mujoco.h>

#include "simd/pack.h"

namespace sinew::inline integrate {
inline namespace SINEW_ISA {

// Whether an equality is held: those between bodies, joints and tendons. Flexes have many rows, and soft ones.
inline bool IsHeld(const mjModel* m, int equality) {
  const int type = m->eq_type[equality];
  return type == mjEQ_CONNECT || type == mjEQ_WELD || type == mjEQ_JOINT || type == mjEQ_TENDON;
}

// Whether steps of the model hold rows.
inline bool HoldsRows(const mjModel* m) {
  const int integrator = m->opt.integrator;
  if (integrator != mjINT_IMPLICIT && integrator != mjINT_IMPLICITFAST) return false;
  for (int i = 0; i < m->neq; ++i) {
    if (IsHeld(m, i)) return true;
  }
  return false;
}

// How many numbers HeldRows takes at most, whatever the integrator.
inline int HeldRowNumbers(const mjModel* m) {
  int rows = 0;
  for (int i = 0; i < m->neq; ++i) {
    if (IsHeld(m, i)) rows += m->eq_type[i] == mjEQ_WELD ? 6 : m->eq_type[i] == mjEQ_CONNECT ? 3 : 1;
  }
  return rows * (2 * static_cast<int>(m->nv) + rows + 2);
}

// Rows of J, as wide as nv, and their weights 1 / R. Lanes without a row have zeros.
template <class S>
struct HeldRows {
  int count, nv;
  S *J, *D;
  S *solved, *matrix, *force;  // scratch: as J, count x count, count
};

template <class S, class Allocate>
HeldRows<S> AllocateHeldRows(int count, int nv, const Allocate& allocate) {
  HeldRows<S> rows = {count, nv, nullptr, nullptr, nullptr, nullptr, nullptr};
  rows.J = allocate(count * nv);
  rows.D = allocate(count);
  rows.solved = allocate(count * nv);
  rows.matrix = allocate(count * count);
  rows.force = allocate(count);
  return rows;
}

template <class S>
S RowTimes(const HeldRows<S>& rows, int row, const S* x) {
  S sum(0);
  for (int j = 0; j < rows.nv; ++j) sum += rows.J[row * rows.nv + j] * x[j];
  return sum;
}

// x = A^-1 x by elimination without exchanges: the symmetric part of A is positive definite.
template <class S>
void Eliminate(int n, S* A, S* x) {
  for (int p = 0; p < n; ++p) {
    for (int i = p + 1; i < n; ++i) {
      const S factor = A[i * n + p] / A[p * n + p];
      for (int k = p + 1; k < n; ++k) A[i * n + k] -= factor * A[p * n + k];
      x[i] -= factor * x[p];
    }
  }
  for (int p = n - 1; p >= 0; --p) {
    for (int k = p + 1; k < n; ++k) x[p] -= A[p * n + k] * x[k];
    x[p] = x[p] / A[p * n + p];
  }
}

// From a' to a. `solve(x)`: x = X^-1 x.
template <class S, class Solve>
void HoldRows(const HeldRows<S>& rows, const S* qacc, const Solve& solve, S* acceleration) {
  const int n = rows.count, nv = rows.nv;
  for (int i = 0; i < n; ++i) {
    S* solved = rows.solved + i * nv;
    for (int j = 0; j < nv; ++j) solved[j] = rows.J[i * nv + j];
    solve(solved);
  }
  for (int i = 0; i < n; ++i) {
    rows.force[i] = RowTimes(rows, i, qacc) - RowTimes(rows, i, acceleration);
    for (int k = 0; k < n; ++k) rows.matrix[i * n + k] = RowTimes(rows, i, rows.solved + k * nv);
    rows.matrix[i * n + i] += Select(rows.D[i] > S(0), S(1) / Select(rows.D[i] > S(0), rows.D[i], S(1)), S(1));
  }
  Eliminate(n, rows.matrix, rows.force);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < nv; ++j) acceleration[j] += rows.force[i] * rows.solved[i * nv + j];
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_HELD_ROWS_KERNEL_H_
