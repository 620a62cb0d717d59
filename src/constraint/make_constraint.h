// Constraint rows from positions: equalities, friction loss, limits, contacts. See docs/how/constraint.md.
#ifndef SINEW_CONSTRAINT_MAKE_CONSTRAINT_H_
#define SINEW_CONSTRAINT_MAKE_CONSTRAINT_H_

#include <mujoco/mujoco.h>

namespace sinew::inline constraint {

// in: positions, contacts       out: ne, nf, nl, nefc, nJ, efc_* of the position stage, tendon_efcadr,
// contact.efc_address When the arena is full, mjWARN_CNSTRFULL is raised and there are no rows.
void MakeConstraint(const mjModel* m, mjData* d);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_MAKE_CONSTRAINT_H_
