#include "math/block.h"

#include <gtest/gtest.h>

#include <vector>

namespace sinew {
namespace {

using Four = Pack<double, 4>;

// Consecutive numbers, so that each tells where it came from.
template <class T>
std::vector<T> Numbered(int rows) {
  std::vector<T> result(static_cast<size_t>(rows));
  double* number = reinterpret_cast<double*>(result.data());
  for (size_t i = 0; i < result.size() * sizeof(T) / sizeof(double); ++i) number[i] = static_cast<double>(i);
  return result;
}

template <template <class> class T>
void ExpectRoundTrip() {
  constexpr int kCount = sizeof(T<double>) / sizeof(double);
  const std::vector<T<double>> from = Numbered<T<double>>(7);
  std::vector<T<double>> to(7);
  const FourItems items = {{5, 0, 3, 6}};
  const auto row = [&](int i) -> const T<double>& { return from[static_cast<size_t>(i)]; };
  const T<Four> lanes = Gather(items, row);
  for (int lane = 0; lane < 4; ++lane) {
    for (int k = 0; k < kCount; ++k) {
      EXPECT_EQ(reinterpret_cast<const Four*>(&lanes)[k][lane], kCount * items.id[lane] + k);
    }
  }
  Scatter(items, lanes, [&](int i) -> T<double>& { return to[static_cast<size_t>(i)]; });
  for (int id : items.id) {
    for (int k = 0; k < kCount; ++k) {
      EXPECT_EQ(reinterpret_cast<const double*>(&to[static_cast<size_t>(id)])[k], kCount * id + k);
    }
  }
}

TEST(Block, GathersAndScattersRows) {
  ExpectRoundTrip<Vec3>();
  ExpectRoundTrip<Quat>();
  ExpectRoundTrip<Mat3>();
  ExpectRoundTrip<Spatial>();
  ExpectRoundTrip<Inertia10>();
}

TEST(Block, VisitsEveryItemThatIsKept) {
  std::vector<int> visits(11);
  ForBlocks<double>(
      2, 11, [](int i) { return i != 4 && i < 9; },
      [&](const auto& items) {
        for (int lane = 0; lane < items.kSize; ++lane) visits[static_cast<size_t>(items[lane])] = 1;
      });
  EXPECT_EQ(visits, (std::vector<int>{0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0}));
}

TEST(Block, LanesWithoutAnItemRepeatTheFirst) {
  int blocks = 0;
  const auto all = [](int) { return true; };
  ForBlocks<double>(3, 5, all, [&](const auto& items) {
    ++blocks;
    EXPECT_EQ(items[0], 3);
    EXPECT_EQ(items[1], 4);
    EXPECT_EQ(items[2], 3);
    EXPECT_EQ(items[3], 3);
  });
  EXPECT_EQ(blocks, 1);
  ForBlocks<double>(3, 3, all, [&](const auto&) { ++blocks; });
  EXPECT_EQ(blocks, 1);
}

TEST(Block, TheLastBlockOfNeighboursMayOverlap) {
  std::vector<int> first;
  ForBlocks<double>(3, 9, [&](const auto& items) {
    EXPECT_EQ(items.kSize, 4);
    first.push_back(items[0]);
    EXPECT_EQ(items[3], items[0] + 3);
  });
  EXPECT_EQ(first, (std::vector<int>{3, 5}));
}

TEST(Block, FewNeighboursComeAlone) {
  std::vector<int> items;
  ForBlocks<double>(3, 6, [&](const auto& item) {
    EXPECT_EQ(item.kSize, 1);
    items.push_back(item[0]);
  });
  EXPECT_EQ(items, (std::vector<int>{3, 4, 5}));
}

TEST(Block, PacksOfWorldsTakeOneItem) {
  int count = 0;
  ForBlocks<Four>(0, 7, [&](const OneItem& item) { EXPECT_EQ(item[0], count++); });
  EXPECT_EQ(count, 7);
  ForBlocks<Four>(
      0, 7, [](int i) { return i == 3; }, [&](const OneItem& item) { EXPECT_EQ(item[0], 3); });
  const Four x(Four::Value{1, 2, 3, 4});
  const Four y = x * 10.0;
  EXPECT_EQ(ReversedFirst<1>(OneItem{0}, x)[3], 4);  // lanes are worlds: they stay, all of them
  EXPECT_EQ(WithLane<0>(OneItem{0}, x, y)[3], 40);
}

TEST(Block, LanesOfItemsAreReversedMixedAndStoredFromTheFirst) {
  const FourNeighbours items = {0};
  const Four x(Four::Value{1, 2, 3, 4}), y = x * 10.0;
  const auto numbers = [](const Four& v) { return std::vector<double>{v[0], v[1], v[2], v[3]}; };
  EXPECT_EQ(numbers(ReversedFirst<4>(items, x)), (std::vector<double>{4, 3, 2, 1}));
  EXPECT_EQ(numbers(ReversedFirst<3>(items, x)), (std::vector<double>{3, 2, 1, 4}));
  EXPECT_EQ(numbers(WithLane<2>(items, x, y)), (std::vector<double>{1, 2, 30, 4}));

  std::vector<double> stored(5, -1);
  StoreFirst<3>(x, stored.data());
  EXPECT_EQ(stored, (std::vector<double>{1, 2, 3, -1, -1}));
  StoreFirst<4>(y, stored.data());
  EXPECT_EQ(stored, (std::vector<double>{10, 20, 30, 40, -1}));
  StoreFirst<1>(x, stored.data() + 4);
  EXPECT_EQ(stored[4], 1);
}

TEST(Block, CopiesARowAndNothingElse) {
  const std::vector<Vec3<double>> rows = Numbered<Vec3<double>>(3);
  std::vector<Vec3<double>> copies(3, Vec3<double>{-1, -1, -1});
  CopyRow(rows[1], copies[1]);
  EXPECT_EQ(copies[1].x, rows[1].x);
  EXPECT_EQ(copies[1].z, rows[1].z);
  EXPECT_EQ(copies[0].z, -1);
  EXPECT_EQ(copies[2].x, -1);
}

TEST(Block, AnItemAloneIsAScalar) {
  const std::vector<Vec3<double>> rows = Numbered<Vec3<double>>(3);
  const OneItem item = {2};
  const Vec3<double> row = Gather(item, [&](int i) -> const Vec3<double>& { return rows[static_cast<size_t>(i)]; });
  EXPECT_EQ(row.y, 7);
  EXPECT_EQ(ReversedFirst<1>(item, 3.0), 3);
  EXPECT_EQ(Lane(item, 3.0, 0), 3);
}

TEST(Block, TransposesSquaresAndSpreadsVectors) {
  Four square[4];
  for (int c = 0; c < 4; ++c) square[c] = Four(Four::Value{1.0 + c, 11.0 + c, 21.0 + c, 31.0 + c});
  Transpose(square);
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) EXPECT_EQ(square[r][c], 10 * r + 1 + c);
  }
  const Spatial<double> motion = {{1, 2, 3}, {4, 5, 6}};
  const Spatial<Four> spread = Spread(FourNeighbours{0}, motion);
  for (int k = 0; k < 6; ++k) {
    for (int lane = 0; lane < 4; ++lane) EXPECT_EQ(spread[k][lane], motion[k]);
  }
}

TEST(Block, AddsAndStoresRowsOfAnyLength) {
  std::vector<Vec3<double>> rows = Numbered<Vec3<double>>(2);
  AddRow(rows[0], rows[1]);
  EXPECT_EQ(rows[1].x, 3);
  EXPECT_EQ(rows[1].y, 5);
  EXPECT_EQ(rows[1].z, 7);
  StoreRow(rows[0], rows[1]);
  EXPECT_EQ(rows[1].z, 2);
}

}  // namespace
}  // namespace sinew
