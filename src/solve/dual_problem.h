// What the dual solvers share: access to the matrix A + R, the acceptance of a change, the friction problem of an elliptic
// contact, and the states and statistics that follow from forces.
#ifndef SINEW_SOLVE_DUAL_PROBLEM_H_
#define SINEW_SOLVE_DUAL_PROBLEM_H_

#include "math/dense.h"
#include "math/vec3.h"
#include "solve/problem.h"

namespace sinew {

inline constexpr int kMaxContactDim = 6;
inline constexpr double kWorseCost = 1e-10;  // a block whose cost rises by more is restored

// Rows of A + R, dense or sparse, and the forces that the sweeps change.
class DualProblem {
 public:
  // Memory belongs to the frame.
  DualProblem(const mjModel* m, const mjData* d, const Problem& p, StackFrame& frame);

  const RowSet& rows() const { return p_.rows; }
  double* force() const { return p_.force; }

  // b + (A + R) f of one row
  double Residual(int i) const { return d_->efc_b[i] + RowTimesForce(i); }

  // (A + R) f of one row
  double RowTimesForce(int i) const {
    return sparse_ ? SparseRowTimesForce(i)
                   : Dot(d_->efc_AR + static_cast<ptrdiff_t>(i) * rows().nefc, force(), rows().nefc);
  }

  double Diagonal(int i) const { return diagonal_[i]; }

  // the diagonal block of `dim` rows from `first`
  void Block(int first, int dim, double* A) const;

  double Entry(int i, int j) const;

  // 1/2 f' (A + R) f + f' b
  double Cost() const;

 private:
  double SparseRowTimesForce(int i) const;

  const Problem& p_;
  const mjData* d_;
  bool sparse_;
  double* diagonal_;
};

// Change of the dual cost when the forces of a block go from `old` to `force`; restores them if it rises.
double KeepIfBetter(double* force, const double* old, const double* A, const double* residual, int dim);

// The friction forces of an elliptic contact whose normal force stays: the bounded quadratic problem of its tangents.
// `residual` belongs to the forces `old`; the normal force may have changed since.
void SolveFriction(const mjContact& contact, const double* A, const double* residual, const double* old, double* force);

// Writes the states that follow from the forces, and the statistics of an iteration.
struct StateCount {
  int active, changed;
};
StateCount UpdateDualStates(const Problem& p);
void RecordDual(const Problem& p, int iteration, double improvement);

}  // namespace sinew

#endif  // SINEW_SOLVE_DUAL_PROBLEM_H_
