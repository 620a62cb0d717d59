#include "compile/box_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace sinew {
namespace {

constexpr double kEps = 1e-14;  // lengths that differ by less are the same

// Leaves of a subtree, by their place in the builder's list.
using Span = std::span<int>;

// The axis of the longest edge; a later one must be clearly longer.
int LongestAxis(const Vec3<double>& edges) {
  int axis = 0;
  for (int i = 1; i < 3; ++i) {
    if (edges[i] >= edges[axis] + kEps) axis = i;
  }
  return axis;
}

class Builder {
 public:
  explicit Builder(std::vector<BoxLeaf> leaves) : leaves_(std::move(leaves)), order_(leaves_.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    if (leaves_.empty()) return;
    tree_.nodes.reserve(2 * leaves_.size() - 1);
    AddNode(order_, 0);
  }

  BoxTree Take() { return std::move(tree_); }

 private:
  const BoxLeaf& Leaf(int i) const { return leaves_[static_cast<size_t>(i)]; }

  // The box of all leaves; an axis without extent is widened.
  void Enclose(Span span, Vec3<double>& lower, Vec3<double>& upper) const {
    lower = Leaf(span[0]).lower;
    upper = Leaf(span[0]).upper;
    for (const int leaf : span) {
      for (int i = 0; i < 3; ++i) {
        lower[i] = std::min(lower[i], Leaf(leaf).lower[i]);
        upper[i] = std::max(upper[i], Leaf(leaf).upper[i]);
      }
    }
    for (int i = 0; i < 3; ++i) {
      if (std::fabs(upper[i] - lower[i]) >= kEps) continue;
      lower[i] -= kEps;
      upper[i] += kEps;
    }
  }

  // Moves the lower half of the leaves along an axis to the front; those that agree are ordered by their objects.
  void Split(Span span, int axis) const {
    const auto before = [this, axis](int a, int b) {
      const double gap = Leaf(b).center[axis] - Leaf(a).center[axis];
      return std::fabs(gap) > kEps ? gap > 0 : Leaf(a).object < Leaf(b).object;
    };
    std::nth_element(span.begin(), span.begin() + static_cast<ptrdiff_t>(span.size() / 2), span.end(), before);
  }

  // Adds the node of a span and, before returning, all below it.
  int AddNode(Span span, int depth) {
    const int id = static_cast<int>(tree_.nodes.size());
    Vec3<double> lower, upper;
    Enclose(span, lower, upper);
    tree_.nodes.push_back({depth, {-1, -1}, -1, {(lower + upper) * 0.5, (upper - lower) * 0.5}});
    if (span.size() == 1) {
      tree_.nodes.back().object = Leaf(span[0]).object;
      return id;
    }
    Split(span, LongestAxis(upper - lower));
    const int left = AddNode(span.first(span.size() / 2), depth + 1);
    const int right = AddNode(span.subspan(span.size() / 2), depth + 1);
    tree_.nodes[static_cast<size_t>(id)].child[0] = left;
    tree_.nodes[static_cast<size_t>(id)].child[1] = right;
    return id;
  }

  std::vector<BoxLeaf> leaves_;
  std::vector<int> order_;
  BoxTree tree_;
};

}  // namespace

BoxTree BuildTree(std::vector<BoxLeaf> leaves) { return Builder(std::move(leaves)).Take(); }

}  // namespace sinew
