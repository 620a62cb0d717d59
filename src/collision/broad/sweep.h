// Sweep and prune (D. Baraff, Dynamic simulation of non-penetrating rigid bodies, thesis, Cornell 1992): boxes along
// three axes are sorted by their lower ends along one of them; each meets only those that begin before it ends. The
// axis is that along which most boxes would fit side by side.
//
// One axis alone leaves n^(2/3) candidates to each of n bodies in a pile. So for many of them the other two axes are
// cut into cells of at least two mean extents, and each cell is swept on its own. Both together take a time that grows
// with n as long as sizes are similar.
#ifndef SINEW_COLLISION_BROAD_SWEEP_H_
#define SINEW_COLLISION_BROAD_SWEEP_H_

#include <algorithm>
#include <cstdint>

#include "core/stack.h"
#include "math/dense.h"
#include "simd/four.h"

namespace sinew {

// A box. One whose bounds are not numbers overlaps with none.
struct SweepItem {
  double low[3], high[3];
  int id;
};

class Sweep {
 public:
  // Sorts the boxes; the frame must outlive the sweep.
  Sweep(const SweepItem* items, int count, StackFrame& frame);

  // Calls visit(id1, id2) once for each pair of boxes that overlap.
  template <class Visit>
  void ForEachOverlap(const Visit& visit) const {
    const int ncell = size_[0] * size_[1];
    const auto always = [](int, int) { return true; };
    if (ncell == 1) return SweepCell(0, always, visit);
    for (int cell = 0; cell < ncell; ++cell) {
      const auto here = [this, cell](int a, int b) { return IsFirstShared(cell, a, b); };
      SweepCell(cell, here, visit);
    }
  }

 private:
  struct Region;
  struct Key {  // where a box begins, for sorting
    double begin;
    int item, bucket;
    bool operator<(const Key& other) const { return begin < other.begin; }
  };
  static void SortByBuckets(Key* keys, int count, double low, double high, StackFrame& frame, Key* sorted);

  // The boxes of a cell are in blocks of four, in sorted order, and compared with those of a block at a time: where
  // they begin, and their bounds across. What is left of the last block, and one more, are filled with boxes that
  // overlap with none. A box of several cells is in the blocks of each. Places count the boxes of all blocks.
  static constexpr int kTogether = 4;
  enum Row { kBegin, kLow1, kHigh1, kLow2, kHigh2, kRows };
  struct BoxBlock {
    double row[kRows][kTogether];
  };
  // How many places `boxes` boxes of a cell take.
  static int Places(int boxes) { return ((boxes + kTogether - 1) / kTogether + 1) * kTogether; }
  struct CellRange {  // the cells of a box along both axes across
    int16_t first[2], last[2];
  };
  struct Cell {
    int begin, end;  // places of its boxes
  };
  void ChooseCells(const Region& region, int count);
  void FindCells(const SweepItem* items, const Region& region, CellRange* range, int count) const;
  void TakePlaces(const int* boxes, int ncell, StackFrame& frame);
  void Put(const SweepItem& item, double begin, const int* axis, int place);
  void FillCells(const SweepItem* items, const Key* order, const Region& region, int count, StackFrame& frame);
  void CloseCells();
  template <class Visit>
  void ForEachCell(const CellRange& range, const Visit& visit) const;

  // Two places of a cell, counted from its first; the upper half is that of the first box. (A world has less than 2^16
  // bodies.)
  using Overlap = uint32_t;
  static constexpr int kListed = 128;  // from which on they are visited

  // Writes the overlaps of box a of a cell with those that follow it to `out`, and returns the end of the list. Which
  // of a block overlap is chance: no branch.
  Overlap* FindOverlaps(int a, int begin, Overlap* out) const {
    const uint32_t first = static_cast<uint32_t>(a - begin) << 16;
    const BoxBlock* block = block_ + a / kTogether;
    const auto same = [&](Row k) { return InAllLanes(block->row[k][a % kTogether]); };
    const Four end = InAllLanes(box_end_[a]);
    const Four low1 = same(kLow1), high1 = same(kHigh1), low2 = same(kLow2), high2 = same(kHigh2);
    unsigned after_a = 0xeu << a % kTogether & 0xfu;
    for (int b = a - a % kTogether; block->row[kBegin][0] <= end[0]; b += kTogether, ++block, after_a = 0xf) {
      const auto load = [&](Row k) { return LoadFour(block->row[k]); };
      const unsigned bits = LaneBits((load(kBegin) <= end) & (load(kLow1) <= high1) & (load(kLow2) <= high2) &
                                     (load(kHigh1) >= low1) & (load(kHigh2) >= low2));
      out = AppendLanes(bits & after_a, first + static_cast<uint32_t>(b - begin), out);
    }
    return out;
  }

  // Two boxes meet in the first cell that they share.
  bool IsFirstShared(int cell, int a, int b) const {
    const int u = std::max(first_cell_[a][0], first_cell_[b][0]), v = std::max(first_cell_[a][1], first_cell_[b][1]);
    return u * size_[1] + v == cell;
  }
  template <class Here, class Visit>
  void SweepCell(int cell, const Here& here, const Visit& visit) const {
    // how many overlap with each is chance, too: those of several are listed before they are visited
    const auto [begin, end] = cell_[cell];
    for (int a = begin; a < end;) {
      Overlap* last = overlaps_;
      for (; a < end && last < overlaps_ + kListed; ++a) last = FindOverlaps(a, begin, last);
      for (const Overlap* o = overlaps_; o < last; ++o) {
        const int first = begin + static_cast<int>(*o >> 16), second = begin + static_cast<int>(*o & 0xffff);
        if (here(first, second)) visit(id_[first], id_[second]);
      }
    }
  }

  int size_[2] = {1, 1};  // cells along the axes across
  Cell* cell_;
  BoxBlock* block_;
  double* box_end_;           // by place: where each ends along the axis of the sweep
  int* id_;                   // by place
  int16_t (*first_cell_)[2];  // by place: the first cell of the box along both axes across
  Overlap* overlaps_;         // room for kListed, and for those of one box
};

}  // namespace sinew

#endif  // SINEW_COLLISION_BROAD_SWEEP_H_
