#include "collision/convex/hull_blocks.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace sinew::inline collision {
namespace {

constexpr int kPoints = PointBlock::kPoints;
constexpr double kSlack = 1e-9;  // of sizes: more than all rounding

// The axis along which some vertices lie farthest apart.
int LongestAxis(const Hull& hull, const int* vertices, int count) {
  int longest = 0;
  float most = -1;
  for (int axis = 0; axis < 3; ++axis) {
    const auto along = [&](int a, int b) { return hull.Coordinates(a)[axis] < hull.Coordinates(b)[axis]; };
    const auto [low, high] = std::minmax_element(vertices, vertices + count, along);
    const float length = hull.Coordinates(*high)[axis] - hull.Coordinates(*low)[axis];
    if (length > most) longest = axis;
    most = std::max(most, length);
  }
  return longest;
}

// Orders vertices so that eight after eight are near each other: halves, in whole blocks, along the longest axis.
// Within a block they are in ascending order.
void Gather(const Hull& hull, int* vertices, int count) {
  if (count <= kPoints) return std::sort(vertices, vertices + count);
  const int half = (count / kPoints + 1) / 2 * kPoints, axis = LongestAxis(hull, vertices, count);
  std::nth_element(vertices, vertices + half, vertices + count, [&](int a, int b) {
    const float x = hull.Coordinates(a)[axis], y = hull.Coordinates(b)[axis];
    return x != y ? x < y : a < b;
  });
  Gather(hull, vertices, half);
  Gather(hull, vertices + half, count - half);
}

}  // namespace

HullBlocks::HullBlocks(const Hull& hull) {
  std::vector<int> vertices(static_cast<size_t>(hull.Count()));
  std::iota(vertices.begin(), vertices.end(), 0);
  Gather(hull, vertices.data(), hull.Count());
  for (int i = 0; i < hull.Count(); i += kPoints) {
    AddBlock(hull, vertices.data() + i, std::min(kPoints, hull.Count() - i));
  }
}

void HullBlocks::AddBlock(const Hull& hull, const int* vertices, int count) {
  PointBlock& block = block_.emplace_back();
  for (int k = 0; k < kPoints; ++k) {
    block.name[k] = vertices[k < count ? k : 0];
    const Vec3<double> v = hull.Vertex(block.name[k]);
    block.x[k] = v.x;
    block.y[k] = v.y;
    block.z[k] = v.z;
  }
  size_of_last_ = count;
  SetBall(this->count() - 1, count);
}

// Puts the centre of the ball in the middle of the box of the block.
void HullBlocks::SetBall(int block, int count) {
  const PointBlock& points = block_[static_cast<size_t>(block)];
  const int place = block % kPoints;
  if (place == 0) {
    std::fill_n(std::begin(ball_.emplace_back().radius), kPoints, -INFINITY);
  }
  const auto middle = [count](const double* x) {
    const auto [low, high] = std::minmax_element(x, x + count);
    return 0.5 * (*low + *high);
  };
  const Vec3<double> centre = {middle(points.x), middle(points.y), middle(points.z)};
  double radius = 0;
  for (int k = 0; k < count; ++k) {
    radius = std::max(radius, Norm(Vec3<double>{points.x[k], points.y[k], points.z[k]} - centre));
  }
  BallBlock& ball = ball_.back();
  ball.x[place] = centre.x;
  ball.y[place] = centre.y;
  ball.z[place] = centre.z;
  ball.radius[place] = (1 + kSlack) * radius + kSlack * Norm(centre);
}

}  // namespace sinew::inline collision
