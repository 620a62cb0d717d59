#include "core/processors.h"

#include <gtest/gtest.h>
#include <sched.h>

namespace sinew {
namespace {

TEST(Processors, QuotasAndAffinityBound) {
  EXPECT_EQ(ProcessorsOfQuota("200000 100000"), 2);
  EXPECT_EQ(ProcessorsOfQuota("150000 100000"), 2);
  EXPECT_EQ(ProcessorsOfQuota("max 100000"), 0);
  EXPECT_EQ(ProcessorsOfQuota("-1 100000"), 0);
  EXPECT_EQ(ProcessorsOfQuota(""), 0);
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  CPU_ZERO(&one);
  for (int i = 0; CPU_COUNT(&one) == 0; ++i) {
    if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(UsableProcessors(), 1);
  sched_setaffinity(0, sizeof(before), &before);
}

}  // namespace
}  // namespace sinew
