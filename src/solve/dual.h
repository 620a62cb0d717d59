// The dual problem: minimize over admissible forces f   1/2 f' (A + R) f + f' b,   A = J M^-1 J',  b = J a_s - aref.
//
// Projected Gauss-Seidel solves it row by row. Noslip afterwards solves for friction alone without the regularization
// R, which suppresses the slow creep of soft contacts.
#ifndef SINEW_SOLVE_DUAL_H_
#define SINEW_SOLVE_DUAL_H_

#include "core/stack.h"
#include "solve/dual_problem.h"

namespace sinew::inline solve {

// The constraint rows of a world whose forces a pack finds by sweeps in lanes (dual_kernel.h, pgs_kernel.h): the forces
// that sweeps start from, and what follows from those that they end with. Memory is on the stack of the world; where
// that is full, full() is true and nothing else may be called.
class DualForces {
 public:
  // The forces at the previous acceleration. Writes efc_b.
  DualForces(const mjModel* m, mjData* d);
  DualForces(const DualForces&) = delete;
  DualForces& operator=(const DualForces&) = delete;

  bool full() const { return frame_.full(); }
  const Problem& problem() const { return p_; }

  // States and statistics that follow from problem().force. `entries`: of the dual matrix.
  void TakeForces(int iterations, int entries);
  // qfrc_constraint = J' f
  void Push();

 protected:
  const mjModel* m_;
  mjData* d_;
  StackFrame frame_;
  Problem p_;
};

// The solution of a world's rows by projected Gauss-Seidel, in parts: packs run the middle one in lanes where the world
// has made its matrix.
class DualSolution : public DualForces {
 public:
  // Begins with no forces where the previous ones cost more. Needs efc_AR.
  DualSolution(const mjModel* m, mjData* d);

  const DualProblem& dual() const { return dual_; }

  // From problem().force to the minimum: force, state and statistics from entry 0.
  void Minimize();
  // From forces to accelerations.
  void Finish();

 private:
  DualProblem dual_;
};

// qfrc_constraint = J' f,  qacc = qacc_smooth + M^-1 qfrc_constraint
void DualFinish(const mjModel* m, mjData* d, const Problem& p);

// Improves friction forces; statistics follow those of the main solver. `dual` as above.
void SolveNoslip(const mjModel* m, const Problem& problem, DualProblem& dual);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_DUAL_H_
