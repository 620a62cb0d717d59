// mjCOLLISIONFUNC: the function of every pair of geom types, the smaller type first. Users may replace entries; the
// narrow phase reads the table at every pair.
#include <mujoco/mujoco.h>

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

constexpr mjfCollision kNone = nullptr;  // pairs that never collide, and those below the diagonal

template <auto Kernel>
constexpr mjfCollision kAnalytic = CollideAnalytic<Kernel>;

}  // namespace
}  // namespace sinew

using namespace sinew;  // NOLINT: the table below is a definition of the C interface

mjfCollision mjCOLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES] = {
    // plane
    {kNone, kNone, kAnalytic<PlaneSphere<double>>, kAnalytic<PlaneCapsule<double>>, kAnalytic<PlaneEllipsoid<double>>,
     kAnalytic<PlaneCylinder<double>>, kAnalytic<PlaneBox<double>>, PlaneMesh, PlaneMesh},
    // height field
    {kNone, kNone, HeightFieldConvex, HeightFieldConvex, HeightFieldConvex, HeightFieldConvex, HeightFieldConvex,
     HeightFieldConvex, HeightFieldField},
    // sphere
    {kNone, kNone, kAnalytic<SphereSphere<double>>, kAnalytic<SphereCapsule<double>>, ConvexConvex,
     kAnalytic<SphereCylinder<double>>, kAnalytic<SphereBox<double>>, ConvexConvex, FieldField},
    // capsule
    {kNone, kNone, kNone, kAnalytic<CapsuleCapsule<double>>, ConvexConvex, ConvexConvex, kAnalytic<CapsuleBox<double>>,
     ConvexConvex, FieldField},
    // ellipsoid
    {kNone, kNone, kNone, kNone, ConvexConvex, ConvexConvex, ConvexConvex, ConvexConvex, FieldField},
    // cylinder
    {kNone, kNone, kNone, kNone, kNone, ConvexConvex, ConvexConvex, ConvexConvex, FieldField},
    // box
    {kNone, kNone, kNone, kNone, kNone, kNone, BoxBox, ConvexConvex, FieldField},
    // mesh
    {kNone, kNone, kNone, kNone, kNone, kNone, kNone, ConvexConvex, MeshField},
    // signed distance field
    {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, FieldField},
};
