// Hessian of the primal problem and its factorization.
//
//   H = M + sum over quadratic rows D_i J_i' J_i + sum over cones in the middle zone J_c' H_c J_c  =  L' D L
//
// Lower rows in the supernodes of the factor (supernodes.h), for H and for L alike. Everything that is added to H is a
// sum of outer products of dense rows with the same columns: a block of constraint rows, and in the factorization the
// rows of a supernode, which it passes on to the rows of its ancestors.
#ifndef SINEW_SOLVE_HESSIAN_H_
#define SINEW_SOLVE_HESSIAN_H_

#include "solve/problem.h"
#include "solve/supernodal.h"

namespace sinew::inline solve {

class Hessian {
 public:
  // Lays out the matrix for a problem. Memory belongs to the frame; unusable when that is full.
  Hessian(const Problem& problem, mjData* d, StackFrame& frame);

  // H for the given states of all rows, factored.
  void Assemble(const int* state);

  // The same after the states of some rows have changed. Without a cone in the middle zone, the factors are updated row
  // by row where that is cheaper than factoring, and without a change they stay as they are.
  void Update(const int* old_state, const int* state);

  // x = H^-1 y; x may be y
  void Solve(double* x, const double* y);

  // The same for a block of columns (math/column_block.h) in place; scratch: as large.
  void SolveBlock(double* x, double* scratch) const;

  int nonzeros() const { return s_.nonzeros; }

 private:
  void EstimateCosts();
  void AddInertia();
  void AddChangedRows(const int* state);
  bool AddCones(double* H, const int* state);
  bool UpdateIsCheap(const int* old_state, const int* state);
  bool UpdateRows(const int* old_state, const int* state);
  void Factor(const int* state);

  const Problem& p_;
  const Structure s_;
  double* quadratic_;          // M and the quadratic rows
  int* assembled_;             // the states for which it holds them
  double *factor_, *diaginv_;  // L below the diagonal and D on it; 1/D by index
  double *product_, *vector_;  // scratch: H_c J_c; a vector by index, zero between uses
  double* local_;              // scratch: a vector on the columns of a supernode
  ColumnTarget* target_;       // scratch: as many as a block or supernode has pieces
  FactorScratch scratch_;
  ptrdiff_t factor_cost_ = 0;  // multiplications of a factorization, when it is known
  ptrdiff_t* update_cost_;     // and of an update that begins in a supernode
  bool has_cones_ = false;     // factor_ contains cones
};

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_HESSIAN_H_
