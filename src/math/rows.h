// Rows of the arrays of mjModel and mjData that hold a point, a direction or a triangle a row.
#ifndef SINEW_MATH_ROWS_H_
#define SINEW_MATH_ROWS_H_

#include <cstddef>

namespace sinew::inline math {

// Returns row i of an n x 3 array.
template <class T>
T* Row3(T* array, std::ptrdiff_t i) {
  return array + 3 * i;
}

}  // namespace sinew::inline math

#endif  // SINEW_MATH_ROWS_H_
