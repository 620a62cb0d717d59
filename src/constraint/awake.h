// Which objects sleep, when the sleep flag is set: their constraints make no rows.
#ifndef SINEW_CONSTRAINT_AWAKE_H_
#define SINEW_CONSTRAINT_AWAKE_H_

#include "model/awake.h"

namespace sinew {

inline bool IsBodyAsleep(const mjModel* m, const mjData* d, int body) {
  return SleepEnabled(m) && d->body_awake[body] == mjS_ASLEEP;
}

// A constraint between two bodies sleeps when neither is awake; the world never is.
inline bool IsPairAsleep(const mjModel* m, const mjData* d, int body1, int body2) {
  return SleepEnabled(m) && d->body_awake[body1] != mjS_AWAKE && d->body_awake[body2] != mjS_AWAKE;
}

// Trees that a tendon with more than two trees spans never sleep, so that looking at two of them is enough.
inline bool IsTendonAsleep(const mjModel* m, const mjData* d, int tendon) {
  if (!SleepEnabled(m)) return false;
  const int count = m->tendon_treenum[tendon] < 2 ? m->tendon_treenum[tendon] : 2;
  for (int i = 0; i < count; ++i) {
    if (d->tree_awake[m->tendon_treeid[2 * tendon + i]]) return false;
  }
  return true;
}

}  // namespace sinew

#endif  // SINEW_CONSTRAINT_AWAKE_H_
