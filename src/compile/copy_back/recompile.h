// Compiles an edited specification into the model and the data that were made from it before.
#ifndef SINEW_COMPILE_COPY_BACK_RECOMPILE_H_
#define SINEW_COMPILE_COPY_BACK_RECOMPILE_H_

#include <mujoco/mujoco.h>

#include "spec/spec.h"

namespace sinew::inline compile {

// Notes where the state of every element stands in the data of a model, which was compiled from `spec`.
void KeepStateLayout(const mjModel& m, Spec* spec);

// Replaces the contents of `m`, and of the data of the model that was compiled from `spec` last. The state of the
// simulation (mjSTATE_INTEGRATION) is kept for elements that still exist; they are matched as elements, not by name.
// Equalities that the specification has switched since are set as there. Of `m` only the buffer is read: null means
// that it holds no model. Throws Error, and then nothing has changed.
void Recompile(Spec& spec, const mjVFS* vfs, mjModel* m, mjData* d);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_COPY_BACK_RECOMPILE_H_
