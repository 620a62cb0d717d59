// Sweep and prune (D. Baraff, Dynamic simulation of non-penetrating rigid bodies, thesis, Cornell 1992): intervals
// along one axis are sorted by their lower ends; a body meets only those that begin before it ends. The axis is that
// along which most bodies would fit side by side.
//
// One axis alone leaves n^(2/3) candidates to each of n bodies in a pile. So the other two axes are cut into cells of
// at least two mean extents, and each cell is swept on its own: O(n log n) for the sort, and a number of comparisons
// that grows with n as long as sizes are similar.
//
// The world's own geoms and planes have no useful bounds: those bodies meet everything that moves.
#include "collision/broadphase.h"

#include <algorithm>
#include <cmath>

#include "collision/filter.h"
#include "math/eigen.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "simd/functions.h"

namespace sinew {
namespace {

// ---- bodies that meet everything

bool IsStatic(const mjModel* m, int body) { return m->body_weldid[body] == 0; }

bool MeetsEverything(const mjModel* m, int body) {
  if (body == 0) return m->body_geomnum[0] > 0;
  if (!IsStatic(m, body)) return false;
  const int first = m->body_geomadr[body], count = m->body_geomnum[body];
  return std::any_of(m->geom_type + first, m->geom_type + first + count, [](int type) { return type == mjGEOM_PLANE; });
}

void AddPairsWithAll(const mjModel* m, const mjData* d, int body, StackList<uint32_t>& pairs) {
  for (int other = 1; other < m->nbody; ++other) {
    if (IsStatic(m, other) || !IsCollidable(m, other)) continue;
    if (BodiesMayCollide(m, d, body, other)) pairs.Add(PairSignature(body, other));
  }
}

// ---- bounds

// A body that takes part: its bounds along the axes of the sweep frame, and the cells of the grid that it is in.
struct Item {
  double low[3], high[3];
  int body;
  int16_t first_cell[2], last_cell[2];  // along both axes across the sweep
};

// Widens [low, high] by a geom: the part that its bounding sphere and its bounding box have in common, and its margin.
void Include(const mjModel* m, const mjData* d, const Mat3<double>& axes, int geom, double margin, Item& item) {
  const Vec3<double> pos = axes * LoadVec3(d->geom_xpos + 3 * geom);
  const double radius = m->geom_rbound[geom];
  if (m->geom_type[geom] == mjGEOM_SPHERE) {
    for (int k = 0; k < 3; ++k) {
      item.low[k] = std::min(item.low[k], pos[k] - radius - margin);
      item.high[k] = std::max(item.high[k], pos[k] + radius + margin);
    }
    return;
  }
  const Mat3<double> mat = axes * LoadMat3(d->geom_xmat + 9 * geom);
  const double* box = m->geom_aabb + 6 * geom;
  const Vec3<double> middle = LoadVec3(box), centre = IsZero(middle) ? pos : pos + mat * middle;
  for (int k = 0; k < 3; ++k) {
    const double half = std::fabs(mat(k, 0)) * box[3] + std::fabs(mat(k, 1)) * box[4] + std::fabs(mat(k, 2)) * box[5];
    item.low[k] = std::min(item.low[k], std::max(pos[k] - radius, centre[k] - half) - margin);
    item.high[k] = std::max(item.high[k], std::min(pos[k] + radius, centre[k] + half) + margin);
  }
}

// All geoms count, colliding or not: which body trees are compared, and their nodes marked, depends on it.
Item BoundsOf(const mjModel* m, const mjData* d, const Mat3<double>& axes, int body) {
  Item item = {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}, body, {}, {}};
  const bool override_margin = m->opt.enableflags & mjENBL_OVERRIDE;
  const int end = m->body_geomadr[body] + m->body_geomnum[body];
  for (int geom = m->body_geomadr[body]; geom < end; ++geom) {
    Include(m, d, axes, geom, override_margin ? 0.5 * m->opt.o_margin : m->geom_margin[geom], item);
  }
  return item;
}

// Axes of the sweep, as rows: the matrix of eigenvectors of the covariance of the centres of all geoms but those of the
// world. Any frame finds the same contacts. The documented behaviour takes rows of this matrix for axes, not its
// columns, and which nodes of the body trees are marked for visualization depends on it.
Mat3<double> SweepFrame(const mjModel* m, const mjData* d) {
  const int first = m->body_geomnum[0], count = static_cast<int>(m->ngeom) - first;
  Vec3<double> mean = Zero3<double>();
  for (int geom = first; geom < m->ngeom; ++geom) mean += LoadVec3(d->geom_xpos + 3 * geom);
  mean *= 1.0 / count;

  Mat3<double> covariance = {};
  for (int geom = first; geom < m->ngeom; ++geom) {
    const Vec3<double> offset = LoadVec3(d->geom_xpos + 3 * geom) - mean;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) covariance(i, j) += offset[i] * offset[j];
    }
  }
  for (int i = 1; i < 3; ++i) {
    for (int j = 0; j < i; ++j) covariance(i, j) = covariance(j, i);
  }
  return SymmetricEigen(covariance).vectors;
}

// ---- sweep and prune

// The region that all bounds occupy, and how long they are in the mean.
struct Region {
  double low[3] = {kInfinity, kInfinity, kInfinity}, high[3] = {-kInfinity, -kInfinity, -kInfinity};
  double extent[3] = {0, 0, 0};

  Region(const Item* items, int count) {
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], items[i].low[k]);
        high[k] = std::max(high[k], items[i].high[k]);
        extent[k] += items[i].high[k] - items[i].low[k];
      }
    }
    for (double& mean : extent) mean /= count;
  }

  // How many mean extents fit in.
  double Room(int k) const { return (high[k] - low[k]) / extent[k]; }
  int RoomiestAxis() const {
    int best = 0;
    for (int k = 1; k < 3; ++k) {
      if (Room(k) > Room(best)) best = k;
    }
    return best;
  }
};

// Cells across the sweep. A body is in every cell that it touches; two bodies are compared in the first cell that they
// share.
class Grid {
 public:
  Grid(const Region& region, int sweep_axis, int count) {
    double most = std::sqrt(static_cast<double>(count) / kBodiesPerCell);  // cells along either axis
    for (int i = 0; i < 2; ++i) {
      axis_[i] = (sweep_axis + 1 + i) % 3;
      low_[i] = region.low[axis_[i]];
      const double cells = std::min(most, 0.5 * region.Room(axis_[i]));  // of two mean extents at least
      size_[i] = cells >= 2 ? static_cast<int>(cells) : 1;
      scale_[i] = size_[i] / (region.high[axis_[i]] - low_[i]);
    }
  }

  int rows() const { return size_[0]; }
  int columns() const { return size_[1]; }
  int count() const { return size_[0] * size_[1]; }
  int Index(int i, int j) const { return i * size_[1] + j; }

  // Calls visit(i, j) for the cells of an item.
  template <class Visit>
  void ForEachCell(const Item& item, Visit visit) const {
    for (int i = item.first_cell[0]; i <= item.last_cell[0]; ++i) {
      for (int j = item.first_cell[1]; j <= item.last_cell[1]; ++j) visit(i, j);
    }
  }
  void SetCells(Item& item) const {
    for (int i = 0; i < 2; ++i) {
      item.first_cell[i] = Cell(i, item.low);
      item.last_cell[i] = Cell(i, item.high);
    }
  }

 private:
  // NaN, of a state that is not finite, goes to the first cell.
  int16_t Cell(int i, const double bound[3]) const {
    const double cell = (bound[axis_[i]] - low_[i]) * scale_[i];
    return static_cast<int16_t>(cell >= size_[i] ? size_[i] - 1 : cell > 0 ? static_cast<int>(cell) : 0);
  }

  static constexpr int kBodiesPerCell = 8;

  int axis_[2], size_[2];
  double low_[2], scale_[2];
};

// Items in the order of their lower ends along the axis.
Item* Sorted(const Item* items, int count, int axis, StackFrame& frame) {
  struct Key {
    double low;
    int item;
  };
  Key* keys = frame.Alloc<Key>(count);
  for (int i = 0; i < count; ++i) keys[i] = {items[i].low[axis], i};
  std::sort(keys, keys + count,
            [](const Key& a, const Key& b) { return a.low < b.low || (a.low == b.low && a.item < b.item); });
  Item* sorted = frame.Alloc<Item>(count);
  for (int i = 0; i < count; ++i) sorted[i] = items[keys[i].item];
  return sorted;
}

class Sweep {
 public:
  Sweep(const mjModel* m, const mjData* d, int axis, StackList<uint32_t>& pairs)
      : m_(m), d_(d), axis_(axis), pairs_(pairs) {}

  // Compares the items, sorted, that get(0) to get(count - 1) return; of cell (i, j) if there are cells.
  template <class Get>
  void Run(int count, Get get, const int* cell) const {
    for (int a = 0; a < count; ++a) {
      const Item& first = get(a);
      for (int b = a + 1; b < count; ++b) {
        const Item& second = get(b);
        if (second.low[axis_] > first.high[axis_]) break;
        if (!Overlap(first, second) || (cell && !Owns(cell, first, second))) continue;
        if (BodiesMayCollide(m_, d_, first.body, second.body)) pairs_.Add(PairSignature(first.body, second.body));
      }
    }
  }

 private:
  static bool Overlap(const Item& a, const Item& b) {
    for (int k = 0; k < 3; ++k) {
      if (!(a.low[k] <= b.high[k]) || !(b.low[k] <= a.high[k])) return false;
    }
    return true;
  }
  static bool Owns(const int cell[2], const Item& a, const Item& b) {
    return std::max(a.first_cell[0], b.first_cell[0]) == cell[0] &&
           std::max(a.first_cell[1], b.first_cell[1]) == cell[1];
  }

  const mjModel* m_;
  const mjData* d_;
  int axis_;
  StackList<uint32_t>& pairs_;
};

// Sweeps cell by cell: the items of each cell are counted, then listed one cell after the other, in sorted order.
void SweepCells(const Grid& grid, Item* items, int count, const Sweep& sweep, StackFrame& frame) {
  int* end = frame.Ints(grid.count() + 1);
  std::fill_n(end, grid.count() + 1, 0);
  for (int i = 0; i < count; ++i) {
    grid.SetCells(items[i]);
    grid.ForEachCell(items[i], [&](int u, int v) { ++end[grid.Index(u, v) + 1]; });
  }
  for (int cell = 0; cell < grid.count(); ++cell) end[cell + 1] += end[cell];
  int* list = frame.Ints(end[grid.count()]);
  for (int i = 0; i < count; ++i) {
    grid.ForEachCell(items[i], [&](int u, int v) { list[end[grid.Index(u, v)]++] = i; });
  }

  // filling has moved the start of each cell to its end
  for (int u = 0; u < grid.rows(); ++u) {
    for (int v = 0; v < grid.columns(); ++v) {
      const int index = grid.Index(u, v), begin = index > 0 ? end[index - 1] : 0;
      const int cell[2] = {u, v};
      sweep.Run(
          end[index] - begin, [&](int i) -> const Item& { return items[list[begin + i]]; }, cell);
    }
  }
}

// Bodies by sweep and prune.
void SweepBodies(const mjModel* m, const mjData* d, const int* bodies, int count, StackFrame& frame,
                 StackList<uint32_t>& pairs) {
  const Mat3<double> axes = SweepFrame(m, d);
  Item* items = frame.Alloc<Item>(count);
  for (int i = 0; i < count; ++i) items[i] = BoundsOf(m, d, axes, bodies[i]);
  const Region region(items, count);
  const int axis = region.RoomiestAxis();
  items = Sorted(items, count, axis, frame);
  const Grid grid(region, axis, count);
  const Sweep sweep(m, d, axis, pairs);
  if (grid.count() > 1) {
    SweepCells(grid, items, count, sweep, frame);
  } else {
    sweep.Run(
        count, [&](int i) -> const Item& { return items[i]; }, nullptr);
  }
}

}  // namespace

void BroadPhase(const mjModel* m, const mjData* d, StackFrame& frame, StackList<uint32_t>& pairs) {
  const int nbody = static_cast<int>(m->nbody);
  int* swept = frame.Ints(nbody);
  int nswept = 0;
  for (int body = 0; body < nbody; ++body) {
    if (!IsCollidable(m, body)) continue;
    if (MeetsEverything(m, body)) {
      AddPairsWithAll(m, d, body, pairs);
    } else if (body > 0) {
      swept[nswept++] = body;
    }
  }
  if (nswept > 1) SweepBodies(m, d, swept, nswept, frame, pairs);

  std::sort(pairs.begin(), pairs.end());
  pairs.Truncate(static_cast<int>(std::unique(pairs.begin(), pairs.end()) - pairs.begin()));
}

}  // namespace sinew
