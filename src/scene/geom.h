// Single shapes of a scene.
#ifndef SINEW_SCENE_GEOM_H_
#define SINEW_SCENE_GEOM_H_

#include <mujoco/mujoco.h>

namespace sinew::inline scene {

// Sets everything but what the shape stands for (object, category, number); null stands for a default.
void InitGeom(mjvGeom* geom, int type, const mjtNum* size, const mjtNum* pos, const mjtNum* mat, const float* rgba);

// Makes a shape reach from one point to another. Capsules and cylinders are centred between them, arrows and lines
// begin at the first. Throws Error for other types.
void ConnectPoints(mjvGeom* geom, int type, mjtNum width, const mjtNum* from, const mjtNum* to);

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_GEOM_H_
