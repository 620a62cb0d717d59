// Equalities that trees fell asleep with: a tree that hung on one wakes when it is switched off or edited.
#ifndef SINEW_STEP_KNOWN_EQUALITIES_H_
#define SINEW_STEP_KNOWN_EQUALITIES_H_

#include <mujoco/mujoco.h>

namespace sinew::inline step {

// Remembers, for a world of this library, which equalities are active, and with which numbers.
void RememberEqualities(const mjModel* m, mjData* d);

// Whether a connect, weld or joint equality is no longer as it was remembered. One that has become active, or whose
// numbers are others, but holds as things are, counts as the same: nothing would move.
bool HasChanged(const mjModel* m, const mjData* d, int id);

}  // namespace sinew::inline step

#endif  // SINEW_STEP_KNOWN_EQUALITIES_H_
