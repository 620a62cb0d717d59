// Connect and weld equalities: how their forces change with positions and velocities.
#ifndef SINEW_DERIVATIVES_TERMS_EQUALITY_COLUMNS_H_
#define SINEW_DERIVATIVES_TERMS_EQUALITY_COLUMNS_H_

#include "derivatives/base/pair_columns.h"
#include "derivatives/base/row_forces.h"

namespace sinew::inline derivatives {

// Takes the part of a connect or weld, whose rows begin at `row`, from the columns of the residual.
void SubtractPoseEquality(const mjModel* m, mjData* d, int row, const RowForces& forces, PairColumns& pair,
                          Columns& out);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_EQUALITY_COLUMNS_H_
