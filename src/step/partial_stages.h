// Parts of the position stage, in the order of step_kernel.h, for code that needs less than a whole step or repeats
// what it has changed. Whoever needs another part adds it here, so that the order stands beside that of the step.
#ifndef SINEW_STEP_PARTIAL_STAGES_H_
#define SINEW_STEP_PARTIAL_STAGES_H_

#include <mujoco/mujoco.h>

namespace sinew::inline step {

using PartOfStep = void(const mjModel* m, mjData* d);

// Poses of bodies with their centres of mass, and lengths of tendons: all that lengths and inertia depend on.
PartOfStep PosesAndTendons;

// The same with cameras and lights, and with M, which is not factored.
PartOfStep PosesAndInertia;

// The position stage as far as forces depend on it: without factors, islands, cameras.
PartOfStep PositionsOfForces;

// The position stage as far as inverse dynamics depends on it: without what only solvers need, islands and the dual
// matrix.
PartOfStep PositionsOfInverse;

// Computes the quantities that depend on tendons that have moved, while bodies and contacts stay.
PartOfStep PositionsOfTendons;

// Computes the quantities for solvers that depend on contacts that have changed.
PartOfStep RowsOfContacts;

// RowsWithReference: constraint rows with their velocities and reference accelerations. RowsOfSolvers: the same with
// islands and the dual matrix, which solvers of one world need.
PartOfStep RowsOfSolvers;
PartOfStep RowsWithReference;

}  // namespace sinew::inline step

#endif  // SINEW_STEP_PARTIAL_STAGES_H_
