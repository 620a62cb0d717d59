// Several contacts of two convex shapes that lie flat on each other: with a face of a box or mesh, a cap or the line
// along the side of a cylinder or capsule, an edge.
#ifndef SINEW_COLLISION_CONVEX_FLAT_SIDES_H_
#define SINEW_COLLISION_CONVEX_FLAT_SIDES_H_

#include <mujoco/mujoco.h>

#include "collision/convex/convex_shape.h"

namespace sinew::inline collision {

// Replaces con[0], the deepest contact of the shapes, by up to four where they lie flat on each other within the
// margin, all with one normal; returns how many contacts there are.
int FlatSideContacts(const mjModel* m, int g1, int g2, const ConvexShape& A, const ConvexShape& B, double margin,
                     mjContact* con);

// Up to four points of what a shape turns down, seen along a triangle's normal `up`, over the triangle, whose corners
// are counterclockwise about `up`; the lowest is among them. None where it turns down a point, or nothing there.
int FindFlatSideOver(const mjModel* m, int geom, const ConvexShape& shape, const Vec3<double>& up,
                     const Vec3<double> (&triangle)[3], Vec3<double> (&points)[4]);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_FLAT_SIDES_H_
