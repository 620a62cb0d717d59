// Cells that the integrator steps together (integrate/implicit_cells.h), in the derivatives of a step.
//
// With the accelerations b that X alone gives, the dofs F of the nodes have b', and with the load of the cells
// l = (h^2 + h damping) J b' + h v,
//
//   A b'_F = X_FF b_F + J_F' R K R' l,    A db'_F = X_FF db_F + e,    e = dX_FF (b - b')_F + d(J_F' R K R' l) at fixed
//   b'
//
// e, as X (X_FF^-1 e), adds to the columns of s = M a - X b, so that db' = P db with P = A^-1 X_FF on F, and 1
// elsewhere.
#ifndef SINEW_DERIVATIVES_INTEGRATORS_IMPLICIT_CELL_COLUMNS_H_
#define SINEW_DERIVATIVES_INTEGRATORS_IMPLICIT_CELL_COLUMNS_H_

#include <string>
#include <vector>

#include "derivatives/base/columns.h"

namespace sinew::inline derivatives {

// Why the cells of a model have no derivatives in its steps; empty if they have.
std::string ObstacleOfImplicitCells(const mjModel* m);

class ImplicitCells {
 public:
  // After the accelerations b. Throws where the equations have no solution.
  ImplicitCells(const mjModel* m, mjData* d, const double* b);

  // b'
  const double* acceleration() const { return after_.data(); }

  // Adds e to the columns of the step. `change_of_matrix`: the columns of s at a = 0 and the acceleration b - b'.
  void AddColumns(const Columns& change_of_matrix, Columns& step) const;
  // b - b'
  std::vector<double> Difference(const double* b) const;

  // x = P x, and x = P' x, in place.
  void Advance(double* x) const;
  void AdvanceTransposed(double* x) const;

 private:
  std::vector<double> PartOf(const double* x) const;
  std::vector<double> PlainTimes(const std::vector<double>& x) const;

  const mjModel* m_;
  mjData* d_;
  std::vector<int> dof_;
  std::vector<double> plain_, plain_factor_, factor_;
  std::vector<double> after_;
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_INTEGRATORS_IMPLICIT_CELL_COLUMNS_H_
