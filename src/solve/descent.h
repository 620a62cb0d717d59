// One descent of a primal solver: the current point with everything that follows from it, and the step along a
// direction.
#ifndef SINEW_SOLVE_DESCENT_H_
#define SINEW_SOLVE_DESCENT_H_

#include "solve/line_search.h"
#include "solve/problem.h"

namespace sinew {

class Descent {
 public:
  // `cone_hessian`: keep the Hessians of cones in the contacts, for Newton. Unusable when the frame is full.
  Descent(const Problem& problem, const SolverOptions& options, bool cone_hessian, StackFrame& frame);

  // Whether the point is a minimum already, beyond what an iteration could improve: the gradient is far below the
  // tolerance. At the tolerance itself, what is at rest would jitter by 1e-7 m/s.
  bool AtMinimum() const;

  // Moves along direction() to the minimum on the line; false when there is no descent.
  bool Step();

  // Records the iteration. Returns whether to stop: no improvement or no gradient above the tolerance. The difference
  // of two costs is good to their rounding; `by_slope`: below that, the improvement is what the slope of the line
  // promised.
  bool Finish(bool by_slope);

  double* direction() { return direction_; }
  const double* gradient() const { return gradient_; }
  const int* old_state() const { return old_state_; }

 private:
  void UpdateConstraint();
  void UpdateGradient();

  const Problem& p_;
  const SolverOptions& options_;
  const bool cone_hessian_;
  LineSearch search_;
  LineSearchResult line_{};
  double *Mv_, *Jv_, *direction_, *gradient_;
  int* old_state_;
  double cost_ = 0, old_cost_ = 0, promised_ = 0;
  int iteration_ = 0, changed_ = 0;
};

}  // namespace sinew

#endif  // SINEW_SOLVE_DESCENT_H_
