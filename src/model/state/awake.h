// Which trees, bodies and dofs are awake, as lists that stages loop over, and which other objects sleep with them.
#ifndef SINEW_MODEL_STATE_AWAKE_H_
#define SINEW_MODEL_STATE_AWAKE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline model {

// Value of tree_asleep of a tree that has not been at rest at all; it counts up to -1 while the tree is.
inline constexpr int kFullyAwake = -(1 + mjMINAWAKE);

inline bool SleepEnabled(const mjModel* m) { return (m->opt.enableflags & mjENBL_SLEEP) != 0; }

inline bool AnyAsleep(const mjModel* m, const mjData* d) { return SleepEnabled(m) && d->ntree_awake < m->ntree; }

// The state of an object, by those of its bodies: awake, asleep or static (mjtSleepState); static without a body.
int SleepStateOf(const mjModel& m, const mjData& d, int objtype, int id);

// Two objects together sleep when one of them does and none is awake.
inline int CombinedSleepState(int state1, int state2) {
  static_assert(mjS_STATIC < mjS_ASLEEP && mjS_ASLEEP < mjS_AWAKE);
  return state1 > state2 ? state1 : state2;
}

inline bool IsAsleep(const mjModel* m, const mjData* d, int objtype, int id) {
  return AnyAsleep(m, d) && SleepStateOf(*m, *d, objtype, id) == mjS_ASLEEP;
}

// A constraint between two bodies sleeps when neither is awake; the world never is.
inline bool IsPairAsleep(const mjModel* m, const mjData* d, int body1, int body2) {
  return SleepEnabled(m) && d->body_awake[body1] != mjS_AWAKE && d->body_awake[body2] != mjS_AWAKE;
}

// Wakes all trees.
void WakeAll(const mjModel& m, mjData* d);

// Computes body_awake, tree_awake, the lists *_awake_ind and their lengths from tree_asleep.
void UpdateAwake(const mjModel& m, mjData* d);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STATE_AWAKE_H_
