#include "batch/isa/lane_data.h"
#include "simd/float_pack.h"

namespace sinew::inline batch {

constinit const LaneOps kBaselineFloatLanes = MakeLaneOps<Pack<float, 4>>("baseline", InstructionSet::kBaseline);

}  // namespace sinew::inline batch
