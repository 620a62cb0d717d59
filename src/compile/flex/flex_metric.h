// Shape of a flat shell around each of its vertices, for constraints of its strain.
#ifndef SINEW_COMPILE_FLEX_FLEX_METRIC_H_
#define SINEW_COMPILE_FLEX_FLEX_METRIC_H_

#include <array>
#include <vector>

#include "compile/geometry/simplices.h"
#include "math/vec3.h"

namespace sinew::inline compile {

// For each vertex, over its neighbors j at offset x_j in the plane of the shell:
//
//     (sum_j m_j x_j x_j')^-1
//
// row by row; zero where the matrix is singular. The shell must be parallel to the xy plane. `half`: half sizes of the
// box of the flex; `places`: of the vertices at rest, from 0 to 1 along its axes; `masses`: of the bodies that carry
// them.
std::vector<std::array<double, 4>> VertexMetrics(const Simplices& s, const Vec3<double>& half,
                                                 const std::vector<Vec3<double>>& places,
                                                 const std::vector<double>& masses);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_FLEX_FLEX_METRIC_H_
