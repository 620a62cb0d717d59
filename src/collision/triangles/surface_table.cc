#include "collision/triangles/surface_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "collision/ray/ray_triangle.h"
#include "collision/triangles/surface_tree.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

bool IsBefore(const Vec& a, const Vec& b) { return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z; }
bool IsSame(const Vec& a, const Vec& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Whether a ray of unit direction may enter a box before `reach`: by the ball around it.
bool RayMayEnter(const Vec& point, const Vec& direction, double reach, const Vec& centre, const Vec& half) {
  const Vec to = centre - point;
  const double radius = Norm(half), along = Dot(to, direction);
  if (along < -radius || along - radius > reach) return false;
  return Dot(to, to) - along * along <= radius * radius * (1 + 1e-12);
}

}  // namespace

SurfaceTable::SurfaceTable(const std::vector<Vec>& points, const std::vector<int>& corners) {
  const std::vector<int> merged = MergeVertices(points);
  std::vector<int> moved(corners.size());
  for (size_t i = 0; i < corners.size(); ++i) moved[i] = merged[static_cast<size_t>(corners[i])];
  AddFaces(moved);
  const std::vector<HalfEdge> sides = SidesInOrder();
  FindNeighbours(sides);
  FindEdges(sides);
  FindCorners();
  MakeTrees();
}

// Returns for each point the number of its vertex.
std::vector<int> SurfaceTable::MergeVertices(const std::vector<Vec>& points) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](int i) -> const Vec& { return points[static_cast<size_t>(i)]; };
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return IsSame(at(a), at(b)) ? a < b : IsBefore(at(a), at(b)); });
  std::vector<int> merged(points.size());
  for (const int i : order) {
    if (vertex_.empty() || !IsSame(vertex_.back(), at(i))) vertex_.push_back(at(i));
    merged[static_cast<size_t>(i)] = static_cast<int>(vertex_.size()) - 1;
  }
  return merged;
}

// Faces without area keep their place in the surface, as what is beside their sides, and have no direction.
void SurfaceTable::AddFaces(const std::vector<int>& corners) {
  constexpr double kSliver = 1e-6;  // of the longest side: its corners are rounded to 1e-7
  for (size_t i = 0; i + 2 < corners.size(); i += 3) {
    const int v[3] = {corners[i], corners[i + 1], corners[i + 2]};
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
    const Vec a = vertex(v[1]) - vertex(v[0]), b = vertex(v[2]) - vertex(v[0]), normal = Cross(a, b);
    const double twice = Norm(normal), longest = std::max({Norm(a), Norm(b), Norm(b - a)});
    const bool is_sliver = !(twice > kSliver * longest * longest);
    face_.push_back({{v[0], v[1], v[2]}, is_sliver, is_sliver ? Vec{0, 0, 0} : normal * (1 / twice)});
  }
}

// Sides of all faces, those of an edge beside each other.
std::vector<SurfaceTable::HalfEdge> SurfaceTable::SidesInOrder() const {
  std::vector<HalfEdge> sides;
  sides.reserve(3 * face_.size());
  for (size_t f = 0; f < face_.size(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(face_[f].vertex[k], face_[f].vertex[(k + 1) % 3]);
      sides.push_back({low, high, static_cast<int>(f), k});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const HalfEdge& a, const HalfEdge& b) {
    if (a.low != b.low) return a.low < b.low;
    return a.high != b.high ? a.high < b.high : a.face < b.face;
  });
  return sides;
}

void SurfaceTable::FindNeighbours(const std::vector<HalfEdge>& sides) {
  std::vector<std::pair<int, int>> edges;
  for (const HalfEdge& side : sides) {
    if (edges.empty() || edges.back() != std::pair(side.low, side.high)) edges.emplace_back(side.low, side.high);
  }
  neighbours_at_.assign(vertex_.size() + 1, 0);
  for (const auto& [a, b] : edges) {
    ++neighbours_at_[static_cast<size_t>(a) + 1];
    ++neighbours_at_[static_cast<size_t>(b) + 1];
  }
  std::partial_sum(neighbours_at_.begin(), neighbours_at_.end(), neighbours_at_.begin());
  neighbour_.resize(2 * edges.size());
  std::vector<int> next = neighbours_at_;
  for (const auto& [a, b] : edges) {
    neighbour_[static_cast<size_t>(next[static_cast<size_t>(a)]++)] = b;
    neighbour_[static_cast<size_t>(next[static_cast<size_t>(b)]++)] = a;
  }
}

double SurfaceTable::WayToFace(const Vec& point, const Vec& direction, double side) const {
  const double skipped = 1e-6 * size_;
  const Vec start = point + direction * skipped;
  double reach = HUGE_VAL;
  const auto enter = [&](const SurfaceNode& node) {
    return RayMayEnter(start, direction, reach, node.centre, node.half);
  };
  face_tree_.ForEach(enter, [&](int i) {
    const SurfaceFace& other = face(i);
    if (!(Dot(other.normal, direction) * side > 0)) return;
    const Vec corner[3] = {vertex(other.vertex[0]), vertex(other.vertex[1]), vertex(other.vertex[2])};
    const double x = RayTriangle(corner, start, direction);
    if (x >= 0 && x < reach) reach = x;
  });
  return skipped + reach;
}

void SurfaceTable::FindEdges(const std::vector<HalfEdge>& sides) {
  for (size_t first = 0; first < sides.size();) {
    size_t end = first + 1;
    while (end < sides.size() && sides[end].low == sides[first].low && sides[end].high == sides[first].high) ++end;
    AddEdge(&sides[first], static_cast<int>(end - first));
    first = end;
  }
}

// Edges of slivers, of more than two faces, and of faces that disagree about what is outside do not count.
void SurfaceTable::AddEdge(const HalfEdge* of, int count) {
  if (count > 2) return;
  const SurfaceFace &first = face(of[0].face), &second = face(of[count - 1].face);
  if (first.is_sliver || second.is_sliver) return;
  const int from = first.vertex[of[0].side], to = first.vertex[(of[0].side + 1) % 3];
  const Vec along = Normalized(vertex(to) - vertex(from));
  SurfaceEdge edge = {{from, to}, {Cross(first.normal, along), -first.normal}, {}, 0, 0, count == 1};
  Vec last = -edge.inward[0];  // normal at the border
  if (count == 2) {
    if (second.vertex[of[1].side] != to) return;
    edge.inward[1] = Cross(along, second.normal);
    last = second.normal;
    if (!(Dot(first.normal, edge.inward[1]) < -kFlatAngle)) return;  // flat or hollow
  }
  edge.middle = Normalized(first.normal + last);
  edge.cosine = Dot(edge.middle, last);
  edge.sine = std::sqrt(std::max(1 - edge.cosine * edge.cosine, 0.0));
  edge_.push_back(edge);
}

// A corner sticks out where three edges do, or two of a border.
void SurfaceTable::FindCorners() {
  constexpr int kSharp = 3;
  std::vector<int> edges(vertex_.size());
  for (const SurfaceEdge& edge : edge_) {
    for (const int v : edge.vertex) edges[static_cast<size_t>(v)] += edge.is_border ? 2 : 1;
  }
  for (size_t v = 0; v < edges.size(); ++v) {
    if (edges[v] >= kSharp) corner_.push_back(static_cast<int>(v));
  }
}

namespace {

// Makes a tree, and sorts the items as its leaves have them.
template <class Item, class Bounds>
void SortIntoTree(const Bounds& bounds_of, std::vector<Item>& items, SurfaceTree& tree) {
  std::vector<ItemBounds> bounds;
  bounds.reserve(items.size());
  for (const Item& item : items) bounds.push_back(bounds_of(item));
  std::vector<int> order;
  tree.Build(bounds, order);
  std::vector<Item> sorted;
  sorted.reserve(items.size());
  for (const int i : order) sorted.push_back(items[static_cast<size_t>(i)]);
  items = std::move(sorted);
}

}  // namespace

void SurfaceTable::MakeTrees() {
  const auto around = [&](const int* vertices, int count) {
    ItemBounds bounds;
    for (int i = 0; i < count; ++i) bounds.Add(vertex(vertices[i]));
    return bounds;
  };
  SortIntoTree([&](const SurfaceFace& face) { return around(face.vertex, 3); }, face_, face_tree_);
  SortIntoTree([&](const SurfaceEdge& edge) { return around(edge.vertex, 2); }, edge_, edge_tree_);
  SortIntoTree([&](const int& corner) { return around(&corner, 1); }, corner_, corner_tree_);
  if (face_tree_.empty()) return;
  const Vec& half = face_tree_.node(0).half;
  size_ = 2 * std::max({half.x, half.y, half.z});
}

}  // namespace sinew::inline collision
