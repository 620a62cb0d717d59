// Constants of a model that follow from its other numbers: weights, lengths and poses in the reference configurations,
// and the statistics.
#ifndef SINEW_COMPILE_CONSTANTS_SET_CONST_H_
#define SINEW_COMPILE_CONSTANTS_SET_CONST_H_

#include <mujoco/mujoco.h>

namespace sinew::inline compile {

// Derives all of them; what mj_setConst does after numbers of a model were changed. Overwrites positions in `d`, and
// leaves the configuration at qpos_spring.
void SetConst(mjModel* m, mjData* d);

// flexedge_length0 and flexedge_invweight0, at the configuration of `d` (flex_edges.cc). Needs positions and the
// factorized inertia.
void SetFlexEdges(mjModel* m, mjData* d);

// stat.center, extent, meansize, meanmass and dof_length, at the configuration of `d` (statistics.cc). Needs positions.
void SetStatistics(mjModel* m, const mjData* d);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_CONSTANTS_SET_CONST_H_
