// The table of pairs: of two geom types, the smaller first, the kind and the function that finds their contacts.
#include "collision/pairs.h"

#include "collision/analytic/analytic.h"
#include "collision/analytic/capsule_box_kernel.h"
#include "collision/analytic/capsule_capsule_kernel.h"
#include "collision/analytic/plane_kernel.h"
#include "collision/analytic/sphere_box_kernel.h"
#include "collision/analytic/sphere_capsule_kernel.h"
#include "collision/analytic/sphere_cylinder_kernel.h"
#include "collision/analytic/sphere_sphere_kernel.h"
#include "collision/convex/convex_pair.h"
#include "collision/field/height_field.h"
#include "collision/field/sdf_contact.h"

namespace sinew {
namespace {

template <auto Kernel>
constexpr PairEntry kFormula = {PairKind::kFormula, CollideAnalytic<Kernel>};

constexpr PairEntry kNone = {PairKind::kNone, nullptr};  // pairs that never collide, and those below the diagonal
constexpr PairEntry kPlaneMesh = {PairKind::kFormula, PlaneMesh};
constexpr PairEntry kBoxBox = {PairKind::kBoxBox, BoxBox};
constexpr PairEntry kConvex = {PairKind::kConvex, ConvexConvex};
constexpr PairEntry kPrisms = {PairKind::kHeightField, HeightFieldConvex};
constexpr PairEntry kField = {PairKind::kField, FieldField};
constexpr PairEntry kMeshField = {PairKind::kField, MeshField};
constexpr PairEntry kHeightFieldField = {PairKind::kField, HeightFieldField};

}  // namespace

// clang-format off
constexpr PairEntry kPairTable[mjNGEOMTYPES][mjNGEOMTYPES] = {
    // plane with: plane, height field, sphere, capsule, ellipsoid, cylinder, box, mesh, signed distance field
    {kNone, kNone, kFormula<PlaneSphere<double>>, kFormula<PlaneCapsule<double>>, kFormula<PlaneEllipsoid<double>>,
     kFormula<PlaneCylinder<double>>, kFormula<PlaneBox<double>>, kPlaneMesh, kPlaneMesh},
    // height field
    {kNone, kNone, kPrisms, kPrisms, kPrisms, kPrisms, kPrisms, kPrisms, kHeightFieldField},
    // sphere
    {kNone, kNone, kFormula<SphereSphere<double>>, kFormula<SphereCapsule<double>>, kConvex,
     kFormula<SphereCylinder<double>>, kFormula<SphereBox<double>>, kConvex, kField},
    // capsule
    {kNone, kNone, kNone, kFormula<CapsuleCapsule<double>>, kConvex, kConvex, kFormula<CapsuleBox<double>>, kConvex,
     kField},
    // ellipsoid
    {kNone, kNone, kNone, kNone, kConvex, kConvex, kConvex, kConvex, kField},
    // cylinder
    {kNone, kNone, kNone, kNone, kNone, kConvex, kConvex, kConvex, kField},
    // box
    {kNone, kNone, kNone, kNone, kNone, kNone, kBoxBox, kConvex, kField},
    // mesh
    {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kConvex, kMeshField},
    // signed distance field
    {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kField},
};
// clang-format on

}  // namespace sinew

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
