// Compiles an edited specification into the model and the data that were made from it before.
#ifndef SINEW_COMPILE_RECOMPILE_H_
#define SINEW_COMPILE_RECOMPILE_H_

#include <mujoco/mujoco.h>

#include "spec/spec.h"

namespace sinew {

// Notes where the state of every element stands in the data of a model, which was compiled from `spec`.
void KeepStateLayout(const mjModel& m, Spec* spec);

// Replaces the contents of `m`, and of the data of the model that was compiled from `spec` last. Time stays, and so
// does the state of the joints, actuators and mocap bodies that are still there: these are matched as elements, not by
// name. Of `m` only the buffer is looked at: null means that there is no model in it. Throws Error, and nothing has
// changed.
void Recompile(Spec& spec, const mjVFS* vfs, mjModel* m, mjData* d);

}  // namespace sinew

#endif  // SINEW_COMPILE_RECOMPILE_H_
