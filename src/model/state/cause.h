// The bad number that a step has found as the cause of a divergence, for those who keep it with the world: by the time
// they see the warning, the world is reset and its inputs are gone.
#ifndef SINEW_MODEL_STATE_CAUSE_H_
#define SINEW_MODEL_STATE_CAUSE_H_

#include "model/state/bad_number.h"

namespace sinew::inline model {

// Returns the number that RaiseBadNumber has found last in the calling thread, and forgets it; none: there was none.
BadNumber TakeCause();

// Whether steps of the calling thread look for no causes, which takes longer than a step of a model with meshes: a
// batch keeps the first cause of a world alone.
void LeaveCausesOut(bool left_out);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STATE_CAUSE_H_
