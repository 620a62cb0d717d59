// The kernels of all pairs that have a formula (formula_pairs.h), by pair.
#ifndef SINEW_COLLISION_ANALYTIC_FORMULA_KERNELS_H_
#define SINEW_COLLISION_ANALYTIC_FORMULA_KERNELS_H_

#include "collision/analytic/capsule_box_kernel.h"
#include "collision/analytic/capsule_capsule_kernel.h"
#include "collision/analytic/capsule_cylinder_kernel.h"
#include "collision/analytic/cylinder_box_kernel.h"
#include "collision/analytic/cylinder_cylinder_kernel.h"
#include "collision/analytic/formula_pairs.h"
#include "collision/analytic/plane_kernel.h"
#include "collision/analytic/sphere_box_kernel.h"
#include "collision/analytic/sphere_capsule_kernel.h"
#include "collision/analytic/sphere_cylinder_kernel.h"
#include "collision/analytic/sphere_sphere_kernel.h"

namespace sinew::inline collision {
inline namespace SINEW_ISA {

// Calls use.template operator()<Kernel>() with the kernel of a formula over the scalar S. False without one.
template <class S, class Use>
constexpr bool VisitFormula(PairFormula formula, const Use& use) {
  switch (formula) {
#define SINEW_CASE(type1, type2, kernel)  \
  case PairFormula::k##kernel:            \
    use.template operator()<kernel<S>>(); \
    return true;
    SINEW_FORMULA_PAIRS(SINEW_CASE)
#undef SINEW_CASE
    case PairFormula::kNone:
      break;
  }
  return false;
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_FORMULA_KERNELS_H_
