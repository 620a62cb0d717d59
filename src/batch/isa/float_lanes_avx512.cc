#include "batch/isa/lane_data.h"
#include "simd/float_pack.h"

namespace sinew::inline batch {

#if defined(__x86_64__)
constinit const LaneOps kAvx512FloatLanes = MakeLaneOps<Pack<float, 16>>("avx512", InstructionSet::kAvx512);
#endif

}  // namespace sinew::inline batch
