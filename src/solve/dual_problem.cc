#include "solve/dual_problem.h"

#include <algorithm>
#include <cmath>

#include "constraint/jacobian_product.h"
#include "math/dense.h"
#include "math/sparse.h"

namespace sinew::inline solve {

DualProblem::DualProblem(const mjModel* m, const mjData* d, const Problem& p, StackFrame& frame)
    : p_(p), d_(d), sparse_(IsSparse(m)) {
  const int n = p.rows.nefc;
  residual_ = frame.Doubles(n);
  diagonal_ = frame.Doubles(n);
  inverse_diagonal_ = frame.Doubles(n);
  blocks_ = frame.Doubles(static_cast<ptrdiff_t>(kMaxContactDim) * n);
  if (frame.full()) return;
  for (int i = 0; i < n; ++i) {
    residual_[i] = d->efc_b[i] + RowTimesForce(i);
    diagonal_[i] = Entry(i, i);
    inverse_diagonal_[i] = 1 / diagonal_[i];
  }
  FillBlocks();
}

void DualProblem::FillBlocks() {
  for (int row = 0; row < rows().nefc; ++row) {
    if (rows().type[row] != mjCNSTR_CONTACT_ELLIPTIC) continue;
    const int dim = rows().contact[rows().id[row]].dim;
    double* block = blocks_ + static_cast<ptrdiff_t>(kMaxContactDim) * row;
    for (int r = 0; r < dim; ++r) {
      for (int c = 0; c < dim; ++c) block[r * dim + c] = Entry(row + r, row + c);
    }
    row += dim - 1;
  }
}

double DualProblem::RowTimesForce(int i) const {
  if (!sparse_) return Dot(d_->efc_AR + static_cast<ptrdiff_t>(i) * rows().nefc, p_.force, rows().nefc);
  const int row = d_->efc_AR_rowadr[i];
  return SparseDot(d_->efc_AR + row, d_->efc_AR_colind + row, d_->efc_AR_rownnz[i], p_.force);
}

// The matrix is symmetric: its rows are its columns.
void DualProblem::Change(int i, double delta) {
  if (delta == 0) return;
  p_.force[i] += delta;
  if (!sparse_) return AddScaled(residual_, d_->efc_AR + static_cast<ptrdiff_t>(i) * rows().nefc, delta, rows().nefc);
  const int row = d_->efc_AR_rowadr[i];
  AddSparse(residual_, d_->efc_AR + row, d_->efc_AR_colind + row, d_->efc_AR_rownnz[i], delta);
}

void DualProblem::ClearDearForces() {
  for (int island = 0; island < p_.islands; ++island) {
    if (CostOfIsland(island) <= 0) continue;
    for (int i = 0; i < rows().nefc; ++i) {
      if (p_.row_island[i] != island) continue;
      p_.force[i] = 0;
      residual_[i] = d_->efc_b[i];
    }
  }
}

double DualProblem::CostOfIsland(int island) const {
  double cost = 0;
  for (int i = 0; i < rows().nefc; ++i) {
    if (p_.row_island[i] == island) cost += 0.5 * Force(i) * (residual_[i] + d_->efc_b[i]);
  }
  return cost;
}

double DualProblem::Entry(int i, int j) const {
  if (!sparse_) return d_->efc_AR[static_cast<ptrdiff_t>(i) * rows().nefc + j];
  const int* begin = d_->efc_AR_colind + d_->efc_AR_rowadr[i];
  const int* end = begin + d_->efc_AR_rownnz[i];
  const int* found = std::lower_bound(begin, end, j);
  return found != end && *found == j ? d_->efc_AR[found - d_->efc_AR_colind] : 0;
}

template <int dim>
void SolveFriction(const mjContact& contact, const double* A, const double* residual, const double* old,
                   const QcqpLimits& limits, double* force) {
  constexpr int n = dim - 1;
  if (force[0] < kMinVal) {
    std::fill(force + 1, force + dim, 0.0);
    return;
  }

  // linear term without the tangents' own forces
  double At[n * n], b[n];
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) At[r * n + c] = A[(r + 1) * dim + c + 1];
    b[r] = residual[r + 1] - Dot(At + r * n, old + 1, n) + A[(r + 1) * dim] * (force[0] - old[0]);
  }

  // an active bound holds exactly
  if (!SolveQCQP<n>(force + 1, At, b, contact.friction, force[0], limits)) return;
  double squared = 0;
  for (int j = 0; j < n; ++j) squared += force[j + 1] * force[j + 1] / (contact.friction[j] * contact.friction[j]);
  const double scale = std::sqrt(force[0] * force[0] / Max(kMinVal, squared));
  for (int j = 0; j < n; ++j) force[j + 1] *= scale;
}

template void SolveFriction<2>(const mjContact&, const double*, const double*, const double*, const QcqpLimits&,
                               double*);
template void SolveFriction<3>(const mjContact&, const double*, const double*, const double*, const QcqpLimits&,
                               double*);
template void SolveFriction<4>(const mjContact&, const double*, const double*, const double*, const QcqpLimits&,
                               double*);
template void SolveFriction<5>(const mjContact&, const double*, const double*, const double*, const QcqpLimits&,
                               double*);
template void SolveFriction<6>(const mjContact&, const double*, const double*, const double*, const QcqpLimits&,
                               double*);

namespace {

// Parts of a force by which rounding may leave it outside of the cone on whose side it was put.
constexpr double kOnCone = 1e-12;

// States follow from the forces. An elliptic contact counts as satisfied while its force is inside or on the cone.
int DualState(const RowSet& rows, int row, const double* force) {
  switch (rows.type[row]) {
    case mjCNSTR_EQUALITY:
      return mjCNSTRSTATE_QUADRATIC;
    case mjCNSTR_FRICTION_DOF:
    case mjCNSTR_FRICTION_TENDON:
      if (force[row] <= -rows.frictionloss[row]) return mjCNSTRSTATE_LINEARPOS;
      if (force[row] >= rows.frictionloss[row]) return mjCNSTRSTATE_LINEARNEG;
      return mjCNSTRSTATE_QUADRATIC;
    case mjCNSTR_CONTACT_ELLIPTIC: {
      const mjContact& contact = rows.contact[rows.id[row]];
      double tangents[kMaxContactDim - 1];
      for (int j = 1; j < contact.dim; ++j) tangents[j - 1] = force[row + j] / contact.friction[j - 1];
      const double N = force[row] / contact.mu, T = Norm(tangents, contact.dim - 1);
      if (contact.mu * N >= (1 - kOnCone) * T) return mjCNSTRSTATE_SATISFIED;
      return N + contact.mu * T <= 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_CONE;
    }
    default:
      return force[row] > 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
  }
}

}  // namespace

StateCount UpdateDualStates(const Problem& p) {
  const RowSet& rows = p.rows;
  StateCount count{0, 0};
  for (int row = 0; row < rows.nefc;) {
    const int dim = rows.type[row] == mjCNSTR_CONTACT_ELLIPTIC ? rows.contact[rows.id[row]].dim : 1;
    const int state = DualState(rows, row, p.force);
    for (int r = row; r < row + dim; ++r) {
      count.changed += p.state[r] != state;
      count.active += state != mjCNSTRSTATE_SATISFIED;
      p.state[r] = state;
    }
    row += dim;
  }
  return count;
}

void RecordDual(const Problem& p, int iteration, double improvement) {
  const StateCount count = UpdateDualStates(p);
  if (iteration < mjNSOLVER) p.stat[iteration] = {improvement, 0, 0, count.active, count.changed, 0, 0};
  *p.niter = iteration + 1;
}

}  // namespace sinew::inline solve
