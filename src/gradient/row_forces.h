// Forces and states of all constraint rows at the solution. (What mjData has of them may belong to the start of the
// solver: with islands, efc_state does.)
#ifndef SINEW_GRADIENT_ROW_FORCES_H_
#define SINEW_GRADIENT_ROW_FORCES_H_

#include <mujoco/mujoco.h>

#include <vector>

namespace sinew {

struct RowForces {
  std::vector<double> force;
  std::vector<int> state;

  // At the accelerations a. Leaves the Hessians of cones in the contacts.
  RowForces(const mjModel* m, mjData* d, const double* a);

  bool IsQuadratic(int row) const { return state[static_cast<size_t>(row)] == mjCNSTRSTATE_QUADRATIC; }
  bool IsMiddleOfCone(int row) const { return state[static_cast<size_t>(row)] == mjCNSTRSTATE_CONE; }
  double operator[](int row) const { return force[static_cast<size_t>(row)]; }
};

}  // namespace sinew

#endif  // SINEW_GRADIENT_ROW_FORCES_H_
