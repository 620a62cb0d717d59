// Depth of two overlapping convex shapes: the expanding polytope algorithm of G. van den Bergen (Game Developers
// Conference 2001; Collision Detection in Interactive 3D Environments, 2003, sec. 4.3.8).
//
// A polytope inside the difference A - B contains the origin. Its face nearest to the origin bounds the depth from
// below, the support of A - B in the face's direction from above. That support point becomes a vertex: faces that see
// it are replaced by a fan over their outline; until the bounds meet.
#ifndef SINEW_COLLISION_CONVEX_EPA_H_
#define SINEW_COLLISION_CONVEX_EPA_H_

#include "collision/convex/gjk.h"

namespace sinew::inline collision {

// Moving B by `depth` along `normal` separates the cores; a and b are the witness points.
struct Penetration {
  double depth;
  Vec3<double> normal, a, b;
  DifferencePoint face[3];  // vertices of the face that decided
};

// Starts from where the search for the cores' distance found that they overlap. False when the difference is flat: the
// cores touch without depth.
bool FindPenetration(const ConvexShape& A, const ConvexShape& B, const CoreDistance& cores, const Accuracy& accuracy,
                     Penetration& out);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_EPA_H_
