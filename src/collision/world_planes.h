// The planes of a world whose body 0 has nothing else: most bodies are near a few of them. Their spheres are compared
// with four planes at a time, before anything else is computed of a pair.
#ifndef SINEW_COLLISION_WORLD_PLANES_H_
#define SINEW_COLLISION_WORLD_PLANES_H_

#include <mujoco/mujoco.h>

#include "collision/bounds.h"
#include "math/dense.h"
#include "model/bvh.h"
#include "simd/four.h"
#include "simd/functions.h"

namespace sinew {

class WorldPlanes {
 public:
  // Empty where a tree of the world's geoms tells more: of other shapes, of planes whose boxes do not hold everything
  // near, of a single plane, and of too many.
  WorldPlanes(const mjModel* m, const mjData* d) {
    const int root = m->body_bvhadr[0], nodes = root < 0 ? 0 : m->body_bvhnum[0];
    if (nodes < 3 || nodes / 2 + 1 > kMost) return;
    for (int node = root; node < root + nodes; ++node) {
      const bool serves = IsBvhLeaf(m, node) ? m->geom_type[m->bvh_nodeid[node]] == mjGEOM_PLANE
                                             : HoldsAll(m->bvh_aabb + 6 * static_cast<ptrdiff_t>(node));
      if (!serves) return;
    }
    for (int node = root; node < root + nodes; ++node) {
      if (IsBvhLeaf(m, node)) Add(m, d, node);
    }
    Pad();
  }

  bool Any() const { return count_ > 0; }

  // Calls compare(node) for the nodes of the planes that the geom's bounding sphere is near.
  template <class Compare>
  void ForEachNear(const mjModel* m, const mjData* d, int geom, const Compare& compare) const {
    const Four reach = InAllLanes(m->geom_rbound[geom] + GeomMargin(m, geom));
    const double* pos = d->geom_xpos + 3 * geom;
    const Four x = InAllLanes(pos[0]), y = InAllLanes(pos[1]), z = InAllLanes(pos[2]);
    for (int first = 0; first < count_; first += kTogether) {
      const auto load = [&](const double* row) { return LoadFour(row + first); };
      const Four height = load(normal_[0]) * x + load(normal_[1]) * y + load(normal_[2]) * z;
      int near[kTogether];
      const int* end = AppendLanes(LaneBits(height <= load(limit_) + reach), first, near);
      for (const int* i = near; i < end; ++i) compare(node_[*i]);
    }
  }

  // What a visualization shows as active with any body: where every box holds all that is near, all inner nodes.
  void MarkInnerNodes(const mjModel* m, mjData* d) const {
    const int root = m->body_bvhadr[0];
    for (int node = root; node < root + m->body_bvhnum[0]; ++node) {
      if (!IsBvhLeaf(m, node)) d->bvh_active[node] = 1;
    }
  }

 private:
  static constexpr int kTogether = 4, kMost = 32;

  void Add(const mjModel* m, const mjData* d, int node) {
    const int geom = m->bvh_nodeid[node];
    const double* axes = d->geom_xmat + 9 * geom;
    const Vec3<double> normal = {axes[2], axes[5], axes[8]};
    for (int k = 0; k < 3; ++k) normal_[k][count_] = normal[k];
    limit_[count_] = Dot(normal, LoadVec3(d->geom_xpos + 3 * geom)) + GeomMargin(m, geom) + kCoarse;
    node_[count_++] = node;
  }
  void Pad() {
    for (int i = count_; i % kTogether != 0; ++i) {
      for (auto& row : normal_) row[i] = 0;
      limit_[i] = -kInfinity;
    }
  }

  int count_ = 0;
  double normal_[3][kMost], limit_[kMost];  // heights below which something is near
  int node_[kMost];
};

}  // namespace sinew

#endif  // SINEW_COLLISION_WORLD_PLANES_H_
