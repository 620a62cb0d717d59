// Transforms a ray into the frame of a geom and calls the function of its type.
#include "collision/ray/ray_geom.h"
#include "model/view/view_of.h"

namespace sinew::inline collision {

Ray InFrame(const Ray& ray, const Vec3<double>& p_WF, const Mat3<double>& R_WF) {
  return {MulTransposed(R_WF, ray.point - p_WF), MulTransposed(R_WF, ray.direction), ray.reach};
}

RayHit RayGeom(const mjModel* m, const mjData* d, int geom, const Ray& ray) {
  const Vec3<double>& p_WG = ViewOf(d).geom_xpos(geom);
  const Mat3<double>& R_WG = ViewOf(d).geom_xmat(geom);
  const int type = m->geom_type[geom], asset = m->geom_dataid[geom];
  RayHit hit;
  switch (type) {
    case mjGEOM_MESH:
      hit = RayMesh(m, asset, InFrame(ray, p_WG, R_WG));
      hit.normal = R_WG * hit.normal;
      return hit;
    case mjGEOM_SDF:
      hit = RayField(m, d, geom, InFrame(ray, p_WG, R_WG));
      hit.normal = R_WG * hit.normal;
      return hit;
    case mjGEOM_HFIELD:
      hit = RayHeightField(m, asset, InFrame(ray, p_WG, R_WG));
      hit.normal = R_WG * hit.normal;
      return hit;
    default:
      const RayTarget target = {type, p_WG, R_WG, ViewOf(m).geom_size(geom)};
      hit.x = RayPrimitive(target, ray.point, ray.direction, &hit.normal);
      return hit;
  }
}

}  // namespace sinew::inline collision
