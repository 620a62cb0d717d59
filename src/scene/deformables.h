// Flexes and skins: surfaces whose vertices a scene holds itself.
#ifndef SINEW_SCENE_DEFORMABLES_H_
#define SINEW_SCENE_DEFORMABLES_H_

#include <mujoco/mujoco.h>

namespace sinew::inline scene {

// Vertices of the flexes and what of them is to be drawn.
void UpdateFlexes(const mjModel* m, const mjData* d, const mjvOption* option, mjvScene* scene);

// Vertices and normals of the skins.
void UpdateSkins(const mjModel* m, const mjData* d, mjvScene* scene);

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_DEFORMABLES_H_
