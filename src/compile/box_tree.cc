#include "compile/box_tree.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kEps = 1e-14;  // lengths that differ by less are the same

struct Span {
  std::vector<BoxLeaf>::iterator begin, end;
};

// The box of all leaves; an axis without extent is widened.
void Enclose(const Span& leaves, Vec3<double>& lower, Vec3<double>& upper) {
  lower = leaves.begin->lower;
  upper = leaves.begin->upper;
  for (auto leaf = leaves.begin; leaf != leaves.end; ++leaf) {
    for (int i = 0; i < 3; ++i) {
      lower[i] = std::min(lower[i], leaf->lower[i]);
      upper[i] = std::max(upper[i], leaf->upper[i]);
    }
  }
  for (int i = 0; i < 3; ++i) {
    if (std::fabs(upper[i] - lower[i]) >= kEps) continue;
    lower[i] -= kEps;
    upper[i] += kEps;
  }
}

// The axis of the longest edge; a later one must be clearly longer.
int LongestAxis(const Vec3<double>& edges) {
  int axis = 0;
  for (int i = 1; i < 3; ++i) {
    if (edges[i] >= edges[axis] + kEps) axis = i;
  }
  return axis;
}

// Adds the node of a span and, before returning, all below it.
int AddNode(const Span& leaves, int depth, BoxTree& tree) {
  const int id = static_cast<int>(tree.nodes.size());
  Vec3<double> lower, upper;
  Enclose(leaves, lower, upper);
  tree.nodes.push_back({depth, {-1, -1}, -1, {(lower + upper) * 0.5, (upper - lower) * 0.5}});
  const auto count = leaves.end - leaves.begin;
  if (count == 1) {
    tree.nodes.back().object = leaves.begin->object;
    return id;
  }
  const int axis = LongestAxis(upper - lower);
  std::stable_sort(leaves.begin, leaves.end, [axis](const BoxLeaf& a, const BoxLeaf& b) {
    const double gap = b.center[axis] - a.center[axis];
    return std::fabs(gap) > kEps ? gap > 0 : a.object < b.object;
  });
  const auto middle = leaves.begin + count / 2;
  const int left = AddNode({leaves.begin, middle}, depth + 1, tree);
  const int right = AddNode({middle, leaves.end}, depth + 1, tree);
  tree.nodes[static_cast<size_t>(id)].child[0] = left;
  tree.nodes[static_cast<size_t>(id)].child[1] = right;
  return id;
}

}  // namespace

BoxTree BuildTree(std::vector<BoxLeaf> leaves) {
  BoxTree tree;
  if (!leaves.empty()) AddNode({leaves.begin(), leaves.end()}, 0, tree);
  return tree;
}

}  // namespace sinew
