// Inertia, bias, springs and dampers of joints, and applied wrenches: their part of the balance's derivatives.
#ifndef SINEW_GRADIENT_SMOOTH_COLUMNS_H_
#define SINEW_GRADIENT_SMOOTH_COLUMNS_H_

#include "gradient/columns.h"

namespace sinew {

// Adds the derivatives by q and v at a world that has gone through the forward dynamics.
void AddSmoothColumns(const mjModel* m, mjData* d, const BalancePoint& at, BalanceColumns& out);

}  // namespace sinew

#endif  // SINEW_GRADIENT_SMOOTH_COLUMNS_H_
