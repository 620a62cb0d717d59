// Trees of boxes over the faces, edges and corners of a surface: halves by the median of centres along the longest
// side, down to leaves of four.
#ifndef SINEW_COLLISION_TRIANGLES_SURFACE_TREE_H_
#define SINEW_COLLISION_TRIANGLES_SURFACE_TREE_H_

#include <cmath>
#include <vector>

#include "math/vec3.h"

namespace sinew::inline collision {

inline constexpr int kItemsOfLeaf = 4;  // at most

// A box around items: those from `first` on if it is a leaf, else around two nodes, at `child` and behind it.
struct SurfaceNode {
  Vec3<double> centre, half;
  int child;  // -1: a leaf
  int first, count;
};

// A box by its corners, which begins as empty.
struct ItemBounds {
  Vec3<double> low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

  void Add(const Vec3<double>& p) {
    for (int k = 0; k < 3; ++k) {
      low[k] = p[k] < low[k] ? p[k] : low[k];
      high[k] = p[k] > high[k] ? p[k] : high[k];
    }
  }
  Vec3<double> Centre() const { return (low + high) * 0.5; }
  Vec3<double> Half() const { return (high - low) * 0.5; }
};

class SurfaceTree {
 public:
  // Sorts the items: `order` has their numbers as the leaves have them.
  void Build(const std::vector<ItemBounds>& items, std::vector<int>& order);

  bool empty() const { return node_.empty(); }
  const SurfaceNode& node(int i) const { return node_[static_cast<size_t>(i)]; }

  // Calls visit(item) for the items of leaves, in their order, where enter(node) accepts the boxes above them.
  template <class Enter, class Visit>
  void ForEach(const Enter& enter, const Visit& visit) const {
    if (!empty()) Descend(0, enter, visit);
  }

  // Calls visit(leaf, other_leaf) for leaves of two trees, where is_near(node, place(other_node)) accepts the boxes
  // above them.
  template <class Place, class IsNear, class Visit>
  void ForEachPair(const SurfaceTree& other, const Place& place, const IsNear& is_near, const Visit& visit) const {
    if (empty() || other.empty()) return;
    DescendPair(other, 0, 0, place(other.node(0)), place, is_near, visit);
  }

 private:
  template <class Enter, class Visit>
  void Descend(int at, const Enter& enter, const Visit& visit) const {
    const SurfaceNode& here = node(at);
    if (!enter(here)) return;
    if (here.child >= 0) {
      Descend(here.child, enter, visit);
      Descend(here.child + 1, enter, visit);
    } else {
      for (int i = here.first; i < here.first + here.count; ++i) visit(i);
    }
  }

  template <class Placed, class Place, class IsNear, class Visit>
  void DescendPair(const SurfaceTree& other, int first, int second, const Placed& placed, const Place& place,
                   const IsNear& is_near, const Visit& visit) const {
    const SurfaceNode &a = node(first), &b = other.node(second);
    if (!is_near(a, placed)) return;
    if (a.child < 0 && b.child < 0) return visit(a, b);
    const bool split_first = b.child < 0 || (a.child >= 0 && Dot(a.half, a.half) > Dot(b.half, b.half));
    for (int k = 0; k < 2; ++k) {
      if (split_first) {
        DescendPair(other, a.child + k, second, placed, place, is_near, visit);
      } else {
        DescendPair(other, first, b.child + k, place(other.node(b.child + k)), place, is_near, visit);
      }
    }
  }

  std::vector<SurfaceNode> node_;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_TRIANGLES_SURFACE_TREE_H_
