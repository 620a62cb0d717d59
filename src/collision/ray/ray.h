// Rays against the geoms of a world (docs/how/rays.md).
#ifndef SINEW_COLLISION_RAY_RAY_H_
#define SINEW_COLLISION_RAY_RAY_H_

#include <mujoco/mujoco.h>

#include "collision/ray/ray_geom.h"

namespace sinew::inline collision {

// Which geoms a ray sees. Invisible ones (alpha 0, of the material if there is one) it never does.
struct RayFilter {
  const mjtByte* groups = nullptr;  // mjNGROUP flags, null for all
  bool sees_static = true;          // bodies that are welded to the world
  int excluded_body = -1;
  double cutoff = kInfinity;  // geoms whose bounding spheres are farther from the ray's point are left out
};

struct WorldHit {
  RayHit hit;
  int geom = -1;
};

// The nearest geom; of equally near ones that with the lowest id. The direction must not vanish.
WorldHit RayWorld(const mjModel* m, const mjData* d, const RayFilter& filter, const Ray& ray);

// The same for many rays from one point; directions 3 numbers each. A vanishing direction hits nothing.
void RayWorldMany(const mjModel* m, mjData* d, const RayFilter& filter, const Vec3<double>& point,
                  const double* directions, int count, WorldHit* hits);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_RAY_RAY_H_
