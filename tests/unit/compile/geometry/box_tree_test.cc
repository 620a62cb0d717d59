// Trees of boxes: how they are split, and where objects without centre go.
#include "compile/geometry/box_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace sinew {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The objects at the leaves, from left to right, of unit boxes along the x axis. A centre may be missing.
std::vector<int> Leaves(const std::vector<double>& places, const std::vector<int>& without_center = {}) {
  std::vector<BoxLeaf> leaves;
  for (const double x : places) {
    leaves.push_back({static_cast<int>(leaves.size()), {{x + 0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}}, {x, 0, 0}});
  }
  for (const int i : without_center) leaves[static_cast<size_t>(i)].center = {kNone, kNone, kNone};
  std::vector<int> objects;
  for (const BoxNode& node : BuildTree(std::move(leaves)).nodes) {
    if (node.object >= 0) objects.push_back(node.object);
  }
  return objects;
}

TEST(BoxTree, LeavesAreSortedAlongTheLongestAxis) {
  EXPECT_EQ(Leaves({5, 1, 3, 7, 2, 9, 4, 0}), (std::vector<int>{7, 1, 4, 2, 6, 0, 3, 5}));
  EXPECT_EQ(Leaves({0, 0, 0, 0}), (std::vector<int>{0, 1, 2, 3}));
}

// Recorded trees: of seven triangles and one whose corners are one point.
TEST(BoxTree, ObjectsWithoutCenterGoWhereRecordedModelsHaveThem) {
  const std::vector<double> places = {5, 1, 3, 7, 2, 9, 4, 0};
  EXPECT_EQ(Leaves(places, {0}), (std::vector<int>{0, 7, 1, 4, 2, 6, 3, 5}));
  EXPECT_EQ(Leaves(places, {3}), (std::vector<int>{3, 7, 1, 4, 2, 6, 0, 5}));
  EXPECT_EQ(Leaves(places, {6}), (std::vector<int>{7, 1, 4, 2, 0, 3, 5, 6}));
  EXPECT_EQ(Leaves(places, {7}), (std::vector<int>{1, 4, 2, 6, 0, 3, 5, 7}));
}

TEST(BoxTree, EveryObjectHasALeafWhateverTheCenters) {
  std::vector<double> places;
  std::vector<int> without, sorted;
  for (int i = 0; i < 500; ++i) {
    places.push_back(i * 173 % 500);
    sorted.push_back(i);
    if (i % 3 == 1) without.push_back(i);
  }
  std::vector<int> leaves = Leaves(places, without);
  std::sort(leaves.begin(), leaves.end());
  EXPECT_EQ(leaves, sorted);
  EXPECT_EQ(Leaves(places, sorted).size(), 500u);
}

}  // namespace
}  // namespace sinew
