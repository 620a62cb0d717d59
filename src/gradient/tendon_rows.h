// Rows of tendons with their derivatives by positions.
#ifndef SINEW_GRADIENT_TENDON_ROWS_H_
#define SINEW_GRADIENT_TENDON_ROWS_H_

#include <vector>

#include "gradient/channel.h"

namespace sinew {

class TendonRows {
 public:
  // At a world that has gone through the velocity stage.
  TendonRows(const mjModel* m, mjData* d);

  Row operator[](int tendon) const {
    const int adr = m_->ten_J_rowadr[tendon];
    const std::vector<double>& turn = turn_[static_cast<size_t>(tendon)];
    return {m_->ten_J_rownnz[tendon], m_->ten_J_colind + adr, d_->ten_J + adr, turn.empty() ? nullptr : turn.data()};
  }

 private:
  const mjModel* m_;
  const mjData* d_;
  std::vector<std::vector<double>> turn_;
};

// Springs and dampers of tendons.
void AddTendonColumns(const mjModel* m, const mjData* d, const TendonRows& rows, const BalancePoint& at,
                      BalanceColumns& out);

}  // namespace sinew

#endif  // SINEW_GRADIENT_TENDON_ROWS_H_
