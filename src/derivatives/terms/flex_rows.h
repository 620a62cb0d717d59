// Rows of equalities on flexes, with their derivatives by positions: lengths of edges, strains at vertices, and modes
// of cells.
#ifndef SINEW_DERIVATIVES_TERMS_FLEX_ROWS_H_
#define SINEW_DERIVATIVES_TERMS_FLEX_ROWS_H_

#include <functional>
#include <vector>

#include "derivatives/base/body_point.h"

namespace sinew::inline derivatives {

// The vertices of a flex, which stand still in bodies.
std::vector<BodyPoint> PointsOfFlex(const mjModel* m, const mjData* d, int flex);

// Calls visit(row) for the rows that an equality has, in their order (constraint/equality_flex.cc, equality_strain.cc).
// Modes of cells have residuals with slopes of their own (`length`), as their rows take the axes of the cell as they
// stand.
void ForRowsOfFlex(const mjModel* m, const mjData* d, int equality, const std::function<void(const OwnRow&)>& visit);

}  // namespace sinew::inline derivatives

#endif  // SINEW_DERIVATIVES_TERMS_FLEX_ROWS_H_
