// What the face of a box that is turned to a hull or an ellipsoid tells of the pair before any search.
#ifndef SINEW_COLLISION_CONVEX_BOX_FACE_H_
#define SINEW_COLLISION_CONVEX_BOX_FACE_H_

#include "collision/convex/convex_pair.h"

namespace sinew::inline collision {

enum class AtBoxFace { kApart, kContact, kUnknown };

// Let p be the point of the other shape that is lowest over the plane of the face. The shapes are apart where p is over
// it. Where p is at the depth t below, and the face goes on for r around p's projection and the box for H below it, the
// depth of the pair is t, along the face's normal: along any other unit vector, at an angle a to the normal, the box
// has a point of that disc, and one under p, that make the overlap
//
//   h(u) >= t cos a + r sin a >= t  for tan(a/2) <= r/t,   h(u) >= (t - H) cos a.
//
// With r >= 3 t and H >= 8 t one of both holds for each u. Of hulls, p has to be lower than all of its neighbours: then
// the facet of the difference that decides is the face and p. Depths of less than a few tolerances are left to the
// search.
AtBoxFace AskBoxFace(const mjOption& option, const ConvexShape& A, const ConvexShape& B, double margin,
                     ConvexContact& out);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_BOX_FACE_H_
