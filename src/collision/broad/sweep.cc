#include "collision/broad/sweep.h"

#include <cmath>
#include <limits>

#include "math/sort.h"
#include "simd/functions.h"

namespace sinew {

// ---- the region that all boxes occupy, and how long they are in the mean

struct Sweep::Region {
  double low[3] = {kInfinity, kInfinity, kInfinity}, high[3] = {-kInfinity, -kInfinity, -kInfinity};
  double extent[3] = {0, 0, 0};
  int axis[3];  // that of the sweep, and those across

  Region(const SweepItem* items, int count) {
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], items[i].low[k]);
        high[k] = std::max(high[k], items[i].high[k]);
        extent[k] += items[i].high[k] - items[i].low[k];
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

// Keys between `low` and `high` are distributed to as many buckets, of equal width, as there are keys: few are then in
// each, unless most of them are at one place.
void Sweep::SortByBuckets(Key* keys, int count, double low, double high, StackFrame& frame, Key* sorted) {
  const double scale = count / (high - low);
  int* end = frame.Ints(count + 1);
  std::fill_n(end, count + 1, 0);
  for (Key* key = keys; key < keys + count; ++key) {
    const double bucket = (key->begin - low) * scale;
    key->bucket = bucket >= count ? count - 1
                  : bucket > 0    ? static_cast<int>(bucket)
                                  : 0;  // NaN, of infinite ends, to the first
    ++end[key->bucket + 1];
  }
  for (int i = 0; i < count; ++i) end[i + 1] += end[i];
  for (int i = 0; i < count; ++i) sorted[end[keys[i].bucket]++] = keys[i];
  for (int i = 0, begin = 0; i < count; begin = end[i++]) Sort(sorted + begin, end[i] - begin);
}

Sweep::Sweep(const SweepItem* items, int count, StackFrame& frame) {
  const Region region(items, count);
  const int along = region.axis[0];
  Key *keys = frame.Alloc<Key>(count), *order = keys;
  for (int i = 0; i < count; ++i) keys[i] = {std::min(kInfinity, items[i].low[along]), i, 0};  // NaN last
  if (count <= kShortList) {
    Sort(keys, count);
  } else {
    order = frame.Alloc<Key>(count);
    SortByBuckets(keys, count, region.low[along], region.high[along], frame, order);
  }
  ChooseCells(region, count);
  if (size_[0] * size_[1] == 1) {
    TakePlaces(&count, 1, frame);
    for (int i = 0; i < count; ++i) Put(items[order[i].item], order[i].begin, region.axis, cell_[0].end++);
  } else {
    FillCells(items, order, region, count, frame);
  }
  CloseCells();
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

// The cells of each item.
void Sweep::FindCells(const SweepItem* items, const Region& region, CellRange* range, int count) const {
  for (int k = 0; k < 2; ++k) {
    const int axis = region.axis[k + 1];
    const double low = region.low[axis], scale = size_[k] / (region.high[axis] - low);
    const auto cell_of = [&](double bound) {  // NaN, of a state that is not finite, goes to the first cell
      const double cell = (bound - low) * scale;
      return static_cast<int16_t>(cell >= size_[k] ? size_[k] - 1 : cell > 0 ? static_cast<int>(cell) : 0);
    };
    for (int i = 0; i < count; ++i) {
      range[i].first[k] = cell_of(items[i].low[axis]);
      range[i].last[k] = cell_of(items[i].high[axis]);
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

// Blocks for `boxes[i]` boxes of each of `ncell` cells, which are empty yet.
void Sweep::TakePlaces(const int* boxes, int ncell, StackFrame& frame) {
  cell_ = frame.Alloc<Cell>(ncell);
  int places = 0, most = 0;
  for (int i = 0; i < ncell; ++i) {
    cell_[i] = {places, places};
    places += Places(boxes[i]);
    most = std::max(most, boxes[i]);
  }
  block_ = frame.Alloc<BoxBlock>(places / kTogether);
  box_end_ = frame.Doubles(places);
  id_ = frame.Ints(places);
  overlaps_ = frame.Alloc<Overlap>(kListed + most + kTogether);
  if (ncell > 1) first_cell_ = frame.Alloc<int16_t[2]>(places);
}

void Sweep::Put(const SweepItem& item, double begin, const int* axis, int place) {
  id_[place] = item.id;
  box_end_[place] = item.high[axis[0]];
  double* at = &block_[place / kTogether].row[0][place % kTogether];
  at[kBegin * kTogether] = begin;
  at[kLow1 * kTogether] = item.low[axis[1]];
  at[kHigh1 * kTogether] = item.high[axis[1]];
  at[kLow2 * kTogether] = item.low[axis[2]];
  at[kHigh2 * kTogether] = item.high[axis[2]];
}

// Boxes are counted, then put into the blocks of all their cells, in sorted order.
void Sweep::FillCells(const SweepItem* items, const Key* order, const Region& region, int count, StackFrame& frame) {
  const int ncell = size_[0] * size_[1];
  CellRange* range = frame.Alloc<CellRange>(count);
  int* boxes = frame.Ints(ncell);
  std::fill_n(boxes, ncell, 0);
  FindCells(items, region, range, count);
  for (int i = 0; i < count; ++i) {
    ForEachCell(range[i], [&](int cell) { ++boxes[cell]; });
  }
  TakePlaces(boxes, ncell, frame);
  for (int i = 0; i < count; ++i) {
    const CellRange& cells = range[order[i].item];
    ForEachCell(cells, [&](int cell) {
      const int place = cell_[cell].end++;
      Put(items[order[i].item], order[i].begin, region.axis, place);
      std::copy_n(cells.first, 2, first_cell_[place]);
    });
  }
}

// Fills the rest of each cell's last block, and the one behind it, with what begins nowhere.
void Sweep::CloseCells() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (const Cell* cell = cell_; cell < cell_ + size_[0] * size_[1]; ++cell) {
    const int end = cell->begin + Places(cell->end - cell->begin);
    for (int place = cell->end; place < end; ++place) block_[place / kTogether].row[kBegin][place % kTogether] = kNone;
  }
}

}  // namespace sinew
