// Bounds of geoms that a world has in sizes of its own: bounding spheres, boxes, and the boxes of bodies' trees.
#ifndef SINEW_BATCH_PLAN_OWN_BOUNDS_H_
#define SINEW_BATCH_PLAN_OWN_BOUNDS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline batch {

// Makes bounds follow sizes (geom_size) that differ from those of `shared`, a model of the same layout: geom_rbound,
// geom_aabb, and bvh_aabb of their bodies. Meshes, height fields and planes keep theirs, which do not follow from
// sizes.
void DeriveBounds(const mjModel& shared, mjModel* own);

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PLAN_OWN_BOUNDS_H_
