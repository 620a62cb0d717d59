// Which trees, bodies and dofs are awake, as lists that stages loop over.
#ifndef SINEW_MODEL_AWAKE_H_
#define SINEW_MODEL_AWAKE_H_

#include <mujoco/mujoco.h>

namespace sinew {

// Value of tree_asleep of a tree that has not been at rest at all; it counts up to -1 while the tree is.
inline constexpr int kFullyAwake = -(1 + mjMINAWAKE);

inline bool SleepEnabled(const mjModel* m) { return (m->opt.enableflags & mjENBL_SLEEP) != 0; }

inline bool AnyAsleep(const mjModel* m, const mjData* d) { return SleepEnabled(m) && d->ntree_awake < m->ntree; }

// Wakes all trees.
void WakeAll(const mjModel& m, mjData* d);

// Computes body_awake, tree_awake, the lists *_awake_ind and their lengths from tree_asleep.
void UpdateAwake(const mjModel& m, mjData* d);

}  // namespace sinew

#endif  // SINEW_MODEL_AWAKE_H_
