// Compliant contacts: how their forces change with positions and velocities.
#ifndef SINEW_GRADIENT_COMPLIANT_COLUMNS_H_
#define SINEW_GRADIENT_COMPLIANT_COLUMNS_H_

#include <mujoco/mujoco.h>

#include "gradient/columns.h"

namespace sinew {

// Takes them from the balance. Throws where a contact has no derivative.
void AddCompliantColumns(const mjModel* m, mjData* d, const BalancePoint& at, BalanceColumns& out);

}  // namespace sinew

#endif  // SINEW_GRADIENT_COMPLIANT_COLUMNS_H_
