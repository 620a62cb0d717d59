// Triangles of a flex in a scene.
#ifndef SINEW_SCENE_FLEX_FACES_H_
#define SINEW_SCENE_FLEX_FACES_H_

#include <mujoco/mujoco.h>

namespace sinew::inline scene {

// Fills the triangles that the scene's options select: the skin, or else the elements' faces, those of solids in one
// layer of elements; none for cables.
void UpdateFlexFaces(const mjModel* m, int flex, int layer, mjvScene* scene);

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_FLEX_FACES_H_
