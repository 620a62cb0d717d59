// Two bodies' hierarchies of bounding boxes, one against the other. The boxes of a body are aligned with its inertial
// frame; leaves hold geoms.
#ifndef SINEW_COLLISION_BODY_TREE_H_
#define SINEW_COLLISION_BODY_TREE_H_

#include <mujoco/mujoco.h>

#include "collision/bounds.h"
#include "model/bvh.h"

namespace sinew {

// What a visualization shows as active.
inline void MarkNodes(const mjModel* m, mjData* d, int id1, int id2) {
  if (m->vis.global.bvactive) d->bvh_active[id1] = d->bvh_active[id2] = 1;
}

// The geoms of two leaves.
template <class Add>
void CompareLeaves(const mjModel* m, mjData* d, int id1, int id2, const Add& add) {
  const int geom1 = m->bvh_nodeid[id1], geom2 = m->bvh_nodeid[id2];
  const double margin = PairMargin(m, geom1, geom2);
  if (!GeomBoundsOverlap(m, d, geom1, geom2, margin)) return;
  MarkNodes(m, d, id1, id2);
  add(geom1, geom2, margin);
}

template <class Add>
class BodyTreeComparison {
 public:
  BodyTreeComparison(const mjModel* m, mjData* d, int body1, int body2, double margin, Add& add)
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
    if (AreLeaves(node1, node2)) return CompareLeaves(m_, d_, root1_ + node1, root2_ + node2, add_);
    const double* box1 = m_->bvh_aabb + 6 * (static_cast<ptrdiff_t>(root1_) + node1);
    if (BoxesOverlap(frame_, box1, box2, margin_)) Descend(node1, node2, box2);
  }
  void CompareWithSecond(int node1, int node2) {
    if (AreLeaves(node1, node2)) return CompareLeaves(m_, d_, root1_ + node1, root2_ + node2, add_);
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
  Add& add_;
};

// Calls add(geom1, geom2, margin) for the geoms of the two bodies whose bounding spheres and boxes overlap. Trees hold
// the geoms that can collide.
template <class Add>
void CompareBodyTrees(const mjModel* m, mjData* d, int body1, int body2, Add add) {
  const int root1 = m->body_bvhadr[body1], root2 = m->body_bvhadr[body2];
  if (IsBvhLeaf(m, root1) && IsBvhLeaf(m, root2)) return CompareLeaves(m, d, root1, root2, add);
  const bool override_margin = m->opt.enableflags & mjENBL_OVERRIDE;
  const double margin = override_margin ? m->opt.o_margin : m->body_margin[body1] + m->body_margin[body2];
  const PlacedBox box1 = {d->xipos + 3 * body1, d->ximat + 9 * body1, m->bvh_aabb + 6 * root1};
  const PlacedBox box2 = {d->xipos + 3 * body2, d->ximat + 9 * body2, m->bvh_aabb + 6 * root2};
  // of most pairs, only the roots are compared; of most bodies over the ground, only their heights
  if (body1 == 0 ? !BoxesOverlapAlongZ(box1.box, box2, margin) : !BoxesOverlap(box1, box2, margin)) return;
  const bool roots_overlap = body1 > 0 || (HoldsAll(box1.box, 0) && HoldsAll(box1.box, 1));
  const int count1 = m->body_bvhnum[body1], count2 = m->body_bvhnum[body2];
  if (roots_overlap && (count1 == 1 || count2 == 1) && count1 + count2 == 4) {  // a leaf and a root of two leaves
    MarkNodes(m, d, root1, root2);
    for (int leaf = 1; leaf <= 2; ++leaf) {
      CompareLeaves(m, d, count1 == 1 ? root1 : root1 + leaf, count2 == 1 ? root2 : root2 + leaf, add);
    }
    return;
  }
  BodyTreeComparison<Add> comparison(m, d, body1, body2, margin, add);
  if (!roots_overlap) return comparison.CompareRoots();
  comparison.DescendFromRoots();
}

}  // namespace sinew

#endif  // SINEW_COLLISION_BODY_TREE_H_
