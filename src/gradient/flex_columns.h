// Passive forces of flexes (force/flex_force.h): how they change with positions and velocities.
#ifndef SINEW_GRADIENT_FLEX_COLUMNS_H_
#define SINEW_GRADIENT_FLEX_COLUMNS_H_

#include <string>

#include "gradient/columns.h"

namespace sinew {

// Why a flex of the model has no derivatives here; empty if all have.
std::string ObstacleOfFlexes(const mjModel* m);

void AddFlexColumns(const mjModel* m, mjData* d, const BalancePoint& at, BalanceColumns& out);

}  // namespace sinew

#endif  // SINEW_GRADIENT_FLEX_COLUMNS_H_
