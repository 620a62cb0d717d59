// The compiler: from the editable specification to the model that is simulated (docs/how/compile.md).
#ifndef SINEW_COMPILE_COMPILE_H_
#define SINEW_COMPILE_COMPILE_H_

#include <mujoco/mujoco.h>

#include "model/storage/model.h"
#include "spec/spec.h"

namespace sinew::inline compile {

// Compiles a specification; `vfs` (may be null) holds the files of its assets. The specification keeps the values that
// the user gave; its elements get their ids. Throws Error with the place of the element that is wrong.
ModelPtr Compile(Spec& spec, const mjVFS* vfs);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_COMPILE_H_
