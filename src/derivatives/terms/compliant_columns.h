// Compliant contacts: how their forces change with positions and velocities.
#ifndef SINEW_DERIVATIVES_TERMS_COMPLIANT_COLUMNS_H_
#define SINEW_DERIVATIVES_TERMS_COMPLIANT_COLUMNS_H_

#include <mujoco/mujoco.h>

#include "derivatives/base/columns.h"

namespace sinew::inline derivatives {

// Takes them from the residual. Throws where a contact has no derivative.
void AddCompliantColumns(const mjModel* m, mjData* d, const ResidualPoint& at, ResidualColumns& out);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_COMPLIANT_COLUMNS_H_
