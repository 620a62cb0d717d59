// The dual problem: minimize over admissible forces f   1/2 f' (A + R) f + f' b,   A = J M^-1 J',  b = J a_s - aref.
//
// Projected Gauss-Seidel solves it row by row. Noslip afterwards solves for friction alone without the regularization
// R, which suppresses the slow creep of soft contacts.
#ifndef SINEW_SOLVE_DUAL_H_
#define SINEW_SOLVE_DUAL_H_

#include "core/stack.h"
#include "solve/dual_problem.h"

namespace sinew {

// The solution of a world's rows by projected Gauss-Seidel, in parts: packs run the middle one in lanes (pgs_kernel.h).
// Memory is that of the world's stack; unusable when that is full.
class DualSolution {
 public:
  // The forces at the previous acceleration, or none where these cost less. Writes efc_b.
  DualSolution(const mjModel* m, mjData* d);
  DualSolution(const DualSolution&) = delete;
  DualSolution& operator=(const DualSolution&) = delete;

  bool full() const { return frame_.full(); }
  const Problem& problem() const { return p_; }
  const DualProblem& dual() const { return dual_; }

  // From problem().force to the minimum: force, state and statistics from entry 0. Needs efc_AR.
  void Minimize();
  // The same for forces that were found elsewhere; there are no statistics but the number of iterations.
  void TakeForces(int iterations);
  // From forces to accelerations.
  void Finish();

 private:
  const mjModel* m_;
  mjData* d_;
  StackFrame frame_;
  Problem p_;
  DualProblem dual_;
};

// qfrc_constraint = J' f,  qacc = qacc_smooth + M^-1 qfrc_constraint
void DualFinish(const mjModel* m, mjData* d, const Problem& p);

// Improves friction forces; statistics follow those of the main solver. `dual` as above.
void SolveNoslip(const mjModel* m, const Problem& problem, DualProblem& dual);

}  // namespace sinew

#endif  // SINEW_SOLVE_DUAL_H_
