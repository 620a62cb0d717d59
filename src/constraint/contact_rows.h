// Input of the rows of a contact, for all that make such rows.
#ifndef SINEW_CONSTRAINT_CONTACT_ROWS_H_
#define SINEW_CONSTRAINT_CONTACT_ROWS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline constraint {

// Whether a contact's rows are the edges of a pyramid, and how many it has.
bool IsPyramidal(const mjModel* m, const mjContact& contact);
int RowCountOf(const mjModel* m, const mjContact& contact);

// Estimate of the diagonal of J M^-1 J' for the first row, where a force along the normal meets the inverse inertia
// `linear`. All edges of a pyramid have the first one's.
double WeightOfFirstRow(const mjModel* m, const mjContact& contact, double linear);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_CONTACT_ROWS_H_
