// Elastic constants of flexes: stiffness of finite elements, and bending stiffness of pairs of triangles.
#ifndef SINEW_COMPILE_FLEX_FLEX_ELASTICITY_H_
#define SINEW_COMPILE_FLEX_FLEX_ELASTICITY_H_

#include <vector>

#include "compile/geometry/simplices.h"
#include "math/vec3.h"

namespace sinew::inline compile {

struct ElasticMaterial {
  double young, poisson;
  double thickness;  // of shells
};

// Numbers per element and per edge in the arrays of the model.
inline constexpr int kElementStiffness = 21, kEdgeBending = 17;

// Stiffness of the elements (dimension 2 or 3) with respect to the squared lengths of their edges e, f: the upper
// triangle of K by rows, padded with zeros to kElementStiffness. For linear strain and St. Venant-Kirchhoff material,
//
//     K_ef = mu tr(B_e B_f) + lambda tr(B_e) tr(B_f)
//
// where B_e is what a unit of squared length of e adds to the strain. Throws on a degenerate element.
std::vector<double> ElementStiffness(const Simplices& s, const std::vector<Vec3<double>>& points,
                                     const ElasticMaterial& material);

// Bending stiffness of the edges between two triangles, kEdgeBending numbers each: the 4 x 4 matrix over the positions
// of the edge's ends and the two opposite vertices, and the coefficient of the force that the rest curvature adds.
// From the cotangent formula for the mean curvature (Wardetzky, Bergou, Harmon, Zorin, Grinspun, 2007).
std::vector<double> EdgeBending(const Simplices& s, const std::vector<Vec3<double>>& points,
                                const ElasticMaterial& material);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_FLEX_FLEX_ELASTICITY_H_
