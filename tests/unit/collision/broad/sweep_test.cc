// Overlapping pairs of boxes, against each pair compared axis by axis.
#include "collision/broad/sweep.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/testing/model.h"

namespace sinew {
namespace {

using Pairs = std::set<std::pair<int, int>>;

Pairs Overlaps(const std::vector<SweepBox>& boxes, int meeting) {
  static World world(ModelFromText("<mujoco><size memory='4M'/></mujoco>"));
  StackFrame frame(world.d.get());
  Pairs found;
  Sweep(boxes.data(), meeting, static_cast<int>(boxes.size()), frame).ForEachOverlap([&](int a, int b) {
    EXPECT_TRUE(found.insert(std::minmax(a, b)).second) << "twice: " << a << " " << b;
  });
  return found;
}
Pairs Overlaps(const std::vector<SweepBox>& boxes) { return Overlaps(boxes, static_cast<int>(boxes.size())); }

bool Overlap(const SweepBox& a, const SweepBox& b) {
  bool overlap = true;
  for (int k = 0; k < 3; ++k) overlap &= a.low[k] <= b.high[k] && b.low[k] <= a.high[k];
  return overlap;
}

// Whole numbers, so that many boxes touch each other.
std::vector<SweepBox> RandomBoxes(int count, std::mt19937& random) {
  std::vector<SweepBox> boxes(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    SweepBox& box = boxes[static_cast<size_t>(i)];
    box.id = 100 + i;
    for (int k = 0; k < 3; ++k) {
      box.low[k] = static_cast<double>(random() % 6);
      box.high[k] = box.low[k] + static_cast<double>(random() % 3);
    }
  }
  return boxes;
}

TEST(Sweep, FindsEachOverlapOnce) {
  std::mt19937 random(11);
  size_t most = 0;
  for (int trial = 0; trial < 20; ++trial) {
    for (const int count : {1, 2, 3, 4, 5, 7, 8, 31, Sweep::kUnsorted, Sweep::kUnsorted + 1, 40, 70, 300}) {
      const std::vector<SweepBox> boxes = RandomBoxes(count, random);
      Pairs expected;
      for (const SweepBox& a : boxes) {
        for (const SweepBox& b : boxes) {
          if (a.id < b.id && Overlap(a, b)) expected.insert({a.id, b.id});
        }
      }
      EXPECT_EQ(Overlaps(boxes), expected) << count << " boxes";
      most = std::max(most, expected.size());
    }
  }
  EXPECT_GT(most, 20u);
}

TEST(Sweep, LastOnesDoNotMeetEachOther) {
  std::mt19937 random(12);
  const std::vector<SweepBox> boxes = RandomBoxes(20, random);
  const Pairs all = Overlaps(boxes);
  for (int meeting = 0; meeting <= 20; ++meeting) {
    Pairs expected;
    for (const auto& [a, b] : all) {
      if (a - 100 < meeting || b - 100 < meeting) expected.insert({a, b});
    }
    EXPECT_EQ(Overlaps(boxes, meeting), expected) << meeting;
  }
}

TEST(Sweep, HasRoomForAllPairs) {
  std::vector<SweepBox> boxes;
  for (int i = 0; i < 200; ++i) boxes.push_back({{0, 0, 0}, {1, 1, 1}, i});
  EXPECT_EQ(Overlaps(boxes).size(), boxes.size() * (boxes.size() - 1) / 2);
}

TEST(Sweep, WithoutNumbersOverlapWithNone) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (const int count : {3, Sweep::kUnsorted + 5}) {
    for (int k = 0; k < 3; ++k) {
      for (const int without : {0, 1, count - 1}) {
        std::vector<SweepBox> boxes(static_cast<size_t>(count), SweepBox{{0, 0, 0}, {1, 1, 1}, 0});
        for (int i = 0; i < count; ++i) boxes[static_cast<size_t>(i)].id = i;
        SweepBox& box = boxes[static_cast<size_t>(without)];
        box.low[k] = box.high[k] = kNone;
        const Pairs found = Overlaps(boxes);
        EXPECT_EQ(found.size(), static_cast<size_t>((count - 1) * (count - 2) / 2));
        for (const auto& [a, b] : found) EXPECT_TRUE(a != without && b != without);
      }
    }
  }
}

}  // namespace
}  // namespace sinew
