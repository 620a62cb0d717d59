// Weights of rows behind equalities of flexes whose rows are not as many as their weights.
//
// MuJoCo 3.8.0 lists the weights of all rows, one constraint after the other, before it knows how many rows each has.
// An equality of strain lists its weight 26 times for a cell of eight nodes and 162 times for one of 27, though it has
// 18 or 75 rows; one at the vertices of a shell lists two for every vertex, also for those that do not move; one of
// edges lists all that can change, also those whose rows are zero and, in dense Jacobians, dropped. The rows behind
// take these weights; the next constraint to list its own is the one whose row the list has reached.
#ifndef SINEW_CONSTRAINT_WEIGHT_ORDER_H_
#define SINEW_CONSTRAINT_WEIGHT_ORDER_H_

#include <mujoco/mujoco.h>

#include "core/stack.h"

namespace sinew::inline constraint {

// Whether there are such equalities.
bool WeightsMayShift(const mjModel* m, const mjData* d);

// Writes the regularization of all rows anew, from the weights that the constraints gave to their own.
void ShiftWeights(const mjModel* m, mjData* d, const double* own, int rows, StackFrame& frame);

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_WEIGHT_ORDER_H_
