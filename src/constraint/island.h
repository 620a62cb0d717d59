// Islands: sets of kinematic trees that constraints couple, and their part of the dynamics. See docs/how/constraint.md.
#ifndef SINEW_CONSTRAINT_ISLAND_H_
#define SINEW_CONSTRAINT_ISLAND_H_

#include <mujoco/mujoco.h>

namespace sinew::inline constraint {

// in: rows, M, qLD              out: nisland, nidof, and all island arrays but those of the solver (iefc_aref, iacc,
// ...) Islands are numbered by their smallest tree; trees, dofs and rows keep their order inside an island. When the
// arena is full, mjWARN_CNSTRFULL is raised and there are no islands.
void Island(const mjModel* m, mjData* d);

// Copies the metric of accelerations, and weights of rows, once these are known, into the arrays of islands. With the
// integrator `discrete` they follow from velocities and forces.
void RenewIslandMetric(const mjModel* m, mjData* d);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_ISLAND_H_
