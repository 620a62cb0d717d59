#include "batch/plan/own_bounds.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "batch/plan/geom_extent.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/vec3.h"

namespace sinew::inline batch {
namespace {

// A box by its centre and half its edges, as mjModel has it.
struct Box {
  Vec3<double> center, half;

  static Box Load(const mjtNum* numbers) { return {LoadVec3(numbers), LoadVec3(numbers + 3)}; }
  void Store(mjtNum* numbers) const {
    StoreVec3(center, numbers);
    StoreVec3(half, numbers + 3);
  }
};

// The smallest box around two.
Box Around(const Box& a, const Box& b) {
  Box box;
  for (int k = 0; k < 3; ++k) {
    const double low = std::min(a.center[k] - a.half[k], b.center[k] - b.half[k]);
    const double high = std::max(a.center[k] + a.half[k], b.center[k] + b.half[k]);
    box.center[k] = 0.5 * (low + high);
    box.half[k] = 0.5 * (high - low);
  }
  return box;
}

// The box of a geom in the inertial frame of its body: around the corners of its own box.
Box InBody(const mjModel& m, int geom) {
  const int body = m.geom_bodyid[geom];
  const Quat<double> turn = Conjugate(LoadQuat(m.body_iquat + 4 * body));
  const Vec3<double> offset = LoadVec3(m.geom_pos + 3 * geom) - LoadVec3(m.body_ipos + 3 * body);
  const Mat3<double> R = ToMat3(turn * LoadQuat(m.geom_quat + 4 * geom));
  const Box own = Box::Load(m.geom_aabb + 6 * geom);
  Box box = {Rotate(turn, offset) + R * own.center, {0, 0, 0}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) box.half[i] += std::fabs(R(i, j)) * own.half[j];
  }
  return box;
}

// Children stand behind their parents.
void DeriveTree(mjModel* m, int body) {
  const int first = m->body_bvhadr[body];
  for (int node = first + m->body_bvhnum[body] - 1; node >= first; --node) {
    const int* child = m->bvh_child + 2 * node;
    const auto box_of = [&](int of_tree) { return Box::Load(m->bvh_aabb + 6 * (first + of_tree)); };
    const bool is_leaf = m->bvh_nodeid[node] >= 0;
    const Box box = is_leaf ? InBody(*m, m->bvh_nodeid[node]) : Around(box_of(child[0]), box_of(child[1]));
    box.Store(m->bvh_aabb + 6 * node);
  }
}

}  // namespace

void DeriveBounds(const mjModel& shared, mjModel* own) {
  for (int body = 0; body < own->nbody; ++body) {
    bool differs = false;
    for (int geom = own->body_geomadr[body]; geom < own->body_geomadr[body] + own->body_geomnum[body]; ++geom) {
      const mjtNum* size = own->geom_size + 3 * geom;
      const std::optional<GeomExtent> extent = ExtentOf(own->geom_type[geom], size);
      if (!extent || std::equal(size, size + 3, shared.geom_size + 3 * geom)) continue;
      own->geom_rbound[geom] = extent->radius;
      std::copy_n(extent->half, 3, own->geom_aabb + 6 * geom + 3);
      differs = true;
    }
    if (differs) DeriveTree(own, body);
  }
}

}  // namespace sinew::inline batch
