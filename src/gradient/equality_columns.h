// Connect and weld equalities: how their forces change with positions and velocities.
#ifndef SINEW_GRADIENT_EQUALITY_COLUMNS_H_
#define SINEW_GRADIENT_EQUALITY_COLUMNS_H_

#include "gradient/pair_columns.h"
#include "gradient/row_forces.h"

namespace sinew {

// Takes the part of a connect or weld, whose rows begin at `row`, from the columns of the balance.
void SubtractPoseEquality(const mjModel* m, mjData* d, int row, const RowForces& forces, PairColumns& pair,
                          Columns& out);

}  // namespace sinew

#endif  // SINEW_GRADIENT_EQUALITY_COLUMNS_H_
