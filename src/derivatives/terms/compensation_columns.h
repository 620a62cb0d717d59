// Gravity compensation that joints leave to their actuators (actgravcomp).
#ifndef SINEW_DERIVATIVES_TERMS_COMPENSATION_COLUMNS_H_
#define SINEW_DERIVATIVES_TERMS_COMPENSATION_COLUMNS_H_

#include "derivatives/base/columns.h"

namespace sinew::inline derivatives {

// Adds `scale` times their part of the residual to the rows of their dofs, in the columns of positions.
void AddActuatorCompensation(const mjModel* m, mjData* d, double scale, Columns& force);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_COMPENSATION_COLUMNS_H_
