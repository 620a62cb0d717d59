// Builds trees of boxes top down: leaves are split at the median along the longest axis of their box. The tree is part
// of the model's file, so the order of equal leaves follows MuJoCo 3.8.0, found by comparing models.
#include "compile/geometry/box_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sinew::inline compile {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kEps = 1e-14;  // lengths that differ by less are the same

// The key of a leaf for sorting along an axis; keys are contiguous in memory, for trees of many faces.
struct Key {
  double center;
  int object;
  int leaf;  // its place in the builder's list
};

// Whether a key comes before another; those that agree, or that have no centre, are ordered by their objects.
bool Before(const Key& a, const Key& b) {
  const double gap = b.center - a.center;
  return std::fabs(gap) > kEps ? gap > 0 : a.object < b.object;
}

// Leaves of a subtree.
using Span = std::span<Key>;

// The axis of the longest edge; a later one must be clearly longer.
int LongestAxis(const Vec3<double>& edges) {
  int axis = 0;
  for (int i = 1; i < 3; ++i) {
    if (edges[i] >= edges[axis] + kEps) axis = i;
  }
  return axis;
}

// Exchanges *a and *b if b is before a; whether it did.
bool Order(Key* a, Key* b) {
  if (!Before(*b, *a)) return false;
  std::swap(*a, *b);
  return true;
}

// Sorts three; whether one of them moved.
bool SortThree(Key* a, Key* b, Key* c) {
  if (Before(*b, *a) && Before(*c, *b)) {
    std::swap(*a, *c);
    return true;
  }
  if (Order(a, b)) {
    Order(b, c);
    return true;
  }
  if (!Order(b, c)) return false;
  Order(a, b);
  return true;
}

// Around the median of the first, the middle and the last element, which is returned: those before it go to its left.
// The first and the last are on their sides then and stop the searches, whether `Before` is transitive or not.
Key* Partition(Key* first, Key* last, bool& moved) {
  Key* pivot = first + (last - first) / 2;
  moved = SortThree(first, pivot, last - 1);
  Key* up = first + 1;
  for (Key* down = last - 1;; ++up) {
    while (Before(*up, *pivot)) ++up;
    do --down;
    while (!Before(*down, *pivot));
    if (up >= down) break;
    std::swap(*up, *down);
    moved = true;
    if (pivot == up) pivot = down;
  }
  moved |= Order(up, pivot);
  return up;
}

// Puts the element `nth` of the sorted order in its place, those before it to its left (Hoare, Algorithm 65: Find).
// Faces without circumcentre are before or behind others by their number alone, so that `Before` is not transitive, and
// where they end up is a matter of the comparisons that are made. These are those of libc++'s nth_element, with which
// models on file were made.
void Select(Key* first, Key* nth, Key* last) {
  constexpr ptrdiff_t kFew = 7;
  while (last - first > kFew) {
    bool moved;
    Key* const pivot = Partition(first, last, moved);
    if (nth == pivot) return;
    if (!moved && (nth < pivot ? std::is_sorted(first, pivot, Before) : std::is_sorted(pivot, last, Before))) return;
    (nth < pivot ? last : first) = nth < pivot ? pivot : pivot + 1;
  }
  if (last - first == 3) {
    SortThree(first, first + 1, first + 2);
    return;
  }
  for (; first < last; ++first) std::swap(*first, *std::min_element(first, last, Before));
}

// Builds depth first, which makes the nodes stand in pre-order.
class Builder {
 public:
  explicit Builder(std::vector<BoxLeaf> leaves) : leaves_(std::move(leaves)) {
    if (leaves_.empty()) return;
    order_.reserve(leaves_.size());
    for (size_t i = 0; i < leaves_.size(); ++i) order_.push_back({0, leaves_[i].object, static_cast<int>(i)});
    tree_.nodes.reserve(2 * leaves_.size() - 1);
    AddNode(order_, 0);
  }

  BoxTree Take() { return std::move(tree_); }

 private:
  const BoxLeaf& Leaf(const Key& key) const { return leaves_[static_cast<size_t>(key.leaf)]; }

  // The box of all leaves; an axis without extent is widened.
  void Enclose(Span span, Vec3<double>& lower, Vec3<double>& upper) const {
    lower = {kInfinity, kInfinity, kInfinity};
    upper = -lower;
    for (const Key& key : span) {
      const Box& box = Leaf(key).box;
      for (int i = 0; i < 3; ++i) {
        lower[i] = std::min(lower[i], box.center[i] - box.half[i]);
        upper[i] = std::max(upper[i], box.center[i] + box.half[i]);
      }
    }
    for (int i = 0; i < 3; ++i) {
      if (std::fabs(upper[i] - lower[i]) >= kEps) continue;
      lower[i] -= kEps;
      upper[i] += kEps;
    }
  }

  // Moves the lower half of the leaves along an axis to the front.
  void Split(Span span, int axis) const {
    for (Key& key : span) key.center = Leaf(key).center[axis];
    Select(span.data(), span.data() + span.size() / 2, span.data() + span.size());
  }

  // Adds the node of a span and, before returning, all below it.
  int AddNode(Span span, int depth) {
    const int id = static_cast<int>(tree_.nodes.size());
    Vec3<double> lower, upper;
    Enclose(span, lower, upper);
    tree_.nodes.push_back({depth, {-1, -1}, -1, {(lower + upper) * 0.5, (upper - lower) * 0.5}});
    if (span.size() == 1) {
      tree_.nodes.back().object = span[0].object;
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
  std::vector<Key> order_;
  BoxTree tree_;
};

}  // namespace

// The box has the axes of the frame in which the points are given.
Box BoxAround(std::span<const Vec3<double>> points) {
  Vec3<double> lower = points[0], upper = points[0];
  for (const Vec3<double>& p : points) {
    for (int i = 0; i < 3; ++i) {
      lower[i] = std::min(lower[i], p[i]);
      upper[i] = std::max(upper[i], p[i]);
    }
  }
  return {(lower + upper) * 0.5, (upper - lower) * 0.5};
}

// The eight corners reach |R| times the half edges from the centre.
Box BoxAround(const Pose& pose, const Box& box) {
  const Mat3<double> R = ToMat3(pose.quat);
  Box around = {pose.pos + R * box.center, {0, 0, 0}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) around.half[i] += std::fabs(R(i, j)) * box.half[j];
  }
  return around;
}

BoxTree BuildTree(std::vector<BoxLeaf> leaves) { return Builder(std::move(leaves)).Take(); }

}  // namespace sinew::inline compile
