// Lists of candidates for the supports of a hull. The support in a direction u is a vertex whose normal cone holds u:
//
//   v is a support along u  if and only if  u . (v - w) >= 0  for all vertices w.
//
// A cube map divides directions into cells, and each cell lists the vertices whose cones meet it. A support then takes
// a division and the maximum over a list: mostly one block of eight vertices, whatever the size of the hull.
//
// Neighbours along the hull's edges stand for all vertices here, so that cones come out too large rather than too
// small, also where the edges of a hull are not quite convex: lists may be longer than they have to be, and lack
// nothing. Bounds are moved by more than all rounding, so that the maximum over a list is that over all vertices, to
// the last bit.
//
// Hulls of at most 32 vertices, and meshes without edges of a hull, have one list of all vertices. Beside the lists a
// table has the vertices in blocks of neighbours (hull_blocks.h).
#ifndef SINEW_COLLISION_CONVEX_HULL_TABLE_H_
#define SINEW_COLLISION_CONVEX_HULL_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collision/convex/hull.h"
#include "collision/convex/hull_blocks.h"
#include "collision/convex/hull_lists_kernel.h"

namespace sinew::inline collision {

class HullTable {
 public:
  static constexpr int kSearchedWhole = 32;
  // A table takes no more, or 32 bytes a vertex where that is more.
  static constexpr size_t kMaxBytes = size_t{1} << 20;

  explicit HullTable(const Hull& hull);
  HullTable(const HullTable&) = delete;
  HullTable& operator=(const HullTable&) = delete;

  const HullLists& lists() const { return lists_; }
  size_t Bytes() const {
    return block_.size() * sizeof(PointBlock) + first_.size() * sizeof(uint32_t) + whole_.Bytes();
  }
  // Whether the hull still has the vertices that the table was made from.
  bool IsOf(const Hull& hull) const { return signature_ == SignatureOf(hull); }

 private:
  static uint64_t SignatureOf(const Hull& hull);
  void ListAll(const Hull& hull);
  void ListByCells(const Hull& hull);
  void AddList(const Hull& hull, const int* vertices, int count);

  HullLists lists_{};
  std::vector<uint32_t> first_;
  std::vector<PointBlock> block_;
  HullBlocks whole_;
  uint64_t signature_;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_HULL_TABLE_H_
