#include "collision/sweep.h"

#include <cmath>
#include <limits>

#include "math/sort.h"
#include "simd/functions.h"

namespace sinew {
namespace {

constexpr int kFew = 16;  // keys that insertion sorts fastest

}  // namespace

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
  const auto before = [](const Key& a, const Key& b) { return a.begin < b.begin; };
  for (int i = 0, begin = 0; i < count; begin = end[i++]) {
    if (end[i] - begin <= kFew) {
      InsertionSort(sorted + begin, end[i] - begin, before);
    } else {
      std::sort(sorted + begin, sorted + end[i], before);
    }
  }
}

Sweep::Sweep(const SweepItem* items, int count, StackFrame& frame) : count_(count) {
  const Region region(items, count);
  const int along = region.axis[0];
  Key *keys = frame.Alloc<Key>(count), *order = keys;
  for (int i = 0; i < count; ++i) keys[i] = {std::min(kInfinity, items[i].low[along]), i, 0};  // NaN last
  if (count <= kFew) {
    InsertionSort(keys, count, [](const Key& a, const Key& b) { return a.begin < b.begin; });
  } else {
    order = frame.Alloc<Key>(count);
    SortByBuckets(keys, count, region.low[along], region.high[along], frame, order);
  }
  ChooseCells(region);
  if (size_[0] * size_[1] == 1) {
    MakeBlocks(items, order, region, frame);
  } else {
    MakeBoxes(items, order, region, frame);
    FillCells(region, frame);
  }
}

void Sweep::MakeBlocks(const SweepItem* items, const Key* order, const Region& region, StackFrame& frame) {
  const int full = count_ / kTogether, blocks = (count_ + kTogether - 1) / kTogether + 1;
  overlaps_ = frame.Ints(count_ + kTogether);
  id_ = frame.Ints(count_);
  box_end_ = frame.Doubles(count_);
  block_ = frame.Alloc<BoxBlock>(blocks);
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::fill_n(block_[full].row[0], (blocks - full) * kRows * kTogether, kNone);
  const auto& [along, across1, across2] = region.axis;
  for (int i = 0; i < count_; ++i) {
    const SweepItem& item = items[order[i].item];
    id_[i] = item.id;
    box_end_[i] = item.high[along];
    double* at = &block_[i / kTogether].row[0][i % kTogether];
    at[kBegin * kTogether] = order[i].begin;
    at[kLow1 * kTogether] = item.low[across1];
    at[kHigh1 * kTogether] = item.high[across1];
    at[kLow2 * kTogether] = item.low[across2];
    at[kHigh2 * kTogether] = item.high[across2];
  }
}

// ---- cells

void Sweep::ChooseCells(const Region& region) {
  constexpr int kFewBoxes = 256, kBoxesPerCell = 8;
  if (count_ < kFewBoxes) return;
  for (int i = 0; i < 2; ++i) {
    const double most = std::sqrt(static_cast<double>(count_) / kBoxesPerCell);
    const double cells = std::min(most, 0.5 * region.Room(region.axis[i + 1]));  // of two mean extents at least
    if (cells >= 2) size_[i] = static_cast<int>(cells);
  }
}

void Sweep::MakeBoxes(const SweepItem* items, const Key* order, const Region& region, StackFrame& frame) {
  const auto& [along, across1, across2] = region.axis;
  box_ = frame.Alloc<Box>(count_);
  for (int i = 0; i < count_; ++i) {
    const SweepItem& item = items[order[i].item];
    Box& box = box_[i];
    box.begin = order[i].begin;
    box.end = item.high[along];
    box.low = Two(Two::Value{item.low[across1], item.low[across2]});
    box.high = Two(Two::Value{item.high[across1], item.high[across2]});
    box.id = item.id;
  }
}

// Calls visit(cell) for the cells of a box.
template <class Visit>
void Sweep::ForEachCell(const Box& box, const Visit& visit) const {
  for (int u = box.first_cell[0]; u <= box.last_cell[0]; ++u) {
    for (int v = box.first_cell[1]; v <= box.last_cell[1]; ++v) visit(u * size_[1] + v);
  }
}

// The boxes of each cell are counted, then listed one cell after the other, in sorted order.
void Sweep::FillCells(const Region& region, StackFrame& frame) {
  double low[2], scale[2];
  for (int i = 0; i < 2; ++i) {
    const int axis = region.axis[i + 1];
    low[i] = region.low[axis];
    scale[i] = size_[i] / (region.high[axis] - low[i]);
  }
  const auto cell_of = [&](double bound, int i) {  // NaN, of a state that is not finite, goes to the first cell
    const double cell = (bound - low[i]) * scale[i];
    return static_cast<int16_t>(cell >= size_[i] ? size_[i] - 1 : cell > 0 ? static_cast<int>(cell) : 0);
  };
  const int ncell = size_[0] * size_[1];
  int* end = frame.Ints(ncell + 1);
  std::fill_n(end, ncell + 1, 0);
  for (int i = 0; i < count_; ++i) {
    for (int k = 0; k < 2; ++k) {
      box_[i].first_cell[k] = cell_of(box_[i].low[k], k);
      box_[i].last_cell[k] = cell_of(box_[i].high[k], k);
    }
    ForEachCell(box_[i], [&](int cell) { ++end[cell + 1]; });
  }
  for (int cell = 0; cell < ncell; ++cell) end[cell + 1] += end[cell];
  list_ = frame.Ints(end[ncell]);
  for (int i = 0; i < count_; ++i) {
    ForEachCell(box_[i], [&](int cell) { list_[end[cell]++] = i; });
  }
  end_ = end;  // filling has moved the start of each cell to its end
}

}  // namespace sinew
