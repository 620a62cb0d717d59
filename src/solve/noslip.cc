// Noslip: Gauss-Seidel sweeps over friction forces alone, without regularization, normal forces held.
#include <algorithm>

#include "constraint/metric_row.h"
#include "solve/dual.h"
#include "solve/dual_problem.h"

namespace sinew::inline solve {
namespace {

constexpr double kMinDiagonal = 1e-10;  // of an elliptic contact without R

// As established. Below this determinant, or pivot, of mu A mu no friction is tried, which is taken back where it costs
// more than the present one. Heavy bodies come there, and contacts whose directions move the same few dofs.
constexpr QcqpLimits kNoslipLimits = {.singular = 1e-10, .violation = 1e-10, .step = 1e-10, .iterations = 20};

constexpr double kWorseCost = 1e-10;  // forces whose cost rises by more are restored, as established

double NoslipFrictionRow(DualProblem& p, int row) {
  const double old = p.Force(row), R = p.rows().R[row], eta = p.rows().frictionloss[row];
  if (eta == kMetricLoss) return 0;  // its regularization is what the row is made of
  const double A = Max(kMinVal, p.Diagonal(row) - R), residual = p.Residual(row) - R * old;
  const double force = Clamp(old - residual / A, -eta, eta);
  return p.Replace<1>(row, &force, &A, &residual, kWorseCost);
}

// Takes R from the diagonal block of rows; the residual without R f, and the present forces f.
template <int dim>
void RemoveRegularization(const DualProblem& p, int first, double min_diagonal, double* A, double* residual,
                          double* force) {
  for (int r = 0; r < dim; ++r) {
    const double R = p.rows().R[first + r];
    force[r] = p.Force(first + r);
    residual[r] = p.Residual(first + r) - R * force[r];
    A[r * dim + r] = Max(min_diagonal, A[r * dim + r] - R);
  }
}

// Opposing edges of a pyramid: f = (s + y, s - y) with s fixed, minimized over |y| <= s.
double NoslipEdges(DualProblem& p, int first) {
  const double coupling = p.Entry(first, first + 1);
  double A[4] = {p.Diagonal(first), coupling, coupling, p.Diagonal(first + 1)}, residual[2], old[2];
  RemoveRegularization<2>(p, first, kMinVal, A, residual, old);
  const double s = 0.5 * (old[0] + old[1]), y_old = 0.5 * (old[0] - old[1]);
  const double curvature = A[0] + A[3] - A[1] - A[2];
  double y = 0;
  if (curvature >= kMinVal) y = Clamp(y_old - (residual[0] - residual[1]) / curvature, -s, s);
  const double force[2] = {s + y, s - y};
  return p.Replace<2>(first, force, A, residual, kWorseCost);
}

template <int dim>
double NoslipElliptic(DualProblem& p, const mjContact& contact, int first) {
  double old[dim], force[dim], residual[dim], A[dim * dim];
  std::copy_n(p.Block(first), dim * dim, A);
  RemoveRegularization<dim>(p, first, kMinDiagonal, A, residual, old);
  std::copy(old, old + dim, force);
  SolveFriction<dim>(contact, A, residual, old, kNoslipLimits, force);
  return p.Replace<dim>(first, force, A, residual, kWorseCost);
}

double NoslipSweep(DualProblem& p) {
  const RowSet& rows = p.rows();
  double change = 0;
  for (int row = rows.ne; row < rows.ne + rows.nf; ++row) change += NoslipFrictionRow(p, row);
  for (int row = rows.ne + rows.nf; row < rows.nefc;) {
    int used = 1;
    if (rows.type[row] == mjCNSTR_CONTACT_PYRAMIDAL) {
      used = 2;
      change += NoslipEdges(p, row);
    } else if (rows.type[row] == mjCNSTR_CONTACT_ELLIPTIC) {
      const mjContact& contact = rows.contact[rows.id[row]];
      used = contact.dim;
      change += WithDimOf(contact, [&](auto dim) { return NoslipElliptic<dim>(p, contact, row); });
    }
    row += used;
  }
  return change;
}

}  // namespace

void SolveNoslip(const mjModel* m, const Problem& problem, DualProblem& dual) {
  const int done = *problem.niter;
  for (int i = 0; i < m->opt.noslip_iterations; ++i) {
    double change = NoslipSweep(dual);
    if (i == 0) {
      // the first sweep also gains what the regularization cost
      for (int r = 0; r < problem.rows.nefc; ++r)
        change -= 0.5 * problem.force[r] * problem.force[r] * problem.rows.R[r];
    }
    RecordDual(problem, done + i, -problem.scale * change);
    if (-problem.scale * change < m->opt.noslip_tolerance) return;
  }
}

}  // namespace sinew::inline solve
