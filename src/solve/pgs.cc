// Projected Gauss-Seidel: every row, or elliptic contact, in turn minimizes the dual cost over its own force.
#include <algorithm>

#include "inertia/inertia.h"
#include "math/dense.h"
#include "simd/functions.h"
#include "solve/dual.h"
#include "solve/dual_problem.h"
#include "solve/dual_rows.h"
#include "solve/pgs_kernel.h"

namespace sinew::inline solve {
namespace {

// Moves the force to the least dual cost on the line along `direction`, no farther back than by `least_step` of it.
template <int dim>
void MinimizeAlong(const double* direction, const double* A, const double* residual, double least_step, double* force) {
  double pushed[dim];
  for (int r = 0; r < dim; ++r) pushed[r] = Dot(A + r * dim, direction, dim);
  const double curvature = Dot(direction, pushed, dim);
  const double step = curvature >= kMinVal ? Max(least_step, -Dot(direction, residual, dim) / curvature) : 0;
  for (int r = 0; r < dim; ++r) force[r] += step * direction[r];
}

// From the apex of its cone a force leaves along the normal or, where that does not lower the cost, along the side of
// the cone that is steepest downhill: (1, -mu_j^2 b_j / |mu b|).
template <int dim>
void LeaveApex(const mjContact& contact, const double* A, const double* residual, double* force) {
  double direction[dim] = {1};
  if (residual[0] >= 0) {
    double square = 0;
    for (int j = 1; j < dim; ++j) {
      direction[j] = contact.friction[j - 1] * residual[j];
      square += direction[j] * direction[j];
    }
    const double size = Max(kMinVal, Sqrt(square));
    for (int j = 1; j < dim; ++j) direction[j] *= -contact.friction[j - 1] / size;
  }
  std::fill(force, force + dim, 0.0);
  MinimizeAlong<dim>(direction, A, residual, 0, force);
}

// Of the friction below a normal force. The regularization makes every block definite. What is left of the bound is
// judged by the bound itself: an error of 1e-10 N^2, as MuJoCo 3.8.0 accepts it, is a tenth of the friction of a few
// milligrams, and sweeps end in another place or do not end.
QcqpLimits LimitsOf(double normal_force) {
  constexpr double kViolation = 1e-10;  // then the result is scaled onto the bound
  return {.singular = 0, .violation = kViolation * normal_force * normal_force, .step = 0, .iterations = 100};
}

// Elliptic contact: first along the current force, or away from the apex of the cone, then the tangents.
template <int dim>
double SweepElliptic(DualProblem& p, const mjContact& contact, int first) {
  double old[dim], force[dim], residual[dim];
  const double* A = p.Block(first);
  for (int r = 0; r < dim; ++r) {
    residual[r] = p.Residual(first + r);
    old[r] = force[r] = p.Force(first + r);
  }

  if (old[0] < kMinVal) {
    LeaveApex<dim>(contact, A, residual, force);
  } else {
    MinimizeAlong<dim>(old, A, residual, -1, force);
  }
  SolveFriction<dim>(contact, A, residual, old, LimitsOf(force[0]), force);
  // a rise would end the sweeps
  return p.Replace<dim>(first, force, A, residual, /*worst=*/0);
}

double SweepScalar(DualProblem& p, int row) {
  const RowBounds bounds = BoundsOfRow(p.rows(), row);
  const RowStep<double> step =
      StepOfRow(p.Force(row), p.Residual(row), p.Diagonal(row), p.InverseDiagonal(row), bounds.low, bounds.high);
  p.Change(row, step.delta);
  return step.cost;
}

// One sweep over all rows; returns the change of the dual cost, weighted by rows.
double Sweep(DualProblem& p) {
  const RowSet& rows = p.rows();
  double change = 0;
  for (int row = 0; row < rows.nefc;) {
    if (rows.type[row] == mjCNSTR_CONTACT_ELLIPTIC) {
      const mjContact& contact = rows.contact[rows.id[row]];
      change += p.Weight(row) * WithDimOf(contact, [&](auto dim) { return SweepElliptic<dim>(p, contact, row); });
      row += contact.dim;
    } else {
      change += p.Weight(row) * SweepScalar(p, row);
      ++row;
    }
  }
  return change;
}

// Forces at the previous acceleration; none without a warm start. `jar`: scratch for the residual.
void WarmForces(const mjModel* m, const mjData* d, const Problem& p, double* jar) {
  if (m->opt.disableflags & mjDSBL_WARMSTART) return Zero(p.force, p.rows.nefc);
  ConstraintResidual(p, d->qacc_warmstart, jar);
  EvaluateRows(p.rows, jar, p.force, p.state, false);
}

// The whole system with the forces to start from. Unusable when the frame is full.
Problem StartingProblem(const mjModel* m, mjData* d, StackFrame& frame) {
  Problem p = WholeProblem(m, d, frame);
  DescribeDualRows(m, d, p, frame);
  double* jar = frame.Doubles(p.rows.nefc);
  if (frame.full()) return p;
  ConstraintResidual(p, d->qacc_smooth, d->efc_b);
  for (int i = 0; i < p.rows.nefc; ++i) p.state[i] = mjCNSTRSTATE_SATISFIED;
  WarmForces(m, d, p, jar);
  *p.niter = 0;
  return p;
}

}  // namespace

void DualFinish(const mjModel* m, mjData* d, const Problem& p) {
  MulJTransposed(p.J, p.force, d->qfrc_constraint);
  Copy(d->qacc, d->qfrc_constraint, static_cast<int>(m->nv));
  SolveMetric(m, d, d->qacc);
  for (int i = 0; i < m->nv; ++i) d->qacc[i] += d->qacc_smooth[i];
}

DualForces::DualForces(const mjModel* m, mjData* d)
    : m_(m), d_(d), frame_(d, WhenFull::kReport), p_(StartingProblem(m, d, frame_)) {}

void DualForces::TakeForces(int iterations, int entries) {
  UpdateDualStates(p_);
  *p_.nnz = entries;
  *p_.niter = iterations;
}

void DualForces::Push() { MulJTransposed(p_.J, p_.force, d_->qfrc_constraint); }

DualSolution::DualSolution(const mjModel* m, mjData* d) : DualForces(m, d), dual_(m, d, p_, frame_) {
  if (!full()) dual_.ClearDearForces();
}

void DualSolution::Minimize() {
  UpdateDualStates(p_);
  *p_.nnz = d_->nA;
  for (int i = 0; i < m_->opt.iterations; ++i) {
    const double improvement = -Sweep(dual_);
    RecordDual(p_, i, improvement);
    if (improvement < m_->opt.tolerance) return;
  }
}

void DualSolution::Finish() { DualFinish(m_, d_, p_); }

}  // namespace sinew::inline solve
