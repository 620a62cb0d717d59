// Trees of boxes are split by the surface area heuristic in bins (I. Wald, On fast construction of SAH-based bounding
// volume hierarchies, 2007): a ray that hits a box hits a smaller one in it with a chance that is the ratio of their
// surfaces. Sorting is stable, so that a tree depends on nothing but its boxes.
#include "render/rays/tree.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace sinew::inline render::rays {
namespace {

constexpr int kBins = 12;
constexpr int kFew = 32;  // up to here the middle is as good as a search

constexpr RayBox kNothing = {{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};

void Grow(RayBox& box, const RayBox& by) {
  for (int i = 0; i < 3; ++i) {
    box.low[i] = std::min(box.low[i], by.low[i]);
    box.high[i] = std::max(box.high[i], by.high[i]);
  }
}

// Half the surface; zero for a box with nothing in it.
float Area(const RayBox& b) {
  const float x = b.high[0] - b.low[0], y = b.high[1] - b.low[1], z = b.high[2] - b.low[2];
  return x < 0 ? 0 : x * y + y * z + z * x;
}

float Center(const RayBox& box, int axis) { return 0.5f * (box.low[axis] + box.high[axis]); }

// Splits the entries `first` ... `first + count` of the tree's order in place until at most `most` are left.
class TreeBuilder {
 public:
  TreeBuilder(const std::vector<RayBox>& boxes, int most, RayTree& tree) : boxes_(boxes), most_(most), tree_(tree) {}

  // Writes the node and, unless it is a leaf, two children one after the other. Beyond half the depth that walks have
  // stacks for, entries are halved by number, which ends after log2 of their count.
  void Split(size_t node, int first, int count, int depth) {
    RayBox box = kNothing, centers = kNothing;
    for (const int i : Entries(first, count)) {
      const RayBox& b = boxes_[static_cast<size_t>(i)];
      Grow(box, b);
      const RayBox center = {{Center(b, 0), Center(b, 1), Center(b, 2)}, {Center(b, 0), Center(b, 1), Center(b, 2)}};
      Grow(centers, center);
    }
    RayNode& made = tree_.nodes[node];
    std::copy_n(box.low, 3, made.low);
    std::copy_n(box.high, 3, made.high);
    made.first = first;
    made.count = count;
    made.axis = 0;
    if (count <= most_) return;

    int axis = 0;
    for (int i = 1; i < 3; ++i) {
      if (centers.high[i] - centers.low[i] > centers.high[axis] - centers.low[axis]) axis = i;
    }
    const float place = count <= kFew ? Center(centers, axis) : BestPlace(first, count, centers, axis);
    int left = Partition(first, count, axis, place);
    if (left == 0 || left == count || depth > kRayTreeDepth / 2) left = Halve(first, count, axis);
    const size_t children = tree_.nodes.size();
    tree_.nodes[node].first = static_cast<int>(children);
    tree_.nodes[node].count = 0;
    tree_.nodes[node].axis = axis;
    tree_.nodes.resize(children + 2);
    Split(children, first, left, depth + 1);
    Split(children + 1, first + left, count - left, depth + 1);
  }

 private:
  std::span<int> Entries(int first, int count) {
    return std::span(tree_.order).subspan(static_cast<size_t>(first), static_cast<size_t>(count));
  }

  // The border of bins along an axis at which areas times counts of the two sides are least.
  float BestPlace(int first, int count, const RayBox& centers, int axis) {
    const float low = centers.low[axis], width = (centers.high[axis] - low) / kBins;
    if (!(width > 0)) return low;
    std::array<RayBox, kBins> bins;
    std::array<int, kBins> counts = {};
    bins.fill(kNothing);
    for (const int i : Entries(first, count)) {
      const RayBox& b = boxes_[static_cast<size_t>(i)];
      const auto bin = static_cast<size_t>(std::clamp(static_cast<int>((Center(b, axis) - low) / width), 0, kBins - 1));
      Grow(bins[bin], b);
      ++counts[bin];
    }
    std::array<float, kBins> cost = {};
    const auto sweep = [&](size_t from, size_t to, size_t step, size_t shift) {
      RayBox box = kNothing;
      int sum = 0;
      for (size_t i = from; i != to; i += step) {
        Grow(box, bins[i]);
        sum += counts[i];
        cost[i + shift] += Area(box) * static_cast<float>(sum);
      }
    };
    sweep(0, kBins - 1, 1, 1);  // cost[i]: bins below i on the left
    sweep(kBins - 1, 0, static_cast<size_t>(-1), 0);
    size_t best = 1;
    for (size_t i = 2; i < kBins; ++i) {
      if (cost[i] < cost[best]) best = i;
    }
    return low + width * static_cast<float>(best);
  }

  // Entries with centres below `place` come first; returns how many there are.
  int Partition(int first, int count, int axis, float place) {
    const auto entries = Entries(first, count);
    const auto middle = std::stable_partition(
        entries.begin(), entries.end(), [&](int i) { return Center(boxes_[static_cast<size_t>(i)], axis) < place; });
    return static_cast<int>(middle - entries.begin());
  }

  // Where no place parts them, as for boxes about one centre, half of them go to either side.
  int Halve(int first, int count, int axis) {
    const auto entries = Entries(first, count);
    std::stable_sort(entries.begin(), entries.end(), [&](int a, int b) {
      return Center(boxes_[static_cast<size_t>(a)], axis) < Center(boxes_[static_cast<size_t>(b)], axis);
    });
    return count / 2;
  }

  const std::vector<RayBox>& boxes_;
  const int most_;
  RayTree& tree_;
};

}  // namespace

void BuildTree(const std::vector<RayBox>& boxes, int most, RayTree& tree) {
  tree.nodes.clear();
  tree.order.resize(boxes.size());
  if (boxes.empty()) return;
  for (size_t i = 0; i < boxes.size(); ++i) tree.order[i] = static_cast<int>(i);
  tree.nodes.reserve(2 * boxes.size());
  tree.nodes.resize(1);
  TreeBuilder(boxes, most, tree).Split(0, 0, static_cast<int>(boxes.size()), 0);
}

}  // namespace sinew::inline render::rays
