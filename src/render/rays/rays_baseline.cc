#include "render/rays/shade_kernel.h"

namespace sinew::inline render::rays {

constinit const RayOps kBaselineRays = {"baseline", InstructionSet::kBaseline, 4, TraceSamples<4>};

const RayOps& BestRayOps() {
#if defined(__x86_64__)
  if (CanRun(InstructionSet::kAvx512)) return kAvx512Rays;
  if (CanRun(InstructionSet::kAvx2)) return kAvx2Rays;
#endif
  return kBaselineRays;
}

}  // namespace sinew::inline render::rays
