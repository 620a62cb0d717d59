#include "core/parallel.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace sinew {
namespace {

TEST(ParallelFor, DoesEveryPieceOnce) {
  for (const size_t count : {0u, 1u, 2u, 1000u}) {
    std::vector<int> done(count);
    ParallelFor(count, [&](size_t i) { ++done[i]; });
    EXPECT_EQ(done, std::vector<int>(count, 1));
  }
}

TEST(ParallelFor, ReportsTheFirstErrorAfterAllPieces) {
  for (const auto loop : {ParallelFor, SerialFor}) {
    std::vector<int> done(100);
    std::string message;
    try {
      loop(done.size(), [&](size_t i) {
        ++done[i];
        if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
      });
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    EXPECT_EQ(message, "7");
    EXPECT_EQ(done, std::vector<int>(100, 1));
  }
}

}  // namespace
}  // namespace sinew
