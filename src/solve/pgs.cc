// Projected Gauss-Seidel: every row, or elliptic contact, in turn minimizes the dual cost over its own force.
#include <algorithm>

#include "simd/functions.h"
#include "solve/dual.h"
#include "solve/dual_problem.h"

namespace sinew {
namespace {

// Moves the force to the least dual cost on the line along `direction`, no farther back than by `least_step` of it.
void MinimizeAlong(const double* direction, int dim, const double* A, const double* residual, double least_step,
                   double* force) {
  double curvature = 0, slope = 0;
  for (int r = 0; r < dim; ++r) {
    slope += direction[r] * residual[r];
    for (int c = 0; c < dim; ++c) curvature += direction[r] * A[r * dim + c] * direction[c];
  }
  const double step = curvature >= kMinVal ? Max(least_step, -slope / curvature) : 0;
  for (int r = 0; r < dim; ++r) force[r] += step * direction[r];
}

// From the apex of its cone a force leaves along the normal or, where that does not lower the cost, along the side of
// the cone that is steepest downhill: (1, -mu_j^2 b_j / |mu b|).
void LeaveApex(const mjContact& contact, const double* A, const double* residual, double* force) {
  double direction[kMaxContactDim] = {1};
  if (residual[0] >= 0) {
    double square = 0;
    for (int j = 1; j < contact.dim; ++j) {
      direction[j] = contact.friction[j - 1] * residual[j];
      square += direction[j] * direction[j];
    }
    const double size = Max(kMinVal, Sqrt(square));
    for (int j = 1; j < contact.dim; ++j) direction[j] *= -contact.friction[j - 1] / size;
  }
  std::fill(force, force + contact.dim, 0.0);
  MinimizeAlong(direction, contact.dim, A, residual, 0, force);
}

// Elliptic contact: first along the current force, or away from the apex of the cone, then the tangents.
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
    LeaveApex(contact, A, residual, force);
  } else {
    MinimizeAlong(old, dim, A, residual, -1, force);
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
