// Polygons to triangles.
#ifndef SINEW_ASSETS_POLYGON_CUT_H_
#define SINEW_ASSETS_POLYGON_CUT_H_

#include <span>
#include <vector>

namespace sinew::inline assets {

// Cuts a polygon without holes by clipping ears. `corners` are indices of its vertices, three coordinates each; returns
// places in `corners`, three for each triangle. A polygon in which no ear is found, such as one folded onto a line,
// gives less than all of its triangles.
std::vector<int> CutPolygon(std::span<const int> corners, std::span<const float> vertices);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_POLYGON_CUT_H_
