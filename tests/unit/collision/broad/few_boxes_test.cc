// Overlapping pairs of few boxes, against each pair compared axis by axis.
#include "collision/broad/few_boxes.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace sinew {
namespace {

using Pairs = std::set<std::pair<int, int>>;

Pairs Overlaps(const std::vector<SweepItem>& boxes, int meeting) {
  std::vector<int> ids;
  for (const SweepItem& box : boxes) ids.push_back(box.id);
  FewBoxes few(ids.data(), meeting, static_cast<int>(boxes.size()));
  for (size_t i = 0; i < boxes.size(); ++i) few.Set(static_cast<int>(i), boxes[i]);
  Pairs found;
  few.ForEachOverlap(
      [&](int a, int b) { EXPECT_TRUE(found.insert(std::minmax(a, b)).second) << "twice: " << a << " " << b; });
  return found;
}
Pairs Overlaps(const std::vector<SweepItem>& boxes) { return Overlaps(boxes, static_cast<int>(boxes.size())); }

bool Overlap(const SweepItem& a, const SweepItem& b) {
  bool overlap = true;
  for (int k = 0; k < 3; ++k) overlap &= a.low[k] <= b.high[k] && b.low[k] <= a.high[k];
  return overlap;
}

// Whole numbers, so that many boxes touch each other.
std::vector<SweepItem> RandomBoxes(int count, std::mt19937& random) {
  std::vector<SweepItem> boxes(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    SweepItem& box = boxes[static_cast<size_t>(i)];
    box.id = 100 + i;
    for (int k = 0; k < 3; ++k) {
      box.low[k] = static_cast<double>(random() % 6);
      box.high[k] = box.low[k] + static_cast<double>(random() % 3);
    }
  }
  return boxes;
}

TEST(FewBoxes, FindsEachOverlapOnce) {
  std::mt19937 random(11);
  size_t most = 0;
  for (int trial = 0; trial < 20; ++trial) {
    for (int count = 0; count <= FewBoxes::kMost; ++count) {
      const std::vector<SweepItem> boxes = RandomBoxes(count, random);
      Pairs expected;
      for (const SweepItem& a : boxes) {
        for (const SweepItem& b : boxes) {
          if (a.id < b.id && Overlap(a, b)) expected.insert({a.id, b.id});
        }
      }
      EXPECT_EQ(Overlaps(boxes), expected) << count << " boxes";
      most = std::max(most, expected.size());
    }
  }
  EXPECT_GT(most, 20u);
}

TEST(FewBoxes, LastOnesDoNotMeetEachOther) {
  std::mt19937 random(12);
  const std::vector<SweepItem> boxes = RandomBoxes(20, random);
  const Pairs all = Overlaps(boxes);
  for (int meeting = 0; meeting <= 20; ++meeting) {
    Pairs expected;
    for (const auto& [a, b] : all) {
      if (a - 100 < meeting || b - 100 < meeting) expected.insert({a, b});
    }
    EXPECT_EQ(Overlaps(boxes, meeting), expected) << meeting;
  }
}

TEST(FewBoxes, SetByFour) {
  std::mt19937 random(13);
  const std::vector<SweepItem> boxes = RandomBoxes(10, random);
  std::vector<int> ids;
  for (const SweepItem& box : boxes) ids.push_back(box.id);
  FewBoxes few(ids.data(), 10, 10);
  for (int i = 0; i < 10; i += 4) {  // the last two lanes have boxes that overlap with all
    Vec3<Four> low, high;
    for (int lane = 0; lane < 4; ++lane) {
      for (int k = 0; k < 3; ++k) {
        low[k].Set(lane, i + lane < 10 ? boxes[static_cast<size_t>(i + lane)].low[k] : 0);
        high[k].Set(lane, i + lane < 10 ? boxes[static_cast<size_t>(i + lane)].high[k] : 9);
      }
    }
    few.SetFour(i, low, high);
  }
  Pairs found;
  few.ForEachOverlap([&](int a, int b) { found.insert(std::minmax(a, b)); });
  EXPECT_EQ(found, Overlaps(boxes));
}

TEST(FewBoxes, HasRoomForAllPairs) {
  std::vector<SweepItem> boxes;
  for (int i = 0; i < FewBoxes::kMost; ++i) boxes.push_back({{0, 0, 0}, {1, 1, 1}, i});
  EXPECT_EQ(Overlaps(boxes).size(), boxes.size() * (boxes.size() - 1) / 2);
}

TEST(FewBoxes, WithoutNumbersOverlapWithNone) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (int k = 0; k < 3; ++k) {
    std::vector<SweepItem> boxes(3, SweepItem{{0, 0, 0}, {1, 1, 1}, 0});
    for (int i = 0; i < 3; ++i) boxes[static_cast<size_t>(i)].id = i;
    boxes[1].low[k] = boxes[1].high[k] = kNone;
    EXPECT_EQ(Overlaps(boxes), (Pairs{{0, 2}}));
  }
}

}  // namespace
}  // namespace sinew
