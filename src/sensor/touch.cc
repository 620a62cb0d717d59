// Touch sensors, and the volume of a site. A touch sensor sums the normal forces (N) of contacts that act into its
// site: the line of action of a contact must meet the volume.
#include <algorithm>
#include <cmath>

#include "collision/ray/ray_primitive.h"
#include "constraint/contact_force.h"
#include "core/stack.h"
#include "model/kinds/contact_exclude.h"
#include "model/view/view_of.h"
#include "sensor/evaluate.h"

namespace sinew::inline sensor {
namespace {

// The volume has the site's shape, pose and sizes, in the world's frame.
RayTarget SiteVolume(const mjModel* m, const mjData* d, int site) {
  return {m->site_type[site], ViewOf(d).site_xpos(site), ViewOf(d).site_xmat(site), ViewOf(m).site_size(site)};
}

// Comparisons are strict: a point on the surface is outside. The point is first taken into the frame of the site.
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

// Flexes have no body; -1 matches none.
int BodyOf(const mjModel* m, int geom) { return geom < 0 ? -1 : m->geom_bodyid[geom]; }

// Normal component of the force of a contact, N.
double NormalForce(const mjModel* m, const mjData* d, int contact) {
  double force[6];
  ContactForce(m, d, contact, force);
  return force[0];
}

// Whether a contact's line of action, which points into the body that is touched, meets a volume.
bool Meets(const RayTarget& volume, const mjContact& contact, bool second_is_touched) {
  const Vec3<double> normal = LoadVec3(contact.frame);
  return RayPrimitive(volume, LoadVec3(contact.pos), second_is_touched ? -normal : normal) >= 0;
}

// Touch sensors by the body that their site is on, as lists.
class SensorsOfBodies {
 public:
  SensorsOfBodies(const mjModel* m, const mjData* d, StackFrame& frame)
      : first_(frame.Ints(m->nbody)), next_(frame.Ints(m->nsensor)) {
    std::fill_n(first_, m->nbody, -1);
    for (int i = 0; i < m->nsensor; ++i) {
      if (!IsPlainTouch(m, d, i)) continue;
      int& first = first_[m->site_bodyid[m->sensor_objid[i]]];
      next_[i] = first;
      first = i;
    }
  }
  int First(int body) const { return body < 0 ? -1 : first_[body]; }
  int Next(int sensor) const { return next_[sensor]; }

 private:
  int *first_, *next_;
};

}  // namespace

bool IsInsideSite(const mjModel* m, const mjData* d, int site, const double point[3]) {
  return IsInside(SiteVolume(m, d, site), LoadVec3(point));
}

// Contacts of the site's own body that push, and whose line of action meets the volume, count.
double TouchForce(const mjModel* m, const mjData* d, int site, int id) {
  const mjContact& contact = d->contact[id];
  const int body = m->site_bodyid[site];
  const bool first = BodyOf(m, contact.geom[0]) == body, second = BodyOf(m, contact.geom[1]) == body;
  if (!contact_exclude::Pushes(contact) || !(first || second)) return 0;
  const double force = NormalForce(m, d, id);
  return force > 0 && Meets(SiteVolume(m, d, site), contact, second) ? force : 0;
}

// Evaluates one sensor, for those with a history.
double EvaluateTouch(const mjModel* m, mjData* d, int site) {
  double sum = 0;
  for (int i = 0; i < d->ncon; ++i) sum += TouchForce(m, d, site, i);
  return sum;
}

// The same for all others, contact by contact.
void EvaluateTouches(const mjModel* m, mjData* d, const PushingContacts& pushing) {
  StackFrame frame(d);
  const SensorsOfBodies sensors(m, d, frame);
  for (int i = 0; i < m->nsensor; ++i) {
    if (IsPlainTouch(m, d, i)) d->sensordata[m->sensor_adr[i]] = 0;
  }
  for (int i = 0; i < pushing.count; ++i) {
    const mjContact& contact = pushing.contact[i];
    const int body[] = {BodyOf(m, contact.geom[0]), BodyOf(m, contact.geom[1])};
    if (sensors.First(body[0]) < 0 && sensors.First(body[1]) < 0) continue;
    if (!pushing.normal_force && !contact_exclude::Pushes(contact)) continue;
    const double force = pushing.normal_force ? pushing.normal_force[i] : NormalForce(m, d, i);
    if (force <= 0) continue;
    for (int side = body[0] == body[1] ? 1 : 0; side < 2; ++side) {
      for (int sensor = sensors.First(body[side]); sensor >= 0; sensor = sensors.Next(sensor)) {
        const RayTarget volume = SiteVolume(m, d, m->sensor_objid[sensor]);
        if (Meets(volume, contact, side == 1)) d->sensordata[m->sensor_adr[sensor]] += force;
      }
    }
  }
}

}  // namespace sinew::inline sensor
