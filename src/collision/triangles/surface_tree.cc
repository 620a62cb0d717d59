#include "collision/triangles/surface_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sinew::inline collision {
namespace {

class TreeBuilder {
 public:
  TreeBuilder(const std::vector<ItemBounds>& items, std::vector<int>& order) : items_(items), order_(order) {
    centre_.reserve(items.size());
    for (const ItemBounds& item : items) centre_.push_back(item.Centre());
  }

  // Halving ends whatever they are: the depth of the tree is the logarithm of their number.
  void Split(size_t node, int first, int count) {
    ItemBounds bounds;
    for (int i = first; i < first + count; ++i) {
      const ItemBounds& item = items_[At(i)];
      bounds.Add(item.low);
      bounds.Add(item.high);
    }
    nodes[node] = {bounds.Centre(), bounds.Half(), -1, first, count};
    if (count <= kItemsOfLeaf) return;
    const Vec3<double> half = nodes[node].half;
    const int axis = half.x >= half.y && half.x >= half.z ? 0 : half.y >= half.z ? 1 : 2;
    const auto begin = order_.begin() + first;
    std::nth_element(begin, begin + count / 2, begin + count, [&](int a, int b) {
      const double x = centre_[static_cast<size_t>(a)][axis], y = centre_[static_cast<size_t>(b)][axis];
      return x != y ? x < y : a < b;
    });
    const size_t child = nodes.size();
    nodes[node].child = static_cast<int>(child);
    nodes.resize(child + 2);
    Split(child, first, count / 2);
    Split(child + 1, first + count / 2, count - count / 2);
  }

  std::vector<SurfaceNode> nodes;

 private:
  size_t At(int i) const { return static_cast<size_t>(order_[static_cast<size_t>(i)]); }

  const std::vector<ItemBounds>& items_;
  std::vector<int>& order_;
  std::vector<Vec3<double>> centre_;
};

}  // namespace

void SurfaceTree::Build(const std::vector<ItemBounds>& items, std::vector<int>& order) {
  order.resize(items.size());
  std::iota(order.begin(), order.end(), 0);
  if (items.empty()) return;
  TreeBuilder builder(items, order);
  builder.nodes.resize(1);
  builder.Split(0, 0, static_cast<int>(items.size()));
  node_ = std::move(builder.nodes);
}

}  // namespace sinew::inline collision
