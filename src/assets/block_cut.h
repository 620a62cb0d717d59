// Where a block of cells is cut best: by what the convex outlines of its slices have too much.
#ifndef SINEW_ASSETS_BLOCK_CUT_H_
#define SINEW_ASSETS_BLOCK_CUT_H_

#include <vector>

#include "assets/solid_grid.h"
#include "math/vec3.h"

namespace sinew::inline assets {

// A plane between cells, across an axis; no axis where a block is too small to be cut.
struct BlockCut {
  int axis = -1, at = 0;
};
BlockCut BestCut(const SolidGrid& grid, const CellBlock& block);

// Makes a block smaller, to its solid cells.
void Shrink(const SolidGrid& grid, CellBlock& block);

// What the hull of the solid cells of a block needs of their corners: of each plane across the first axis, the convex
// outline.
std::vector<Vec3<double>> CellCorners(const SolidGrid& grid, const CellBlock& block);

}  // namespace sinew::inline assets

#endif  // SINEW_ASSETS_BLOCK_CUT_H_
