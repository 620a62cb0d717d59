#include "compile/constants/tendon_rates.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "force/actuation.h"
#include "inertia/inertia.h"
#include "math/cholesky.h"
#include "math/dense.h"
#include "math/sparse.h"
#include "model/kinds/motion.h"
#include "model/storage/extension.h"

namespace sinew::inline compile {
namespace {

using Numbers = std::vector<double>;

// The inverse inertia of dofs that equalities of joints couple, as knees are whose axis moves. With a row J for each
// equality and its regularization R, a force changes accelerations by
//
//   W = M^-1 - M^-1 J' (J M^-1 J' + R)^-1 J M^-1,    R = (1 - d0)/d0 diag(J M^-1 J')
//
// A tendon at a light body that an equality holds to a heavy one vibrates as the heavy one does.
class CoupledInertia {
 public:
  CoupledInertia(const mjModel* m, mjData* d) : m_(m), d_(d), couplings_(m) {
    std::vector<Numbers> rows;
    Numbers d0;
    for (int e = 0; e < m->neq; ++e) {
      if (m->eq_type[e] != mjEQ_JOINT || !m->eq_active0[e]) continue;
      rows.push_back(RowOf(e));
      columns_.push_back(Inverse(rows.back()));
      d0.push_back(std::clamp(m->eq_solimp[mjNIMP * e], mjMINIMP, mjMAXIMP));
    }
    const auto n = rows.size();
    system_.resize(n * n);
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j <= i; ++j) system_[i * n + j] = Product(rows[i], columns_[j]);
      system_[i * n + i] /= d0[i];  // 1 + (1 - d0)/d0
    }
    FactorCholesky(system_.data(), static_cast<int>(n), mjMINVAL);
  }

  // W r
  Numbers Solve(const Numbers& r) const {
    Numbers x = Inverse(r), along(columns_.size());
    for (size_t k = 0; k < along.size(); ++k) along[k] = Product(columns_[k], r);  // J M^-1 r
    SolveCholesky(along.data(), system_.data(), along.data(), static_cast<int>(along.size()));
    for (size_t k = 0; k < along.size(); ++k) {
      AddScaled(x.data(), columns_[k].data(), -along[k], static_cast<int>(m_->nv));
    }
    return x;
  }

 private:
  // dr/dq of r = q1 - q1_0 - p(q2 - q2_0) at qpos0, where the slope of p is its coefficient of order 1; or of a
  // function in the place of p
  Numbers RowOf(int e) const {
    Numbers row(static_cast<size_t>(m_->nv));
    row[static_cast<size_t>(m_->jnt_dofadr[m_->eq_obj1id[e]])] = 1;
    const int other = m_->eq_obj2id[e];
    if (other < 0) return row;
    const Piecewise function = couplings_.Of(e);
    row[static_cast<size_t>(m_->jnt_dofadr[other])] -= function.pieces > 0
                                                           ? Evaluate(function, m_->qpos0[m_->jnt_qposadr[other]]).slope
                                                           : m_->eq_data[mjNEQDATA * e + 1];
    return row;
  }
  Numbers Inverse(const Numbers& r) const {
    Numbers x(r.size());
    SolveM(m_, d_, x.data(), r.data(), 1);
    return x;
  }
  static double Product(const Numbers& a, const Numbers& b) {
    return Dot(a.data(), b.data(), static_cast<int>(a.size()));
  }

  const mjModel* m_;
  mjData* d_;
  JointCouplings couplings_;
  std::vector<Numbers> columns_;  // M^-1 J', a column for each equality
  Numbers system_;                // the Cholesky factor of J M^-1 J' + R
};

}  // namespace

// With stiffnesses k and moments g, of muscle i:  sqrt(k_i) sum_j sqrt(k_j) |g_i W g_j'|
void SetTendonRates(mjModel* m, mjData* d) {
  if (!HasFibers(m)) return;
  const CoupledInertia inertia(m, d);
  Numbers root(static_cast<size_t>(m->nu));
  for (int i = 0; i < m->nu; ++i) {
    root[static_cast<size_t>(i)] = HasElasticTendon(m, i) ? std::sqrt(TendonStiffness(m, i)) : 0;
  }
  for (int i = 0; i < m->nu; ++i) {
    const double root_i = root[static_cast<size_t>(i)];
    if (root_i == 0) continue;
    Numbers moment(static_cast<size_t>(m->nv));
    const int adr = d->moment_rowadr[i];
    AddSparse(moment.data(), d->actuator_moment + adr, d->moment_colind + adr, d->moment_rownnz[i], 1.0);
    const Numbers x = inertia.Solve(moment);
    double sum = 0;
    for (int j = 0; j < m->nu; ++j) {
      const int other = d->moment_rowadr[j];
      const double coupling =
          SparseDot(d->actuator_moment + other, d->moment_colind + other, d->moment_rownnz[j], x.data());
      sum += root[static_cast<size_t>(j)] * std::fabs(coupling);
    }
    m->actuator_biasprm[mjNBIAS * i + kTendonRate] = root_i * sum;
  }
}

}  // namespace sinew::inline compile
