// A scene from a model and its state.
#ifndef SINEW_SCENE_UPDATE_H_
#define SINEW_SCENE_UPDATE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline scene {

// Makes the whole scene anew: geoms, camera, lights, vertices of flexes and skins. `perturb` and `camera` may be null.
void UpdateScene(const mjModel* m, mjData* d, const mjvOption* option, const mjvPerturb* perturb, mjvCamera* camera,
                 int categories, mjvScene* scene);

// Appends the geoms of some categories (mjtCatBit).
void AppendGeoms(const mjModel* m, mjData* d, const mjvOption* option, const mjvPerturb* perturb, int categories,
                 mjvScene* scene);

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_UPDATE_H_
