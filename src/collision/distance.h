// Distances of geoms, outside of the pipeline of contacts.
#ifndef SINEW_COLLISION_DISTANCE_H_
#define SINEW_COLLISION_DISTANCE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline collision {

// Signed distance of two geoms, negative when they overlap. From `limit` on, and for pairs that never collide, it is
// `limit`, and both points are zero; else `fromto` has the points on the first and on the second geom that are this far
// apart. No filter applies. fromto may be null.
double GeomDistance(const mjModel* m, mjData* d, int geom1, int geom2, double limit, double fromto[6]);

// Most contacts that the two geoms can have; whether margins count is the model's matter when has_margin is negative.
int MaxContacts(const mjModel* m, int geom1, int geom2, int has_margin);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_DISTANCE_H_
