#include "constraint/pair_jacobian.h"

#include "kinematics/jacobian.h"

namespace sinew::inline constraint {
// Both chains are walked towards the root, the later dof first, until they meet; scratch fills from its end.
MovingDofs DofsOfPair(const mjModel* m, int body1, int body2, bool keep_common, int* dofs, int* sides) {
  const int* parent = m->dof_parentid;
  const int end = static_cast<int>(m->nv);
  int dof1 = LastDof(m, body1), dof2 = LastDof(m, body2), first = end, all = 0;
  while (dof1 != dof2) {
    const Side side = dof1 > dof2 ? kBody1 : kBody2;
    int& later = side == kBody1 ? dof1 : dof2;
    dofs[--first] = later;
    sides[first] = side;
    all |= side;
    later = parent[later];
  }
  for (int dof = keep_common ? dof1 : -1; dof >= 0; dof = parent[dof]) {
    dofs[--first] = dof;
    sides[first] = all = kBothBodies;
  }
  return {end - first, dofs + first, sides + first, all};
}

}  // namespace sinew::inline constraint
