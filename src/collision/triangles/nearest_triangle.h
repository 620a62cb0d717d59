// The distance of a mesh that collides by its triangles from another geom.
#ifndef SINEW_COLLISION_TRIANGLES_NEAREST_TRIANGLE_H_
#define SINEW_COLLISION_TRIANGLES_NEAREST_TRIANGLE_H_

#include <mujoco/mujoco.h>

#include "collision/geom.h"

namespace sinew::inline collision {

// The triangle of a mesh that is nearest to the other geom, or to the nearest triangle of that; false when none is
// nearer than `limit`. The normal leads from the first geom to the second. Where something touches, the distance is at
// most zero, and no depth.
bool NearestOfTriangles(const mjModel* m, mjData* d, int g1, int g2, double limit, ContactPoint<double>& nearest);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_TRIANGLES_NEAREST_TRIANGLE_H_
