#include "batch/plan/own_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "compile/geometry/box_tree.h"
#include "compile/tree/pose.h"
#include "compile/tree/shape.h"

namespace sinew::inline batch {
namespace {

// ---- bounds that follow sizes

Box LoadBox(const mjtNum* numbers) { return {LoadVec3(numbers), LoadVec3(numbers + 3)}; }
void StoreBox(const Box& box, mjtNum* numbers) {
  StoreVec3(box.center, numbers);
  StoreVec3(box.half, numbers + 3);
}

Shape ShapeOfGeom(const mjModel& m, int geom) {
  return {static_cast<mjtGeom>(m.geom_type[geom]), LoadVec3(m.geom_size + 3 * geom)};
}

// The box of a geom in the inertial frame of its body.
Box BoxInBody(const mjModel& m, int geom) {
  const int body = m.geom_bodyid[geom];
  const Pose inertial = {LoadVec3(m.body_ipos + 3 * body), LoadQuat(m.body_iquat + 4 * body)};
  const Pose pose = {LoadVec3(m.geom_pos + 3 * geom), LoadQuat(m.geom_quat + 4 * geom)};
  return BoxAround(Inverse(inertial) * pose, LoadBox(m.geom_aabb + 6 * geom));
}

// The boxes of a body's tree, in which children come after their parents.
void DeriveTree(mjModel* m, int body) {
  const int first = m->body_bvhadr[body];
  for (int node = first + m->body_bvhnum[body] - 1; node >= first; --node) {
    const int* child = m->bvh_child + 2 * node;
    if (child[0] < 0) {
      StoreBox(BoxInBody(*m, m->bvh_nodeid[node]), m->bvh_aabb + 6 * node);
      continue;
    }
    const Box a = LoadBox(m->bvh_aabb + 6 * (first + child[0])), b = LoadBox(m->bvh_aabb + 6 * (first + child[1]));
    const std::array ends = {a.center - a.half, a.center + a.half, b.center - b.half, b.center + b.half};
    StoreBox(BoxAround(ends), m->bvh_aabb + 6 * node);
  }
}

// The margin of a body is the largest one of its geoms.
void DeriveMargins(const mjModel& shared, mjModel* own) {
  std::copy_n(shared.body_margin, own->nbody, own->body_margin);
  if (std::equal(own->geom_margin, own->geom_margin + own->ngeom, shared.geom_margin)) return;
  for (int body = 0; body < own->nbody; ++body) {
    const mjtNum* first = own->geom_margin + own->body_geomadr[body];
    const int count = own->body_geomnum[body];
    if (count > 0) own->body_margin[body] = *std::max_element(first, first + count);
  }
}

// ---- bounds that are given

// Whether sphere and box of a geom in a model hold its shape. Rounding may differ between programs that compute them.
bool BoundsHoldGeom(const mjModel& m, int geom) {
  constexpr mjtNum kSlack = 1e-12;
  const Shape shape = ShapeOfGeom(m, geom);
  const double radius = BoundingRadius(shape);
  if (radius == 0 || radius > m.geom_rbound[geom] * (1 + kSlack)) return false;
  const Box box = LoadBox(m.geom_aabb + 6 * geom), needed = BoundingBox(shape);
  for (int k = 0; k < 3; ++k) {
    if (std::abs(box.center[k]) + needed.half[k] > box.half[k] * (1 + kSlack)) return false;
  }
  return true;
}

// Whether the box of a geom in one model lies within that in another.
bool IsBoxWithin(const mjModel& inner, const mjModel& outer, int geom) {
  const mjtNum *in = inner.geom_aabb + 6 * geom, *out = outer.geom_aabb + 6 * geom;
  for (int k = 0; k < 3; ++k) {
    if (in[k] - in[3 + k] < out[k] - out[3 + k] || in[k] + in[3 + k] > out[k] + out[3 + k]) return false;
  }
  return true;
}

}  // namespace

void DeriveBounds(const mjModel& shared, mjModel* own) {
  DeriveMargins(shared, own);
  std::copy_n(shared.geom_rbound, own->ngeom, own->geom_rbound);
  std::copy_n(shared.geom_aabb, 6 * own->ngeom, own->geom_aabb);
  std::copy_n(shared.bvh_aabb, 6 * own->nbvhstatic, own->bvh_aabb);
  for (int body = 0; body < own->nbody; ++body) {
    bool differs = false;
    for (int geom = own->body_geomadr[body]; geom < own->body_geomadr[body] + own->body_geomnum[body]; ++geom) {
      const mjtNum* size = own->geom_size + 3 * geom;
      const Shape shape = ShapeOfGeom(*own, geom);
      if (std::equal(size, size + 3, shared.geom_size + 3 * geom) || BoundingRadius(shape) == 0) continue;
      own->geom_rbound[geom] = BoundingRadius(shape);
      StoreBox(BoundingBox(shape), own->geom_aabb + 6 * geom);
      differs = true;
    }
    if (differs) DeriveTree(own, body);
  }
}

bool DoBoundsHold(const mjModel& m, const mjModel& own) {
  const bool has_own_trees = !std::equal(m.bvh_aabb, m.bvh_aabb + 6 * m.nbvhstatic, own.bvh_aabb);
  for (int geom = 0; geom < m.ngeom; ++geom) {
    const auto differs = [geom](const mjtNum* a, const mjtNum* b, int count) {
      return !std::equal(a + count * geom, a + count * (geom + 1), b + count * geom);
    };
    if (own.geom_margin[geom] > own.body_margin[own.geom_bodyid[geom]]) return false;
    if (m.geom_type[geom] == mjGEOM_PLANE) continue;
    if (!differs(m.geom_size, own.geom_size, 3) && !differs(m.geom_rbound, own.geom_rbound, 1) &&
        !differs(m.geom_aabb, own.geom_aabb, 6)) {
      continue;
    }
    if (!BoundsHoldGeom(own, geom) || !(has_own_trees || IsBoxWithin(own, m, geom))) return false;
  }
  return true;
}

}  // namespace sinew::inline batch
