// Cells within half a diagonal of a triangle are the surface; what cannot be reached from the border of the grid
// without crossing it is inside.
#include "assets/solid_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "math/triangle.h"
#include "simd/functions.h"

namespace sinew::inline assets {
namespace {

constexpr float kInfinityF = std::numeric_limits<float>::infinity();

// Squared distances along a row of n cells: the least of f(k) + (i - k)^2, the lower envelope of parabolas.
void TransformRow(int n, size_t stride, float* row, std::vector<float>& f, std::vector<int>& apex,
                  std::vector<float>& from) {
  const auto at = [stride](int i) { return static_cast<size_t>(i) * stride; };
  for (int i = 0; i < n; ++i) f[static_cast<size_t>(i)] = row[at(i)];
  const auto value = [&](int i) { return f[static_cast<size_t>(i)] + static_cast<float>(i) * static_cast<float>(i); };
  size_t count = 0;
  for (int i = 0; i < n; ++i) {
    if (std::isinf(f[static_cast<size_t>(i)])) continue;
    float begin = -kInfinityF;
    while (count > 0) {
      const int last = apex[count - 1];
      begin = (value(i) - value(last)) / static_cast<float>(2 * (i - last));
      if (begin > from[count - 1]) break;
      --count;
    }
    if (count == 0) begin = -kInfinityF;
    apex[count] = i;
    from[count++] = begin;
  }
  if (count == 0) return;
  for (size_t i = 0, k = 0; i < static_cast<size_t>(n); ++i) {
    while (k + 1 < count && from[k + 1] <= static_cast<float>(i)) ++k;
    const float step = static_cast<float>(static_cast<int>(i) - apex[k]);
    row[i * stride] = f[static_cast<size_t>(apex[k])] + step * step;
  }
}

using Vec = Vec3<double>;

constexpr double kMostCells = 1e8;  // that triangles have in their boxes, together: some seconds

Vec CornerOf(const std::vector<Vec>& vertices, const std::vector<int>& faces, size_t i) {
  return vertices[static_cast<size_t>(faces[i])];
}

}  // namespace

SolidGrid::SolidGrid(const std::vector<Vec>& vertices, const std::vector<int>& faces, int resolution) {
  Vec low = {kInfinity, kInfinity, kInfinity}, high = -low;
  for (size_t i = 0; i < faces.size(); ++i) {
    const Vec p = CornerOf(vertices, faces, i);
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  }
  cell_ = std::max({high.x - low.x, high.y - low.y, high.z - low.z}) / resolution;
  origin_ = low - Vec{cell_, cell_, cell_};
  for (int k = 0; k < 3; ++k) {
    size_[k] = static_cast<int>(std::ceil((high[k] - low[k]) / cell_)) + 2;
    whole_.low[k] = 0;
    whole_.high[k] = size_[k];
  }
  state_.assign(Index(size_[0], 0, 0), kUnknown);
  double cells = 0;
  for (size_t i = 0; i < faces.size(); i += 3) {
    const Vec corner[3] = {CornerOf(vertices, faces, i), CornerOf(vertices, faces, i + 1),
                           CornerOf(vertices, faces, i + 2)};
    double in_box = 1;
    for (int k = 0; k < 3; ++k) {
      const auto [least, most] = std::minmax({corner[0][k], corner[1][k], corner[2][k]});
      in_box *= (most - least) / cell_ + 2;
    }
    if ((cells += in_box) > kMostCells) {
      throw Error("the mesh has too many large triangles for the grid of its decomposition",
                  "lower convexresolution, or simplify the mesh");
    }
    MarkTriangle(corner);
  }
  FloodOutside();
  FindDistances();
}

CellBlock SolidGrid::BlockOf(const Vec& low, const Vec& high) const {
  CellBlock block;
  for (int k = 0; k < 3; ++k) {
    const double last = size_[k];
    block.low[k] = static_cast<int>(std::clamp(std::floor((low[k] - origin_[k]) / cell_), 0.0, last));
    block.high[k] = static_cast<int>(std::clamp(std::ceil((high[k] - origin_[k]) / cell_), 0.0, last));
  }
  return block;
}

void SolidGrid::MarkTriangle(const Vec (&corner)[3]) {
  Vec low = corner[0], high = corner[0];
  for (int k = 0; k < 3; ++k) {
    const auto [least, most] = std::minmax({corner[0][k], corner[1][k], corner[2][k]});
    low[k] = least - 0.5 * cell_;
    high[k] = most + 0.5 * cell_;
  }
  const CellBlock block = BlockOf(low, high);
  const double reach2 = 0.75 * cell_ * cell_;
  for (int x = block.low[0]; x < block.high[0]; ++x) {
    for (int y = block.low[1]; y < block.high[1]; ++y) {
      for (int z = block.low[2]; z < block.high[2]; ++z) {
        State& state = state_[Index(x, y, z)];
        if (state == kSurface) continue;
        const Vec c = Centre(x, y, z);
        if (NearestOnTriangle(corner[0] - c, corner[1] - c, corner[2] - c).distance2 < reach2) state = kSurface;
      }
    }
  }
}

// From all cells of the border that are no surface.
void SolidGrid::FloodOutside() {
  std::vector<std::array<int, 3>> open;
  const auto reach = [&](int x, int y, int z) {
    if (x < 0 || y < 0 || z < 0 || x >= size_[0] || y >= size_[1] || z >= size_[2]) return;
    State& state = state_[Index(x, y, z)];
    if (state != kUnknown) return;
    state = kOutside;
    open.push_back({x, y, z});
  };
  for (int x = 0; x < size_[0]; ++x) {
    for (int y = 0; y < size_[1]; ++y) {
      for (const int z : {0, size_[2] - 1}) reach(x, y, z);
    }
    for (int z = 0; z < size_[2]; ++z) {
      for (const int y : {0, size_[1] - 1}) reach(x, y, z);
    }
  }
  for (int y = 0; y < size_[1]; ++y) {
    for (int z = 0; z < size_[2]; ++z) {
      for (const int x : {0, size_[0] - 1}) reach(x, y, z);
    }
  }
  while (!open.empty()) {
    const auto [x, y, z] = open.back();
    open.pop_back();
    for (const int step : {-1, 1}) {
      reach(x + step, y, z);
      reach(x, y + step, z);
      reach(x, y, z + step);
    }
  }
}

// The exact Euclidean distance, axis by axis (P. Felzenszwalb, D. Huttenlocher, Distance transforms of sampled
// functions, Theory of Computing 8, 2012).
void SolidGrid::FindDistances() {
  distance_.resize(state_.size());
  for (size_t i = 0; i < state_.size(); ++i) distance_[i] = state_[i] == kOutside ? kInfinityF : 0;
  const auto most = static_cast<size_t>(std::max({size_[0], size_[1], size_[2]}));
  std::vector<float> f(most), from(most);
  std::vector<int> apex(most);
  const size_t stride[3] = {Index(1, 0, 0), Index(0, 1, 0), 1};
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int i = 0; i < size_[u]; ++i) {
      for (int k = 0; k < size_[v]; ++k) {
        float* row = &distance_[static_cast<size_t>(i) * stride[u] + static_cast<size_t>(k) * stride[v]];
        TransformRow(size_[axis], stride[axis], row, f, apex, from);
      }
    }
  }
  for (float& d : distance_) d = std::sqrt(d) * static_cast<float>(cell_);
}

}  // namespace sinew::inline assets
