// The metric of a vertex is the inverse of the covariance of its neighbours' places, weighted by mass, in the plane of
// the shell. Operations have the order that gives the bits of MuJoCo 3.8.0: both products of the axes are summed, which
// differ by rounding.
#include "compile/flex/flex_metric.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace sinew::inline compile {
namespace {

constexpr double kFlat = 1e-10;  // m: heights that differ by less lie in a plane

// A 2 x 2 matrix that is symmetric but for rounding.
struct Covariance {
  double xx = 0, xy = 0, yx = 0, yy = 0;

  void Add(double mass, const Vec3<double>& offset) {
    xx += mass * offset.x * offset.x;
    xy += mass * offset.x * offset.y;
    yx += mass * offset.y * offset.x;
    yy += mass * offset.y * offset.y;
  }
  std::array<double, 4> Inverse() const {
    const double det = xx * yy - xy * yx;
    if (std::fabs(det) < kMinVal) return {};
    const double scale = 1 / det;
    return {yy * scale, -xy * scale, -yx * scale, xx * scale};
  }
};

}  // namespace

std::vector<std::array<double, 4>> VertexMetrics(const Simplices& s, const Vec3<double>& half,
                                                 const std::vector<Vec3<double>>& places,
                                                 const std::vector<double>& masses) {
  if (2 * half.z >= kFlat) {
    throw Error("flexvert constraints need a flex that is parallel to the xy plane",
                "lay the flex flat, or use equality/flex");
  }
  std::vector<Covariance> sums(places.size());
  for (const auto& [a, b] : s.edges) {
    const auto i = static_cast<size_t>(a), j = static_cast<size_t>(b);
    const Vec3<double> d = places[j] - places[i], offset = {2 * half.x * d.x, 2 * half.y * d.y, 0};
    sums[i].Add(std::max(kMinVal, masses[j]), offset);
    sums[j].Add(std::max(kMinVal, masses[i]), -offset);
  }
  std::vector<std::array<double, 4>> metrics;
  for (const Covariance& sum : sums) metrics.push_back(sum.Inverse());
  return metrics;
}

}  // namespace sinew::inline compile
