// The tree of boxes over the elements of a flex, in the world frame (mjData's bvh_aabb_dyn). It holds the elements that
// are active at compile time; without a midphase, and where there is no tree, all elements are visited.
#ifndef SINEW_COLLISION_FLEX_ELEMENT_TREE_H_
#define SINEW_COLLISION_FLEX_ELEMENT_TREE_H_

#include <mujoco/mujoco.h>

#include "collision/broad/box_test.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "model/bvh.h"

namespace sinew {

// A box along the axes of the world.
struct WorldBox {
  Vec3<double> centre, half;

  static WorldBox Load(const double* box) { return {LoadVec3(box), LoadVec3(box + 3)}; }

  bool Overlaps(const WorldBox& other, double margin) const {
    const Vec3<double> apart = Absolute(centre - other.centre);
    const Vec3<double> reach = half + other.half;
    return apart.x <= reach.x + margin && apart.y <= reach.y + margin && apart.z <= reach.z + margin;
  }
};

class ElementTree {
 public:
  ElementTree(const mjModel* m, mjData* d, int flex)
      : m_(m), d_(d), flex_(flex), root_(m->flex_bvhadr[flex]), has_tree_(m->flex_bvhnum[flex] > 0) {
    if (m->opt.disableflags & mjDSBL_MIDPHASE) has_tree_ = false;
  }

  // Calls visit(element) for the elements whose boxes come within the margin of the box.
  template <class Visit>
  void ForEachNear(const WorldBox& box, double margin, const Visit& visit) const {
    if (has_tree_) return Descend(0, box, margin, visit);
    for (int e = 0; e < m_->flex_elemnum[flex_]; ++e) {
      if (ElementBox(e).Overlaps(box, margin)) visit(e);
    }
  }

  WorldBox ElementBox(int elem) const {
    return WorldBox::Load(d_->flexelem_aabb + 6 * static_cast<ptrdiff_t>(m_->flex_elemadr[flex_] + elem));
  }

 private:
  template <class Visit>
  void Descend(int node, const WorldBox& box, double margin, const Visit& visit) const {
    const ptrdiff_t id = root_ + node;
    if (!WorldBox::Load(d_->bvh_aabb_dyn + 6 * (id - m_->nbvhstatic)).Overlaps(box, margin)) return;
    if (m_->vis.global.bvactive) d_->bvh_active[id] = 1;
    if (IsBvhLeaf(m_, id)) return visit(m_->bvh_nodeid[id]);
    for (int i = 0; i < 2; ++i) {
      if (const int child = m_->bvh_child[2 * id + i]; child >= 0) Descend(child, box, margin, visit);
    }
  }

  const mjModel* m_;
  mjData* d_;
  int flex_;
  ptrdiff_t root_;
  bool has_tree_;
};

}  // namespace sinew

#endif  // SINEW_COLLISION_FLEX_ELEMENT_TREE_H_
