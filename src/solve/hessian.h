// Hessian of the primal problem and its factorization.
//
//   H = M + sum over quadratic rows D_i J_i' J_i + sum over cones in the middle zone J_c' H_c J_c  =  L' D L
//
// Dofs are eliminated from last to first, leaves of the kinematic tree before their ancestors, as for the inertia
// matrix. Its elimination tree (Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. 11,
// 1990) is the tree of dofs, joined where constraints couple branches. A row of H stores the whole path from the root
// to its dof: then every row that elimination touches is a prefix of the row being eliminated, all inner loops run over
// contiguous memory, and the factorization is that of the inertia matrix (inertia/ldl.h) on another tree. A contact
// with the world lies on one path: it adds no fill.
#ifndef SINEW_SOLVE_HESSIAN_H_
#define SINEW_SOLVE_HESSIAN_H_

#include "solve/problem.h"

namespace sinew {

class Hessian {
 public:
  // Lays out the matrix for a problem. Memory belongs to the frame.
  Hessian(const Problem& problem, StackFrame& frame);

  // H for the given states of all rows, factored.
  void Assemble(const int* state);

  // The same after the states of some rows have changed. Without a change and without a cone in the middle zone the
  // factors stay as they are.
  void Update(const int* old_state, const int* state);

  // x = H^-1 y; x may be y
  void Solve(double* x, const double* y) const;

  int nonzeros() const { return nonzeros_; }

 private:
  // Position of entry (i, j), j on the path to i: row i holds the path, so j's place is its depth.
  int Address(int i, int j) const { return rowadr_[i] + rownnz_[j] - 1; }

  void AddInertia();
  bool AddChangedRows(const int* old_state, const int* state);
  void AddProduct(double* H, int b, int count, const double* weight, const double* const* left,
                  const double* const* right);
  bool AddCones(double* H, const int* state);
  void Factor(const int* state);

  const Problem& p_;
  int nonzeros_;
  int *rownnz_, *rowadr_, *colind_;
  bool* contiguous_;   // per block: its columns are consecutive on their path
  double* quadratic_;  // M and the quadratic rows
  double *factor_, *diaginv_;
  double *row_, *product_;  // scratch: a row of a block; H_c J_c
  bool has_cones_ = false;  // factor_ contains cones
};

}  // namespace sinew

#endif  // SINEW_SOLVE_HESSIAN_H_
