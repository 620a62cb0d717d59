// Memory of a scene.
#ifndef SINEW_SCENE_SCENE_H_
#define SINEW_SCENE_SCENE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline scene {

// An empty scene without memory.
void SetDefaults(mjvScene* scene);

// Frees what the scene has and allocates for a model, without one for geoms alone; `maxgeom` is their number. Throws
// Error for a negative one.
void MakeScene(const mjModel* m, mjvScene* scene, int maxgeom);
void FreeScene(mjvScene* scene);

// Throws Error where the scene was not made for a model with such flexes, or such skins: it has no room for them.
void RequireFlexesOf(const mjModel& m, const mjvScene& scene);
void RequireSkinsOf(const mjModel& m, const mjvScene& scene);

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_SCENE_H_
