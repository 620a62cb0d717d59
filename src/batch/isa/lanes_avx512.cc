#include "batch/isa/lane_data.h"

namespace sinew::inline batch {

#if defined(__x86_64__)
constinit const LaneOps kAvx512Lanes = MakeLaneOps<Pack<double, 8>>("avx512", InstructionSet::kAvx512);
#endif

}  // namespace sinew::inline batch
