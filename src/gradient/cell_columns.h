// Elasticity of the cells of flexes that nodes move.
#ifndef SINEW_GRADIENT_CELL_COLUMNS_H_
#define SINEW_GRADIENT_CELL_COLUMNS_H_

#include "gradient/columns.h"

namespace sinew {

// Whether any cell of a flex exerts forces.
bool HasElasticCells(const mjModel* m, int flex);

void AddCellColumns(const mjModel* m, const mjData* d, int flex, Columns& force);

}  // namespace sinew

#endif  // SINEW_GRADIENT_CELL_COLUMNS_H_
