// The table of pairs: of two geom types, the smaller first, the kind and the function that finds their contacts.
#include "collision/pairs.h"

#include <algorithm>

#include "collision/analytic/analytic.h"
#include "collision/analytic/formula_kernels.h"
#include "collision/convex/convex_pair.h"
#include "collision/field/height_field.h"
#include "collision/field/sdf_contact.h"

namespace sinew::inline collision {
namespace {

constexpr PairEntry kFormula = {PairKind::kFormula, nullptr};  // those of analytic/formula_pairs.h
constexpr PairEntry kNone = {PairKind::kNone, nullptr};        // pairs that never collide, and those below the diagonal
constexpr PairEntry kPlaneMesh = {PairKind::kFormula, PlaneMesh};
constexpr PairEntry kBoxBox = {PairKind::kBoxBox, BoxBox};
constexpr PairEntry kConvex = {PairKind::kConvex, ConvexConvex};
constexpr PairEntry kPrisms = {PairKind::kHeightField, HeightFieldConvex};
constexpr PairEntry kField = {PairKind::kField, FieldField};
constexpr PairEntry kMeshField = {PairKind::kField, MeshField};
constexpr PairEntry kHeightFieldField = {PairKind::kField, HeightFieldField};

// clang-format off
constexpr PairTable kKinds = {{
    // plane with: plane, height field, sphere, capsule, ellipsoid, cylinder, box, mesh, signed distance field
    {kNone, kNone, kFormula, kFormula, kFormula, kFormula, kFormula, kPlaneMesh, kPlaneMesh},
    // height field
    {kNone, kNone, kPrisms, kPrisms, kPrisms, kPrisms, kPrisms, kPrisms, kHeightFieldField},
    // sphere
    {kNone, kNone, kFormula, kFormula, kConvex, kFormula, kFormula, kConvex, kField},
    // capsule
    {kNone, kNone, kNone, kFormula, kConvex, kFormula, kFormula, kConvex, kField},
    // ellipsoid
    {kNone, kNone, kNone, kNone, kConvex, kConvex, kConvex, kConvex, kField},
    // cylinder
    {kNone, kNone, kNone, kNone, kNone, kFormula, kFormula, kConvex, kField},
    // box
    {kNone, kNone, kNone, kNone, kNone, kNone, kBoxBox, kConvex, kField},
    // mesh
    {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kConvex, kMeshField},
    // signed distance field
    {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kField},
}};
// clang-format on

// A formula that stands for the general algorithm, which takes its place where the model asks for another one.
template <auto Kernel>
int CollideInsteadOfSearch(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  if (m->opt.disableflags & mjDSBL_NATIVECCD) return ConvexConvex(m, d, con, g1, g2, margin);
  const int count = CollideAnalytic<Kernel>(m, d, con, g1, g2, margin);
  return m->opt.disableflags & mjDSBL_MULTICCD ? std::min(count, 1) : count;
}

// The function of a formula for one world; null where the pair has none.
constexpr mjfCollision FunctionOf(int type1, int type2) {
  const PairFormula formula = FormulaOf(type1, type2);
  mjfCollision function = nullptr;
  if (StandsForSearch(formula)) {
    VisitFormula<double>(
        formula, [&]<auto Kernel>() { function = CollideInsteadOfSearch<Kernel>; });
  } else {
    VisitFormula<double>(
        formula, [&]<auto Kernel>() { function = CollideAnalytic<Kernel>; });
  }
  return function;
}

// The table above with the functions of the formulas.
constexpr PairTable WithFormulas(PairTable table) {
  for (int i = 0; i < mjNGEOMTYPES; ++i) {
    for (int j = 0; j < mjNGEOMTYPES; ++j) {
      if (FormulaOf(i, j) != PairFormula::kNone) table.entry[i][j] = {PairKind::kFormula, FunctionOf(i, j)};
    }
  }
  return table;
}

// Whether the table calls exactly those pairs formulas that have one, besides meshes on planes, which have a function.
constexpr bool NamesFormulas(const PairTable& table) {
  for (int i = 0; i < mjNGEOMTYPES; ++i) {
    for (int j = 0; j < mjNGEOMTYPES; ++j) {
      const bool has_function = i == mjGEOM_PLANE && j >= mjGEOM_MESH;
      const bool is_named = table[i][j].kind == PairKind::kFormula && !has_function;
      if (is_named != (FormulaOf(i, j) != PairFormula::kNone)) return false;
    }
  }
  return true;
}
static_assert(NamesFormulas(kKinds));

}  // namespace

constexpr PairTable kPairTable = WithFormulas(kKinds);

}  // namespace sinew::inline collision

using namespace sinew;  // NOLINT: the table below is a definition of the C interface

// The functions of a row of the table.
#define SINEW_FUNCTIONS_OF(type)                                                                  \
  {                                                                                               \
    kPairTable[type][0].function, kPairTable[type][1].function, kPairTable[type][2].function,     \
        kPairTable[type][3].function, kPairTable[type][4].function, kPairTable[type][5].function, \
        kPairTable[type][6].function, kPairTable[type][7].function, kPairTable[type][8].function  \
  }

mjfCollision mjCOLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES] = {
    SINEW_FUNCTIONS_OF(0), SINEW_FUNCTIONS_OF(1), SINEW_FUNCTIONS_OF(2), SINEW_FUNCTIONS_OF(3), SINEW_FUNCTIONS_OF(4),
    SINEW_FUNCTIONS_OF(5), SINEW_FUNCTIONS_OF(6), SINEW_FUNCTIONS_OF(7), SINEW_FUNCTIONS_OF(8)};

#undef SINEW_FUNCTIONS_OF
