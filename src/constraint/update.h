// Constraint forces at a given joint acceleration.
#ifndef SINEW_CONSTRAINT_UPDATE_H_
#define SINEW_CONSTRAINT_UPDATE_H_

#include <mujoco/mujoco.h>

#include "constraint/cost.h"

namespace sinew::inline constraint {

// All rows of mjData.
RowSet AllConstraintRows(mjData* d);

// in: jar = J a - aref (nefc)          out: efc_force, efc_state, qfrc_constraint = J' efc_force
// `cost`, when given, receives the constraint cost. With cone_hessian, contacts in the middle zone of an elliptic cone
// store their Hessian. Without rows only the cost is written.
void ConstraintUpdate(const mjModel* m, mjData* d, const double* jar, double* cost, bool cone_hessian);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_UPDATE_H_
