// Which leaves of a tree of boxes come near a distance field.
#ifndef SINEW_COLLISION_FIELD_NEAR_FIELD_H_
#define SINEW_COLLISION_FIELD_NEAR_FIELD_H_

#include <mujoco/mujoco.h>

#include <cstddef>

#include "collision/broad/box_test.h"
#include "collision/field/sdf.h"
#include "model/kinds/bvh.h"

namespace sinew::inline collision {

// Visits the leaves below a node of the tree from `root`. A node is entered where the ball around its box reaches into
// the field's shape; in_field(point) leads to the frame of the field. The second child comes first, as in MuJoCo 3.8.0.
// visit(id) returns whether the leaf's item has points inside; it is not called once is_done(). For display, nodes that
// are entered are marked, and leaves with points inside.
template <class InField, class IsDone, class Visit>
void VisitNearField(const mjModel* m, mjData* d, const DistanceField& field, ptrdiff_t root, int node,
                    const InField& in_field, const IsDone& is_done, const Visit& visit) {
  const ptrdiff_t at = root + node;
  const bool is_leaf = IsBvhLeaf(m, at);
  const double* box = NodeBox(m, d, at);
  if ((is_leaf && is_done()) || field.Distance(in_field(LoadVec3(box))) > Norm(LoadVec3(box + 3))) return;
  if ((!is_leaf || visit(m->bvh_nodeid[at])) && m->vis.global.bvactive) d->bvh_active[at] = 1;
  for (int c = 1; c >= 0; --c) {
    const int child = m->bvh_child[2 * at + c];
    if (child >= 0) VisitNearField(m, d, field, root, child, in_field, is_done, visit);
  }
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_FIELD_NEAR_FIELD_H_
