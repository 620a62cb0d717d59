// Sweep and prune (D. Baraff, Dynamic simulation of non-penetrating rigid bodies, thesis, Cornell 1992): boxes along
// three axes are sorted by their lower ends along one of them; each meets only those that begin before it ends. The
// axis is that along which most boxes would fit side by side.
//
// One axis alone leaves n^(2/3) candidates to each of n bodies in a pile. So for many of them the other two axes are
// cut into cells of at least two mean extents, and each cell is swept on its own. Both together take a time that grows
// with n as long as sizes are similar.
#ifndef SINEW_COLLISION_SWEEP_H_
#define SINEW_COLLISION_SWEEP_H_

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
    if (!list_) return SweepAll(visit);
    for (int cell = 0; cell < size_[0] * size_[1]; ++cell) SweepCell(cell, visit);
  }

 private:
  struct Region;
  struct Key {  // where a box begins, for sorting
    double begin;
    int item, bucket;
  };
  static void SortByBuckets(Key* keys, int count, double low, double high, StackFrame& frame, Key* sorted);

  // Without cells, the sorted boxes are in blocks of four, and compared with the boxes of a block at a time: where they
  // begin, and their bounds across. What is left of the last block, and one more, are filled with boxes that overlap
  // with none.
  static constexpr int kTogether = 4;
  enum Row { kBegin, kLow1, kHigh1, kLow2, kHigh2, kRows };
  struct BoxBlock {
    double row[kRows][kTogether];
  };
  void MakeBlocks(const SweepItem* items, const Key* order, const Region& region, StackFrame& frame);

  // Writes the boxes that follow box a and overlap with it to `out`, and returns the end of the list. Which of a block
  // overlap is chance: no branch.
  int* FindOverlaps(int a, int* out) const {
    const BoxBlock* block = block_ + a / kTogether;
    const auto same = [&](Row k) { return InAllLanes(block->row[k][a % kTogether]); };
    const Four end = InAllLanes(box_end_[a]);
    const Four low1 = same(kLow1), high1 = same(kHigh1), low2 = same(kLow2), high2 = same(kHigh2);
    unsigned after_a = 0xeu << a % kTogether & 0xfu;
    for (int b = a - a % kTogether; block->row[kBegin][0] <= end[0]; b += kTogether, ++block, after_a = 0xf) {
      const auto load = [&](Row k) { return LoadFour(block->row[k]); };
      const unsigned bits = LaneBits((load(kBegin) <= end) & (load(kLow1) <= high1) & (load(kLow2) <= high2) &
                                     (load(kHigh1) >= low1) & (load(kHigh2) >= low2));
      out = AppendLanes(bits & after_a, b, out);
    }
    return out;
  }

  template <class Visit>
  void SweepAll(const Visit& visit) const {
    for (int a = 0; a < count_; ++a) {
      const int* end = FindOverlaps(a, overlaps_);
      for (const int* b = overlaps_; b < end; ++b) visit(id_[a], id_[*b]);
    }
  }

  // With cells: a box, its ends along the axis of the sweep, its bounds across, and the cells that it is in.
  using Two = Pack<double, 2>;
  struct Box {
    double begin, end;
    Two low, high;
    int id;
    int16_t first_cell[2], last_cell[2];
  };
  static bool OverlapAcross(const Box& a, const Box& b) { return All((a.low <= b.high) & (b.low <= a.high)); }
  void ChooseCells(const Region& region);
  void MakeBoxes(const SweepItem* items, const Key* order, const Region& region, StackFrame& frame);
  void FillCells(const Region& region, StackFrame& frame);
  template <class Visit>
  void ForEachCell(const Box& box, const Visit& visit) const;

  // Two boxes are compared in the first cell that they share.
  template <class Visit>
  void SweepCell(int cell, const Visit& visit) const {
    const int u = cell / size_[1], v = cell % size_[1];
    const int *begin = list_ + (cell > 0 ? end_[cell - 1] : 0), *end = list_ + end_[cell];
    for (const int* a = begin; a < end; ++a) {
      const Box& first = box_[*a];
      for (const int* b = a + 1; b < end && box_[*b].begin <= first.end; ++b) {
        const Box& second = box_[*b];
        if (!OverlapAcross(first, second)) continue;
        const bool is_first_shared = std::max(first.first_cell[0], second.first_cell[0]) == u &&
                                     std::max(first.first_cell[1], second.first_cell[1]) == v;
        if (is_first_shared) visit(first.id, second.id);
      }
    }
  }

  int count_;
  BoxBlock* block_;
  double* box_end_;  // where each ends
  int* id_;
  int* overlaps_;         // room for those of one box
  int size_[2] = {1, 1};  // cells along the axes across
  Box* box_ = nullptr;
  int *list_ = nullptr,
      *end_ = nullptr;  // boxes, cell after cell, and where those of each cell end; null without cells
};

}  // namespace sinew

#endif  // SINEW_COLLISION_SWEEP_H_
