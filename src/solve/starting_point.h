// Where a primal solver starts (problem.h).
#ifndef SINEW_SOLVE_STARTING_POINT_H_
#define SINEW_SOLVE_STARTING_POINT_H_

#include "solve/problem.h"

namespace sinew::inline solve {

// The problems of all islands, or the one of the whole system.
struct ProblemList {
  Problem* problem;
  int count;
};

inline bool HasWarmstart(const mjModel* m) { return !(m->opt.disableflags & mjDSBL_WARMSTART); }

// One choice for the whole system: the previous acceleration, unless the unconstrained one is cheaper. Fills efc_b.
// With islands, efc_state keeps the states at the unconstrained acceleration, and iefc_state has those of the solution:
// programs that were written for the interface see the same numbers in both.
class StartingPoint {
 public:
  // Memory belongs to the frame; unusable when that is full.
  StartingPoint(const mjModel* m, mjData* d, const ProblemList& list, StackFrame& frame);

  // Leaves qacc of all problems, and what follows from it, at the chosen acceleration.
  void Choose();

 private:
  // The residual of the unconstrained acceleration.
  void EvaluateSmooth(const Problem& p, double* jar);
  // By how much the previous acceleration, which becomes that of the problem, costs more than the unconstrained one.
  double ExcessOfWarmStart(Problem& p, const double* jar_smooth);
  // 1/2 (a - a_s)' M (a - a_s) over the dofs that no island contains: it counts against the warm start as well.
  double WarmCostOutside();

  const mjModel* m_;
  mjData* d_;
  const ProblemList list_;
  const bool islands_;
  double** jar_smooth_;  // by problem: its residual at the unconstrained acceleration
  double *delta_, *Mdelta_;
};

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_STARTING_POINT_H_
