// Bounds of geoms that a world has in sizes of its own: bounding spheres, boxes, the boxes of bodies' trees, and
// margins of bodies.
#ifndef SINEW_BATCH_PLAN_OWN_BOUNDS_H_
#define SINEW_BATCH_PLAN_OWN_BOUNDS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline batch {

// Makes bounds follow the sizes and margins of geoms of a world: geom_rbound, geom_aabb, bvh_aabb and body_margin.
// Geoms with the sizes of `shared`, a model of the same layout, get its bounds; so do meshes, height fields and planes,
// whose bounds do not follow from their sizes.
void DeriveBounds(const mjModel& shared, mjModel* own);

// Whether geoms whose sizes, margins or bounds a world has for itself lie within these bounds. Lanes compare spheres
// alone, a world also boxes and trees of boxes (bvh_aabb): contacts are the same where no bound leaves any out.
bool DoBoundsHold(const mjModel& m, const mjModel& own);

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PLAN_OWN_BOUNDS_H_
