#include "batch/isa/lane_data.h"
#include "simd/float_pack.h"

namespace sinew::inline batch {

#if defined(__x86_64__)
constinit const LaneOps kAvx2FloatLanes = MakeLaneOps<Pack<float, 8>>("avx2", InstructionSet::kAvx2);
#endif

}  // namespace sinew::inline batch
