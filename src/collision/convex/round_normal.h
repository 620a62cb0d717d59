// Normals of contacts of round shapes, from where the contact is: a portal (collision/convex/portal.h) finds the depth
// to its tolerance, but the normal to the root of that only.
#ifndef SINEW_COLLISION_CONVEX_ROUND_NORMAL_H_
#define SINEW_COLLISION_CONVEX_ROUND_NORMAL_H_

#include "collision/convex/convex_shape.h"

namespace sinew::inline collision {

// The normal, from A to B, of a contact at `pos`: that of the round one's surface where it is nearest to `pos`, the
// mean if both are round, `normal` if none is. Cylinders are round along their sides only.
Vec3<double> RoundNormal(const ConvexShape& A, const ConvexShape& B, const Vec3<double>& pos,
                         const Vec3<double>& normal);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_ROUND_NORMAL_H_
