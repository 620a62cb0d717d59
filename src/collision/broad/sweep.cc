#include "collision/broad/sweep.h"

#include <cmath>
#include <limits>

#include "math/sort.h"
#include "simd/functions.h"

namespace sinew::inline collision {
namespace {

// Where a box begins along an axis: at infinity when its bound is NaN.
double Begin(const SweepBox& box, int axis) { return std::min(kInfinity, box.low[axis]); }

}  // namespace

// ---- the region that all boxes occupy, and how long they are in the mean

struct Sweep::Region {
  double low[3] = {kInfinity, kInfinity, kInfinity}, high[3] = {-kInfinity, -kInfinity, -kInfinity};
  double extent[3] = {0, 0, 0};
  int axis[3];  // that of the sweep, and those across

  Region(const SweepBox* boxes, int count) {
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], boxes[i].low[k]);
        high[k] = std::max(high[k], boxes[i].high[k]);
        extent[k] += boxes[i].high[k] - boxes[i].low[k];
      }
    }
    for (double& mean : extent) mean /= count;
    axis[0] = 0;
    for (int k = 1; k < 3; ++k) {
      if (Room(k) > Room(axis[0])) axis[0] = k;
    }
    axis[1] = (axis[0] + 1) % 3;
    axis[2] = (axis[0] + 2) % 3;
  }

  // How many mean extents fit in.
  double Room(int k) const { return (high[k] - low[k]) / extent[k]; }
};

// ---- the order along the axis

namespace {

// The bucket of [low, high] in which a bound lies, of `count` of equal width. NaN belongs to the first.
int BucketOf(double bound, double low, double scale, int count) {
  const double bucket = (bound - low) * scale;
  if (bucket >= count) return count - 1;
  return bucket > 0 ? static_cast<int>(bucket) : 0;
}

}  // namespace

// The boxes in the order in which they begin. Many are distributed to as many buckets of equal width as there are
// boxes: few are then in each, unless most of them are at one place.
Sweep::Key* Sweep::Order(const SweepBox* boxes, const Region& region, int count, StackFrame& frame) {
  const int along = region.axis[0];
  const double low = region.low[along], scale = count / (region.high[along] - low);
  Key *keys = frame.Alloc<Key>(count), *sorted = frame.Alloc<Key>(count);
  int* end = frame.Ints(count + 1);
  if (frame.full()) return nullptr;
  std::fill_n(end, count + 1, 0);
  for (int i = 0; i < count; ++i) {
    keys[i] = {Begin(boxes[i], along), i, BucketOf(boxes[i].low[along], low, scale, count)};
    ++end[keys[i].bucket + 1];
  }
  for (int i = 0; i < count; ++i) end[i + 1] += end[i];
  for (int i = 0; i < count; ++i) sorted[end[keys[i].bucket]++] = keys[i];
  for (int i = 0, begin = 0; i < count; begin = end[i++]) Sort(sorted + begin, end[i] - begin);
  return sorted;
}

Sweep::Sweep(const SweepBox* boxes, int meeting, int count, StackFrame& frame)
    : sorted_(count > kUnsorted), meeting_(meeting) {
  if (sorted_) {
    const Region region(boxes, count);
    const Key* order = Order(boxes, region, count, frame);
    if (frame.full()) return;
    ChooseCells(region, count);
    if (size_[0] * size_[1] > 1) {
      FillCells(boxes, order, region, count, frame);
    } else {
      AllocateCells(&count, 1, frame);
      if (frame.full()) return;
      for (const Key* key = order; key < order + count; ++key) Append(boxes[key->box], region.axis, cell_[0]);
    }
  } else {
    AllocateCells(&count, 1, frame);
    if (frame.full()) return;
    constexpr int kAxis[3] = {0, 1, 2};
    for (int i = 0; i < count; ++i) Append(boxes[i], kAxis, cell_[0]);
  }
  if (!frame.full()) CloseCells();
}

// ---- cells

void Sweep::ChooseCells(const Region& region, int count) {
  constexpr int kFewBoxes = 256, kBoxesPerCell = 16;
  if (count < kFewBoxes) return;
  for (int i = 0; i < 2; ++i) {
    const double most = std::sqrt(static_cast<double>(count) / kBoxesPerCell);
    const double cells = std::min(most, 0.5 * region.Room(region.axis[i + 1]));  // of two mean extents at least
    if (cells >= 2) size_[i] = static_cast<int>(cells);
  }
}

// The cells of each box.
void Sweep::FindCells(const SweepBox* boxes, const Region& region, CellRange* range, int count) const {
  for (int k = 0; k < 2; ++k) {
    const int axis = region.axis[k + 1];
    const double low = region.low[axis], scale = size_[k] / (region.high[axis] - low);
    const auto cell_of = [&](double bound) { return static_cast<int16_t>(BucketOf(bound, low, scale, size_[k])); };
    for (int i = 0; i < count; ++i) {
      range[i].first[k] = cell_of(boxes[i].low[axis]);
      range[i].last[k] = cell_of(boxes[i].high[axis]);
    }
  }
}

// Calls visit(cell) for the cells of a box.
template <class Visit>
void Sweep::ForEachCell(const CellRange& range, const Visit& visit) const {
  for (int u = range.first[0]; u <= range.last[0]; ++u) {
    for (int v = range.first[1]; v <= range.last[1]; ++v) visit(u * size_[1] + v);
  }
}

// Makes `ncell` empty cells, with blocks for boxes[i] boxes in cell i.
void Sweep::AllocateCells(const int* boxes, int ncell, StackFrame& frame) {
  cell_ = frame.Alloc<Cell>(ncell);
  if (frame.full()) return;
  int indices = 0;
  for (int i = 0; i < ncell; ++i) {
    cell_[i] = {indices, indices};
    indices += IndicesFor(boxes[i]);
    most_ = std::max(most_, boxes[i]);
  }
  block_ = frame.Alloc<BoxBlock>(indices / kLanes);
  id_ = frame.Ints(indices);
  overlaps_ = frame.Alloc<Overlap>(kListed + most_ + kLanes);
  if (ncell > 1) first_cell_ = frame.Alloc<int16_t[2]>(indices);
}

void Sweep::Append(const SweepBox& box, const int* axis, Cell& cell) {
  const int index = cell.end++;
  id_[index] = box.id;
  BoxBlock& block = block_[index / kLanes];
  for (int k = 0; k < 3; ++k) {
    block.low[k][index % kLanes] = Begin(box, axis[k]);
    block.high[k][index % kLanes] = box.high[axis[k]];
  }
}

// Boxes are counted, then appended to all their cells, in sorted order.
void Sweep::FillCells(const SweepBox* boxes, const Key* order, const Region& region, int count, StackFrame& frame) {
  const int ncell = size_[0] * size_[1];
  CellRange* range = frame.Alloc<CellRange>(count);
  int* boxes_in = frame.Ints(ncell);
  if (frame.full()) return;
  std::fill_n(boxes_in, ncell, 0);
  FindCells(boxes, region, range, count);
  for (int i = 0; i < count; ++i) {
    ForEachCell(range[i], [&](int cell) { ++boxes_in[cell]; });
  }
  AllocateCells(boxes_in, ncell, frame);
  if (frame.full()) return;
  for (const Key* key = order; key < order + count; ++key) {
    const CellRange& cells = range[key->box];
    ForEachCell(cells, [&](int cell) {
      std::copy_n(cells.first, 2, first_cell_[cell_[cell].end]);
      Append(boxes[key->box], region.axis, cell_[cell]);
    });
  }
}

// Fills the rest of each cell's last block, and the one behind it, with what begins nowhere: sweeps end there.
void Sweep::CloseCells() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (const Cell* cell = cell_; cell < cell_ + size_[0] * size_[1]; ++cell) {
    const int end = cell->begin + IndicesFor(cell->end - cell->begin);
    for (int i = cell->end; i < end; ++i) block_[i / kLanes].low[0][i % kLanes] = kNone;
  }
}

}  // namespace sinew::inline collision
