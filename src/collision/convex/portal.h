// Penetration of two convex shapes by Minkowski portal refinement (G. Snethen, Xenocollide: complex collision made
// simple, Game Programming Gems 7, 2008): the algorithm of models that disable `nativeccd`.
//
// The difference A - B = {a - b} has the difference of the shapes' centres inside, v0. The ray from there through the
// origin leaves the difference through a portal, a triangle of its points v1, v2, v3. Supports along the portal's
// normal move it outwards until it lies on the boundary to the tolerance. The depth is the distance of the origin from
// the portal: not the least of all directions, but that near the line of the centres.
#ifndef SINEW_COLLISION_CONVEX_PORTAL_H_
#define SINEW_COLLISION_CONVEX_PORTAL_H_

#include "collision/convex/convex_shape.h"
#include "collision/convex/gjk.h"

namespace sinew::inline collision {

struct PortalContact {
  double depth;
  Vec3<double> pos, normal;  // midway between the shapes; unit, from A to B
};

// False when the shapes are apart. Radii count as parts of the shapes: they must be filled (ConvexShape::Fill).
bool FindPortalContact(const ConvexShape& A, const ConvexShape& B, const Accuracy& accuracy, PortalContact& out);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_PORTAL_H_
