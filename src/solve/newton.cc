// Newton's method: direction = -H^-1 gradient, with the exact Hessian (hessian.h). The cost is piecewise quadratic up
// to the cones, so that it ends exactly once the right rows are active.
#include "math/dense.h"
#include "solve/descent.h"
#include "solve/hessian.h"
#include "solve/primal.h"
#include "solve/slot_problem.h"

namespace sinew {

bool SolveNewton(const Problem& problem, const SolverOptions& options, mjData* d) {
  if (problem.slots) {
    SolveSlots(problem, options);
    return true;
  }
  StackFrame frame(d, WhenFull::kReport);
  Descent descent(problem, options, /*cone_hessian=*/true, frame);
  if (frame.full()) return false;
  if (options.iterations <= 0 || descent.AtMinimum()) return true;

  Hessian hessian(problem, d, frame);
  if (frame.full()) return false;
  hessian.Assemble(problem.state);
  if (problem.nnz) *problem.nnz = hessian.nonzeros();
  for (int i = 0; i < options.iterations; ++i) {
    hessian.Solve(descent.direction(), descent.gradient());
    for (int k = 0; k < problem.nv; ++k) descent.direction()[k] = -descent.direction()[k];
    if (!descent.Step() || descent.Finish(/*by_slope=*/false)) break;
    hessian.Update(descent.old_state(), problem.state);
  }
  return true;
}

}  // namespace sinew
