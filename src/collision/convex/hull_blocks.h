// All vertices of a hull in blocks of eight that are near each other, with a ball around each: those on one side of a
// plane are found without looking at the blocks that are wholly on the other.
#ifndef SINEW_COLLISION_CONVEX_HULL_BLOCKS_H_
#define SINEW_COLLISION_CONVEX_HULL_BLOCKS_H_

#include <cstddef>
#include <vector>

#include "collision/convex/ball_blocks.h"
#include "collision/convex/hull.h"

namespace sinew::inline collision {

class HullBlocks {
 public:
  explicit HullBlocks(const Hull& hull);

  BlocksInBalls all() const { return {block_.data(), ball_.data(), count(), size_of_last_}; }
  size_t Bytes() const { return block_.size() * sizeof(PointBlock) + ball_.size() * sizeof(BallBlock); }

 private:
  int count() const { return static_cast<int>(block_.size()); }
  void AddBlock(const Hull& hull, const int* vertices, int count);
  void SetBall(int block, int count);

  std::vector<PointBlock> block_;
  std::vector<BallBlock> ball_;
  int size_of_last_ = 0;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_HULL_BLOCKS_H_
