// Sweep and prune (D. Baraff, Dynamic simulation of non-penetrating rigid bodies, thesis, Cornell 1992): boxes along
// three axes are sorted by their lower ends along one of them; each meets only those that begin before it ends. The
// axis is that along which most boxes would fit side by side.
//
// One axis alone leaves n^(2/3) candidates to each of n boxes in a pile. So for many of them the other two axes are cut
// into cells of at least two mean extents, and each cell is swept on its own. Both together take a time that grows with
// n as long as sizes are similar. Few boxes are not sorted, and each is compared with all that follow it.
#ifndef SINEW_COLLISION_BROAD_SWEEP_H_
#define SINEW_COLLISION_BROAD_SWEEP_H_

#include <algorithm>
#include <cstdint>

#include "core/stack.h"
#include "math/dense.h"
#include "simd/four.h"
#include "simd/functions.h"

namespace sinew::inline collision {

// A box. One whose bounds are not numbers overlaps with none.
struct SweepBox {
  double low[3], high[3];
  int id;
};

class Sweep {
 public:
  // Up to so many boxes are not sorted, which saves 5 % of a hand's time in collision.
  static constexpr int kUnsorted = 32;

  // Sorts the boxes; the frame must outlive the sweep, which is of no use when the frame reports that it is full.
  // Overlaps among the boxes from `meeting` on need not be found, as none of these collides with another.
  Sweep(const SweepBox* boxes, int meeting, int count, StackFrame& frame);

  // Whether no cell has more boxes than overlaps can name, as when 65,536 lie in one place. Others cannot be visited.
  bool Fits() const { return most_ < 1 << 16; }

  // Calls visit(id1, id2) once for each pair of boxes that overlap.
  template <class Visit>
  void ForEachOverlap(const Visit& visit) const {
    for (int cell = 0; cell < size_[0] * size_[1]; ++cell) SweepCell(cell, visit);
  }

 private:
  struct Region;
  struct Key {  // where a box begins, for sorting
    double begin;
    int box, bucket;
    bool operator<(const Key& other) const { return begin < other.begin; }
  };
  static Key* Order(const SweepBox* boxes, const Region& region, int count, StackFrame& frame);

  // The boxes of a cell stand in blocks of four, whose bounds are compared at once. The free places of a cell's last
  // block, and one more block, are filled with bounds that are NaN. A box of several cells stands in the blocks of
  // each. Boxes are counted through all blocks by their index.
  static constexpr int kLanes = 4;
  struct BoxBlock {
    double low[3][kLanes], high[3][kLanes];  // along the axis of the sweep, and the two across
  };
  static int IndicesFor(int boxes) { return ((boxes + kLanes - 1) / kLanes + 1) * kLanes; }
  struct CellRange {  // the cells of a box along both axes across
    int16_t first[2], last[2];
  };
  struct Cell {
    int begin, end;  // indices of its boxes
  };
  void ChooseCells(const Region& region, int count);
  void FindCells(const SweepBox* boxes, const Region& region, CellRange* range, int count) const;
  void AllocateCells(const int* boxes, int ncell, StackFrame& frame);
  void Append(const SweepBox& box, const int* axis, Cell& cell);
  void FillCells(const SweepBox* boxes, const Key* order, const Region& region, int count, StackFrame& frame);
  void CloseCells();
  template <class Visit>
  void ForEachCell(const CellRange& range, const Visit& visit) const;

  // Two boxes of a cell, counted from its first; the upper half is that of the first box.
  using Overlap = uint32_t;
  static constexpr int kListed = 128;  // so many overlaps are listed before they are visited

  // Writes the overlaps of a cell's box `a` with those that follow it to `out`, and returns the end of the list. Which
  // of them overlap is hard to predict, so that there is no branch on it.
  Overlap* FindOverlaps(int a, int begin, Overlap* out) const {
    const uint32_t first = static_cast<uint32_t>(a - begin) << 16;
    const BoxBlock* block = block_ + a / kLanes;
    Four low[3], high[3];
    for (int k = 0; k < 3; ++k) {
      low[k] = InAllLanes(block->low[k][a % kLanes]);
      high[k] = InAllLanes(block->high[k][a % kLanes]);
    }
    const double last_begin = sorted_ ? high[0][0] : kInfinity;
    unsigned lanes = LanesAfter(a % kLanes);
    for (int b = a - a % kLanes; block->low[0][0] <= last_begin; b += kLanes, ++block) {
      auto overlap = (LoadFour(block->low[0]) <= high[0]) & (LoadFour(block->high[0]) >= low[0]);
      for (int k = 1; k < 3; ++k) {
        overlap = overlap & (LoadFour(block->low[k]) <= high[k]) & (LoadFour(block->high[k]) >= low[k]);
      }
      out = AppendLanes(LaneBits(overlap) & lanes, first + static_cast<uint32_t>(b - begin), out);
      lanes = kFourLanes;
    }
    return out;
  }

  // Whether a cell is the first one that two boxes share: they meet there, and only there.
  bool IsFirstShared(int cell, int a, int b) const {
    const int u = std::max(first_cell_[a][0], first_cell_[b][0]), v = std::max(first_cell_[a][1], first_cell_[b][1]);
    return u * size_[1] + v == cell;
  }

  template <class Visit>
  void SweepCell(int cell, const Visit& visit) const {
    const bool is_only_cell = size_[0] * size_[1] == 1;
    const int begin = cell_[cell].begin, end = sorted_ ? cell_[cell].end : begin + meeting_;
    for (int a = begin; a < end;) {
      Overlap* last = overlaps_;
      for (; a < end && last < overlaps_ + kListed; ++a) last = FindOverlaps(a, begin, last);
      for (const Overlap* o = overlaps_; o < last; ++o) {
        const int first = begin + static_cast<int>(*o >> 16), second = begin + static_cast<int>(*o & 0xffff);
        if (is_only_cell || IsFirstShared(cell, first, second)) visit(id_[first], id_[second]);
      }
    }
  }

  bool sorted_;
  int meeting_;
  int most_ = 0;          // boxes of a cell
  int size_[2] = {1, 1};  // cells along the axes across
  Cell* cell_;
  BoxBlock* block_;
  int* id_;                   // by index
  int16_t (*first_cell_)[2];  // by index: the first cell of the box along both axes across
  Overlap* overlaps_;         // room for kListed, and for those of one box
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_BROAD_SWEEP_H_
