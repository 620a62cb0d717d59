// Arrays of C functions in expectations.
#ifndef SINEW_TESTS_UNIT_CAPI_ARRAYS_H_
#define SINEW_TESTS_UNIT_CAPI_ARRAYS_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace sinew {

using Numbers = std::vector<double>;

template <class T, size_t n>
Numbers Of(const T (&array)[n]) {
  return Numbers(array, array + n);
}

// Equal but for rounding: 1e-14 is some ulp of numbers of order one. Worked numbers have 12 digits, for 1e-12.
inline void ExpectNear(const Numbers& actual, const Numbers& expected, double tolerance = 1e-14) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << "entry " << i;
}

}  // namespace sinew

#endif  // SINEW_TESTS_UNIT_CAPI_ARRAYS_H_
