// How the acceleration that solves the constrained dynamics responds to a small force.
//
// The solution a minimizes a cost whose gradient is the residual of forces
//   r(a) = M a - qfrc_smooth - J' f(J a - aref) = 0
// and whose Hessian is H (solve/hessian.h). By the implicit function theorem, whatever changes the residual by dr at
// fixed a changes the solution by da = -H^-1 dr.
#ifndef SINEW_DERIVATIVES_BASE_SOLUTION_DERIVATIVE_H_
#define SINEW_DERIVATIVES_BASE_SOLUTION_DERIVATIVE_H_

#include <mujoco/mujoco.h>

#include <vector>

#include "core/stack.h"
#include "solve/hessian.h"

namespace sinew::inline derivatives {

// Weights and states of all rows, for a cost that is not the solver's: the Hessian has D = weight in quadratic rows,
// and those of cones as the contacts have them.
struct RowWeights {
  std::vector<double> weight;
  std::vector<int> state;
};

class SolutionDerivative {
 public:
  // At the solution that a primal solver has left in the world. Later changes of positions do not matter, as long as
  // the factors of M stay.
  // With weights of another cost, the solution has to be the minimum of that. Unusable when the frame is full.
  SolutionDerivative(const mjModel* m, mjData* d, StackFrame& frame, const RowWeights* weights = nullptr);

  // Whether the solver has converged: if not, what it returns is no function of the residual alone.
  bool AtMinimum() const { return at_minimum_; }

  // x (nv) <- H^-1 x, for the islands and trees in which x is not zero.
  void Apply(double* x) const;

  // The same for a block of columns (math/column_block.h); scratch: two blocks of nv rows.
  void ApplyBlock(double* x, double* scratch) const;

 private:
  // The problem of an island, or of the whole system.
  struct Block {
    Hessian* hessian;
    int ndof;
    const int* dof;  // null: all
  };

  void AddIsland(int island, StackFrame& frame);
  void AddBlock(const Problem& problem, const int* dof, StackFrame& frame);
  void AddWhole(const RowWeights& weights, StackFrame& frame);
  void ApplyBlock(const Block& block, double* x) const;

  const mjModel* m_;
  mjData* d_;
  Block* block_;
  int blocks_ = 0;
  bool* in_block_;   // by tree
  double* scratch_;  // nv
  bool at_minimum_ = true;
};

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_BASE_SOLUTION_DERIVATIVE_H_
