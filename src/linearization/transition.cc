// Derivatives of a step: by the balance of forces where the step follows from it, by repeated steps elsewhere.
#include "core/error.h"
#include "integrate/implicit_cells.h"
#include "linearization/balance_difference.h"
#include "linearization/finite_difference.h"
#include "linearization/step_difference.h"
#include "model/contact_law.h"
#include "model/error_control.h"
#include "model/extension.h"
#include "model/integrator.h"

namespace sinew {

void DifferentiateTransition(const mjModel* m, mjData* d, double eps, bool centered, const TransitionMatrices& result) {
  if (m->opt.integrator == mjINT_RK4) {
    throw Error("finite differences of a step are not supported by RK4", "choose another integrator");
  }
  if (IsErrorControlled(m->opt.integrator)) {
    throw Error("finite differences of a step are not supported by steps of bounded error",
                "choose another integrator");
  }
  if (m->nhistory > 0) throw Error("finite differences do not support histories", "remove delays and intervals");
  // The balance does not know that fibres move with the velocities of the end of the step, and cells with positions
  // there, nor how forces of compliant contacts change with positions, nor how a metric changes that rows are solved
  // in.
  const bool balance = !HasFibers(m) && !HasImplicitCells(m, d) && !FindContactLaws(m) && !IsDiscrete(m);
  if (balance && DifferentiateBalance(m, d, eps, centered, result)) return;
  StackFrame frame(d);
  StepDifferences(m, d, eps, centered, result, frame).Run();
}

}  // namespace sinew
