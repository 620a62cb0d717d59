// Elasticity of the cells of flexes that nodes move.
#ifndef SINEW_DERIVATIVES_TERMS_CELL_COLUMNS_H_
#define SINEW_DERIVATIVES_TERMS_CELL_COLUMNS_H_

#include "derivatives/base/columns.h"

namespace sinew::inline derivatives {

// Whether any cell of a flex exerts forces.
bool HasElasticCells(const mjModel* m, int flex);

// Factors of places x, velocities v and accelerations J b in the load of a flex's cells, at its
// nodes:
struct CellLoad {
  double spring, damper, ahead;
  const double* b;  // null where `ahead` is zero
};
// The factors of the forces that the cells exert.
CellLoad PassiveLoad(const mjModel* m, int flex);

// Takes J' f of all cells of a flex that have a stiffness from the columns.
void AddCellColumns(const mjModel* m, const mjData* d, int flex, const CellLoad& load, Columns& force);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_CELL_COLUMNS_H_
