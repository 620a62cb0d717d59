// The planes of a world: most bodies are near a few of them, and compared with four at a time.
#ifndef SINEW_COLLISION_BROAD_WORLD_PLANES_H_
#define SINEW_COLLISION_BROAD_WORLD_PLANES_H_

#include <mujoco/mujoco.h>

#include <bit>
#include <cstdint>
#include <span>

#include "collision/broad/bounds.h"
#include "math/dense.h"
#include "math/sort.h"
#include "model/bvh.h"
#include "simd/four.h"
#include "simd/functions.h"

namespace sinew {

class WorldPlanes {
 public:
  // Empty where a tree of the world's geoms tells more: whose inner nodes do not all hold everything near, as planes
  // do, of a single geom, and of too many.
  WorldPlanes(const mjModel* m, const mjData* d) {
    const int root = m->body_bvhadr[0], nodes = root < 0 ? 0 : m->body_bvhnum[0];
    if (nodes < 3 || nodes / 2 + 1 > kMost) return;
    for (int node = root; node < root + nodes; ++node) {
      if (!IsBvhLeaf(m, node) && !HoldsAll(m->bvh_aabb + 6 * static_cast<ptrdiff_t>(node))) return;
    }
    int leaves[kMost];
    for (int node = root; node < root + nodes; ++node) {
      if (!IsBvhLeaf(m, node)) continue;
      const bool is_plane = m->geom_type[m->bvh_nodeid[node]] == mjGEOM_PLANE;
      is_plane ? leaves[count_++] = node : others_[nother_++] = node;
    }
    InsertionSort(leaves, count_, [m](int a, int b) { return m->bvh_nodeid[a] < m->bvh_nodeid[b]; });
    for (int i = 0; i < count_; ++i) Set(m, d, i, leaves[i]);
    Pad();
  }

  bool Any() const { return count_ > 0; }
  // The leaves of the tree that are no planes.
  std::span<const int> Others() const { return {others_, static_cast<size_t>(nother_)}; }

  // Calls add(node) for the nodes of the planes, by their geoms' numbers, that a geom's bounding sphere and box are
  // near.
  template <class Add>
  void ForEachNear(const mjModel* m, const mjData* d, int geom, const Add& add) const {
    const Vec3<double> centre = LoadVec3(d->geom_xpos + 3 * geom);
    const Vec3<Four> pos = {InAllLanes(centre.x), InAllLanes(centre.y), InAllLanes(centre.z)};
    const double share = GeomMargin(m, geom);
    const Four lanes_share = InAllLanes(share), radius = InAllLanes(m->geom_rbound[geom]);
    uint32_t near = 0;  // bits of the planes
    for (int first = 0; first < count_; first += kTogether) {
      const auto load = [first](const double(&row)[3][kMost]) {
        return Vec3<Four>{LoadFour(row[0] + first), LoadFour(row[1] + first), LoadFour(row[2] + first)};
      };
      const Four margin = LoadFour(margin_ + first) + lanes_share;
      near |= LaneBits(IsNearPlane(load(pos_), load(normal_), pos, margin + radius)) << first;
    }
    for (; near; near &= near - 1) {
      const int i = std::countr_zero(near);
      const auto at = [i](const double(&row)[3][kMost]) { return Vec3<double>{row[0][i], row[1][i], row[2][i]}; };
      if (ReachesBelow(at(pos_), at(normal_), PlaceGeomBox(m, d, geom), margin_[i] + share)) add(node_[i]);
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
  static constexpr int kTogether = 4, kMost = 32;  // bits

  void Set(const mjModel* m, const mjData* d, int i, int node) {
    const int geom = m->bvh_nodeid[node];
    const Vec3<double> normal = PlaneNormal(d, geom);
    for (int k = 0; k < 3; ++k) {
      pos_[k][i] = d->geom_xpos[3 * geom + k];
      normal_[k][i] = normal[k];
    }
    margin_[i] = GeomMargin(m, geom);
    node_[i] = node;
  }
  void Pad() {
    for (int i = count_; i % kTogether != 0; ++i) {
      for (int k = 0; k < 3; ++k) pos_[k][i] = normal_[k][i] = 0;
      margin_[i] = -kInfinity;
    }
  }

  int count_ = 0, nother_ = 0;
  double pos_[3][kMost], normal_[3][kMost], margin_[kMost];
  int node_[kMost], others_[kMost];
};

}  // namespace sinew

#endif  // SINEW_COLLISION_BROAD_WORLD_PLANES_H_
