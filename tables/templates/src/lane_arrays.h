// The arrays of mjData's main buffer beside those of DataLanes: what allocating, filling and reading a pack loops over.
#ifndef SINEW_MODEL_VIEW_LANE_ARRAYS_H_
#define SINEW_MODEL_VIEW_LANE_ARRAYS_H_

#include <mujoco/mujoco.h>

#include <cstddef>

#include "model/view/data_view.h"

namespace sinew::inline model {
inline namespace SINEW_ISA {

// Calls visit(number of elements, array of d, array of lanes) for each; both arrays are pointers that may be set.
template <class S, class Visitor>
void ForLaneArrays(const mjModel& m, mjData& d, DataLanes<S>& lanes, Visitor visit) {
@arrays
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline model

#endif  // SINEW_MODEL_VIEW_LANE_ARRAYS_H_
