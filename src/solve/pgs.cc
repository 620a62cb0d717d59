// Projected Gauss-Seidel: every row, or elliptic contact, in turn minimizes the dual cost over its own force.
#include <algorithm>

#include "solve/dual.h"
#include "solve/dual_problem.h"

namespace sinew {
namespace {

// Elliptic contact: first along the current force, or the normal alone, then the tangents.
double SweepElliptic(const DualProblem& p, int first) {
  const mjContact& contact = p.rows().contact[p.rows().id[first]];
  const int dim = contact.dim;
  double *force = p.force() + first, old[kMaxContactDim], residual[kMaxContactDim], A[kMaxContactDim * kMaxContactDim];
  p.Block(first, dim, A);
  for (int r = 0; r < dim; ++r) {
    residual[r] = p.Residual(first + r);
    old[r] = force[r];
  }

  if (force[0] < kMinVal) {
    force[0] = Max(0.0, force[0] - residual[0] / A[0]);
    std::fill(force + 1, force + dim, 0.0);
  } else {
    double denominator = 0, numerator = 0;
    for (int r = 0; r < dim; ++r) {
      numerator -= old[r] * residual[r];
      for (int c = 0; c < dim; ++c) denominator += old[r] * A[r * dim + c] * old[c];
    }
    if (denominator >= kMinVal) {
      const double scale = Max(-1.0, numerator / denominator);
      for (int r = 0; r < dim; ++r) force[r] += scale * old[r];
    }
  }

  // the linear term counts the change of the normal force; tangents restart from none
  SolveFriction(contact, A, residual, old, force);
  return KeepIfBetter(force, old, A, residual, dim);
}

double SweepScalar(const DualProblem& p, int row) {
  const int type = p.rows().type[row];
  double* force = p.force() + row;
  const double old = *force, residual = p.Residual(row), A = p.Entry(row, row);
  *force -= residual / A;
  if (type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON) {
    *force = Clamp(*force, -p.rows().frictionloss[row], p.rows().frictionloss[row]);
  } else if (type != mjCNSTR_EQUALITY) {
    *force = Max(0.0, *force);
  }
  return KeepIfBetter(force, &old, &A, &residual, 1);
}

// One sweep over all rows; returns the change of the dual cost.
double Sweep(const DualProblem& p) {
  double change = 0;
  for (int row = 0; row < p.rows().nefc;) {
    if (p.rows().type[row] == mjCNSTR_CONTACT_ELLIPTIC) {
      change += SweepElliptic(p, row);
      row += p.rows().contact[p.rows().id[row]].dim;
    } else {
      change += SweepScalar(p, row++);
    }
  }
  return change;
}

}  // namespace

void SolvePGS(const mjModel* m, mjData* d, const Problem& problem) {
  const DualProblem dual(m, d, problem);
  UpdateDualStates(problem);
  *problem.nnz = d->nA;
  for (int i = 0; i < m->opt.iterations; ++i) {
    const double improvement = -problem.scale * Sweep(dual);
    RecordDual(problem, i, improvement);
    if (improvement < m->opt.tolerance) return;
  }
}

}  // namespace sinew
