// Initial values of the public structs of visualization.
#ifndef SINEW_SCENE_DEFAULTS_H_
#define SINEW_SCENE_DEFAULTS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline scene {

void SetDefaults(mjvOption* option);
void SetDefaults(mjvCamera* camera);
void SetDefaults(mjvPerturb* perturb);
void SetDefaults(mjvFigure* figure);

// A free camera that sees the whole model.
void SetFreeCamera(const mjModel* m, mjvCamera* camera);

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_DEFAULTS_H_
