#include "batch/isa/lane_data.h"

namespace sinew::inline batch {

#if defined(__x86_64__)
constinit const LaneOps kAvx2Lanes = MakeLaneOps<Pack<double, 4>>("avx2", InstructionSet::kAvx2);
#endif

}  // namespace sinew::inline batch
