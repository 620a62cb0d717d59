// A small problem of one world as slots, and Newton's method on them.
#ifndef SINEW_SOLVE_SLOT_PROBLEM_H_
#define SINEW_SOLVE_SLOT_PROBLEM_H_

#include "solve/problem.h"
#include "solve/slots.h"

namespace sinew::inline solve {

// Whether a problem of so many dofs in so many trees is small: supernodes win where many trees touch, of ten boxes but
// not of six (bench/history.md).
bool AreSlotsFaster(int dofs, int trees);
bool AreSlotsFaster(const Problem& problem);

// Whether Newton's method takes all dofs of the model as one problem in slots, whatever its islands: dividing a small
// system costs more than it saves, and worlds in lanes have other islands each. Sleeping dofs must not be changed.
bool IsSolvedWhole(const mjModel* m);

// The slots of a problem with its numbers, without pattern and scratch; null where there are too many dofs, or the
// frame is full.
SlotProblem<double>* GatherSlots(const Problem& problem, StackFrame& frame);

// The problem in slots that share its point; null where it has too many dofs, or the frame is full.
const SlotProblem<double>* MakeSlots(const Problem& problem, StackFrame& frame);

// The start (slot_newton_kernel.h). SlotSmoothResidual comes first.
void SlotSmoothResidual(const SlotProblem<double>& slots);
double SlotExcessOfWarmStart(const Problem& problem);  // leaves the states at the unconstrained acceleration
void SlotStartSmooth(const SlotProblem<double>& slots);

// Rows of a vector over directions: n + u_k and n - u_k for the edges of pyramids.
void ExpandDirections(const SlotProblem<double>& slots, const double* directions, double* rows);

// From the start to the minimum: qacc, Ma, force, state, qfrc_constraint, Hessians of cones, statistics.
void SolveSlots(const Problem& problem, const SolverOptions& options);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_SLOT_PROBLEM_H_
