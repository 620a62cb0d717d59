// Rays against flexes, whose vertices are where mjData.flexvert_xpos says.
#ifndef SINEW_COLLISION_RAY_RAY_FLEX_H_
#define SINEW_COLLISION_RAY_RAY_FLEX_H_

#include <mujoco/mujoco.h>

#include "collision/ray/ray_geom.h"

namespace sinew::inline collision {

// The parts of a flex that a ray can hit.
struct FlexParts {
  int layer;  // of a solid: the elements of this layer show their faces
  bool vertices, edges, faces, skin;
};

struct FlexHit {
  RayHit hit;
  int vertex = -1;  // of what was hit, the one nearest to the hit; counted within the flex
};

// Edges are capsules of the flex's radius, vertices spheres (not beside edges), faces triangles without thickness. The
// skin is edges and faces, of a solid those of layer 0.
FlexHit RayFlex(const mjModel* m, const mjData* d, int flex, const FlexParts& parts, const Ray& ray);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_RAY_RAY_FLEX_H_
