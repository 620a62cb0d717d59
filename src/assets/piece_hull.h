// The hull of a convex piece of a mesh, and how far it goes beyond the shape.
#ifndef SINEW_ASSETS_PIECE_HULL_H_
#define SINEW_ASSETS_PIECE_HULL_H_

#include <vector>

#include "assets/solid_grid.h"
#include "math/vec3.h"

namespace sinew::inline assets {

// A facet of a hull: n . p = level, n outward.
struct Facet {
  Vec3<double> n;
  double level;
};

struct PieceHull {
  std::vector<Vec3<double>> points;  // its vertices
  std::vector<Facet> facets;
  double volume = 0;
};

// The hull of points; false where they are flat.
bool FindHull(const std::vector<Vec3<double>>& points, PieceHull& out);

// How far from the shape a cell in a hull is, at most [m]: their distance in the sense of Hausdorff.
double DepthOf(const SolidGrid& grid, const PieceHull& hull);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_PIECE_HULL_H_
