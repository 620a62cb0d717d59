// Tests that take as long as one likes read how long from the environment (docs/how/testing.md lists the variables).
#ifndef SINEW_TESTS_TESTING_LONGER_H_
#define SINEW_TESTS_TESTING_LONGER_H_

#include <cstdlib>

namespace sinew {

// The count that the environment variable `name` asks for, `usual` without it.
inline int CountOr(const char* name, int usual) {
  const char* asked = std::getenv(name);
  return asked ? std::atoi(asked) : usual;
}

}  // namespace sinew

#endif  // SINEW_TESTS_TESTING_LONGER_H_
