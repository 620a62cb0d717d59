// Rays against one geom of a model.
//
// A ray is point + x direction, x >= 0; distances are in units of |direction|. From inside, the exit is hit. Surfaces
// of triangles are hit from both sides; their normal is that of the order of the vertices.
#ifndef SINEW_COLLISION_RAY_RAY_GEOM_H_
#define SINEW_COLLISION_RAY_RAY_GEOM_H_

#include <mujoco/mujoco.h>

#include "collision/ray/ray_primitive.h"
#include "simd/functions.h"

namespace sinew::inline collision {

struct Ray {
  Vec3<double> point, direction;
  double reach = kInfinity;  // hits beyond this x are of no interest; they may be reported or not
};

struct RayHit {
  double x = -1;  // negative: no hit
  Vec3<double> normal = {0, 0, 0};

  explicit operator bool() const { return x >= 0; }
};

// A ray that is given in the world W, in a frame F: x does not change.
Ray InFrame(const Ray& ray, const Vec3<double>& p_WF, const Mat3<double>& R_WF);

// The first point of a geom of any type that the ray meets; the normal in the world frame.
RayHit RayGeom(const mjModel* m, const mjData* d, int geom, const Ray& ray);

// Rays in the geom's frame against its triangles, a hierarchy of boxes over them (docs/how/rays.md); normals too.
RayHit RayMesh(const mjModel* m, int mesh, const Ray& ray);

// A height field is its base, a box of which all six faces count, and on it the surface with four vertical sides.
RayHit RayHeightField(const mjModel* m, int field, const Ray& ray);

// A signed distance field, within the box of the geom's half sizes; none where its field is not known.
RayHit RayField(const mjModel* m, const mjData* d, int geom, const Ray& ray);

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_RAY_RAY_GEOM_H_
