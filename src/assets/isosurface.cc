// Vertices and faces are numbered cell by cell, x running fastest, and within a cell by its edges: models of
// MuJoCo 3.8.0 of the same surfaces have them so, to the last bit of their floats.
#include "assets/isosurface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "assets/isosurface_cases.h"
#include "core/error.h"

namespace sinew::inline assets {
namespace {

constexpr double kCells = 300;  // along the three axes together

using Index = std::array<int, 3>;  // of a point of the grid, or of the cell above it

Index operator+(const Index& a, const Index& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

Index Corner(int c) { return {c & 1, (c >> 1) & 1, (c >> 2) & 1}; }

// The lower end of an edge of a cell, numbered as in kIsosurfaceCases.
Index EdgeStart(int edge) {
  Index start = {0, 0, 0};
  const int axis = edge / 4;
  start[axis == 0 ? 1 : 0] = edge & 1;
  start[axis == 2 ? 1 : 2] = (edge >> 1) & 1;
  return start;
}

class Marcher {
 public:
  Marcher(const ScalarField& field, const Vec3<double>& center, const Vec3<double>& half);

  MeshData Run();

 private:
  size_t At(const Index& point) const {
    return (static_cast<size_t>(point[2]) * points_[1] + static_cast<size_t>(point[1])) * points_[0] +
           static_cast<size_t>(point[0]);
  }
  float Value(const Index& point) const { return value_[At(point)]; }
  void Cell(const Index& cell);
  int Vertex(const Index& cell, int edge);
  int AddVertex(const Index& start, int axis);
  void FindNormals();

  Vec3<double> lower_, step_;
  Index cells_;
  std::array<size_t, 3> points_;  // one more than cells
  std::vector<float> value_;
  std::vector<int> vertex_;             // on the edges that start at each point, along x, y, z; -1: none yet
  std::vector<Vec3<float>> positions_;  // of vertices, in cells
  MeshData mesh_;
};

Marcher::Marcher(const ScalarField& field, const Vec3<double>& center, const Vec3<double>& half)
    : lower_(center - half) {
  for (size_t k = 0; k < 3; ++k) {
    const int axis = static_cast<int>(k);
    cells_[k] = std::max(1, static_cast<int>(kCells * half[axis] / (half.x + half.y + half.z)));
    points_[k] = static_cast<size_t>(cells_[k]) + 1;
    step_[axis] = 2 * half[axis] / cells_[k];
  }
  value_.resize(points_[0] * points_[1] * points_[2]);
  vertex_.assign(3 * value_.size(), -1);
  Index i;
  for (i[0] = 0; i[0] <= cells_[0]; ++i[0]) {
    for (i[1] = 0; i[1] <= cells_[1]; ++i[1]) {
      for (i[2] = 0; i[2] <= cells_[2]; ++i[2]) {
        Vec3<double> point;
        for (int k = 0; k < 3; ++k) point[k] = lower_[k] + 2 * half[k] * i[k] / cells_[k];
        value_[At(i)] = static_cast<float>(field(point));
      }
    }
  }
}

MeshData Marcher::Run() {
  Index cell;
  for (cell[2] = 0; cell[2] < cells_[2]; ++cell[2]) {
    for (cell[1] = 0; cell[1] < cells_[1]; ++cell[1]) {
      for (cell[0] = 0; cell[0] < cells_[0]; ++cell[0]) Cell(cell);
    }
  }
  FindNormals();
  return std::move(mesh_);
}

void Marcher::Cell(const Index& cell) {
  unsigned inside = 0;
  for (int c = 0; c < 8; ++c) inside |= (Value(cell + Corner(c)) < 0 ? 1U : 0U) << c;
  if (inside == 0 || inside == 255) return;

  // The vertices, before the triangles ask for them in another order.
  for (int edge = 0; edge < 12; ++edge) Vertex(cell, edge);
  for (std::uint64_t corners = kIsosurfaceCases[inside]; (corners & 15) != 15; corners >>= 4) {
    mesh_.face.push_back(Vertex(cell, static_cast<int>(corners & 15)));
  }
}

// The vertex on an edge of a cell; -1 when the field has the same sign at both ends.
int Marcher::Vertex(const Index& cell, int edge) {
  const Index start = cell + EdgeStart(edge);
  const int axis = edge / 4;
  int& vertex = vertex_[3 * At(start) + static_cast<size_t>(axis)];
  if (vertex < 0) vertex = AddVertex(start, axis);
  return vertex;
}

// The vertex is where the field, interpolated linearly, is zero.
int Marcher::AddVertex(const Index& start, int axis) {
  Index end = start;
  ++end[static_cast<size_t>(axis)];
  const float value0 = Value(start), value1 = Value(end);
  if ((value0 < 0) == (value1 < 0)) return -1;
  Vec3<float> position;
  for (int k = 0; k < 3; ++k) position[k] = static_cast<float>(start[static_cast<size_t>(k)]);
  position[axis] += value0 / (value0 - value1);
  for (int k = 0; k < 3; ++k) {
    mesh_.vertex.push_back(static_cast<float>(lower_[k] + static_cast<double>(position[k]) * step_[k]));
  }
  positions_.push_back(position);
  return static_cast<int>(positions_.size()) - 1;
}

// The mean over the faces around a vertex by area, as if cells were cubes.
void Marcher::FindNormals() {
  std::vector<Vec3<float>> sums(positions_.size(), Vec3<float>{0, 0, 0});
  for (size_t i = 0; i < mesh_.face.size(); i += 3) {
    const auto position = [&](size_t k) { return positions_[static_cast<size_t>(mesh_.face[i + k])]; };
    const Vec3<float> area = Cross(position(2) - position(1), position(0) - position(1));
    for (size_t k = 0; k < 3; ++k) sums[static_cast<size_t>(mesh_.face[i + k])] += area;
  }
  for (const Vec3<float>& sum : sums) {
    const float length = std::sqrt(Dot(sum, sum));
    for (int k = 0; k < 3; ++k) mesh_.normal.push_back(length > 0 ? sum[k] / length : 0);
  }
}

}  // namespace

MeshData Isosurface(const ScalarField& field, const Vec3<double>& center, const Vec3<double>& half) {
  for (int k = 0; k < 3; ++k) {
    if (!(half[k] > 0) || !std::isfinite(half[k]) || !std::isfinite(center[k])) {
      throw Error("the box of the surface has no extent", "correct the sizes that are given to the plugin");
    }
  }
  MeshData mesh = Marcher(field, center, half).Run();
  if (mesh.face.empty())
    throw Error("there is no surface in its box", "correct the sizes that are given to the plugin");
  return mesh;
}

}  // namespace sinew::inline assets
