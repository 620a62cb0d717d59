// Compiles an edited specification into the model and the data that were made from it before.
#ifndef SINEW_COMPILE_RECOMPILE_H_
#define SINEW_COMPILE_RECOMPILE_H_

#include <mujoco/mujoco.h>

#include "spec/spec.h"

namespace sinew {

// Replaces the contents of a model, compiled from `spec` last, and of its data. Time stays, and so does the state of
// the joints, actuators and mocap bodies that are still there: these are matched as elements, not by name. Throws
// Error, and nothing has changed.
void Recompile(Spec& spec, const mjVFS* vfs, mjModel* m, mjData* d);

}  // namespace sinew

#endif  // SINEW_COMPILE_RECOMPILE_H_
