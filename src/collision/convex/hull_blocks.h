// All vertices of a hull in blocks of eight that are near each other, with a ball around each: those on one side of a
// plane are found without looking at the blocks that are wholly on the other.
#ifndef SINEW_COLLISION_CONVEX_HULL_BLOCKS_H_
#define SINEW_COLLISION_CONVEX_HULL_BLOCKS_H_

#include <cstddef>
#include <vector>

#include "collision/convex/hull.h"
#include "simd/argmax.h"

namespace sinew::inline collision {

// Balls around eight blocks, a little larger than they have to be. Those of no block hold nothing.
struct alignas(64) BallBlock {
  double x[PointBlock::kPoints], y[PointBlock::kPoints], z[PointBlock::kPoints], radius[PointBlock::kPoints];
};

class HullBlocks {
 public:
  explicit HullBlocks(const Hull& hull);

  // The last block has fewer vertices where their number is no multiple of eight; its first one stands in their places.
  const PointBlock& block(int i) const { return block_[static_cast<size_t>(i)]; }
  int SizeOf(int block) const { return block + 1 < count() ? PointBlock::kPoints : size_of_last_; }
  int count() const { return static_cast<int>(block_.size()); }
  // The i-th has the balls of blocks 8 i to 8 i + 7.
  const std::vector<BallBlock>& balls() const { return ball_; }
  size_t Bytes() const { return block_.size() * sizeof(PointBlock) + ball_.size() * sizeof(BallBlock); }

 private:
  void AddBlock(const Hull& hull, const int* vertices, int count);
  void SetBall(int block, int count);

  std::vector<PointBlock> block_;
  std::vector<BallBlock> ball_;
  int size_of_last_ = 0;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_HULL_BLOCKS_H_
