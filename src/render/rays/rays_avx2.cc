#include "render/rays/shade_kernel.h"

namespace sinew::inline render::rays {

#if defined(__x86_64__)
constinit const RayOps kAvx2Rays = {"avx2", InstructionSet::kAvx2, 8, TraceSamples<8>};
#endif

}  // namespace sinew::inline render::rays
