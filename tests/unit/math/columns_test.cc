#include "math/columns.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace sinew {
namespace {

// Every column once, none beyond the last.
TEST(Columns, AreAllVisitedOnce) {
  for (int n = 0; n < 14; ++n) {
    std::vector<double> x(16), y(16, 100), expected = y;
    std::iota(x.begin(), x.end(), 1);
    ForColumns<double>(
        n, [&](const auto& at) { at.Store(at.Load(y.data()) + at.InAll(0.5) * at.Load(x.data()), y.data()); });
    for (size_t i = 0; i < static_cast<size_t>(n); ++i) expected[i] += 0.5 * x[i];
    EXPECT_EQ(y, expected) << n;
  }
}

TEST(Columns, OfPacksComeOneByOne) {
  using Worlds = Pack<double, 4>;
  Worlds row[3] = {Worlds(1), Worlds(2), Worlds(3)};
  int visits = 0;
  ForColumns<Worlds>(2, [&](const auto& at) {
    at.Store(at.Load(row) * at.InAll(Worlds(10)), row);
    ++visits;
  });
  EXPECT_EQ(visits, 2);
  EXPECT_EQ(row[1][3], 20);
  EXPECT_EQ(row[2][0], 3);
}

}  // namespace
}  // namespace sinew
