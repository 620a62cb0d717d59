// Ear clipping (Meisters, Polygons Have Ears, 1975). Which of several triangulations comes out is settled by where the
// search for an ear begins and by how its corner is tested; here as in early releases of tinyobjloader, which models on
// file were read with. Single precision is part of that.
#include "assets/polygon_cut.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace sinew::inline assets {
namespace {

struct Point {
  float x, y;
};

// The two axes along which a polygon is seen: those that its first real corner spans best.
struct Plane {
  size_t x = 1, y = 2;
};

class Polygon {
 public:
  Polygon(std::span<const int> corners, std::span<const float> vertices) : corners_(corners), vertices_(vertices) {
    plane_ = FindPlane();
    const int n = static_cast<int>(corners_.size());
    for (int corner = 0; corner < n; ++corner) {
      const Point a = At(corner), b = At((corner + 1) % n);
      area_ += (a.x * b.y - a.y * b.x) * 0.5f;
    }
  }

  // The area as seen in the plane is negative when corners run clockwise.
  float area() const { return area_; }

  Point At(int corner) const { return {Coordinate(corner, plane_.x), Coordinate(corner, plane_.y)}; }

 private:
  float Coordinate(int corner, size_t axis) const {
    return vertices_[3 * static_cast<size_t>(corners_[static_cast<size_t>(corner)]) + axis];
  }

  // |e0 x e1| of the edges at a corner, along each axis.
  float Extent(int corner, size_t axis) const {
    const int n = static_cast<int>(corners_.size());
    const size_t a = (axis + 1) % 3, b = (axis + 2) % 3;
    const auto edge = [&](int from, size_t along) {
      return Coordinate((from + 1) % n, along) - Coordinate(from, along);
    };
    const int next = (corner + 1) % n;
    return std::fabs(edge(corner, a) * edge(next, b) - edge(corner, b) * edge(next, a));
  }

  Plane FindPlane() const {
    constexpr float kFlat = std::numeric_limits<float>::epsilon();
    for (int corner = 0; corner < static_cast<int>(corners_.size()); ++corner) {
      const float x = Extent(corner, 0), y = Extent(corner, 1), z = Extent(corner, 2);
      if (x <= kFlat && y <= kFlat && z <= kFlat) continue;
      if (x > y && x > z) return {1, 2};
      return z > x && z > y ? Plane{0, 1} : Plane{0, 2};
    }
    return {};
  }

  std::span<const int> corners_;
  std::span<const float> vertices_;
  Plane plane_;
  float area_ = 0;
};

// Whether the ray from p along x meets the sides an odd number of times.
bool IsInside(const Point (&triangle)[3], const Point& p) {
  bool inside = false;
  for (int i = 0, j = 2; i < 3; j = i++) {
    const Point &a = triangle[i], &b = triangle[j];
    if ((a.y > p.y) == (b.y > p.y)) continue;
    if (p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

// Whether the corner at `first` and the two behind it are an ear: the middle one turns as the whole polygon does, and
// no other corner is inside.
bool IsEar(const Polygon& polygon, const std::vector<int>& rest, size_t first) {
  const size_t count = rest.size();
  const auto point = [&](size_t i) { return polygon.At(rest[(first + i) % count]); };
  const Point ear[3] = {point(0), point(1), point(2)};
  const auto& [a, b, c] = ear;
  const float turn = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
  if (turn * polygon.area() < 0) return false;
  for (size_t i = 3; i < count; ++i) {
    if (IsInside(ear, point(i))) return false;
  }
  return true;
}

}  // namespace

std::vector<int> CutPolygon(std::span<const int> corners, std::span<const float> vertices) {
  const Polygon polygon(corners, vertices);
  std::vector<int> rest(corners.size()), triangles;
  std::iota(rest.begin(), rest.end(), 0);
  size_t first = 0;
  for (size_t failures = 0; rest.size() > 3 && failures < rest.size();) {
    first %= rest.size();
    if (!IsEar(polygon, rest, first)) {
      ++first;
      ++failures;
      continue;
    }
    const size_t middle = (first + 1) % rest.size();
    triangles.insert(triangles.end(), {rest[first], rest[middle], rest[(first + 2) % rest.size()]});
    rest.erase(rest.begin() + static_cast<ptrdiff_t>(middle));
    failures = 0;
  }
  if (rest.size() == 3) triangles.insert(triangles.end(), rest.begin(), rest.end());
  return triangles;
}

}  // namespace sinew::inline assets
