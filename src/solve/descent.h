// One descent of a primal solver: the current point with everything that follows from it, and the step along a
// direction.
#ifndef SINEW_SOLVE_DESCENT_H_
#define SINEW_SOLVE_DESCENT_H_

#include "solve/line_search.h"
#include "solve/problem.h"

namespace sinew::inline solve {

class Descent {
 public:
  // `is_newton`: Hessians of cones are kept in the contacts. Unusable when the frame is full.
  Descent(const Problem& problem, const SolverOptions& options, bool is_newton, StackFrame& frame);

  // Whether the forces of each dof are in balance (balance_kernel.h), at the start already or after a step.
  bool AtMinimum();

  // Moves along direction() to the minimum on the line; false when there is no descent.
  bool Step();

  // Records the iteration. Returns whether to stop: the point is at the minimum, or the step has changed the state of
  // no row and its gradient is nothing but rounding.
  bool Finish();

  double* direction() { return direction_; }
  const double* gradient() const { return gradient_; }
  const int* old_state() const { return old_state_; }

 private:
  bool IsRest();
  bool HasStiffRow() const;
  void AddFloorOfRows(double* floor) const;
  void UpdateConstraint();
  void UpdateGradient();

  const Problem& p_;
  SolverOptions options_;
  const bool is_newton_;
  LineSearch search_;
  LineSearchResult line_{};
  double *Mv_, *Jv_, *direction_, *gradient_;
  double *inverse_root_, *largest_;    // of each dof: 1 / sqrt(M_ii); at the root of a tree: its largest force
  double left_ = 0, left_before_ = 0;  // the largest gradient, in units in which M has the diagonal 1
  int *old_state_, *root_;             // of each dof: the first one of its tree
  int iteration_ = 0, changed_ = 0;
  bool is_stiff_ = false;  // balance_kernel.h
};

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_DESCENT_H_
