// Cells of flexes that nodes move are implicit in the positions of their nodes, too, with `implicit` and
// `implicitfast`: their stiffness allows only very small steps otherwise (docs/how/integrators.md).
//
// With X = M - h Q the matrix of the integrator, F the dofs of the nodes' bodies, J the Jacobian of the nodes, R the
// rotation of each cell, K its stiffness (positive) and b its damping, and a' = X^-1 f the accelerations without cells,
// a linearly implicit step of the positions has the accelerations a_F of F that satisfy
//
//     (X_FF + sum_cells (h^2 + h b) J_F' R K R' J_F) a_F = X_FF a'_F - h sum_cells J_F' R K R' J v
//
// (D. Baraff, A. Witkin, Large steps in cloth simulation, SIGGRAPH 1998). All other dofs keep a'. The matrix is banded,
// by the order in which nodes name the dofs.
#ifndef SINEW_INTEGRATE_IMPLICIT_CELLS_H_
#define SINEW_INTEGRATE_IMPLICIT_CELLS_H_

#include <mujoco/mujoco.h>

#include <vector>

namespace sinew::inline integrate {

// Whether the integrator treats some cell so: elastic ones do not under strain constraints, nor while a tree sleeps.
bool HasImplicitCells(const mjModel* m, const mjData* d);

// From a' to a, and back. Both need qDeriv. They raise a warning, and change nothing, when the stack is full or the
// matrix is not positive definite.
void ApplyImplicitCells(const mjModel* m, mjData* d, double* acceleration);
void UndoImplicitCells(const mjModel* m, mjData* d, double* acceleration);

// The dofs F, and by rows the matrices of the equations above as they are solved, X_FF and the one on the left side.
// Without dofs when the stack is full.
struct CellMatrices {
  std::vector<int> dof;
  std::vector<double> plain, with_cells;
};
CellMatrices MakeCellMatrices(const mjModel* m, mjData* d);

}  // namespace sinew::inline integrate

#endif  // SINEW_INTEGRATE_IMPLICIT_CELLS_H_
