#include "batch/isa/lane_data.h"

namespace sinew::inline batch {

constinit const LaneOps kBaselineLanes = MakeLaneOps<Pack<double, 2>>("baseline", InstructionSet::kBaseline);

}  // namespace sinew::inline batch
