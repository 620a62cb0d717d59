#include "solve/descent.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "math/dense.h"
#include "solve/balance_kernel.h"

namespace sinew::inline solve {
namespace {

// Conjugate gradients converge linearly, and each digit costs iterations: they end at half of the tolerance, and the
// test whether only rounding is left, which takes a product with J, is done seldom.
constexpr double kShareOfLinear = 0.5;
constexpr int kStepsOfLinear = 8;

// No search takes so many: its bracket has no number between its ends before.
constexpr int kMostEvaluations = 1 << 20;

}  // namespace

Descent::Descent(const Problem& problem, const SolverOptions& options, bool is_newton, StackFrame& frame)
    : p_(problem), options_(options), is_newton_(is_newton), search_(problem, frame) {
  const int nv = p_.nv, nefc = p_.rows.nefc;
  Mv_ = frame.Doubles(nv);
  direction_ = frame.Doubles(nv);
  gradient_ = frame.Doubles(nv);
  Jv_ = frame.Doubles(nefc);
  inverse_root_ = frame.Doubles(nv);
  largest_ = frame.Doubles(nv);
  old_state_ = frame.Ints(nefc);
  root_ = frame.Ints(nv);
  if (frame.full()) return;

  for (int i = 0; i < nv; ++i) {
    root_[i] = p_.parent[i] < 0 ? i : root_[p_.parent[i]];
    inverse_root_[i] = 1 / Sqrt(p_.M[p_.M_rowadr[i] + p_.M_rownnz[i] - 1]);
  }
  is_stiff_ = is_newton_ && HasStiffRow();
  UpdateConstraint();
  UpdateGradient();
}

bool Descent::HasStiffRow() const {
  double stiffest = 0, lightest = 0;
  for (int row = 0; row < p_.rows.nefc; ++row) stiffest = Max(stiffest, p_.rows.D[row]);
  for (int i = 0; i < p_.nv; ++i) lightest = Max(lightest, inverse_root_[i] * inverse_root_[i]);
  return IsStiff(stiffest, lightest);
}

bool Descent::AtMinimum() {
  const double tolerance = is_newton_ ? BalanceTolerance<double>(options_.tolerance)
                                      : Max(kShareOfLinear * options_.tolerance, BalanceTolerance<double>(0));
  const auto own = [this](int i) { return OwnForces(p_.Ma[i], p_.qfrc_smooth[i], p_.qfrc_constraint[i]); };
  Zero(largest_, p_.nv);
  left_before_ = std::exchange(left_, 0);
  for (int i = 0; i < p_.nv; ++i) {
    largest_[root_[i]] = Max(largest_[root_[i]], own(i) * inverse_root_[i]);
    left_ = Max(left_, Abs(gradient_[i]) * inverse_root_[i]);
  }
  for (int i = 0; i < p_.nv; ++i) {
    if (!IsBalanced(gradient_[i], own(i), inverse_root_[i], largest_[root_[i]], tolerance)) return false;
  }
  return true;
}

// Whether the gradient of each dof is nothing but rounding of the terms that it is the sum of: |M| |a|, the smooth
// force, and of each row |J'| (|f| + D (|J| |a| + |aref|)), as its residual has the rounding of J a - aref.
bool Descent::IsRest() {
  double* floor = Mv_;
  for (int i = 0; i < p_.nv; ++i) floor[i] = Abs(p_.qfrc_smooth[i]);
  for (int i = 0; i < p_.nv; ++i) {
    for (int k = p_.M_rowadr[i]; k < p_.M_rowadr[i] + p_.M_rownnz[i]; ++k) {
      const int j = p_.M_colind[k];
      floor[i] += Abs(p_.M[k] * p_.qacc[j]);
      if (j != i) floor[j] += Abs(p_.M[k] * p_.qacc[i]);
    }
  }
  AddFloorOfRows(floor);
  for (int i = 0; i < p_.nv; ++i) {
    if (!IsRounding(gradient_[i], floor[i], 2 * left_ >= left_before_, is_stiff_)) return false;
  }
  return true;
}

void Descent::AddFloorOfRows(double* floor) const {
  for (int b = 0; b < p_.J.nblock; ++b) {
    const JacobianBlock& block = p_.J.block[b];
    for (int r = 0; r < block.nrow; ++r) {
      const int row = block.row + r;
      if (p_.state[row] == mjCNSTRSTATE_SATISFIED) continue;
      const double* J = block.value + static_cast<ptrdiff_t>(r) * block.ncol;
      double size = Abs(p_.aref[row]);
      for (int c = 0; c < block.ncol; ++c) size += Abs(J[c] * p_.qacc[block.col[c]]);
      const double force = Abs(p_.force[row]) + p_.rows.D[row] * size;
      for (int c = 0; c < block.ncol; ++c) floor[block.col[c]] += Abs(J[c]) * force;
    }
  }
}

bool Descent::Step() {
  MulInertia(p_, direction_, Mv_);
  MulJ(p_.J, direction_, Jv_);
  line_ = search_.Search(options_, p_.Ma, p_.jar, direction_, Mv_, Jv_);
  // as in slot_line_kernel.h
  if (line_.is_exhausted && is_stiff_) options_.ls_iterations = std::min(2 * options_.ls_iterations, kMostEvaluations);
  if (line_.alpha == 0) return false;

  // move
  AddScaled(p_.qacc, direction_, line_.alpha, p_.nv);
  AddScaled(p_.Ma, Mv_, line_.alpha, p_.nv);
  AddScaled(p_.jar, Jv_, line_.alpha, p_.rows.nefc);

  if (is_stiff_) {  // anew from the rounded acceleration: large D would turn differences of rounding into forces
    MulInertia(p_, p_.qacc, p_.Ma);
    ConstraintResidual(p_, p_.qacc, p_.jar);
  }

  // evaluate there
  std::memcpy(old_state_, p_.state, static_cast<size_t>(p_.rows.nefc) * sizeof(int));
  UpdateConstraint();
  UpdateGradient();
  changed_ = 0;
  for (int i = 0; i < p_.rows.nefc; ++i) changed_ += p_.state[i] != old_state_[i];
  return true;
}

bool Descent::Finish() {
  if (p_.stat && iteration_ < mjNSOLVER) {
    const double gradient = p_.scale * Norm(gradient_, p_.nv);
    int active = 0;
    for (int i = 0; i < p_.rows.nefc; ++i) active += p_.state[i] != mjCNSTRSTATE_SATISFIED;
    p_.stat[iteration_] = {p_.scale * line_.gain,    gradient, line_.slope, active, changed_, line_.evaluations,
                           is_newton_ ? changed_ : 0};
  }
  ++iteration_;
  if (p_.niter) *p_.niter = iteration_;
  const bool is_due = changed_ == 0 && (is_newton_ || iteration_ % kStepsOfLinear == 0);
  return AtMinimum() || (is_due && IsRest());
}

void Descent::UpdateConstraint() {
  EvaluateRows(p_.rows, p_.jar, p_.force, p_.state, is_newton_);
  MulJTransposed(p_.J, p_.force, p_.qfrc_constraint);
}

void Descent::UpdateGradient() {
  for (int i = 0; i < p_.nv; ++i) gradient_[i] = p_.Ma[i] - p_.qfrc_smooth[i] - p_.qfrc_constraint[i];
}

}  // namespace sinew::inline solve
