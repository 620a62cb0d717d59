// Common part of the dual solvers: access to the matrix A + R, the acceptance of a change, the friction problem of an
// elliptic contact, and the states and statistics that follow from forces.
#ifndef SINEW_SOLVE_DUAL_PROBLEM_H_
#define SINEW_SOLVE_DUAL_PROBLEM_H_

#include "math/vec3.h"
#include "simd/functions.h"
#include "simd/unroll.h"
#include "solve/problem.h"
#include "solve/qcqp.h"

namespace sinew::inline solve {

inline constexpr int kMaxContactDim = 6;

// The matrix A + R, dense or sparse, the forces, and the residual b + (A + R) f, which follows every change of a force:
// a row whose force stays costs nothing.
class DualProblem {
 public:
  // Memory belongs to the frame; unusable when that is full.
  DualProblem(const mjModel* m, const mjData* d, const Problem& p, StackFrame& frame);

  const RowSet& rows() const { return p_.rows; }
  double Force(int i) const { return p_.force[i]; }
  double Residual(int i) const { return residual_[i]; }
  double Diagonal(int i) const { return diagonal_[i]; }
  double InverseDiagonal(int i) const { return inverse_diagonal_[i]; }
  double Weight(int i) const { return p_.weight[i]; }

  // Calls body(column, value) for the entries of a row of the matrix.
  template <class Body>
  void ForRow(int i, const Body& body) const {
    const double* row = d_->efc_AR + (sparse_ ? d_->efc_AR_rowadr[i] : static_cast<ptrdiff_t>(i) * rows().nefc);
    const int* column = sparse_ ? d_->efc_AR_colind + d_->efc_AR_rowadr[i] : nullptr;
    const int count = sparse_ ? d_->efc_AR_rownnz[i] : rows().nefc;
    for (int k = 0; k < count; ++k) body(column ? column[k] : k, row[k]);
  }

  double Entry(int i, int j) const;

  // The diagonal block of an elliptic contact whose rows begin at `first`, row by row.
  const double* Block(int first) const { return blocks_ + static_cast<ptrdiff_t>(kMaxContactDim) * first; }

  // Adds to a force, or to those of rows from `first`.
  void Change(int i, double delta);
  template <int dim>
  void Change(int first, const double* delta);

  // Makes the forces zero of islands whose cost, 1/2 f' (A + R) f + f' b, is above that of none.
  void ClearDearForces();

  // Replaces the forces of a block, unless that raises 1/2 f' A f + f' residual by more than `worst`, which `A` and
  // `residual` at the present forces describe. Returns the change of the cost.
  template <int dim>
  double Replace(int first, const double* force, const double* A, const double* residual, double worst) {
    double delta[dim], change = 0;
    for (int r = 0; r < dim; ++r) delta[r] = force[r] - Force(first + r);
    for (int r = 0; r < dim; ++r) {
      change += delta[r] * residual[r];
      for (int c = 0; c < dim; ++c) change += 0.5 * delta[r] * A[r * dim + c] * delta[c];
    }
    if (change > worst) return 0;
    Change<dim>(first, delta);
    return change;
  }

 private:
  double CostOfIsland(int island) const;
  double RowTimesForce(int i) const;
  void FillBlocks();

  const Problem& p_;
  const mjData* d_;
  bool sparse_;
  double *residual_, *diagonal_, *inverse_diagonal_;
  double* blocks_;  // kMaxContactDim numbers for each row
};

// Residuals change row by row, as if each force did by itself, with one load and store.
template <int dim>
void DualProblem::Change(int first, const double* delta) {
  const int n = rows().nefc;
  if (sparse_ || dim == 1) {
    for (int r = 0; r < dim; ++r) Change(first + r, delta[r]);
    return;
  }
  bool moves = false;
  for (int r = 0; r < dim; ++r) {
    p_.force[first + r] += delta[r];
    moves = moves || delta[r] != 0;
  }
  if (!moves) return;
  const double* __restrict row = d_->efc_AR + static_cast<ptrdiff_t>(first) * n;
  double* __restrict residual = residual_;
  for (int k = 0; k < n; ++k) {
    double sum = residual[k];
    for (int r = 0; r < dim; ++r) sum += delta[r] * row[static_cast<ptrdiff_t>(r) * n + k];
    residual[k] = sum;
  }
}

// Ends of the force of a row that is not of an elliptic contact.
struct RowBounds {
  double low, high;
};
inline RowBounds BoundsOfRow(const RowSet& rows, int row) {
  if (row < rows.ne) return {-kInfinity, kInfinity};
  if (row < rows.ne + rows.nf) return {-rows.frictionloss[row], rows.frictionloss[row]};
  return {0, kInfinity};
}

// The friction forces of an elliptic contact whose normal force stays: the bounded quadratic problem of its tangents.
// `residual` belongs to the forces `old`; the normal force may have changed since. `limits`: qcqp.h.
template <int dim>
void SolveFriction(const mjContact& contact, const double* A, const double* residual, const double* old,
                   const QcqpLimits& limits, double* force);

// Returns the result of solve(Constant<dim>()) for the dimension of an elliptic contact.
template <class Solve>
double WithDimOf(const mjContact& contact, const Solve& solve) {
  double result = 0;
  WithCount<kMaxContactDim - 1>(contact.dim - 1, [&](auto tangents) { result = solve(Constant<tangents + 1>()); });
  return result;
}

// Writes the states that follow from the forces, and the statistics of an iteration.
struct StateCount {
  int active, changed;
};
StateCount UpdateDualStates(const Problem& p);
void RecordDual(const Problem& p, int iteration, double improvement);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_DUAL_PROBLEM_H_
