// Rays against shapes that belong to no model. The pose of the shape and the ray are in the same frame.
#include <mujoco/mujoco.h>

#include "capi/arguments.h"
#include "collision/ray/ray_primitive.h"
#include "collision/ray/ray_triangle.h"
#include "math/mat3.h"
#include "math/vec3.h"

using sinew::LoadVec3;

// Only primitives have a formula: planes, and spheres to boxes in the order of mjtGeom.
mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3], const mjtNum pnt[3],
                   const mjtNum vec[3], int geomtype, mjtNum normal[3]) {
  SINEW_CHECK(mju_rayGeom);
  const bool primitive = geomtype == mjGEOM_PLANE || (geomtype >= mjGEOM_SPHERE && geomtype <= mjGEOM_BOX);
  if (!primitive) {
    if (normal) mju_zero3(normal);
    mju_error("mju_rayGeom: unexpected geom type %d", geomtype);
    return -1;
  }
  const sinew::RayTarget target = {geomtype, LoadVec3(pos), sinew::LoadMat3(mat), LoadVec3(size)};
  sinew::Vec3<double> n;
  const double x = sinew::RayPrimitive(target, LoadVec3(pnt), LoadVec3(vec), &n);
  if (normal) StoreVec3(n, normal);
  return x;
}

// Vertices are single precision as in a scene's skins, three indices each face.
mjtNum mju_raySkin(int nface, int nvert, const int* face, const float* vert, const mjtNum pnt[3], const mjtNum vec[3],
                   int vertid[1]) {
  SINEW_CHECK(mju_raySkin);
  for (ptrdiff_t i = 0; i < 3 * static_cast<ptrdiff_t>(nface); ++i) {
    if (face[i] < 0 || face[i] >= nvert) {
      mju_error("mju_raySkin: face[%lld] is %d, must be a vertex from 0 to %d", static_cast<long long>(i), face[i],
                nvert - 1);
      return -1;
    }
  }
  return sinew::RaySurface({nface, face, vert}, LoadVec3(pnt), LoadVec3(vec), vertid);
}
