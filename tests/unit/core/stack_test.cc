#include "core/stack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/error.h"
#include "core/memory.h"
#include "model/storage/data.h"
#include "tests/unit/model/small_model.h"

namespace sinew {
namespace {

class StackTest : public testing::Test {
 protected:
  uintptr_t Top() const { return reinterpret_cast<uintptr_t>(d->arena) + static_cast<uintptr_t>(d->narena); }

  const ModelPtr m = MakeSmallModel();
  const DataPtr d{MakeData(*m)};
};

// A frame takes 24 bytes; an address is the top minus the size, rounded down to the alignment. Measured with the
// reference, whose pstack programs can see.
TEST_F(StackTest, CountsBytes) {
  ASSERT_EQ(Top() % 32, 0);
  MarkStack(d.get());
  EXPECT_EQ(d->pstack, 24);
  AllocStack(d.get(), 3 * sizeof(double), alignof(double));
  EXPECT_EQ(d->pstack, 48);
  AllocStack(d.get(), sizeof(int), alignof(int));
  EXPECT_EQ(d->pstack, 52);
  AllocStack(d.get(), sizeof(double), alignof(double));
  EXPECT_EQ(d->pstack, 64);
  AllocStack(d.get(), 5, 32);
  EXPECT_EQ(d->pstack, 96);
  MarkStack(d.get());
  EXPECT_EQ(d->pstack, 120);
  FreeStack(d.get());
  EXPECT_EQ(d->pstack, 96);
  FreeStack(d.get());
  EXPECT_EQ(d->pstack, 0);
  EXPECT_EQ(d->pbase, 0);
  EXPECT_EQ(d->maxuse_stack, 120);
  EXPECT_EQ(d->maxuse_arena, 120);
}

TEST_F(StackTest, NothingTakesNoSpace) {
  EXPECT_EQ(AllocStack(d.get(), 0, 8), nullptr);
  EXPECT_EQ(d->pstack, 0);
}

TEST_F(StackTest, FreeWithoutAFrameDoesNothing) {
  AllocStack(d.get(), 8, 8);
  FreeStack(d.get());
  EXPECT_EQ(d->pstack, 8);
}

TEST_F(StackTest, FramesNest) {
  StackFrame outer(d.get());
  double* a = outer.Doubles(10);
  a[0] = 1;
  const size_t used = d->pstack;
  {
    StackFrame inner(d.get());
    inner.Ints(1000)[999] = 2;
    EXPECT_GT(d->pstack, used);
  }
  EXPECT_EQ(d->pstack, used);
  EXPECT_EQ(a[0], 1);
}

TEST_F(StackTest, AlignsToAnyPowerOfTwo) {
  const StackFrame frame(d.get());
  for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(AllocStack(d.get(), 3, alignment)) % alignment, 0);
  }
  EXPECT_THROW(AllocStack(d.get(), 8, 24), Error);
  EXPECT_THROW(AllocStack(d.get(), 8, 0), Error);
}

TEST_F(StackTest, OverflowIsAnErrorAndTakesNothing) {
  const StackFrame frame(d.get());
  const size_t used = d->pstack, rest = static_cast<size_t>(d->narena) - used;
  for (const size_t bytes : {rest + 1, std::numeric_limits<size_t>::max()}) {
    EXPECT_THROW(AllocStack(d.get(), bytes, 1), Error);
    EXPECT_EQ(d->pstack, used);
  }
  EXPECT_THROW(AllocStack(d.get(), 8, size_t{1} << 62), Error) << "no such address";
  EXPECT_NE(AllocStack(d.get(), rest, 1), nullptr);
  EXPECT_THROW(MarkStack(d.get()), Error);
}

// What a step needs in any case has room behind the arena, which programs' frames do not see.
TEST_F(StackTest, FramesOfTheEngineHaveAReserve) {
  const StackFrame frame(d.get());
  AllocStack(d.get(), static_cast<size_t>(d->narena) - d->pstack, 1);
  const size_t used = d->pstack;
  {
    StackFrame full(d.get());
    double* x = full.Doubles(10);
    ASSERT_NE(x, nullptr);
    EXPECT_GE(reinterpret_cast<uintptr_t>(x), Top());
    StackFrame inner(d.get());
    double* y = inner.Doubles(10);
    EXPECT_GE(y, x + 10);
    x[9] = y[9] = 1;
  }
  EXPECT_EQ(d->pstack, used);
  StackFrame again(d.get());
  const auto* first = again.Alloc<char>(1);
  EXPECT_LT(reinterpret_cast<uintptr_t>(first), Top() + kMemoryAlignment) << "the reserve was given back";
  EXPECT_THROW(again.Doubles(1 << 28), StackOverflow);
  EXPECT_THROW(MarkStack(d.get()), StackOverflow) << "programs have the arena only";
}

// Data of another library, on which functions of ours are called: nothing in front of its arena changes.
TEST_F(StackTest, ArenasOfOthersHaveNoReserve) {
  const size_t bytes = static_cast<size_t>(d->narena);
  std::vector<char> memory(bytes + 3 * kMemoryAlignment, 'x');
  void* const own = d->arena;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(memory.data()) + 2 * kMemoryAlignment;
  d->arena = reinterpret_cast<void*>(begin / kMemoryAlignment * kMemoryAlignment);
  ReleaseReserve(d.get());
  {
    StackFrame frame(d.get());
    EXPECT_NE(frame.Doubles(10), nullptr);
    EXPECT_THROW(frame.Alloc<char>(static_cast<int>(bytes)), StackOverflow);
  }
  EXPECT_TRUE(std::all_of(memory.data(), static_cast<char*>(d->arena), [](char c) { return c == 'x'; }));
  d->arena = own;
}

TEST_F(StackTest, AFrameMayReportInsteadOfThrowing) {
  StackFrame frame(d.get(), WhenFull::kReport);
  EXPECT_NE(frame.Doubles(10), nullptr);
  EXPECT_FALSE(frame.full());
  EXPECT_EQ(frame.Doubles(d->narena), nullptr);
  EXPECT_TRUE(frame.full());

  AllocStack(d.get(), static_cast<size_t>(d->narena) - d->pstack, 1);
  const StackFrame without_header(d.get(), WhenFull::kReport);
  EXPECT_TRUE(without_header.full());
}

TEST_F(StackTest, FillLevelBeyondTheStackIsAFullStack) {
  AllocArena(d.get(), 100, 1);
  d->pstack = static_cast<size_t>(d->narena);
  EXPECT_THROW(MarkStack(d.get()), StackOverflow);
  EXPECT_THROW(AllocStack(d.get(), 1, 1), StackOverflow);
  EXPECT_EQ(AllocArena(d.get(), 1, 1), nullptr);
}

TEST_F(StackTest, AnErrorClosesTheFramesThatItLeaves) {
  const auto recurse = [&](auto&& self, int levels) -> void {
    StackFrame frame(d.get());
    frame.Doubles(1000);
    if (levels > 0) self(self, levels - 1);
  };
  EXPECT_THROW(recurse(recurse, 100), Error);
  EXPECT_EQ(d->pstack, 0);
  EXPECT_EQ(d->pbase, 0);
}

TEST_F(StackTest, ArenaGrowsFromTheOtherEnd) {
  EXPECT_EQ(AllocArena(d.get(), 100, 8), d->arena);
  EXPECT_EQ(d->parena, 100);
  void* second = AllocArena(d.get(), 100, 64);
  EXPECT_EQ(static_cast<char*>(second) - static_cast<char*>(d->arena), 128);
  EXPECT_EQ(d->parena, 228);
}

TEST_F(StackTest, ArenaAndStackShareTheSpace) {
  const StackFrame frame(d.get());
  AllocStack(d.get(), 60000, 1);
  EXPECT_EQ(AllocArena(d.get(), 50000, 1), nullptr) << "full is a status, not an error";
  EXPECT_EQ(d->parena, 0);
  EXPECT_NE(AllocArena(d.get(), 30000, 1), nullptr);
  EXPECT_THROW(AllocStack(d.get(), 20000, 1), Error);
  EXPECT_EQ(d->maxuse_arena, 24 + 60000 + 30000);
}

}  // namespace
}  // namespace sinew
