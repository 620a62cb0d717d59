// Computes the lists of awake bodies and dofs from tree_asleep, and the sleep state of any object by its bodies.
// step/sleep.h and docs/how/step.md have the rules of sleeping and waking; this file only follows the flags.
#include "model/state/awake.h"

#include <algorithm>

namespace sinew::inline model {
namespace {

// Bodies fixed to the world are static, except those that a mocap body carries: their pose may change at any time.
int BodyState(const mjModel& m, const mjData& d, int body) {
  const int tree = m.body_treeid[body];
  if (tree >= 0) return d.tree_awake[tree] ? mjS_AWAKE : mjS_ASLEEP;
  return m.body_mocapid[m.body_rootid[body]] >= 0 ? mjS_AWAKE : mjS_STATIC;
}

// Trees that a tendon with more than two of them spans never sleep, so that looking at two is enough.
int TendonState(const mjModel& m, const mjData& d, int tendon) {
  const int count = std::min(m.tendon_treenum[tendon], 2);
  int state = mjS_STATIC;
  for (int i = 0; i < count; ++i) {
    state = CombinedSleepState(state, d.tree_awake[m.tendon_treeid[2 * tendon + i]] ? mjS_AWAKE : mjS_ASLEEP);
  }
  return state;
}

// The state of the bodies that an actuator moves; a reference site does not count.
int ActuatorState(const mjModel& m, const mjData& d, int actuator) {
  const int* id = m.actuator_trnid + 2 * actuator;
  switch (m.actuator_trntype[actuator]) {
    case mjTRN_JOINT:
    case mjTRN_JOINTINPARENT:
      return SleepStateOf(m, d, mjOBJ_JOINT, id[0]);
    case mjTRN_TENDON:
      return TendonState(m, d, id[0]);
    case mjTRN_SITE:
      return SleepStateOf(m, d, mjOBJ_SITE, id[0]);
    case mjTRN_SLIDERCRANK:
      return CombinedSleepState(SleepStateOf(m, d, mjOBJ_SITE, id[0]), SleepStateOf(m, d, mjOBJ_SITE, id[1]));
    case mjTRN_BODY:
      return d.body_awake[id[0]];
    default:
      return mjS_STATIC;
  }
}

}  // namespace

int SleepStateOf(const mjModel& m, const mjData& d, int objtype, int id) {
  switch (objtype) {
    case mjOBJ_BODY:
    case mjOBJ_XBODY:
      return d.body_awake[id];
    case mjOBJ_JOINT:
      return d.body_awake[m.jnt_bodyid[id]];
    case mjOBJ_GEOM:
      return d.body_awake[m.geom_bodyid[id]];
    case mjOBJ_SITE:
      return d.body_awake[m.site_bodyid[id]];
    case mjOBJ_CAMERA:
      return d.body_awake[m.cam_bodyid[id]];
    case mjOBJ_TENDON:
      return TendonState(m, d, id);
    case mjOBJ_ACTUATOR:
      return ActuatorState(m, d, id);
    default:
      return mjS_STATIC;
  }
}

// All stages then run over everything until the trees have been at rest again, which is the state after a reset.
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

}  // namespace sinew::inline model
