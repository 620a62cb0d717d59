#include "collision/sweep.h"

#include <cmath>
#include <limits>

#include "simd/functions.h"

namespace sinew {
namespace {

// ---- the order along the axis

struct Key {
  double begin;
  int item;
};

constexpr int kFew = 16;  // keys that insertion sorts fastest

void SortByInsertion(Key* keys, int count) {
  for (int i = 1; i < count; ++i) {
    const Key key = keys[i];
    int place = i;
    for (; place > 0 && keys[place - 1].begin > key.begin; --place) keys[place] = keys[place - 1];
    keys[place] = key;
  }
}

void SortPart(Key* keys, int count) {
  if (count <= kFew) return SortByInsertion(keys, count);
  std::sort(keys, keys + count, [](const Key& a, const Key& b) { return a.begin < b.begin; });
}

// Keys between `low` and `high` are distributed to as many buckets, of equal width, as there are keys: few are then in
// each, unless most of them are at one place.
void SortByBuckets(const Key* keys, int count, double low, double high, StackFrame& frame, Key* sorted) {
  const double scale = count / (high - low);
  const auto bucket_of = [&](const Key& key) {
    const double bucket = (key.begin - low) * scale;
    return bucket >= count ? count - 1
           : bucket > 0    ? static_cast<int>(bucket)
                           : 0;  // NaN, of infinite ends, to the first
  };
  int* end = frame.Ints(count + 1);
  std::fill_n(end, count + 1, 0);
  for (int i = 0; i < count; ++i) ++end[bucket_of(keys[i]) + 1];
  for (int i = 0; i < count; ++i) end[i + 1] += end[i];
  for (int i = 0; i < count; ++i) sorted[end[bucket_of(keys[i])]++] = keys[i];
  for (int i = 0, begin = 0; i < count; begin = end[i++]) SortPart(sorted + begin, end[i] - begin);
}

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

Sweep::Sweep(const SweepItem* items, int count, StackFrame& frame) : box_(frame.Alloc<Box>(count)), count_(count) {
  const Region region(items, count);
  const auto& [along, across1, across2] = region.axis;
  Key *keys = frame.Alloc<Key>(count), *order = keys;
  for (int i = 0; i < count; ++i) keys[i] = {std::min(kInfinity, items[i].low[along]), i};  // NaN last
  if (count <= kFew) {
    SortByInsertion(keys, count);
  } else {
    order = frame.Alloc<Key>(count);
    SortByBuckets(keys, count, region.low[along], region.high[along], frame, order);
  }
  for (int i = 0; i < count; ++i) {
    const SweepItem& item = items[order[i].item];
    Box& box = box_[i];
    box.begin = order[i].begin;
    box.end = item.high[along];
    box.low = Two(Two::Value{item.low[across1], item.low[across2]});
    box.high = Two(Two::Value{item.high[across1], item.high[across2]});
    box.id = item.id;
  }
  MakeCells(region, frame);
  if (!list_) MakeColumns(frame);
}

void Sweep::MakeColumns(StackFrame& frame) {
  overlaps_ = frame.Ints(count_ + kTogether);
  for (double*& column : column_) column = frame.Doubles(count_ + kTogether);
  for (int i = 0; i < count_; ++i) {
    const Box& box = box_[i];
    const double bounds[kColumns] = {box.begin, box.low[0], box.high[0], box.low[1], box.high[1]};
    for (int k = 0; k < kColumns; ++k) column_[k][i] = bounds[k];
  }
  for (double* column : column_) std::fill_n(column + count_, kTogether, std::numeric_limits<double>::quiet_NaN());
}

// ---- cells

// Calls visit(cell) for the cells of a box.
template <class Visit>
void Sweep::ForEachCell(const Box& box, const Visit& visit) const {
  for (int u = box.first_cell[0]; u <= box.last_cell[0]; ++u) {
    for (int v = box.first_cell[1]; v <= box.last_cell[1]; ++v) visit(u * size_[1] + v);
  }
}

// The boxes of each cell are counted, then listed one cell after the other, in sorted order.
void Sweep::MakeCells(const Region& region, StackFrame& frame) {
  constexpr int kFewBoxes = 256, kBoxesPerCell = 8;
  if (count_ < kFewBoxes) return;
  double low[2], scale[2];
  for (int i = 0; i < 2; ++i) {
    const int axis = region.axis[i + 1];
    const double most = std::sqrt(static_cast<double>(count_) / kBoxesPerCell);
    const double cells = std::min(most, 0.5 * region.Room(axis));  // of two mean extents at least
    if (cells >= 2) size_[i] = static_cast<int>(cells);
    low[i] = region.low[axis];
    scale[i] = size_[i] / (region.high[axis] - low[i]);
  }
  const int ncell = size_[0] * size_[1];
  if (ncell == 1) return;

  const auto cell_of = [&](double bound, int i) {  // NaN, of a state that is not finite, goes to the first cell
    const double cell = (bound - low[i]) * scale[i];
    return static_cast<int16_t>(cell >= size_[i] ? size_[i] - 1 : cell > 0 ? static_cast<int>(cell) : 0);
  };
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
