// The functions that come here are listed in tables/unimplemented.txt, from which their bodies are generated.
#include "capi/unimplemented.h"

#include <mujoco/mujoco.h>

namespace sinew::capi {

void Unimplemented(const char* function) { mju_error("%s: this release does not provide this function yet", function); }

}  // namespace sinew::capi
