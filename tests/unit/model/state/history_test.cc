#include "model/state/history.h"

#include <gtest/gtest.h>

#include <vector>

namespace sinew {
namespace {

// A buffer of scalars with its memory; samples before the first are zero, one time step apart, as after a reset.
struct Buffer {
  explicit Buffer(int n, double h, int dim = 1) : memory(2 + n + n * dim), view(memory.data(), n, dim) {
    memory[1] = n - 1;
    for (int i = 0; i < n; ++i) view.Time(i) = (i - n) * h;
  }
  double Read(double time, Interpolation order) const {
    const int exact = view.Exact(time, order);
    return exact >= 0 ? *view.Value(exact) : view.Interpolate(time, order, 0);
  }
  void Insert(double time, double value) { view.Insert(time, &value); }

  std::vector<double> memory;
  HistoryBuffer<double> view;
};

// A control of k^2 + 1 at step k, seen with a delay of two and a half steps; the values were computed by hand.
TEST(HistoryTest, DelaysAControl) {
  const double h = 0.01;
  const struct {
    Interpolation order;
    double expected[7];
  } cases[] = {{Interpolation::kHold, {0, 0, 0, 1, 2, 5, 10}},
               {Interpolation::kLinear, {0, 0, 0.5, 1.5, 3.5, 7.5, 13.5}},
               {Interpolation::kCubic, {0, -0.0625, 0.4375, 1.375, 3.25, 7.25, 13.25}}};
  for (const auto& c : cases) {
    Buffer buffer(4, h);
    for (int k = 0; k < 7; ++k) {
      EXPECT_NEAR(buffer.Read(k * h - 0.025, c.order), c.expected[k], 1e-12);  // rounding of the times
      buffer.Insert(k * h, k * k + 1);
    }
  }
}

TEST(HistoryTest, OutsideTheSamplesTheirEndsCount) {
  Buffer buffer(3, 0.1);
  for (int k = 0; k < 3; ++k) buffer.Insert(k, 10 + k);
  EXPECT_EQ(buffer.Read(-5, Interpolation::kLinear), 10);
  EXPECT_EQ(buffer.Read(7, Interpolation::kLinear), 12);
  EXPECT_EQ(buffer.Read(1, Interpolation::kCubic), 11);
}

TEST(HistoryTest, SamplesStayOrdered) {
  Buffer buffer(3, 0.1);
  for (double time : {1.0, 3.0, 5.0}) buffer.Insert(time, time);
  buffer.Insert(4, 4);   // in between: the oldest goes
  buffer.Insert(4, 40);  // same time: overwritten
  const double times[] = {3, 4, 5}, values[] = {3, 40, 5};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(buffer.view.Time(i), times[i]);
    EXPECT_EQ(*buffer.view.Value(i), values[i]);
  }
  buffer.Insert(2, 2);  // older than all: takes the place of the oldest
  EXPECT_EQ(buffer.view.Time(0), 2);
  EXPECT_EQ(buffer.view.Time(1), 4);
}

TEST(HistoryTest, VectorsMoveAsAWhole) {
  Buffer buffer(2, 0.1, 3);
  const double a[] = {1, 2, 3}, b[] = {5, 6, 7};
  buffer.view.Insert(1, a);
  buffer.view.Insert(2, b);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(buffer.view.Interpolate(1.5, Interpolation::kLinear, k), 0.5 * (a[k] + b[k]));
}

// Two lanes of a pack, interleaved in memory, are two buffers.
TEST(HistoryTest, LanesAreSeparate) {
  std::vector<double> memory(2 * (2 + 2 + 2));
  memory[2] = memory[3] = 1;
  const HistoryBuffer<double> left(memory.data(), 2, 1, 2), right(memory.data() + 1, 2, 1, 2);
  const double one = 1, two = 2;
  left.Insert(1, &one);
  right.Insert(1, &two);
  EXPECT_EQ(*left.Value(1), 1);
  EXPECT_EQ(*right.Value(1), 2);
}

TEST(HistoryTest, FillKeepsWhatIsNotGiven) {
  Buffer buffer(3, 0.1);
  buffer.view.User() = 7;
  for (int k = 0; k < 4; ++k) buffer.Insert(k, k);
  const double times[] = {10, 20, 30}, values[] = {4, 5, 6};
  buffer.view.Fill(nullptr, values);
  EXPECT_EQ(buffer.view.Time(0), 1);
  EXPECT_EQ(*buffer.view.Value(0), 4);
  buffer.view.Fill(times, nullptr);
  EXPECT_EQ(buffer.view.Time(2), 30);
  EXPECT_EQ(buffer.view.User(), 7);
}

}  // namespace
}  // namespace sinew
