// Passive forces of flexes (force/flex_force.h): how they change with positions and velocities.
#ifndef SINEW_DERIVATIVES_TERMS_FLEX_COLUMNS_H_
#define SINEW_DERIVATIVES_TERMS_FLEX_COLUMNS_H_

#include <string>

#include "derivatives/base/columns.h"

namespace sinew::inline derivatives {

// Why a flex of the model has no derivatives here; empty if all have.
std::string ObstacleOfFlexes(const mjModel* m);

void AddFlexColumns(const mjModel* m, mjData* d, const ResidualPoint& at, ResidualColumns& out);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_FLEX_COLUMNS_H_
