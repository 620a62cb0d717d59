// The planes of the world, as the ground and the walls of a bowl: the heights of a sphere over four of them are
// compared at once, which saves 8 % of the time of a pile of capsules in a bowl.
#ifndef SINEW_COLLISION_BROAD_WORLD_PLANES_H_
#define SINEW_COLLISION_BROAD_WORLD_PLANES_H_

#include <mujoco/mujoco.h>

#include <bit>

#include "collision/broad/bounds.h"
#include "collision/stack_list.h"
#include "math/dense.h"
#include "simd/four.h"
#include "simd/functions.h"

namespace sinew::inline collision {

class WorldPlanes {
 public:
  // The frame must outlive the object.
  explicit WorldPlanes(StackFrame& frame) : blocks_(frame) {}

  // Appends a plane, and the leaf that holds it.
  void Add(const mjModel* m, mjData* d, int geom, int leaf) {
    const DataView<double> data(d);
    const int lane = count_++ % kLanes;
    if (lane == 0) blocks_.Add(PlaneBlock());
    PlaneBlock& block = blocks_[blocks_.size() - 1];
    const Vec3<double> origin = data.geom_xpos(geom), normal = data.geom_xmat(geom).Column(2);
    for (int k = 0; k < 3; ++k) {
      block.origin[k][lane] = origin[k];
      block.normal[k][lane] = normal[k];
    }
    block.margin[lane] = GeomMargin(m, geom);
    block.leaf[lane] = leaf;
  }

  // Calls visit(leaf) for the planes that a geom's bounding sphere is near (SpheresOverlap).
  template <class Visit>
  void ForEachNear(const mjModel* m, mjData* d, int geom, const Visit& visit) {
    const Vec3<double>& pos = DataView<double>(d).geom_xpos(geom);
    const Vec3<Four> centre = {InAllLanes(pos.x), InAllLanes(pos.y), InAllLanes(pos.z)};
    const Four margin = InAllLanes(GeomMargin(m, geom)), radius = InAllLanes(m->geom_rbound[geom]);
    for (const PlaneBlock& block : blocks_) {
      const Four height = Dot(centre - Load(block.origin), Load(block.normal));
      for (unsigned near = LaneBits(height <= LoadFour(block.margin) + margin + radius); near; near &= near - 1) {
        visit(block.leaf[std::countr_zero(near)]);
      }
    }
  }

 private:
  static constexpr int kLanes = 4;
  struct PlaneBlock {
    double origin[3][kLanes] = {}, normal[3][kLanes] = {};
    double margin[kLanes] = {-kInfinity, -kInfinity, -kInfinity, -kInfinity};  // nothing is near an empty lane
    int leaf[kLanes] = {};
  };
  static Vec3<Four> Load(const double (&rows)[3][kLanes]) {
    return {LoadFour(rows[0]), LoadFour(rows[1]), LoadFour(rows[2])};
  }

  StackList<PlaneBlock> blocks_;
  int count_ = 0;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_BROAD_WORLD_PLANES_H_
