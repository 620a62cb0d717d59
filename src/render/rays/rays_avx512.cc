#include "render/rays/shade_kernel.h"

namespace sinew::inline render::rays {

#if defined(__x86_64__)
constinit const RayOps kAvx512Rays = {"avx512", InstructionSet::kAvx512, 16, TraceSamples<16>};
#endif

}  // namespace sinew::inline render::rays
