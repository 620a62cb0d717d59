#include "assets/piece_hull.h"

#include <algorithm>

#include "assets/mesh_hull.h"
#include "core/error.h"

namespace sinew::inline assets {
namespace {

using Vec = Vec3<double>;

bool Holds(const PieceHull& hull, const Vec& p) {
  return std::all_of(hull.facets.begin(), hull.facets.end(),
                     [&](const Facet& facet) { return Dot(facet.n, p) < facet.level; });
}

}  // namespace

bool FindHull(const std::vector<Vec>& points, PieceHull& out) {
  if (points.size() < 4) return false;
  MeshHull hull;
  try {
    hull = ConvexHull(points, -1);
  } catch (const Error&) {
    return false;
  }
  out = {};
  for (const int vertex : hull.vertices) out.points.push_back(points[static_cast<size_t>(vertex)]);
  const Vec middle = out.points[0];
  for (size_t f = 0; f < hull.faces.size(); f += 3) {
    const auto corner = [&](size_t k) { return points[static_cast<size_t>(hull.faces[f + k])]; };
    const Vec across = Cross(corner(1) - corner(0), corner(2) - corner(0));
    const double area2 = Norm(across);
    out.volume += Dot(corner(0) - middle, across) / 6;
    if (area2 > 0) out.facets.push_back({across * (1 / area2), Dot(across, corner(0)) / area2});
  }
  return out.volume > 0;
}

double DepthOf(const SolidGrid& grid, const PieceHull& hull) {
  Vec low = hull.points[0], high = low;
  for (const Vec& p : hull.points) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  }
  const CellBlock block = grid.BlockOf(low, high);
  double farthest = 0;
  for (int x = block.low[0]; x < block.high[0]; ++x) {
    for (int y = block.low[1]; y < block.high[1]; ++y) {
      for (int z = block.low[2]; z < block.high[2]; ++z) {
        const double distance = grid.DistanceOf(x, y, z);
        if (distance > farthest && Holds(hull, grid.Centre(x, y, z))) farthest = distance;
      }
    }
  }
  return farthest;
}

}  // namespace sinew::inline assets
