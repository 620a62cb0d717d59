// Constraints: the part of their forces in the derivatives of the residual.
#ifndef SINEW_DERIVATIVES_TERMS_CONSTRAINT_COLUMNS_H_
#define SINEW_DERIVATIVES_TERMS_CONSTRAINT_COLUMNS_H_

#include <string>

#include "derivatives/base/force_changes.h"
#include "derivatives/base/smoothed_solution.h"
#include "derivatives/terms/tendon_rows.h"

namespace sinew::inline derivatives {

// Takes the derivatives of J' f by q and v at fixed accelerations from the columns of the residual. The world has the
// solution, with the Hessians of cones in its contacts. Throws where a contact has no derivative. `smoothing` is
// that of the solution. `changes`, if it is not null, takes how forces of contacts and limits change.
void AddConstraintColumns(const mjModel* m, mjData* d, const TendonRows& tendons, const double* a, Columns& force,
                          const Smoothing& smoothing = {}, ForceChanges* changes = nullptr);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_CONSTRAINT_COLUMNS_H_
