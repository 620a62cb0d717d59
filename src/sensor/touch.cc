// Touch sensors, and the volume of a site.
#include <cmath>

#include "collision/ray_primitive.h"
#include "constraint/contact_force.h"
#include "sensor/evaluate.h"

namespace sinew {
namespace {

RayTarget SiteVolume(const mjModel* m, const mjData* d, int site) {
  const ptrdiff_t s = site;
  return {m->site_type[site], LoadVec3(d->site_xpos + 3 * s), LoadMat3(d->site_xmat + 9 * s),
          LoadVec3(m->site_size + 3 * s)};
}

bool IsInside(const RayTarget& volume, const Vec3<double>& point) {
  const Vec3<double> p = MulTransposed(volume.rotation, point - volume.position), s = volume.size;
  const double radial = p.x * p.x + p.y * p.y;
  switch (volume.type) {
    case mjGEOM_PLANE:
      return p.z < 0;
    case mjGEOM_SPHERE:
      return Dot(p, p) < s.x * s.x;
    case mjGEOM_CAPSULE: {
      const double beyond = Max(0.0, std::fabs(p.z) - s.y);
      return radial + beyond * beyond < s.x * s.x;
    }
    case mjGEOM_ELLIPSOID: {
      const Vec3<double> q = {p.x / s.x, p.y / s.y, p.z / s.z};
      return Dot(q, q) < 1;
    }
    case mjGEOM_CYLINDER:
      return radial < s.x * s.x && std::fabs(p.z) < s.y;
    case mjGEOM_BOX:
      return std::fabs(p.x) < s.x && std::fabs(p.y) < s.y && std::fabs(p.z) < s.z;
    default:
      return false;
  }
}

int BodyOf(const mjModel* m, int geom) { return geom < 0 ? -1 : m->geom_bodyid[geom]; }

}  // namespace

bool IsInsideSite(const mjModel* m, const mjData* d, int site, const double point[3]) {
  return IsInside(SiteVolume(m, d, site), LoadVec3(point));
}

double EvaluateTouch(const mjModel* m, mjData* d, int site) {
  const RayTarget volume = SiteVolume(m, d, site);
  const int body = m->site_bodyid[site];
  double sum = 0;
  for (int i = 0; i < d->ncon; ++i) {
    // active contacts of the site's own body that push
    const mjContact& contact = d->contact[i];
    const bool first = BodyOf(m, contact.geom[0]) == body, second = BodyOf(m, contact.geom[1]) == body;
    if (contact.efc_address < 0 || !(first || second)) continue;
    double force[6];
    ContactForce(m, d, i, force);
    if (force[0] <= 0) continue;

    // the line of action points into the body
    const Vec3<double> normal = LoadVec3(contact.frame), direction = second ? -normal : normal;
    const Vec3<double> point = LoadVec3(contact.pos);
    if (RayPrimitive(volume, point, direction) >= 0) sum += force[0];
  }
  return sum;
}

}  // namespace sinew
