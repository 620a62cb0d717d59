// The metric of a vertex is the inverse of the covariance of its neighbours' places, weighted by mass, in the plane of
// the shell.
#include "compile/flex_metric.h"

#include <cmath>

#include "core/error.h"

namespace sinew {
namespace {

constexpr double kFlat = 1e-10;  // m: heights that differ by less lie in a plane

// Upper triangle of a symmetric 2 x 2 matrix.
struct Covariance {
  double xx = 0, xy = 0, yy = 0;

  void Add(double mass, const Vec3<double>& offset) {
    xx += mass * offset.x * offset.x;
    xy += mass * offset.x * offset.y;
    yy += mass * offset.y * offset.y;
  }
  std::array<double, 4> Inverse() const {
    const double det = xx * yy - xy * xy;
    if (std::fabs(det) < kMinVal) return {};
    return {yy / det, -xy / det, -xy / det, xx / det};
  }
};

}  // namespace

// Points are those at rest; the masses are those of the bodies that carry the vertices.
std::vector<std::array<double, 4>> VertexMetrics(const Simplices& s, const std::vector<Vec3<double>>& points,
                                                 const std::vector<double>& masses) {
  if (s.dim != 2) throw Error("flexvert constraints are for flexes of dimension 2", "use equality/flex");
  for (const Vec3<double>& p : points) {
    if (std::fabs(p.z - points[0].z) < kFlat) continue;
    throw Error("flexvert constraints need a flex that is parallel to the xy plane",
                "lay the flex flat, or use equality/flex");
  }
  std::vector<Covariance> sums(points.size());
  for (const auto& [a, b] : s.edges) {
    const auto i = static_cast<size_t>(a), j = static_cast<size_t>(b);
    sums[i].Add(masses[j], points[j] - points[i]);
    sums[j].Add(masses[i], points[i] - points[j]);
  }
  std::vector<std::array<double, 4>> metrics;
  for (const Covariance& sum : sums) metrics.push_back(sum.Inverse());
  return metrics;
}

}  // namespace sinew
