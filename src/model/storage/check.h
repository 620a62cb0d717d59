// Checks that a reset and model/files/validate*.cc share: each throws an Error that names the array and the element.
#ifndef SINEW_MODEL_STORAGE_CHECK_H_
#define SINEW_MODEL_STORAGE_CHECK_H_

#include <mujoco/mujoco.h>

#include <string>

#include "core/error.h"

namespace sinew::inline model {

// Entries of index arrays that are allowed although they name no element.
inline constexpr int kNone = -1;     // "refers to nothing"
inline constexpr int kSeveral = -2;  // of actuators that add damping or armature: more than one

[[noreturn]] inline void ThrowInvalid(const char* array, mjtSize index, mjtSize value) {
  throw Error("Invalid model: " + std::string(array) + " out of bounds.",
              "element " + std::to_string(index) + " is " + std::to_string(value));
}

// lowest <= values[i] < end for all i.
inline void CheckValues(const char* array, const int* values, mjtSize count, mjtSize lowest, mjtSize end) {
  for (mjtSize i = 0; i < count; ++i) {
    if (values[i] < lowest || values[i] >= end) ThrowInvalid(array, i, values[i]);
  }
}

// values[index] lies in [lowest, end).
inline void CheckValue(const char* array, const int* values, mjtSize index, mjtSize lowest, mjtSize end) {
  if (values[index] < lowest || values[index] >= end) ThrowInvalid(array, index, values[index]);
}

// From one to the next, values[first] to values[first + count - 1] grow by `least` or more.
inline void CheckAscend(const char* array, const int* values, mjtSize first, mjtSize count, int least) {
  for (mjtSize i = first + 1; i < first + count; ++i) {
    if (values[i] - values[i - 1] < least) ThrowInvalid(array, i, values[i]);
  }
}

// values[index] is what other parts of the model give.
inline void CheckEqual(const char* array, const int* values, mjtSize index, mjtSize expected) {
  if (values[index] == expected) return;
  throw Error("Invalid model: bad " + std::string(array), "element " + std::to_string(index) + " is " +
                                                              std::to_string(values[index]) + ", not " +
                                                              std::to_string(expected));
}

// A block of `count` elements at address[index] stays inside an array of `size`. An empty block may be anywhere.
template <class Address>
void CheckBlock(const char* array, const Address* address, mjtSize index, mjtSize count, mjtSize size) {
  const mjtSize begin = address[index];
  if (count < 0 || (count > 0 && (begin < 0 || begin > size || count > size - begin))) {
    ThrowInvalid(array, index, begin);
  }
}

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STORAGE_CHECK_H_
