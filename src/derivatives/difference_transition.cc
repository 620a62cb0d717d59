// Derivatives of a step: by the residual of forces where the step follows from it, by repeated steps elsewhere.
#include "derivatives/difference_transition.h"
#include "core/error.h"
#include "derivatives/finite_difference/residual_difference.h"
#include "derivatives/finite_difference/step_difference.h"
#include "integrate/implicit_cells.h"
#include "model/kinds/contact_law.h"
#include "model/kinds/integrator.h"
#include "model/kinds/motion.h"
#include "model/kinds/stick.h"
#include "model/kinds/surface.h"
#include "model/storage/error_control.h"
#include "model/storage/extension.h"

namespace sinew::inline derivatives {

void DifferenceTransition(const mjModel* m, mjData* d, double eps, bool centered, const TransitionMatrices& result) {
  if (m->opt.integrator == mjINT_RK4) {
    throw Error("finite differences of a step are not supported by RK4", "choose another integrator");
  }
  if (IsErrorControlled(m->opt.integrator)) {
    throw Error("finite differences of a step are not supported by steps of bounded error",
                "choose another integrator");
  }
  // Anchors are given: they are those of the start in each step.
  const bool holds = StickSettings(m).slots() > 0;
  if (m->nhistory > StickStates(m))
    throw Error("finite differences do not support histories", "remove delays and intervals");
  // The residual does not follow fibres, which move with the velocities of the end of the step, and cells with
  // positions there, nor how forces of contacts that are compliant, stick or hold their point change with positions,
  // nor how a metric changes that rows are solved in, nor what moves by functions of a coordinate.
  const bool moves = JointMotions(m) || PathMotions(m) || JointCouplings(m);
  const bool own_forces = FindContactLaws(m) || HasAdhesion(m, FindSurfaces(m)) || holds;
  const bool residual = !HasFibers(m) && !HasImplicitCells(m, d) && !own_forces && !IsDiscrete(m) && !moves;
  if (residual && DifferenceResidual(m, d, eps, centered, result)) return;
  StackFrame frame(d);
  StepDifferences(m, d, eps, centered, result, frame).Run();
}

}  // namespace sinew::inline derivatives
