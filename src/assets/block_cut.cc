#include "assets/block_cut.h"

#include <algorithm>
#include <utility>

#include "simd/functions.h"

namespace sinew::inline assets {
namespace {

constexpr int kCuts = 16;        // that are tried along an axis
constexpr int kLeastExtent = 2;  // cells of what a cut leaves

// The lower or upper part of a convex outline: places along one axis of a slice and, at each, along the other.
using Chain = std::vector<std::pair<int, int>>;

// Keeps the lower (sign 1) or upper convex chain (A. Andrew, Another efficient algorithm for convex hulls in two
// dimensions, Information Processing Letters 9, 1979).
void AddToChain(int y, int z, int sign, Chain& chain) {
  while (chain.size() > 1) {
    const auto &a = chain[chain.size() - 2], &b = chain.back();
    if (sign * ((b.first - a.first) * (z - a.second) - (b.second - a.second) * (y - a.first)) > 0) break;
    chain.pop_back();
  }
  chain.emplace_back(y, z);
}

// From where to where solid cells of the block reach along the third axis, in the four rows around a corner.
std::pair<int, int> RangeAround(const SolidGrid& grid, const CellBlock& block, int x, int y) {
  int first = block.high[2], last = block.low[2];
  for (int i = std::max(x - 1, block.low[0]); i < std::min(x + 1, block.high[0]); ++i) {
    for (int k = std::max(y - 1, block.low[1]); k < std::min(y + 1, block.high[1]); ++k) {
      int from = block.low[2], to = block.high[2];
      while (from < first && !grid.IsSolid(i, k, from)) ++from;
      while (to > last && !grid.IsSolid(i, k, to - 1)) --to;
      first = std::min(first, from);
      last = std::max(last, to);
    }
  }
  return {first, last};
}

int SolidCells(const SolidGrid& grid, const CellBlock& block) {
  int count = 0;
  for (int x = block.low[0]; x < block.high[0]; ++x) {
    for (int y = block.low[1]; y < block.high[1]; ++y) {
      for (int z = block.low[2]; z < block.high[2]; ++z) count += grid.IsSolid(x, y, z);
    }
  }
  return count;
}

// Returns the area below a chain, in cells.
double Area(const Chain& chain) {
  double area = 0;
  for (size_t i = 1; i < chain.size(); ++i) {
    area += 0.5 * (chain[i].first - chain[i - 1].first) * (chain[i].second + chain[i - 1].second);
  }
  return area;
}

double ExcessOfSlice(const SolidGrid& grid, const CellBlock& block, int axis, int slice) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  Chain lower, upper;
  int before[2] = {block.high[v], block.low[v]}, solid = 0;  // of the row before: from where to where
  for (int y = block.low[u]; y <= block.high[u]; ++y) {
    int row[2] = {block.high[v], block.low[v]};
    int at[3];
    at[axis] = slice;
    at[u] = y;
    for (at[v] = block.low[v]; y < block.high[u] && at[v] < block.high[v]; ++at[v]) {
      if (!grid.IsSolid(at[0], at[1], at[2])) continue;
      row[0] = std::min(row[0], at[v]);
      row[1] = at[v] + 1;
      ++solid;
    }
    const int first = std::min(row[0], before[0]), last = std::max(row[1], before[1]);
    std::copy_n(row, 2, before);
    if (first >= last) continue;
    AddToChain(y, first, 1, lower);
    AddToChain(y, last, -1, upper);
  }
  return Area(upper) - Area(lower) - solid;
}

// What convex outlines of all slices of a block, along all axes, have too much, in cells. (Hulls of the whole take
// fifty times as long.)
double Excess(const SolidGrid& grid, const CellBlock& block) {
  double excess = 0;
  for (int axis = 0; axis < 3; ++axis) {
    for (int i = block.low[axis]; i < block.high[axis]; ++i) excess += ExcessOfSlice(grid, block, axis, i);
  }
  return excess;
}

}  // namespace

BlockCut BestCut(const SolidGrid& grid, const CellBlock& block) {
  BlockCut best;
  double least = kInfinity;
  for (int axis = 0; axis < 3; ++axis) {
    const int extent = block.Extent(axis), step = std::max(1, extent / kCuts);
    for (int at = block.low[axis] + std::max(step, kLeastExtent); at <= block.high[axis] - kLeastExtent; at += step) {
      CellBlock lower = block, upper = block;
      lower.high[axis] = upper.low[axis] = at;
      const double excess = Excess(grid, lower) + Excess(grid, upper);
      if (!(excess < least)) continue;
      least = excess;
      best = {axis, at};
    }
  }
  return best;
}

void Shrink(const SolidGrid& grid, CellBlock& block) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const bool upper : {false, true}) {
      while (block.Extent(axis) > 1) {
        CellBlock slice = block;
        if (upper) {
          slice.low[axis] = block.high[axis] - 1;
        } else {
          slice.high[axis] = block.low[axis] + 1;
        }
        if (SolidCells(grid, slice) > 0) break;
        upper ? --block.high[axis] : ++block.low[axis];
      }
    }
  }
}

std::vector<Vec3<double>> CellCorners(const SolidGrid& grid, const CellBlock& block) {
  std::vector<Vec3<double>> points;
  Chain lower, upper;  // the second and third coordinate
  for (int x = block.low[0]; x <= block.high[0]; ++x) {
    lower.clear();
    upper.clear();
    for (int y = block.low[1]; y <= block.high[1]; ++y) {
      const auto [first, last] = RangeAround(grid, block, x, y);
      if (first >= last) continue;
      AddToChain(y, first, 1, lower);
      AddToChain(y, last, -1, upper);
    }
    for (const auto& chain : {lower, upper}) {
      for (const auto& [y, z] : chain) points.push_back(grid.Corner(x, y, z));
    }
  }
  return points;
}

}  // namespace sinew::inline assets
