// The optimization problem behind constrained dynamics, for the whole system or for one island:
//
//   minimize over a   1/2 (a - a_s)' M (a - a_s) + s(J a - aref)
//
// a: acceleration, a_s: unconstrained acceleration, s: constraint cost (constraint/cost.h). Solvers see nothing of
// mjData but this.
#ifndef SINEW_SOLVE_PROBLEM_H_
#define SINEW_SOLVE_PROBLEM_H_

#include <mujoco/mujoco.h>

#include "constraint/cost.h"
#include "core/stack.h"
#include "simd/isa.h"
#include "solve/block_jacobian.h"
#include "solve/options.h"

namespace sinew::inline solve {

inline namespace SINEW_ISA {
template <class S>
struct SlotProblem;
}

struct Problem {
  int nv;
  const int* parent;  // nv: the parent of each dof in the kinematic tree, -1 for none
  RowSet rows;
  BlockJacobian J;
  const double* aref;  // nefc

  // inertia: lower rows on M's pattern, and its factors
  const int *M_rownnz, *M_rowadr, *M_colind;
  const double *M, *LD, *LDiagInv;

  const double *qfrc_smooth, *qacc_smooth;  // M a_s = qfrc_smooth

  // results
  double* qacc;             // nv; on entry the starting point
  double *Ma, *jar;         // nv, nefc: M a, J a - aref; primal solvers keep them at qacc
  double* qfrc_constraint;  // nv: J' force
  double* force;            // nefc
  int* state;               // nefc, mjtConstraintState

  double scale;  // makes improvement and gradient independent of the size of the system
  // of dual problems (dual_rows.h)
  const double* weight;   // nefc: of a row's improvement of the dual cost
  const int* row_island;  // nefc: below islands
  int islands;

  mjSolverStat* stat;  // mjNSOLVER entries, or null
  int* niter;          // number of iterations, or null
  int* nnz;            // nonzeros of the Hessian, or null
  int island;          // -1: the whole system

  bool keeps_structure;  // whether it is alone in keeping the structure of its Hessian (last_structure.h)

  const SlotProblem<double>* slots;  // the same as slots (slots.h), for Newton on a small system; or null

  // Whether the states are kept apart from efc_state.
  bool HasOwnStates(const mjData* d) const { return state != d->efc_state; }
};

// The whole system. Results go to mjData directly. Problems are unusable when the frame is full.
Problem WholeProblem(const mjModel* m, mjData* d, StackFrame& frame);

// One island. Inputs that the island stage has not copied are gathered here; results go to the island's arrays.
Problem IslandProblem(const mjModel* m, mjData* d, StackFrame& frame, int island);

// The scale of systems that are divided into islands: one over the trace of M.
double ScaleByTrace(const Problem& problem);

// Copies the results of an island to mjData's dofs and rows.
void ScatterIsland(mjData* d, const Problem& problem);

// Copies states that are kept apart to those of mjData.
void ShowStates(mjData* d, const Problem& problem);

// Copies the results of the whole system, and what solvers of islands take from it, to the islands' arrays.
void FillIslands(mjData* d, const Problem& whole);

SolverOptions OptionsOf(const mjModel* m);

// Ma and jar at qacc. Primal solvers begin with them.
void EvaluateStart(const Problem& problem);

// jar (nefc) = J a - aref
void ConstraintResidual(const Problem& problem, const double* qacc, double* jar);

// res = M v
void MulInertia(const Problem& problem, const double* v, double* res);

// 1/2 (a - a_s)' (M a - qfrc_smooth), given Ma
double GaussCost(const Problem& problem, const double* qacc, const double* Ma);

}  // namespace sinew::inline solve

#endif  // SINEW_SOLVE_PROBLEM_H_
