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
#define SINEW_FORMULA_PAIRS(X)        \
  X(PLANE, SPHERE, PlaneSphere)       \
  X(PLANE, CAPSULE, PlaneCapsule)     \
  X(PLANE, ELLIPSOID, PlaneEllipsoid) \
  X(PLANE, CYLINDER, PlaneCylinder)   \
  X(PLANE, BOX, PlaneBox)             \
  X(SPHERE, SPHERE, SphereSphere)     \
  X(SPHERE, CAPSULE, SphereCapsule)   \
  X(SPHERE, CYLINDER, SphereCylinder) \
  X(SPHERE, BOX, SphereBox)           \
  X(CAPSULE, CAPSULE, CapsuleCapsule) \
  X(CAPSULE, BOX, CapsuleBox)

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

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_FORMULA_PAIRS_H_
