// The support of a hull: its vertex that is farthest in a direction, by the lists of its table.
#ifndef SINEW_COLLISION_CONVEX_HULL_SUPPORT_H_
#define SINEW_COLLISION_CONVEX_HULL_SUPPORT_H_

#include "collision/convex/hull.h"
#include "collision/convex/hull_tables.h"

namespace sinew::inline collision {

// A vertex of a hull, in the mesh frame, its number, and whether the lists have it.
struct HullVertex {
  Vec3<double> point;
  int id;
  bool is_listed;
};

// A hull with the lists that the model keeps for it.
class HullWithLists {
 public:
  HullWithLists() = default;
  HullWithLists(const mjModel* m, int mesh) : hull_(m, mesh), lists_(HullListsOf(*m, mesh)) {}

  const Hull& hull() const { return hull_; }
  // All vertices in blocks of neighbours, where a support is listed.
  BlocksInBalls blocks() const { return lists_->whole->all(); }

  // The vertex with the largest projection on `u`, in the mesh frame; of equal ones as Hull::SearchAll. A program may
  // have moved the vertices since the table was made: what is found there and is no vertex now does not count.
  HullVertex FindSupport(const Vec3<double>& u) const {
    if (lists_) {
      const int cell = lists_->cells > 0 ? HullCells<double>(lists_->cells, u).Of(0) : 0;
      const PointBlock* block;
      const int k = FarthestInList(*lists_, cell, u, block).place;
      const float* p = hull_.Coordinates(block->name[k]);
      if (p[0] == block->x[k] && p[1] == block->y[k] && p[2] == block->z[k]) {
        return {{block->x[k], block->y[k], block->z[k]}, block->name[k], true};
      }
    }
    const int vertex = hull_.SearchAll(u);
    return {hull_.Vertex(vertex), vertex, false};
  }

 private:
  Hull hull_;
  const HullLists* lists_ = nullptr;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_HULL_SUPPORT_H_
