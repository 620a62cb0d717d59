// Rows of tendons with their derivatives by positions.
#ifndef SINEW_DERIVATIVES_TERMS_TENDON_ROWS_H_
#define SINEW_DERIVATIVES_TERMS_TENDON_ROWS_H_

#include <vector>

#include "derivatives/base/scalar_force.h"

namespace sinew::inline derivatives {

class TendonRows {
 public:
  // At a world that has gone through the velocity stage.
  TendonRows(const mjModel* m, mjData* d);

  // Dofs that move the whole tendon, or nothing of it, are left out.
  Row operator[](int tendon) const { return rows_[Size(tendon)].row(); }

 private:
  std::vector<OwnRow> rows_;
};

// Springs, dampers and armature of tendons.
void AddTendonColumns(const mjModel* m, const mjData* d, const TendonRows& rows, const ResidualPoint& at,
                      ResidualColumns& out);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_TENDON_ROWS_H_
