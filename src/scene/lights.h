// Lights of a scene.
#ifndef SINEW_SCENE_LIGHTS_H_
#define SINEW_SCENE_LIGHTS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline scene {

// The light at the camera, then the active lights of the model while there is room.
void MakeLights(const mjModel* m, const mjData* d, mjvScene* scene);

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_LIGHTS_H_
