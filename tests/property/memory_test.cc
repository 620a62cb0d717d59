// Resident memory does not grow: neither by data that is made and deleted, nor by steps, nor by compiling again.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "tests/testing/model.h"

namespace sinew {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // sanitizers keep what was freed
#else
constexpr bool kSanitized = false;
#endif
constexpr long kMostGrowth = 1 << 20;

// Memory of this process that is in RAM, in bytes.
long ResidentBytes() {
  long total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// Runs `body` `warm_up` times, then `count` times; returns by how many bytes resident memory grew in the latter. What
// leaks grows every time, what the allocator takes or returns for earlier tests does not: the least of up to three
// attempts.
template <class Body>
long Growth(int warm_up, int count, Body body) {
  for (int i = 0; i < warm_up; ++i) body();
  long least = std::numeric_limits<long>::max();
  for (int attempt = 0; attempt < 3 && least >= kMostGrowth; ++attempt) {
    const long before = ResidentBytes();
    for (int i = 0; i < count; ++i) body();
    least = std::min(least, ResidentBytes() - before);
  }
  return least;
}

class MemoryTest : public testing::Test {
  void SetUp() override {
    if (kSanitized) GTEST_SKIP();
  }
};

TEST_F(MemoryTest, DataMadeAndDeletedLeavesNothing) {
  const ModelPtr m = ModelFromFile("humanoid.xml");
  EXPECT_LT(Growth(1000, 20000, [&] { mj_deleteData(mj_makeData(m.get())); }), kMostGrowth);
}

TEST_F(MemoryTest, StepsLeaveNothing) {
  const World w(ModelFromFile("humanoid.xml"));
  EXPECT_LT(Growth(1000, 20000, [&] { mj_step(w.m.get(), w.d.get()); }), kMostGrowth);
}

TEST_F(MemoryTest, ModelsReadAndDeletedLeaveNothing) {
  EXPECT_LT(Growth(20, 200, [] { ModelFromFile("humanoid.xml"); }), kMostGrowth);
}

}  // namespace
}  // namespace sinew
