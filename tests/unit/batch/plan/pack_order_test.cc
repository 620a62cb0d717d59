// The order of worlds: those with the same constraints follow one another, and constraints of much work decide first.
#include "batch/plan/pack_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace sinew {
namespace {

// The sum over packs of eight of the work of their unions.
long WorkOf(const std::vector<std::vector<LaneConstraint>>& worlds, std::span<const int> order) {
  long work = 0;
  for (size_t begin = 0; begin < order.size(); begin += 8) {
    std::set<int> seen;
    for (size_t i = begin; i < std::min(order.size(), begin + 8); ++i) {
      for (const LaneConstraint& constraint : worlds[static_cast<size_t>(order[i])]) {
        if (seen.insert(constraint.number).second) work += constraint.work;
      }
    }
  }
  return work;
}

std::vector<int> Sorted(const std::vector<std::vector<LaneConstraint>>& worlds) {
  PackOrder order;
  order.Resize(static_cast<int>(worlds.size()));
  for (size_t w = 0; w < worlds.size(); ++w) {
    order.Note(static_cast<int>(w), {worlds[w].data(), static_cast<int>(worlds[w].size())});
  }
  const auto sorted = order.Sort({});
  return {sorted.begin(), sorted.end()};
}

TEST(PackOrder, WorkDecidesBeforeEvenParts) {
  std::vector<std::vector<LaneConstraint>> worlds(16);
  for (unsigned w = 0; w < 16; ++w) {
    if (w % 2 == 0) worlds[w].push_back({7, 1});        // half of the worlds, and light
    if (w / 2 % 4 == 0) worlds[w].push_back({9, 100});  // a quarter, and heavy
  }
  const std::vector<int> order = Sorted(worlds);
  std::set<int> last(order.end() - 4, order.end());
  EXPECT_EQ(last, (std::set<int>{0, 1, 8, 9}));
}

TEST(PackOrder, AllWorldsOnceAndLessWorkThanByNumber) {
  std::mt19937 random(1);
  std::vector<std::vector<LaneConstraint>> worlds(512);
  for (size_t w = 0; w < worlds.size(); ++w) {
    const auto pose = static_cast<unsigned>(random() % 20);
    for (unsigned k = 0; k < 30; ++k) {
      const auto number = static_cast<unsigned short>((pose * 37 + k * k) % 97 * 40);
      if (random() % 10 != 0) worlds[w].push_back({number, static_cast<unsigned short>(1 + number / 100 * 9)});
    }
  }
  std::vector<int> by_number(worlds.size()), order = Sorted(worlds);
  for (size_t w = 0; w < worlds.size(); ++w) by_number[w] = static_cast<int>(w);
  EXPECT_LT(WorkOf(worlds, order), 0.75 * static_cast<double>(WorkOf(worlds, by_number)));
  EXPECT_EQ(order, Sorted(worlds)) << "the same worlds, the same order";
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, by_number);
}

// More than there is room for: the first of a list count.
TEST(PackOrder, LongListsAreCut) {
  const std::vector<LaneConstraint> list(2 * kMostNoted, LaneConstraint{PackOrder::kNumbers - 1, 65535});
  PackOrder order;
  order.Resize(3);
  order.Note(1, {list.data(), static_cast<int>(list.size())});
  const auto sorted = order.Sort({});
  EXPECT_EQ(std::vector<int>(sorted.begin(), sorted.end()), (std::vector<int>{0, 2, 1}));
  const std::vector<int> some = {2, 1};
  EXPECT_EQ(order.Sort(Selection(some)).size(), 2u);
}

}  // namespace
}  // namespace sinew
