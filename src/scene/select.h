// Selection of the object under the mouse.
#ifndef SINEW_SCENE_SELECT_H_
#define SINEW_SCENE_SELECT_H_

#include <mujoco/mujoco.h>

#include "math/vec3.h"

namespace sinew::inline scene {

struct Selection {
  int body = -1, geom = -1, flex = -1, skin = -1;  // -1: none
  Vec3<double> point = {0, 0, 0};                  // world; a vertex of flexes and skins
};

// (x, y) in [0, 1] from the lower left corner of a window of that ratio of width to height.
Selection SelectAt(const mjModel* m, const mjData* d, const mjvOption& option, const mjvScene& scene, double aspect,
                   double x, double y);

}  // namespace sinew::inline scene

#endif  // SINEW_SCENE_SELECT_H_
