// Packs of one lane, which only tests choose: compiled with little optimization, in a namespace of their own.
#include "batch/isa/lane_data.h"

namespace sinew::inline batch {

constinit const LaneOps kScalarLanes = MakeLaneOps<Pack<double, 1>>("scalar", InstructionSet::kBaseline);

}  // namespace sinew::inline batch
