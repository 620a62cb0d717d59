// Rays are tested against all geoms of a world: body by body, by a bounding sphere, then the tree of boxes over its
// geoms, then each geom. The ray is shortened with every hit, so that later tests fail early.
#include "collision/ray/ray.h"

#include <algorithm>
#include <cmath>

#include "collision/ray/ray_tree.h"
#include "core/stack.h"
#include "math/rows.h"
#include "model/view/view_of.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

constexpr int kFewGeoms = 2;  // of a body: up to there, no tree is worth its while

struct Sphere {
  Vec centre;  // relative to the ray's point
  double radius;
};

// Whether the ray meets the sphere at an x of at most `reach`.
bool MeetsSphere(const Vec& direction, double reach, const Sphere& sphere) {
  const double speed2 = Dot(direction, direction), along = Dot(sphere.centre, direction) / speed2;
  const Vec nearest = sphere.centre - direction * along;
  const double rest = sphere.radius * sphere.radius - Dot(nearest, nearest);
  if (rest < 0) return false;
  const double half = std::sqrt(rest / speed2);
  return along + half >= 0 && along - half <= reach;
}

// The rays from one point.
class RaySource {
 public:
  RaySource(const mjModel* m, const mjData* d, const RayFilter& filter, const Vec& point)
      : m_(m), d_(d), filter_(filter), point_(point) {}

  bool SeesBody(int body) const {
    return m_->body_geomnum[body] > 0 && body != filter_.excluded_body &&
           (filter_.sees_static || m_->body_weldid[body] != 0);
  }
  bool SeesAnyGeom(int body) const {
    const int first = m_->body_geomadr[body];
    for (int geom = first; geom < first + m_->body_geomnum[body]; ++geom) {
      if (SeesGeom(geom)) return true;
    }
    return false;
  }

  // A sphere that contains all geoms of a body.
  Sphere BodySphere(int body) const;

  void TryBody(int body, Ray& ray, WorldHit& best) const;

 private:
  // Trees are made for collision: geoms that never collide are not in them. A binary tree of n leaves has 2 n - 1
  // nodes.
  bool TreeHoldsAll(int body) const { return m_->body_bvhnum[body] == 2 * m_->body_geomnum[body] - 1; }

  bool SeesGeom(int geom) const;
  bool IsWithinCutoff(int geom) const;
  void TryGeom(int geom, Ray& ray, WorldHit& best) const;

  const mjModel* m_;
  const mjData* d_;
  const RayFilter& filter_;
  Vec point_;
};

// Invisible geoms and groups that the caller excludes are skipped.
bool RaySource::SeesGeom(int geom) const {
  const int material = m_->geom_matid[geom];
  const float alpha = material >= 0 ? m_->mat_rgba[4 * material + 3] : m_->geom_rgba[4 * geom + 3];
  if (alpha == 0) return false;
  if (filter_.groups && !filter_.groups[std::clamp(m_->geom_group[geom], 0, mjNGROUP - 1)]) return false;
  return filter_.cutoff == kInfinity || IsWithinCutoff(geom);
}

// A plane has no bounding sphere: the distance from it counts.
bool RaySource::IsWithinCutoff(int geom) const {
  const Vec offset = point_ - ViewOf(d_).geom_xpos(geom);
  if (m_->geom_type[geom] == mjGEOM_PLANE) {
    return std::fabs(Dot(offset, ViewOf(d_).geom_xmat(geom).Column(2))) <= filter_.cutoff;
  }
  return Norm(offset) <= filter_.cutoff + m_->geom_rbound[geom];
}

Sphere RaySource::BodySphere(int body) const {
  const int root = m_->body_bvhadr[body];
  if (!TreeHoldsAll(body)) return {Zero3<double>(), kInfinity};
  const double* box = ViewOf(m_).bvh_aabb(root);
  const Vec centre = ViewOf(d_).xipos(body) + ViewOf(d_).ximat(body) * LoadVec3(box);
  return {centre - point_, Norm(LoadVec3(box + 3))};
}

void RaySource::TryGeom(int geom, Ray& ray, WorldHit& best) const {
  if (!SeesGeom(geom)) return;
  const double radius = m_->geom_rbound[geom];
  if (radius > 0) {
    const Sphere sphere = {ViewOf(d_).geom_xpos(geom) - point_, radius};
    if (!MeetsSphere(ray.direction, ray.reach, sphere)) return;
  }
  const RayHit hit = RayGeom(m_, d_, geom, ray);
  if (!hit || hit.x > ray.reach || (hit.x == ray.reach && best.geom >= 0 && geom > best.geom)) return;
  best = {hit, geom};
  ray.reach = hit.x;
}

void RaySource::TryBody(int body, Ray& ray, WorldHit& best) const {
  const int first = m_->body_geomadr[body], count = m_->body_geomnum[body], root = m_->body_bvhadr[body];
  if (count <= kFewGeoms || !TreeHoldsAll(body)) {
    for (int geom = first; geom < first + count; ++geom) TryGeom(geom, ray, best);
    return;
  }
  const RayTree tree(m_, root, InFrame(ray, ViewOf(d_).xipos(body), ViewOf(d_).ximat(body)));
  tree.Visit(ray.reach, [&](int geom) { TryGeom(geom, ray, best); });
}

}  // namespace

WorldHit RayWorld(const mjModel* m, const mjData* d, const RayFilter& filter, const Ray& ray) {
  const RaySource source(m, d, filter, ray.point);
  Ray rest = ray;  // as far as the nearest hit
  WorldHit best;
  for (int body = 0; body < m->nbody; ++body) {
    if (source.SeesBody(body)) source.TryBody(body, rest, best);
  }
  return best;
}

// Spheres of bodies are computed once for all rays.
void RayWorldMany(const mjModel* m, mjData* d, const RayFilter& filter, const Vec3<double>& point,
                  const double* directions, int count, WorldHit* hits) {
  // bodies that any ray may see, and where they are
  const RaySource source(m, d, filter, point);
  StackFrame frame(d);
  int* bodies = frame.Ints(m->nbody);
  Sphere* spheres = frame.Alloc<Sphere>(m->nbody);
  int seen = 0;
  for (int body = 0; body < m->nbody; ++body) {
    if (!source.SeesBody(body) || !source.SeesAnyGeom(body)) continue;
    bodies[seen] = body;
    spheres[seen++] = source.BodySphere(body);
  }

  for (int i = 0; i < count; ++i) {
    const Vec direction = LoadVec3(Row3(directions, i));
    hits[i] = {};
    if (Dot(direction, direction) < kMinVal) continue;
    Ray ray = {point, direction};
    for (int b = 0; b < seen; ++b) {
      if (MeetsSphere(direction, ray.reach, spheres[b])) source.TryBody(bodies[b], ray, hits[i]);
    }
  }
}

}  // namespace sinew::inline collision
