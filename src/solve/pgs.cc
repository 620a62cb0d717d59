// Projected Gauss-Seidel: every row, or elliptic contact, in turn minimizes the dual cost over its own force.
#include <algorithm>

#include "simd/functions.h"
#include "solve/dual.h"
#include "solve/dual_problem.h"

namespace sinew {
namespace {

// Elliptic contact: first along the current force, or the normal alone, then the tangents.
double SweepElliptic(DualProblem& p, int first) {
  const mjContact& contact = p.rows().contact[p.rows().id[first]];
  const int dim = contact.dim;
  double old[kMaxContactDim], force[kMaxContactDim], residual[kMaxContactDim], A[kMaxContactDim * kMaxContactDim];
  p.Block(first, dim, A);
  for (int r = 0; r < dim; ++r) {
    residual[r] = p.Residual(first + r);
    old[r] = force[r] = p.Force(first + r);
  }

  if (old[0] < kMinVal) {
    force[0] = Max(0.0, old[0] - residual[0] / A[0]);
    std::fill(force + 1, force + dim, 0.0);
  } else {
    double denominator = 0, numerator = 0;
    for (int r = 0; r < dim; ++r) {
      numerator -= old[r] * residual[r];
      for (int c = 0; c < dim; ++c) denominator += old[r] * A[r * dim + c] * old[c];
    }
    const double scale = denominator >= kMinVal ? Max(-1.0, numerator / denominator) : 0;
    for (int r = 0; r < dim; ++r) force[r] += scale * old[r];
  }
  SolveFriction(contact, A, residual, old, force);
  return p.Replace(first, dim, force, A, residual);
}

// One row: the unbounded minimum, moved into [low, high].
double SweepScalar(DualProblem& p, int row, double low, double high) {
  const double force = p.Force(row), residual = p.Residual(row);
  const double delta = Clamp(force - residual * p.InverseDiagonal(row), low, high) - force;
  p.Change(row, delta);
  return delta * (0.5 * delta * p.Diagonal(row) + residual);
}

// One sweep over all rows; returns the change of the dual cost.
double Sweep(DualProblem& p) {
  const RowSet& rows = p.rows();
  double change = 0;
  int row = 0;
  for (; row < rows.ne; ++row) change += SweepScalar(p, row, -kInfinity, kInfinity);
  for (; row < rows.ne + rows.nf; ++row) change += SweepScalar(p, row, -rows.frictionloss[row], rows.frictionloss[row]);
  while (row < rows.nefc) {
    if (rows.type[row] == mjCNSTR_CONTACT_ELLIPTIC) {
      change += SweepElliptic(p, row);
      row += rows.contact[rows.id[row]].dim;
    } else {
      change += SweepScalar(p, row++, 0, kInfinity);
    }
  }
  return change;
}

}  // namespace

void SolvePGS(const mjModel* m, const mjData* d, const Problem& problem, DualProblem& dual) {
  UpdateDualStates(problem);
  *problem.nnz = d->nA;
  for (int i = 0; i < m->opt.iterations; ++i) {
    const double improvement = -problem.scale * Sweep(dual);
    RecordDual(problem, i, improvement);
    if (improvement < m->opt.tolerance) return;
  }
}

}  // namespace sinew
