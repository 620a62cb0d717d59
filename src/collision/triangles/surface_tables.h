// The surfaces of a model's meshes, where some collide by their triangles: kept with the model beside the tables of its
// hulls, and made when the first world of the model is.
#ifndef SINEW_COLLISION_TRIANGLES_SURFACE_TABLES_H_
#define SINEW_COLLISION_TRIANGLES_SURFACE_TABLES_H_

#include <mujoco/mujoco.h>

#include "collision/triangles/surface_table.h"

namespace sinew::inline collision {

// The surface of a mesh: its faces if it collides by its triangles, else those of its hull. Null where the model keeps
// nothing.
const SurfaceTable* SurfaceTableOf(const mjModel& m, int mesh);

// Makes all that contacts of meshes may ask for, tables of hulls and surfaces, so that steps allocate none.
void MakeMeshTables(const mjModel& m);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_TRIANGLES_SURFACE_TABLES_H_
