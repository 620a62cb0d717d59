// What the dual solvers share: access to the matrix A + R, the acceptance of a change, the friction problem of an
// elliptic contact, and the states and statistics that follow from forces.
#ifndef SINEW_SOLVE_DUAL_PROBLEM_H_
#define SINEW_SOLVE_DUAL_PROBLEM_H_

#include "math/vec3.h"
#include "simd/functions.h"
#include "solve/problem.h"

namespace sinew {

inline constexpr int kMaxContactDim = 6;
inline constexpr double kWorseCost = 1e-10;  // a block whose cost rises by more is restored

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

  // Calls body(column, value) for the entries of a row of the matrix.
  template <class Body>
  void ForRow(int i, const Body& body) const {
    const double* row = d_->efc_AR + (sparse_ ? d_->efc_AR_rowadr[i] : static_cast<ptrdiff_t>(i) * rows().nefc);
    const int* column = sparse_ ? d_->efc_AR_colind + d_->efc_AR_rowadr[i] : nullptr;
    const int count = sparse_ ? d_->efc_AR_rownnz[i] : rows().nefc;
    for (int k = 0; k < count; ++k) body(column ? column[k] : k, row[k]);
  }

  // The diagonal block of `dim` rows from `first`.
  void Block(int first, int dim, double* A) const;

  // 1/2 f' (A + R) f + f' b
  double Cost() const;

  // Adds to a force.
  void Change(int i, double delta);

  // Makes all forces zero.
  void Clear();

  // Replaces the forces of a block, unless that raises 1/2 f' A f + f' residual, which `A` and `residual` at the
  // present forces describe. Returns the change of the cost.
  double Replace(int first, int dim, const double* force, const double* A, const double* residual);

 private:
  double Entry(int i, int j) const;
  double RowTimesForce(int i) const;

  const Problem& p_;
  const mjData* d_;
  bool sparse_;
  double *residual_, *diagonal_, *inverse_diagonal_;
};

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
// `residual` belongs to the forces `old`; the normal force may have changed since. `least`: of qcqp.h.
void SolveFriction(const mjContact& contact, const double* A, const double* residual, const double* old, double least,
                   double* force);

// Writes the states that follow from the forces, and the statistics of an iteration.
struct StateCount {
  int active, changed;
};
StateCount UpdateDualStates(const Problem& p);
void RecordDual(const Problem& p, int iteration, double improvement);

}  // namespace sinew

#endif  // SINEW_SOLVE_DUAL_PROBLEM_H_
