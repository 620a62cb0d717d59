// The pairs of geom types whose contacts have a formula: the one list of them. Whatever goes by pair uses it: the table
// of functions of one world (collision/pairs.cc), lanes (batch/pack/pack_contacts_kernel.h), derivatives on dual
// numbers (derivatives/contact_geometry/pair_formula.cc).
//
// To add a pair, write its kernel, name it here, and include it in formula_kernels.h.
#ifndef SINEW_COLLISION_ANALYTIC_FORMULA_PAIRS_H_
#define SINEW_COLLISION_ANALYTIC_FORMULA_PAIRS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline collision {

// X(smaller type, larger type, kernel), with types as in mjGEOM_*.
#define SINEW_FORMULA_PAIRS(X)            \
  X(PLANE, SPHERE, PlaneSphere)           \
  X(PLANE, CAPSULE, PlaneCapsule)         \
  X(PLANE, ELLIPSOID, PlaneEllipsoid)     \
  X(PLANE, CYLINDER, PlaneCylinder)       \
  X(PLANE, BOX, PlaneBox)                 \
  X(SPHERE, SPHERE, SphereSphere)         \
  X(SPHERE, CAPSULE, SphereCapsule)       \
  X(SPHERE, CYLINDER, SphereCylinder)     \
  X(SPHERE, BOX, SphereBox)               \
  X(CAPSULE, CAPSULE, CapsuleCapsule)     \
  X(CAPSULE, CYLINDER, CapsuleCylinder)   \
  X(CAPSULE, BOX, CapsuleBox)             \
  X(CYLINDER, CYLINDER, CylinderCylinder) \
  X(CYLINDER, BOX, CylinderBox)

// kNone: there is no formula over the scalar; two boxes and meshes in a plane have functions of one world.
enum class PairFormula : int {
  kNone,
#define SINEW_NAME(type1, type2, kernel) k##kernel,
  SINEW_FORMULA_PAIRS(SINEW_NAME)
#undef SINEW_NAME
};

// The formula of two types, the smaller first.
constexpr PairFormula FormulaOf(int type1, int type2) {
#define SINEW_TEST(first, second, kernel) \
  if (type1 == mjGEOM_##first && type2 == mjGEOM_##second) return PairFormula::k##kernel;
  SINEW_FORMULA_PAIRS(SINEW_TEST)
#undef SINEW_TEST
  return PairFormula::kNone;
}

// Formulas that stand for the general algorithm (convex/), with the options of it: a model that disables `nativeccd`
// has another algorithm instead, and one that disables `multiccd` keeps the first contact.
constexpr bool StandsForSearch(PairFormula formula) {
  return formula == PairFormula::kCapsuleCylinder || formula == PairFormula::kCylinderCylinder ||
         formula == PairFormula::kCylinderBox;
}
constexpr PairFormula FormulaOf(const mjModel& m, int type1, int type2) {
  const PairFormula formula = FormulaOf(type1, type2);
  const bool is_disabled = (m.opt.disableflags & mjDSBL_NATIVECCD) != 0;
  return is_disabled && StandsForSearch(formula) ? PairFormula::kNone : formula;
}
// Formulas that take longer than to compare the boxes of both geoms.
constexpr bool IsLong(PairFormula formula) { return StandsForSearch(formula) || formula == PairFormula::kCapsuleBox; }
constexpr bool KeepsFirstContact(const mjModel& m, PairFormula formula) {
  return (m.opt.disableflags & mjDSBL_MULTICCD) != 0 && StandsForSearch(formula);
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_FORMULA_PAIRS_H_
