// The constraint problem in dual form: inverse inertia seen by the rows.
#ifndef SINEW_CONSTRAINT_PROJECT_H_
#define SINEW_CONSTRAINT_PROJECT_H_

#include <mujoco/mujoco.h>

namespace sinew::inline constraint {

// Whether the solver works on forces, or is followed by one that does: PGS, noslip.
inline bool IsDual(const mjModel* m) { return m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0; }

// in: rows, factorized inertia          out: efc_AR = J M^-1 J' + diag(R), efc_AR_rownnz/rowadr/colind, nA
// Does nothing unless the solver needs it. When the arena is full, mjWARN_CNSTRFULL is raised and the rows are given
// up.
void ProjectConstraint(const mjModel* m, mjData* d);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_PROJECT_H_
