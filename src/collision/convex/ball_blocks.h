// Points in blocks of eight, with a ball around each block, as plain data: files that are compiled for larger
// instruction sets see nothing else of a hull.
#ifndef SINEW_COLLISION_CONVEX_BALL_BLOCKS_H_
#define SINEW_COLLISION_CONVEX_BALL_BLOCKS_H_

#include "simd/argmax.h"

namespace sinew::inline collision {

// Balls around eight blocks, a little larger than they have to be. Those of no block hold nothing.
struct alignas(64) BallBlock {
  double x[PointBlock::kPoints], y[PointBlock::kPoints], z[PointBlock::kPoints], radius[PointBlock::kPoints];
};

// The last block has fewer points where their number is no multiple of eight; its first one stands in their places.
struct BlocksInBalls {
  const PointBlock* block;
  const BallBlock* ball;  // the i-th has the balls of blocks 8 i to 8 i + 7; null: they are not known
  int count, size_of_last;
};

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_CONVEX_BALL_BLOCKS_H_
