// Built in three steps: cells around the surface are split down to kLevels; then those beside much smaller ones; then
// distances are found at the corners.
#include "compile/geometry/octree_builder.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "compile/geometry/triangle.h"

namespace sinew::inline compile {
namespace {

constexpr int kLevels = 6;
constexpr int kUnits = 1 << kLevels;  // edge of the root, in edges of the smallest cells
constexpr double kMargin = 1.1;       // of the root around the mesh

// The lower corner of a cell on the lattice of the smallest cells.
using GridPoint = std::array<int, 3>;

int Edge(int depth) { return kUnits >> depth; }

int Bit(int c, int axis) { return (c >> axis) & 1; }

Triangle Face(const std::vector<Vec3<double>>& points, const std::vector<int>& faces, int face) {
  const int* corner = faces.data() + 3 * static_cast<size_t>(face);
  const auto point = [&](int k) { return points[static_cast<size_t>(corner[k])]; };
  return {point(0), point(1), point(2)};
}

// ---- cells

class CellBuilder {
 public:
  CellBuilder(const std::vector<Vec3<double>>& points, const std::vector<int>& faces) : points_(points), faces_(faces) {
    const Box box = BoxAround(points);
    cells_.push_back({0, -1, {box.center, box.half * kMargin}, {}});
    grid_points_.push_back({0, 0, 0});
  }

  void Refine();
  void Balance();

  std::vector<OctreeCell>& cells() { return cells_; }
  const std::vector<GridPoint>& grid_points() const { return grid_points_; }

 private:
  OctreeCell& Cell(int i) { return cells_[static_cast<size_t>(i)]; }
  const GridPoint& GridPointOf(int i) const { return grid_points_[static_cast<size_t>(i)]; }
  void Split(int parent);
  int LeafAt(const GridPoint& grid_point, int count) const;
  int Neighbour(int leaf, int axis, int side, int count) const;
  void BalanceLeaf(int leaf, int count);

  const std::vector<Vec3<double>>& points_;
  const std::vector<int>& faces_;
  std::vector<OctreeCell> cells_;
  std::vector<GridPoint> grid_points_;
};

// Children follow each other, so one index is enough to find all eight.
void CellBuilder::Split(int parent) {
  const OctreeCell from = Cell(parent);
  const GridPoint grid_point = GridPointOf(parent);
  Cell(parent).child = static_cast<int>(cells_.size());
  const Vec3<double> half = from.box.half * 0.5;
  const int edge = Edge(from.depth + 1);
  for (int c = 0; c < 8; ++c) {
    OctreeCell cell = {from.depth + 1, -1, {from.box.center, half}, {}};
    GridPoint at = grid_point;
    for (int k = 0; k < 3; ++k) {
      cell.box.center[k] += Bit(c, k) ? half[k] : -half[k];
      at[static_cast<size_t>(k)] += Bit(c, k) * edge;
    }
    cells_.push_back(cell);
    grid_points_.push_back(at);
  }
}

// Breadth first, each cell with the faces that meet it: those of a child are among its parent's.
void CellBuilder::Refine() {
  std::vector<std::vector<int>> met(1);
  for (size_t face = 0; 3 * face < faces_.size(); ++face) met[0].push_back(static_cast<int>(face));
  for (size_t i = 0; i < cells_.size(); ++i) {
    const std::vector<int> candidates = std::move(met[i]);
    if (candidates.empty() || cells_[i].depth == kLevels) continue;
    Split(static_cast<int>(i));
    for (size_t child = met.size(); child < cells_.size(); ++child) {
      std::vector<int>& own = met.emplace_back();
      std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(own),
                   [&](int face) { return Meets(Face(points_, faces_, face), cells_[child].box); });
    }
  }
}

// The leaf that has a point of the grid, in the tree of the first `count` cells; -1 outside.
int CellBuilder::LeafAt(const GridPoint& grid_point, int count) const {
  for (const int x : grid_point) {
    if (x < 0 || x >= kUnits) return -1;
  }
  int i = 0;
  for (;;) {
    const OctreeCell& cell = cells_[static_cast<size_t>(i)];
    if (cell.child < 0 || cell.child >= count) return i;
    const int half = Edge(cell.depth + 1);
    int octant = 0;
    for (size_t k = 0; k < 3; ++k) octant |= (grid_point[k] >= GridPointOf(i)[k] + half) << k;
    i = cell.child + octant;
  }
}

// The leaf beyond a face (`side`: 0 the lower one, 1 the upper one) that has the lower corner of this leaf there.
int CellBuilder::Neighbour(int leaf, int axis, int side, int count) const {
  GridPoint grid_point = GridPointOf(leaf);
  grid_point[static_cast<size_t>(axis)] += side ? Edge(cells_[static_cast<size_t>(leaf)].depth) : -1;
  return LeafAt(grid_point, count);
}

// Splits the leaf, or its neighbours, where one is more than one level below the other.
void CellBuilder::BalanceLeaf(int leaf, int count) {
  for (int face = 0; face < 6; ++face) {
    const int neighbour = Neighbour(leaf, face / 2, face % 2, count);
    if (neighbour < 0) continue;
    const int step = Cell(neighbour).depth - Cell(leaf).depth;
    if (step > 1) return Split(leaf);
    if (step < -1 && Cell(neighbour).child < 0) Split(neighbour);
  }
}

// In passes over the leaves, each of which sees the tree as it was before the pass, until nothing changes. The numbers
// of cells depend on this order.
void CellBuilder::Balance() {
  for (int count = 0; count < static_cast<int>(cells_.size());) {
    count = static_cast<int>(cells_.size());
    for (int i = 0; i < count; ++i) {
      if (Cell(i).child < 0) BalanceLeaf(i, count);
    }
  }
}

// ---- distances

// Signed distances from a mesh.
//
// Outside is where the surface's normal at the nearest point points to. On edges and corners the faces there have
// different normals, and a sharp edge has points on the outside that are behind one of its faces. The mean of the
// normals, weighted by the angles that the faces fill, decides right (J. A. Baerentzen, H. Aanaes, Signed distance
// computation using the angle weighted pseudonormal, IEEE TVCG 11(3), 2005).
class MeshDistance {
 public:
  MeshDistance(const std::vector<Vec3<double>>& points, const std::vector<int>& faces, const BoxTree& tree)
      : points_(points), faces_(faces), tree_(tree) {}

  double operator()(const Vec3<double>& p) const;

 private:
  // Sums over the faces that are nearest to a point, up to rounding: the weighted sum decides the side of the point.
  struct Nearest {
    double square = HUGE_VAL;  // of the distance
    double side = 0, weight = 0;

    bool Admits(double other) const { return other <= square * kTie; }
  };
  static constexpr double kTie = 1 + 1e-9;

  void Search(int node, const Vec3<double>& p, Nearest& best) const;
  void TryFace(int face, const Vec3<double>& p, Nearest& best) const;

  const std::vector<Vec3<double>>& points_;
  const std::vector<int>& faces_;
  const BoxTree& tree_;
};

// The squared distance from a point to a box, zero inside.
double SquareToBox(const Box& box, const Vec3<double>& p) {
  Vec3<double> beyond;
  for (int k = 0; k < 3; ++k) beyond[k] = std::max(std::fabs(p[k] - box.center[k]) - box.half[k], 0.0);
  return Dot(beyond, beyond);
}

void MeshDistance::TryFace(int face, const Vec3<double>& p, Nearest& best) const {
  const Triangle triangle = Face(points_, faces_, face);
  const TrianglePoint nearest = NearestPoint(triangle, p);
  const Vec3<double> offset = p - nearest.point;
  const double square = Dot(offset, offset);
  if (!best.Admits(square)) return;
  if (square * kTie < best.square) best = {square, 0, 0};
  best.square = std::min(best.square, square);
  const Vec3<double> normal = Normalized(Cross(triangle.b - triangle.a, triangle.c - triangle.a));
  best.side += nearest.angle * Dot(offset, normal);
  best.weight += nearest.angle;
}

// The nearer child first.
void MeshDistance::Search(int node, const Vec3<double>& p, Nearest& best) const {
  const auto node_at = [this](int i) -> const BoxNode& { return tree_.nodes[static_cast<size_t>(i)]; };
  const BoxNode& here = node_at(node);
  if (here.object >= 0) return TryFace(here.object, p, best);
  int first = here.child[0], second = here.child[1];
  double square1 = SquareToBox(node_at(first).box, p), square2 = SquareToBox(node_at(second).box, p);
  if (square2 < square1) {
    std::swap(first, second);
    std::swap(square1, square2);
  }
  if (best.Admits(square1)) Search(first, p, best);
  if (best.Admits(square2)) Search(second, p, best);
}

// The sign of the sum of sides, weighted by angles, is that of the distance.
double MeshDistance::operator()(const Vec3<double>& p) const {
  constexpr double kCosine = 1e-12;  // of the angle to the normal; below, the point is in the surface
  Nearest best;
  Search(0, p, best);
  const double distance = std::sqrt(best.square);
  return best.side > kCosine * distance * best.weight ? distance : -distance;
}

// Distances at the points of the lattice that are corners of cells, each found once.
class Corners {
 public:
  explicit Corners(const std::vector<GridPoint>& grid_points)
      : grid_points_(grid_points), value_(kSide * kSide * kSide, kUnknown) {}

  void Sample(const MeshDistance& distance, std::vector<OctreeCell>& cells);
  void Join(const OctreeCell& leaf, const GridPoint& grid_point);
  void Store(std::vector<OctreeCell>& cells) const;

 private:
  static constexpr size_t kSide = kUnits + 1;
  static constexpr double kUnknown = HUGE_VAL;

  double& At(const GridPoint& grid_point) { return value_[IndexOf(grid_point)]; }
  static size_t IndexOf(const GridPoint& grid_point) {
    return (static_cast<size_t>(grid_point[2]) * kSide + static_cast<size_t>(grid_point[1])) * kSide +
           static_cast<size_t>(grid_point[0]);
  }

  const std::vector<GridPoint>& grid_points_;
  std::vector<double> value_;
};

// The point of the grid at a cell's corner.
GridPoint CornerPoint(GridPoint grid_point, int depth, int c) {
  for (size_t k = 0; k < 3; ++k) grid_point[k] += Bit(c, static_cast<int>(k)) * Edge(depth);
  return grid_point;
}

Vec3<double> CornerPoint(const Box& box, int c) {
  Vec3<double> point = box.center;
  for (int k = 0; k < 3; ++k) point[k] += Bit(c, k) ? box.half[k] : -box.half[k];
  return point;
}

// Corners are shared by up to eight cells, and distances are costly.
void Corners::Sample(const MeshDistance& distance, std::vector<OctreeCell>& cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    for (int c = 0; c < 8; ++c) {
      double& value = At(CornerPoint(grid_points_[i], cells[i].depth, c));
      if (value == kUnknown) value = distance(CornerPoint(cells[i].box, c));
    }
  }
}

// Corners of smaller neighbours in the middles of a leaf's edges and faces get the mean of its own corners there: what
// is interpolated is then continuous across.
void Corners::Join(const OctreeCell& leaf, const GridPoint& grid_point) {
  const auto corner = [&](int c) { return At(CornerPoint(grid_point, leaf.depth, c)); };
  const int half = Edge(leaf.depth + 1);
  const auto middle = [&](int c, int along) -> double& {
    GridPoint point = CornerPoint(grid_point, leaf.depth, c);
    for (size_t k = 0; k < 3; ++k) point[k] += Bit(along, static_cast<int>(k)) * half;
    return At(point);
  };
  for (int c = 0; c < 8; ++c) {
    for (int along = 1; along < 7; ++along) {
      if (c & along) continue;
      double& value = middle(c, along);
      if (value == kUnknown) continue;
      const int axis1 = along & -along, axis2 = along & ~axis1;
      value = axis2 ? 0.25 * (corner(c) + corner(c | axis1) + corner(c | axis2) + corner(c | along))
                    : 0.5 * (corner(c) + corner(c | axis1));
    }
  }
}

// A cell stores the distances at its own corners, so that a look-up reads one cell only.
void Corners::Store(std::vector<OctreeCell>& cells) const {
  for (size_t i = 0; i < cells.size(); ++i) {
    for (int c = 0; c < 8; ++c) cells[i].distance[c] = value_[IndexOf(CornerPoint(grid_points_[i], cells[i].depth, c))];
  }
}

}  // namespace

std::vector<OctreeCell> BuildOctree(const std::vector<Vec3<double>>& points, const std::vector<int>& faces,
                                    const BoxTree& face_tree) {
  CellBuilder builder(points, faces);
  builder.Refine();
  builder.Balance();

  // Large leaves first: a mean may be that of means.
  std::vector<OctreeCell>& cells = builder.cells();
  Corners corners(builder.grid_points());
  corners.Sample(MeshDistance(points, faces, face_tree), cells);
  for (int depth = 0; depth < kLevels; ++depth) {
    for (size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].depth == depth && cells[i].child < 0) corners.Join(cells[i], builder.grid_points()[i]);
    }
  }
  corners.Store(cells);
  return std::move(cells);
}

}  // namespace sinew::inline compile
