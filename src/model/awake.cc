#include "model/awake.h"

#include <algorithm>

namespace sinew {
namespace {

// Bodies fixed to the world are static, except those that a mocap body carries: their pose may change at any time.
int BodyState(const mjModel& m, const mjData& d, int body) {
  const int tree = m.body_treeid[body];
  if (tree >= 0) return d.tree_awake[tree] ? mjS_AWAKE : mjS_ASLEEP;
  return m.body_mocapid[m.body_rootid[body]] >= 0 ? mjS_AWAKE : mjS_STATIC;
}

}  // namespace

void WakeAll(const mjModel& m, mjData* d) {
  std::fill_n(d->tree_asleep, m.ntree, kFullyAwake);
  UpdateAwake(m, d);
}

void UpdateAwake(const mjModel& m, mjData* d) {
  d->ntree_awake = d->nbody_awake = d->nparent_awake = d->nv_awake = 0;
  for (int t = 0; t < m.ntree; ++t) {
    d->tree_awake[t] = d->tree_asleep[t] < 0;
    d->ntree_awake += d->tree_awake[t];
  }
  for (int b = 0; b < m.nbody; ++b) {
    d->body_awake[b] = BodyState(m, *d, b);
    if (d->body_awake[b] != mjS_ASLEEP) d->body_awake_ind[d->nbody_awake++] = b;
    // Parents come before their children, so the parent's state is known.
    if (b > 0 && d->body_awake[m.body_parentid[b]] != mjS_ASLEEP) d->parent_awake_ind[d->nparent_awake++] = b;
  }
  for (int i = 0; i < m.nv; ++i) {
    if (d->tree_awake[m.dof_treeid[i]]) d->dof_awake_ind[d->nv_awake++] = i;
  }
}

}  // namespace sinew
