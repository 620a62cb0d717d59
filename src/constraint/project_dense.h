// The dual matrix of a dense Jacobian.
#ifndef SINEW_CONSTRAINT_PROJECT_DENSE_H_
#define SINEW_CONSTRAINT_PROJECT_DENSE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline constraint {

// AR (nefc x nefc) = J M^-1 J' + diag(R), J in mjData dense. False where the stack is too small.
[[nodiscard]] bool ProjectDense(const mjModel* m, mjData* d, double* AR);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_PROJECT_DENSE_H_
