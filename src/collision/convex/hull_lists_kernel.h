// Supports of a hull by lists of candidates (collision/convex/hull_table.h): for a world, and for the lanes of a pack,
// each of which has a list of its own.
#ifndef SINEW_COLLISION_CONVEX_HULL_LISTS_KERNEL_H_
#define SINEW_COLLISION_CONVEX_HULL_LISTS_KERNEL_H_

#include <cstdint>
#include <type_traits>

#include "math/vec3.h"
#include "simd/argmax.h"
#include "simd/gather.h"

namespace sinew::inline collision {

class HullBlocks;  // collision/convex/hull_blocks.h

// For each cell of a cube map of directions, the vertices that are farthest in some direction of the cell, in blocks.
// The cube has 2 faces for each axis, the negative one first, and on each `cells` x `cells` squares by the quotients of
// the next two coordinates, cyclically, and the largest one.
struct HullLists {
  int cells;              // along an edge of the cube; 0: one list serves all directions
  const uint32_t* first;  // of each cell, its first block; one more number at the end
  const PointBlock* block;
  const HullBlocks* whole;  // all vertices
};

inline namespace SINEW_ISA {

template <class S>
typename LaneTraits<S>::Lane LaneOf(const S& x, int lane) {
  if constexpr (std::is_arithmetic_v<S>) {
    return x;
  } else {
    return x[lane];
  }
}

// The cell of a direction in each lane, any where it is no direction.
template <class S>
class HullCells {
 public:
  HullCells(int cells, const Vec3<S>& u) : cells_(cells) {
    const S x = Abs(u.x), y = Abs(u.y), z = Abs(u.z);
    const MaskOf<S> is_x = (x >= y) & (x >= z), is_y = y >= z;
    const auto choose = [&](S of_x, S of_y, S of_z) { return Select(is_x, of_x, Select(is_y, of_y, of_z)); };
    const S largest = choose(u.x, u.y, u.z), scale = S(1) / Abs(largest);
    face_ = choose(S(0), S(2), S(4)) + Select(largest > S(0), S(1), S(0));
    row_ = PlaceOf(choose(u.y, u.z, u.x) * scale);
    column_ = PlaceOf(choose(u.z, u.x, u.y) * scale);
  }

  int Of(int lane) const {
    const auto number = [lane](const S& x) { return static_cast<int>(LaneOf(x, lane)); };
    return (number(face_) * cells_ + number(row_)) * cells_ + number(column_);
  }

 private:
  // From [-1, 1] to [0, cells - 1], to be rounded down.
  S PlaceOf(S quotient) const {
    const S place = (quotient + S(1)) * Uniform<S>(0.5 * cells_);
    return Min(Select(place >= S(0), place, S(0)), Uniform<S>(cells_ - 1));
  }

  int cells_;
  S face_, row_, column_;
};

// The point of a list that is farthest in a direction. The block is where it is.
inline FarthestPoint FarthestInList(const HullLists& lists, int cell, const Vec3<double>& u, const PointBlock*& block) {
  const uint32_t first = lists.first[cell];
  const FarthestPoint farthest =
      FindFarthest(lists.block + first, static_cast<int>(lists.first[cell + 1] - first), u.x, u.y, u.z);
  block = lists.block + first + farthest.place / PointBlock::kPoints;
  return {farthest.projection, farthest.place % PointBlock::kPoints};
}

// How far a hull reaches along a direction of each lane; infinitely where a lane's bit is not set.
template <class S>
S ReachOfHull(const HullLists& lists, const Vec3<S>& u, unsigned lanes) {
  using Number = typename LaneTraits<S>::Lane;
  const HullCells<S> cells(lists.cells, u);
  Number reach[LaneTraits<S>::kWidth];
  for (int lane = 0; lane < LaneTraits<S>::kWidth; ++lane) {
    reach[lane] = static_cast<Number>(kInfinity);
    if (!(lanes >> lane & 1)) continue;
    const int cell = lists.cells > 0 ? cells.Of(lane) : 0;
    const PointBlock* block;
    const Vec3<double> of_lane = {LaneOf(u.x, lane), LaneOf(u.y, lane), LaneOf(u.z, lane)};
    reach[lane] = static_cast<Number>(FarthestInList(lists, cell, of_lane, block).projection);
  }
  if constexpr (std::is_arithmetic_v<S>) {
    return reach[0];
  } else {
    return GatherLanes<S>([&](int lane) { return reach[lane]; });
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_HULL_LISTS_KERNEL_H_
