#include "collision/ray/ray_geom.h"

namespace sinew {

Ray InFrame(const Ray& ray, const double* origin, const double* axes) {
  const Mat3<double> R = LoadMat3(axes);
  return {MulTransposed(R, ray.point - LoadVec3(origin)), MulTransposed(R, ray.direction), ray.reach};
}

RayHit RayGeom(const mjModel* m, const mjData* d, int geom, const Ray& ray) {
  const double *pos = d->geom_xpos + 3 * static_cast<ptrdiff_t>(geom),
               *mat = d->geom_xmat + 9 * static_cast<ptrdiff_t>(geom);
  const int type = m->geom_type[geom], asset = m->geom_dataid[geom];
  RayHit hit;
  switch (type) {
    case mjGEOM_MESH:
      hit = RayMesh(m, asset, InFrame(ray, pos, mat));
      hit.normal = LoadMat3(mat) * hit.normal;
      return hit;
    case mjGEOM_SDF:
      hit = RayField(m, d, geom, InFrame(ray, pos, mat));
      hit.normal = LoadMat3(mat) * hit.normal;
      return hit;
    case mjGEOM_HFIELD:
      hit = RayHeightField(m, asset, InFrame(ray, pos, mat));
      hit.normal = LoadMat3(mat) * hit.normal;
      return hit;
    default:
      const RayTarget target = {type, LoadVec3(pos), LoadMat3(mat),
                                LoadVec3(m->geom_size + 3 * static_cast<ptrdiff_t>(geom))};
      hit.x = RayPrimitive(target, ray.point, ray.direction, &hit.normal);
      return hit;
  }
}

}  // namespace sinew
