// Strain of a shell about its vertices, for constraints that keep it at zero. Over the edges e at a vertex, with rest
// vectors X_e in the plane of the shell, current vectors x_e, and the masses w_e at their other ends,
//
//     F = (sum_e w_e x_e X_e') B,   B = (sum_e w_e X_e X_e')^-1,   C = F' F
//
// fit the deformation gradient F (3 x 2) to the edges. C is the identity where nothing is strained: the two strains of
// a vertex of mass m are  sqrt(m) (tr C - 2)  and  sqrt(m) (det C - 1).
#ifndef SINEW_KINEMATICS_FLEX_STRAIN_H_
#define SINEW_KINEMATICS_FLEX_STRAIN_H_

#include <mujoco/mujoco.h>

namespace sinew {

// flexvert_length and flexvert_J of a flex.
void MeasureStrains(const mjModel* m, mjData* d, int flex);

}  // namespace sinew

#endif  // SINEW_KINEMATICS_FLEX_STRAIN_H_
