// Points and elements of the patterns of flexcomp.
#ifndef SINEW_MJCF_MACROS_FLEXCOMP_SHAPE_H_
#define SINEW_MJCF_MACROS_FLEXCOMP_SHAPE_H_

#include <vector>

#include "math/vec3.h"

namespace sinew::mjcf {

struct FlexcompShape {
  std::vector<Vec3<double>> points;
  std::vector<int> elements;    // dim + 1 points each
  std::vector<float> texcoord;  // two for each point, or empty
};

// A lattice of count[0] x count[1] x count[2] points about the origin, the last coordinate running fastest; only the
// first `dim` counts may exceed 1. Squares have one diagonal, cubes six tetrahedra.
FlexcompShape MakeGrid(int dim, const int count[3], const double spacing[3]);

// A closed chain of count - 1 points in the xy plane, neighbors `spacing` apart.
FlexcompShape MakeCircle(int count, double spacing);

// A square grid bent into a disc.
FlexcompShape MakeDisc(const int count[3], const double spacing[3]);

// The surface of a block of lattice points; in dimension 2 without its upper face, in dimension 3 filled by tetrahedra
// with a point at the centre. Projection makes a cylinder (along z) or an ellipsoid of the block.
enum class SolidShape { kBox, kCylinder, kEllipsoid };
FlexcompShape MakeSolid(SolidShape solid, int dim, const int count[3], const double spacing[3]);

}  // namespace sinew::mjcf

#endif  // SINEW_MJCF_MACROS_FLEXCOMP_SHAPE_H_
