// Two bodies' hierarchies of bounding boxes, one against the other. The boxes of a body are aligned with its inertial
// frame; leaves hold geoms.
#ifndef SINEW_COLLISION_BROAD_BODY_TREE_H_
#define SINEW_COLLISION_BROAD_BODY_TREE_H_

#include <mujoco/mujoco.h>

#include "collision/broad/bounds.h"
#include "model/bvh.h"

namespace sinew {

// What a visualization shows as active.
inline void MarkNodes(const mjModel* m, mjData* d, int id1, int id2) {
  if (m->vis.global.bvactive) d->bvh_active[id1] = d->bvh_active[id2] = 1;
}

template <class Add>
class BodyTreeComparison {
 public:
  BodyTreeComparison(const mjModel* m, mjData* d, int body1, int body2, double margin, const Add& add)
      : m_(m),
        d_(d),
        root1_(m->body_bvhadr[body1]),
        root2_(m->body_bvhadr[body2]),
        frame_(body1 == 0, d->xipos + 3 * body1, d->ximat + 9 * body1, d->xipos + 3 * body2, d->ximat + 9 * body2),
        margin_(margin),
        add_(add) {}

  void CompareRoots() { CompareWithSecond(0, 0); }
  void DescendFromRoots() { Descend(0, 0, PlaceSecond(0)); }

 private:
  BoxInFrame PlaceSecond(int node) const {
    return frame_.Place(m_->bvh_aabb + 6 * (static_cast<ptrdiff_t>(root2_) + node));
  }

  // Compares the subtrees of two nodes, which overlap and are not both leaves. Nodes are numbered relative to the root
  // of their tree.
  void Descend(int node1, int node2, const BoxInFrame& box2) {
    const int id1 = root1_ + node1, id2 = root2_ + node2;
    MarkNodes(m_, d_, id1, id2);
    // into the second of two inner nodes unless it is the smaller one
    const bool leaf1 = IsBvhLeaf(m_, id1), leaf2 = IsBvhLeaf(m_, id2);
    if (leaf1 || (!leaf2 && Extent(m_->bvh_aabb + 6 * id2) >= Extent(m_->bvh_aabb + 6 * id1))) {
      for (int i = 0; i < 2; ++i) {
        if (const int child = m_->bvh_child[2 * id2 + i]; child >= 0) CompareWithSecond(node1, child);
      }
    } else {
      for (int i = 0; i < 2; ++i) {
        if (const int child = m_->bvh_child[2 * id1 + i]; child >= 0) CompareWithFirst(child, node2, box2);
      }
    }
  }

  // Another node of the first tree with the same one of the second, and the other way around.
  void CompareWithFirst(int node1, int node2, const BoxInFrame& box2) {
    if (AreLeaves(node1, node2)) return add_(root1_ + node1, root2_ + node2);
    const double* box1 = m_->bvh_aabb + 6 * (static_cast<ptrdiff_t>(root1_) + node1);
    if (BoxesOverlap(frame_, box1, box2, margin_)) Descend(node1, node2, box2);
  }
  void CompareWithSecond(int node1, int node2) {
    if (AreLeaves(node1, node2)) return add_(root1_ + node1, root2_ + node2);
    CompareWithFirst(node1, node2, PlaceSecond(node2));
  }

  bool AreLeaves(int node1, int node2) const { return IsBvhLeaf(m_, root1_ + node1) && IsBvhLeaf(m_, root2_ + node2); }

  // Measures a node for the order of descent. The order changes no contact, but it decides which nodes are marked; for
  // the same marks as established, it takes centre and half size for the corners of the box.
  static double Extent(const double* box) {
    const double x = box[3] - box[0], y = box[4] - box[1], z = box[5] - box[2];
    return x * y + y * z + z * x;
  }

  const mjModel* m_;
  mjData* d_;
  int root1_, root2_;
  RelativeFrame frame_;
  double margin_;
  const Add& add_;
};

// Whether two bodies' roots that are near do overlap: of the world's root, only the height is known to be near.
inline bool NearRootsOverlap(const mjModel* m, int body1) {
  if (body1 > 0) return true;
  const double* root = m->bvh_aabb + 6 * static_cast<ptrdiff_t>(m->body_bvhadr[0]);
  return HoldsAll(root, 0) && HoldsAll(root, 1);
}

// Whether one of two trees whose roots are near is a leaf, and the other a root of two leaves.
inline bool AreLeafAndTwo(const mjModel* m, int body1, int body2) {
  const int count1 = m->body_bvhnum[body1], count2 = m->body_bvhnum[body2];
  return (count1 * count2 == 3) & NearRootsOverlap(m, body1);
}

// Calls add(leaf1, leaf2) for the leaves of such trees. No branches: which is which is chance.
template <class Add>
void ForLeafAndTwo(const mjModel* m, mjData* d, int body1, int body2, const Add& add) {
  const int root1 = m->body_bvhadr[body1], root2 = m->body_bvhadr[body2];
  const int step1 = m->body_bvhnum[body1] > 1, step2 = 1 - step1;
  MarkNodes(m, d, root1, root2);
  add(root1 + step1, root2 + step2);
  add(root1 + 2 * step1, root2 + 2 * step2);
}

// Calls add(leaf1, leaf2) for the leaves of two bodies that are left when the trees are descended where boxes overlap.
// The roots are not both leaves, and near. Trees hold the geoms that can collide.
template <class Add>
void DescendTrees(const mjModel* m, mjData* d, int body1, int body2, const Add& add) {
  const bool override_margin = m->opt.enableflags & mjENBL_OVERRIDE;
  const double margin = override_margin ? m->opt.o_margin : m->body_margin[body1] + m->body_margin[body2];
  BodyTreeComparison<Add> comparison(m, d, body1, body2, margin, add);
  NearRootsOverlap(m, body1) ? comparison.DescendFromRoots() : comparison.CompareRoots();
}

}  // namespace sinew

#endif  // SINEW_COLLISION_BROAD_BODY_TREE_H_
