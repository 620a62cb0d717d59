// Compiles an edited specification into the model and the data that were made from it before.
#ifndef SINEW_COMPILE_COPY_BACK_RECOMPILE_H_
#define SINEW_COMPILE_COPY_BACK_RECOMPILE_H_

#include <mujoco/mujoco.h>

#include "spec/spec.h"

namespace sinew::inline compile {

// Notes where the state of every element stands in the data of a model, which was compiled from `spec`.
void KeepStateLayout(const mjModel& m, Spec* spec);

// Replaces the contents of `m`, and of the data of the model that was compiled from `spec` last. What a simulation goes
// on from (mjSTATE_INTEGRATION) stays, as far as the elements that it belongs to are still there: these are matched as
// elements, not by name. An equality that the specification has switched since is as it says. Of `m` only the buffer is
// looked at: null means that there is no model in it. Throws Error, and nothing has changed.
void Recompile(Spec& spec, const mjVFS* vfs, mjModel* m, mjData* d);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_COPY_BACK_RECOMPILE_H_
