#include "solve/descent.h"

#include <cmath>
#include <cstring>

#include "math/dense.h"

namespace sinew {
namespace {

constexpr double kCostRounding = 1e-14;  // of a cost, which is a sum of many terms
constexpr double kNegligible = 1e-5;     // of the tolerance: what is at rest stays at rest to 1e-12 m/s

}  // namespace

Descent::Descent(const Problem& problem, const SolverOptions& options, bool cone_hessian, StackFrame& frame)
    : p_(problem), options_(options), cone_hessian_(cone_hessian), search_(problem, frame) {
  const int nv = p_.nv, nefc = p_.rows.nefc;
  Mv_ = frame.Doubles(nv);
  direction_ = frame.Doubles(nv);
  gradient_ = frame.Doubles(nv);
  Jv_ = frame.Doubles(nefc);
  old_state_ = frame.Ints(nefc);
  if (frame.full()) return;

  UpdateConstraint();
  UpdateGradient();
}

bool Descent::AtMinimum() const { return p_.scale * Norm(gradient_, p_.nv) < kNegligible * options_.tolerance; }

bool Descent::Step() {
  MulInertia(p_, direction_, Mv_);
  MulJ(p_.J, direction_, Jv_);
  line_ = search_.Search(options_, p_.qacc, p_.Ma, p_.jar, direction_, Mv_, Jv_);
  if (line_.alpha == 0) return false;
  promised_ = -0.5 * line_.alpha * Dot(gradient_, direction_, p_.nv);  // the slope falls to zero

  // move
  AddScaled(p_.qacc, direction_, line_.alpha, p_.nv);
  AddScaled(p_.Ma, Mv_, line_.alpha, p_.nv);
  AddScaled(p_.jar, Jv_, line_.alpha, p_.rows.nefc);

  // evaluate there
  old_cost_ = cost_;
  std::memcpy(old_state_, p_.state, static_cast<size_t>(p_.rows.nefc) * sizeof(int));
  UpdateConstraint();
  UpdateGradient();
  changed_ = 0;
  for (int i = 0; i < p_.rows.nefc; ++i) changed_ += p_.state[i] != old_state_[i];
  return true;
}

bool Descent::Finish(bool by_slope) {
  const double difference = old_cost_ - cost_;
  const bool is_rounding = by_slope && std::fabs(difference) < kCostRounding * std::fabs(cost_);
  const double improvement = p_.scale * (is_rounding ? promised_ : difference);
  const double gradient = p_.scale * Norm(gradient_, p_.nv);
  if (p_.stat && iteration_ < mjNSOLVER) {
    int active = 0;
    for (int i = 0; i < p_.rows.nefc; ++i) active += p_.state[i] != mjCNSTRSTATE_SATISFIED;
    p_.stat[iteration_] = {
        improvement, gradient, line_.slope, active, changed_, line_.evaluations, cone_hessian_ ? changed_ : 0};
  }
  ++iteration_;
  if (p_.niter) *p_.niter = iteration_;
  return improvement < options_.tolerance || gradient < options_.tolerance;
}

void Descent::UpdateConstraint() {
  cost_ = EvaluateRows(p_.rows, p_.jar, p_.force, p_.state, cone_hessian_) + GaussCost(p_, p_.qacc, p_.Ma);
  MulJTransposed(p_.J, p_.force, p_.qfrc_constraint);
}

void Descent::UpdateGradient() {
  for (int i = 0; i < p_.nv; ++i) gradient_[i] = p_.Ma[i] - p_.qfrc_smooth[i] - p_.qfrc_constraint[i];
}

}  // namespace sinew
