// Velocities of constraint rows.
#ifndef SINEW_CONSTRAINT_ROW_VELOCITY_H_
#define SINEW_CONSTRAINT_ROW_VELOCITY_H_

#include <mujoco/mujoco.h>

namespace sinew::inline constraint {

// J qvel, and for contacts the motion of their surfaces (surface_kernel.h): nefc numbers.
void RowVelocities(const mjModel* m, const mjData* d, double* velocity);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_ROW_VELOCITY_H_
